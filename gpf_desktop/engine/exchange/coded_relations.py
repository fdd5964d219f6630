"""The code book and all marked passages as tables: what `study_notes` and `annotations` add up to today."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.relations import FieldKind, Relation, RelationField, Row
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import verdict_called
from gpf_desktop.storage import quotes, study_entries
from gpf_desktop.storage.writer import Connection

CODE_BOOK: Final = "code_book"
QUOTES: Final = "quotes"
NAMES: Final = (CODE_BOOK, QUOTES)


def relation(connection: Connection, name: str) -> Relation:
    """The one called *name*, of `NAMES`: of what was submitted, no drafts."""
    return _code_book(connection) if name == CODE_BOOK else _quotes(connection)


def _code_book(connection: Connection) -> Relation:
    book, said = study_entries.code_book(connection), quotes.quotes(connection)
    passages: dict[str, int] = defaultdict(int)
    sets: dict[str, set[int]] = defaultdict(set)
    people: dict[str, set[int]] = defaultdict(set)
    for each in said:
        for code in book.standing_of(each.codes):
            passages[code.id] += 1
            sets[code.id].add(each.bundle_id)
            people[code.id].add(each.reviewer_id)

    def rows() -> Iterator[Row]:
        for code in book.codes:
            standing = book.standing(code.id)
            into = "" if standing is None or standing.id == code.id else standing.name
            examples = "\n".join(code.examples)
            used = (passages[code.id], len(sets[code.id]), len(people[code.id]))
            yield (code.id, code.name, code.definition, examples, code.retired, into, *used)

    return Relation(
        name=CODE_BOOK,
        words=tr("A code of the code book, as it is today"),
        fields=(
            RelationField(name="code_id", words=tr("Its name on every machine")),
            RelationField(name="code", words=tr("What it is called")),
            RelationField(name="definition", words=tr("When it is used and when not")),
            RelationField(name="examples", words=tr("What it looks like, an example a line")),
            RelationField(name="retired", kind=FieldKind.FLAG, words=tr("Not offered any more")),
            RelationField(name="merged_into", words=tr("The code that stands in its place")),
            RelationField(name="passages", kind=FieldKind.INTEGER, words=tr("Passages with this code")),
            RelationField(name="sets", kind=FieldKind.INTEGER, words=tr("Sets of answers with such a passage")),
            RelationField(name="reviewers", kind=FieldKind.INTEGER, words=tr("People who gave it")),
        ),
        rows=rows(),
        key=("code_id",),
    )


def _quotes(connection: Connection) -> Relation:
    book = study_entries.code_book(connection)

    def rows() -> Iterator[Row]:
        for each in quotes.quotes(connection):
            codes = "; ".join(code.name for code in book.standing_of(each.codes))
            yield (
                each.bundle_id,
                each.cell_id,
                each.start,
                each.end,
                each.words,
                codes,
                each.comment,
                each.reviewer,
                "" if not each.verdict else verdict_called(Verdict(each.verdict)),
                each.severity,
                "; ".join(each.tags),
                each.model,
                each.item,
                _levels(each.fixed.joined(each.varying)),
            )

    return Relation(
        name=QUOTES,
        words=tr("A passage of an answer that a reviewer marked, with its codes"),
        fields=(
            RelationField(name="bundle_id", kind=FieldKind.INTEGER, words=tr("The set of answers")),
            RelationField(name="cell_id", kind=FieldKind.INTEGER, words=tr("The answer")),
            RelationField(name="start", kind=FieldKind.INTEGER, words=tr("First character, from 0")),
            RelationField(name="end", kind=FieldKind.INTEGER, words=tr("The character behind the last")),
            RelationField(name="words", words=tr("The passage, as it stands in the answer")),
            RelationField(name="codes", words=tr("Codes that stand for it today, with semicolons between them")),
            RelationField(name="comment", words=tr("What the reviewer said of it")),
            RelationField(name="reviewer", words=tr("Who marked it")),
            RelationField(name="verdict", words=tr("What this reviewer says of the whole set, as the window has it")),
            RelationField(name="severity", kind=FieldKind.INTEGER, words=tr("1 to 4, where it is harmful")),
            RelationField(name="tags", words=tr("The reviewer's tags of the set")),
            RelationField(name="model", words=tr("The model that answered")),
            RelationField(name="item", words=tr("What the question was about")),
            RelationField(name="levels", words=tr("Levels on all factors, as factor: level")),
        ),
        rows=rows(),
    )


def _levels(coordinates: Coordinates) -> str:
    return "; ".join(f"{factor}: {level}" for factor, level in coordinates)
