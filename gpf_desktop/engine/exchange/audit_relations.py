"""The relations of one audit in the words of its methods: factors as columns, messages as they were sent."""

import hashlib
import json
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final

from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.relations import Cell, FieldKind, Relation, RelationField, Row
from gpf_desktop.domain.reviews import Reviewer
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.withheld import article_text, hashed
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.protocols import frozen_protocol
from gpf_desktop.engine.exchange import coded_relations, preference_pairs
from gpf_desktop.engine.reporting.report_facts import shown_address
from gpf_desktop.storage import asked_messages, protocols, relations, reviewers, run_tables, stored, stored_relation
from gpf_desktop.storage.asked_messages import AskedMessage
from gpf_desktop.storage.earlier_answers import earlier_answers
from gpf_desktop.storage.run_stamps import run_stamps
from gpf_desktop.storage.stored_relation import StoredRelation
from gpf_desktop.storage.writer import Connection

PROMPTS: Final = "prompts"
_UNIT: Final = ("unit_kind", "unit_id")
_REMEMBERED: Final = 65_536
"""Messages whose numbers are kept while answers are written; what is forgotten is composed again."""


class AuditRelations:
    """Reads on *connection*, from any thread but one at a time; rows come in a fixed order."""

    def __init__(self, connection: Connection, withheld: Collection[str] = (), *, without_news: bool = False) -> None:
        """*withheld*: providers of whose answers nothing may stand in messages of later stages, but a placeholder;
        *without_news*: nor may the texts of articles, in messages or among the news."""
        self._withheld, self._without_news = withheld, without_news
        self._connection = connection
        self._stored = {**relations.stored_relations(), **relations.restoring_relations()}
        methods = dict.fromkeys(run.method for run in run_stamps(connection))
        self._factors = tuple(
            dict.fromkeys(factor.name for name in methods for factor in catalogue.method(name).factors)
        )
        # Caches of this object: one on the class would keep every audit's connection alive.
        self._prompt_id = lru_cache(maxsize=_REMEMBERED)(self._number)
        self._item = lru_cache(maxsize=4096)(self._asked_about)
        self._protocol = lru_cache(maxsize=8)(lambda number: protocols.get(connection, number))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the relations; a relation stands before those that refer to it."""
        found = list(relations.stored_relations())
        found.insert(found.index("answers"), PROMPTS)
        return tuple(found)

    def people(self) -> list[Reviewer]:
        """The reviewers who decided something, in the order in which they first did; then the others."""
        return reviewers.in_order_of_entries(self._connection)

    def count(self, name: str) -> int:
        """About how many rows *name* has; 0 for what is not known before it is read."""
        return (
            0
            if name in {PROMPTS, preference_pairs.NAME, *coded_relations.NAMES}
            else stored_relation.count(self._connection, self._stored[name])
        )

    def relation(self, name: str) -> Relation:
        if name == PROMPTS:
            return Relation(
                name=PROMPTS,
                words=tr("A message, as it was sent to models"),
                fields=(
                    RelationField(name="prompt_id", words=tr("Begin of the SHA-256 of its words")),
                    RelationField(name="system", words=tr("The system prompt; empty where there was none")),
                    RelationField(name="user", words=tr("The message itself, with item and level filled in")),
                ),
                rows=self._prompts(),
                key=("prompt_id",),
            )
        if name in coded_relations.NAMES:
            return coded_relations.relation(self._connection, name)
        if name == preference_pairs.NAME:
            return preference_pairs.relation(self._connection)
        found = self._stored[name]
        rows = stored_relation.rows(self._connection, found)
        if name == "bundles":
            return self._with_levels(found, rows, ("coordinates",))
        if name == "answers":
            return self._with_prompts(self._with_levels(found, rows, ("fixed", "varying")))
        if name == "news" and self._without_news:
            rows = _without_texts(found, rows)
        if name == "models":
            rows = _without_logins(found, rows)
        return Relation(name=name, words=found.words, fields=found.fields, rows=rows, key=found.key)

    def with_rounds(self, scores: Relation) -> Relation:
        """*scores* with two columns more, which their units have: the round and the model."""
        kind, unit = (next(at for at, field in enumerate(scores.fields) if field.name == name) for name in _UNIT)

        @lru_cache(maxsize=_REMEMBERED)
        def place(kind: str, number: int) -> Row:
            return relations.round_of(self._connection, kind, number)

        def widened() -> Iterator[Row]:
            for row in scores.rows:
                yield (*row, *place(str(row[kind]), int(str(row[unit]))))

        added = (
            RelationField(name="run_id", kind=FieldKind.INTEGER, words=tr("The round")),
            RelationField(name="model", words=tr("The model's name; empty where models differ within the set")),
        )
        return Relation(
            name=scores.name, words=scores.words, fields=(*scores.fields, *added), rows=widened(), key=scores.key
        )

    def _with_levels(self, found: StoredRelation, rows: Iterator[Row], holding: tuple[str, ...]) -> Relation:
        """A column more for each factor, with its level from the coordinates in the columns *holding*."""
        fields = found.fields
        names = [field.name for field in fields]
        places = [names.index(each) for each in holding]
        title = {factor.name: factor.title for method in catalogue.methods().values() for factor in method.factors}
        added = tuple(
            RelationField(
                # A factor of a method may be called as a stored column is; two columns of one name cannot be told apart
                # in a file.
                name=factor if factor not in names else f"{factor}_level",
                words=tr("Level on the factor “{title}”", title=title[factor]),
            )
            for factor in self._factors
        )

        @lru_cache(maxsize=4096)
        def levels(*texts: str) -> tuple[Cell, ...]:
            found = {factor: level for text in texts for factor, level in stored.coordinates(text)}
            return tuple(found.get(factor) for factor in self._factors)

        def widened() -> Iterator[Row]:
            for row in rows:
                yield (*row, *levels(*(str(row[place]) for place in places)))

        return Relation(name=found.name, words=found.words, fields=fields + added, rows=widened(), key=found.key)

    def _with_prompts(self, answers: Relation) -> Relation:
        names = [field.name for field in answers.fields]
        keyed = ("protocol_id", "batch_id", "item_id", "fixed", "varying", "parent_cell_id")
        places = [names.index(each) for each in keyed]

        def widened() -> Iterator[Row]:
            for row in answers.rows:
                values: dict[str, object] = dict(zip(keyed, (row[place] for place in places), strict=True))
                values["parent_cell_id"] = values["parent_cell_id"] or 0
                yield (*row, self._prompt_id(AskedMessage(**values)))  # type: ignore[arg-type]

        added = RelationField(name="prompt_id", words=tr("The message that was sent: its row in prompts"))
        return Relation(
            name=answers.name,
            words=answers.words,
            fields=(*answers.fields, added),
            rows=widened(),
            key=answers.key,
        )

    def _asked_about(self, batch: int, item: int) -> StudyItem:
        found = asked_messages.study_item(self._connection, batch, item)
        return replace(found, text=article_text(found.kind, found.text)) if self._without_news else found

    def _number(self, message: AskedMessage) -> str:
        return prompt_id(self.composed(message))

    def _prompts(self) -> Iterator[Row]:
        seen: set[str] = set()
        for message in asked_messages.messages(self._connection):
            composed = self.composed(message)
            number = prompt_id(composed)
            if number not in seen:
                seen.add(number)
                yield (number, composed.system, composed.talk)

    def composed(self, message: AskedMessage) -> Prompt:
        row = self._protocol(message.protocol_id)
        protocol = frozen_protocol(row.method, row.text)
        coordinates = stored.coordinates(message.fixed).joined(stored.coordinates(message.varying))
        item = self._item(message.batch_id, message.item_id)
        # Later stages quote earlier answers: what is withheld there must not come out by way of the message.
        given = [
            hashed(each.text) if each.model.partition("/")[0] in self._withheld else each.text
            for each in (earlier_answers(self._connection, message.parent_cell_id) if message.parent_cell_id else ())
        ]
        with stored.reading("a message by its coordinates"):
            return catalogue.method(row.method).compose(protocol, coordinates, item, given)


IN_WORKBOOKS: Final = ("news", "models", "bundles", "answers", "scores", "annotations", "study_notes")


def hand_over(context: EngineContext, take: Callable[[Relation], None]) -> None:
    """Give *take* each relation that a workbook holds whole, all of them as they are at one moment. Blocks."""

    def read(connection: Connection) -> None:
        with run_tables.one_moment(connection):
            found = AuditRelations(connection)
            for name in IN_WORKBOOKS:
                take(found.relation(name))

    context.audit.read(read)


def _without_texts(news: StoredRelation, rows: Iterator[Row]) -> Iterator[Row]:
    """*rows* of *news*, each article's text as a placeholder."""
    names = [field.name for field in news.fields]
    kind, text = names.index("item_kind"), names.index("text")
    for row in rows:
        cells = list(row)
        cells[text] = article_text(str(row[kind]), str(row[text]))
        yield cells


def _without_logins(models: StoredRelation, rows: Iterator[Row]) -> Iterator[Row]:
    """*rows* of *models* with addresses as reports show them: keys have been seen in the rest."""
    names = [field.name for field in models.fields]
    address, endpoint = names.index("base_url"), names.index("endpoint")
    for row in rows:
        cells = list(row)
        shown = shown_address(str(cells[address])) if cells[address] else ""
        if shown != cells[address]:
            asked = stored.structure(str(cells[endpoint]))
            cells[address], cells[endpoint] = shown, json.dumps({**asked, "base_url": shown}, sort_keys=True)
        yield cells


def prompt_id(prompt: Prompt) -> str:
    """Equal messages have equal numbers, in every audit."""
    # With a sign between them: a word that moves from the one to the other makes another message.
    return hashlib.sha256(f"{prompt.system}\x1f{prompt.talk}".encode()).hexdigest()[:16]
