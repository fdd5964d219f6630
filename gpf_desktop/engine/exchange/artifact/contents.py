"""The contents of an artifact: the relations from which an audit is made again, with answers whole or as hashes."""

import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gpf_desktop.domain.relations import FieldKind, Relation, RelationField, Row
from gpf_desktop.domain.reviews import Reviewer
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.withheld import hashed
from gpf_desktop.engine.exchange.audit_relations import PROMPTS, AuditRelations
from gpf_desktop.storage import letters
from gpf_desktop.storage.restoring import ORDER

DATA: Final = "data/"
TABLES: Final = "tables/"
GROUPS: Final = "reviewer_groups"
"""Only where it is chosen: what people say of themselves is theirs to give."""
NAMES: Final = (*ORDER[: ORDER.index("answers")], PROMPTS, *ORDER[ORDER.index("answers") :])
"""Of the relations, in the order in which they are written."""


def chosen_names(choices: "ArtifactChoices") -> tuple[str, ...]:
    """The names among `NAMES` that an artifact of these *choices* holds."""
    return tuple(name for name in NAMES if choices.groups or name != GROUPS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactChoices:
    """The auditor's decisions about an artifact."""

    withheld: frozenset[str] = frozenset()
    """Providers whose terms keep answers from being passed on: their answers become hashes."""
    without_news: bool = False
    """The texts of articles become hashes, in messages too; headlines stay, for tables name articles by them."""
    pseudonyms: bool = False
    """Reviewers are called "Reviewer 1" and so on."""
    groups: bool = False
    """The groups that reviewers say they belong to go along, by the numbers under which they sealed their entries."""
    draft: bool = True
    """What the auditor wrote of a report goes along: texts, findings, and where their evidence stands."""
    licence: str = "https://creativecommons.org/licenses/by/4.0/"
    """Of what the auditor may license: protocol, scores, annotations, and the choice of all of it."""
    creator: str = ""
    """Who made the audit, in the words of the one who did; empty: not said."""
    addresses: tuple[str, ...] = ()
    """Where the shared file and its reports will be; these and the next two go into `audits.json`."""
    operations: tuple[str, ...] = ()
    """Addresses of what was audited, as of a service; together with *rules*, or not at all."""
    rules: tuple[str, ...] = ()
    """Addresses of the rules that ask for the audit."""


def relation(relations: AuditRelations, name: str, choices: ArtifactChoices) -> Relation:
    """The relation called *name* as the artifact holds it."""
    found = relations.relation(name)
    match name:
        case "answers":
            found = _withheld(found, choices.withheld)
        case "vectors":
            found = _without_vectors(found, choices.withheld)
        case "annotations" | "study_notes" if choices.pseudonyms:
            found = _pseudonymous(found, relations.people())
    # As the very text that is stored: what is sealed, or hashed, is sealed in its spelling.
    fields = (replace(each, kind=FieldKind.TEXT) if each.kind is FieldKind.STRUCTURE else each for each in found.fields)
    return replace(found, fields=tuple(fields))


def _hash_of(text: str) -> tuple[int, str]:
    """(characters, SHA-256) of an answer, or of the one whose placeholder it is."""
    # By way of the placeholder: in an audit that was made from an artifact the stored text is one already.
    characters, digest = re.findall("[0-9a-f]{64}|[0-9]+(?= characters)", hashed(text))
    return int(characters), digest


def _withheld(answers: Relation, providers: Collection[str]) -> Relation:
    """*answers*, those of *providers* as hashes; the words that flags quote from them and single letters go too."""
    names = [field.name for field in answers.fields]
    at = {name: names.index(name) for name in ("provider", "answer", "reasoning", "detail", "sent", "flags")}

    def rows() -> Iterator[Row]:
        for row in answers.rows:
            answer = row[at["answer"]]
            if answer is None:
                yield (*row, None, None, False)
                continue
            characters, digest = _hash_of(str(answer))
            if row[at["provider"]] not in providers:
                yield (*row, digest, characters, False)
                continue
            cells = list(row)
            cells[at["answer"]], cells[at["reasoning"]], cells[at["detail"]] = None, None, None
            cells[at["sent"]] = letters.without(str(row[at["sent"]]))
            cells[at["flags"]] = _without_quotes(str(row[at["flags"]]))
            yield (*cells, digest, characters, True)

    added = (
        RelationField(name="answer_sha256", words=tr("SHA-256 of the answer in UTF-8")),
        RelationField(name="answer_characters", kind=FieldKind.INTEGER, words=tr("Length of the answer")),
        RelationField(name="withheld", kind=FieldKind.FLAG, words=tr("The provider's terms keep its words out")),
    )
    return replace(answers, fields=(*answers.fields, *added), rows=rows())


def _without_vectors(vectors: Relation, providers: Collection[str]) -> Relation:
    """*vectors* but those of answers of *providers*: words can be guessed from them."""
    at = [field.name for field in vectors.fields].index("about_provider")
    return replace(vectors, rows=(row for row in vectors.rows if row[at] not in providers))


def _without_quotes(flags: str) -> str:
    return json.dumps([{**each, "found": ""} for each in json.loads(flags)])


def pseudonyms(people: Sequence[Reviewer]) -> dict[str, str]:
    """A pseudonym for each name of *people*, numbered in their order (that of first entries); the longest names stand
    first."""
    called = {each.name: tr("Reviewer {n}", n=n) for n, each in enumerate(people, start=1)}
    # They are replaced one after the other in whole texts: “Ann” first would leave half of “Anna”.
    return dict(sorted(called.items(), key=lambda each: -len(each[0])))


def _pseudonymous(entries: Relation, people: Sequence[Reviewer]) -> Relation:
    """*entries* with the names of reviewers replaced, as `pseudonyms` gives them."""
    names = [field.name for field in entries.fields]
    who, name = names.index("reviewer_uuid"), names.index("reviewer")
    called = {each.uuid: tr("Reviewer {n}", n=n) for n, each in enumerate(people, start=1)}

    def rows() -> Iterator[Row]:
        for row in entries.rows:
            cells = list(row)
            cells[name] = called.get(str(row[who]), "")
            yield cells

    return replace(entries, rows=rows())
