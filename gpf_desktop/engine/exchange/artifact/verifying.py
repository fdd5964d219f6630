"""Verifies the files of an artifact: compares each with what is computed anew from its answers."""

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.reviews import Chain
from gpf_desktop.domain.served import notes
from gpf_desktop.domain.text import ENGLISH, speaking, tr, trn
from gpf_desktop.engine.exchange.artifact.cards import concluded_part
from gpf_desktop.engine.exchange.artifact.contents import DATA, TABLES, ArtifactChoices, relation
from gpf_desktop.engine.exchange.artifact.sealed_zip import SealedZip
from gpf_desktop.engine.exchange.audit_relations import AuditRelations
from gpf_desktop.engine.exchange.finding_rows import finding_relation, notes_relation
from gpf_desktop.engine.reporting.conclusions_file import CONCLUSIONS, alike
from gpf_desktop.engine.reporting.report_service import ReportService
from gpf_desktop.engine.reporting.who_answered import weighing_words
from gpf_desktop.engine.review.histories import chains, study_chains
from gpf_desktop.exporters.data_files import csv_text, json_line
from gpf_desktop.storage import served
from gpf_desktop.storage.writer import Connection

TOLERANCE: Final = 1e-9
"""Another machine's arithmetic may differ in the last digits of a float64, no more."""
_SHOWN: Final = 5
_CARDS: Final = ("README.md", "EVALUATION-CARD.md")
"""Those that tell what is concluded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactCheck:
    """One check of an artifact, and its result."""

    passed: bool
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The lines found by verifying an artifact."""

    seal: str
    lines: tuple[ArtifactCheck, ...]

    @property
    def passed(self) -> bool:
        return all(line.passed for line in self.lines)

    def sentences(self) -> list[str]:
        """The result as sentences for people."""
        said = [f"{tr('agrees') if line.passed else tr('DIFFERS')}  {line.words}" for line in self.lines]
        ending = tr("Everything agrees.") if self.passed else tr("Do not rely on this file as it is.")
        return [*said, tr("Check code: {seal}", seal=self.seal), ending]

    def as_dict(self) -> dict[str, object]:
        """The result as plain data for programs."""
        lines = [{"passed": line.passed, "words": line.words} for line in self.lines]
        return {"passed": self.passed, "seal": self.seal, "lines": lines}


@dataclass(slots=True, kw_only=True)
class _Compared:
    same: int = 0
    apart: list[str] = field(default_factory=list)
    largest: float = 0.0


def bytes_checked(artifact: SealedZip, told: str = "") -> tuple[ArtifactCheck, ...]:
    """The seal over every byte, and each file beside the manifest."""
    whole = artifact.seal_found() == artifact.seal
    changed = [name for name in artifact.members if not artifact.agrees(name)]
    seal = (
        tr("every byte is as it was saved") if whole else tr("the check code: some byte was changed since it was saved")
    )
    if changed:
        files = tr("files that were changed: {names}", names=", ".join(changed))
    else:
        files = trn("{n} file, beside the manifest", "{n} files, beside the manifest", len(artifact.members))
    lines = (ArtifactCheck(passed=whole, words=seal), ArtifactCheck(passed=not changed, words=files))
    told = told.strip().lower()
    if not told:
        return lines
    # Whoever changes a file can make manifest and seal anew: only a seal that was kept elsewhere tells. Its beginning
    # will do, as people copy and print it.
    same = artifact.seal.startswith(told)
    return (*lines, ArtifactCheck(passed=same, words=tr("the check code that was told: {seal}", seal=told[:64])))


def recomputed(connection: Connection, artifact: SealedZip, choices: ArtifactChoices) -> tuple[ArtifactCheck, ...]:
    """Messages, flags and scores of the audit behind *connection*, beside the artifact's; and the reviews' chains."""
    relations = AuditRelations(connection, choices.withheld, without_news=choices.without_news)

    def found(name: str) -> Iterator[bytes]:
        made = relation(relations, name, choices)
        names = [each.name for each in made.fields]
        return (json_line(names, (), row).encode()[:-1] for row in made.rows)

    return (
        _lines(artifact, "prompts", found("prompts"), tr("messages, composed anew")),
        _lines(artifact, "answers", found("answers"), tr("answers and what was noticed about them")),
        _lines(artifact, "scores", found("scores"), tr("scores, computed anew")),
        *chains_checked(connection),
    )


def tables_checked(reports: ReportService, artifact: SealedZip, *, withheld: bool) -> tuple[ArtifactCheck, ...]:
    """Every table beside the artifact's, cell by cell; where answers are *withheld*, some cannot be made."""
    compared, unchecked = _Compared(), []
    with _in_its_language(artifact):
        findings = reports.whole().findings
        own = {f"{TABLES}{each.name}.csv": each for each in map(finding_relation, findings)}
        if findings:
            own[f"{TABLES}notes.csv"] = notes_relation(findings)
    # From both sides: a table that somebody slipped in is found as one that was taken out is.
    for name in sorted(own.keys() | {name for name in artifact.members if name.startswith(TABLES)}):
        # Counted apart first: a table that differs because answers are withheld is neither equal nor wrong.
        one = _Compared()
        if name not in own or name not in artifact.members:
            one.apart.append(name)
        else:
            _cells(name, csv_text(own[name]), artifact.text(name), one)
        if one.apart and withheld:
            unchecked.append(name)
        else:
            compared.same, compared.largest = compared.same + one.same, max(compared.largest, one.largest)
            compared.apart += one.apart
    found = _check_of(compared, tr("numbers of tables, computed anew"))
    if not unchecked:
        return (found,)
    words = tr("not checked, for they need answers that are withheld: {names}", names=", ".join(unchecked))
    return found, ArtifactCheck(passed=True, words=words)


def conclusions_checked(reports: ReportService, artifact: SealedZip, *, withheld: bool) -> tuple[ArtifactCheck, ...]:
    """`conclusions.json` and the cards beside what is concluded anew; none where an artifact of before has none."""
    if CONCLUSIONS not in artifact.members:
        return ()
    try:
        theirs = json.loads(artifact.text(CONCLUSIONS))
    except (ValueError, RecursionError):
        theirs = None
    with _in_its_language(artifact):
        own, part = reports.conclusions(), concluded_part(reports.whole())
    others = [] if alike(json.loads(own), theirs) else [CONCLUSIONS]
    others += [card for card in _CARDS if card in artifact.members and part not in artifact.text(card)]
    if not others:
        return (ArtifactCheck(passed=True, words=tr("conclusions, drawn anew")),)
    if withheld:
        return (ArtifactCheck(passed=True, words=tr("not checked, for answers are withheld: conclusions")),)
    words = tr("conclusions, drawn anew, are others: {file}", file=", ".join(others))
    return (ArtifactCheck(passed=False, words=words),)


def answered_by_told(connection: Connection) -> tuple[ArtifactCheck, ...]:
    """Lines about models that, by their servers' words, are others than those asked for or than before: told, not
    judged."""
    said = weighing_words(notes(served.by_round(connection)))
    return tuple(ArtifactCheck(passed=True, words=tr("who answered, as told: {said}", said=each)) for each in said)


def _in_its_language(artifact: SealedZip) -> AbstractContextManager[None]:
    """Sentences as whoever made *artifact* read them; before a language was noted it was English."""
    return speaking(resources() / "languages", str(artifact.manifest.get("language", ENGLISH)))


def _cells(name: str, mine: str, theirs: str, compared: _Compared) -> None:
    # By a reader of CSV and not line by line, for a cell may hold line ends; and with none of them translated.
    rows = zip_longest(csv.reader(io.StringIO(mine, newline="")), csv.reader(io.StringIO(theirs, newline="")))
    for number, (own, other) in enumerate(rows, start=1):
        for one, two in zip_longest(own or (), other or ()):
            if _alike(one, two, compared):
                compared.same += 1
            else:
                compared.apart.append(tr("{file}, line {n}", file=name, n=number))


def _alike(one: str | None, two: str | None, compared: _Compared) -> bool:
    if one == two:
        return True
    try:
        first, second = float(one or ""), float(two or "")
    except ValueError:
        return False
    if not math.isclose(first, second, rel_tol=TOLERANCE, abs_tol=TOLERANCE):
        return False
    compared.largest = max(compared.largest, abs(first - second))
    return True


def _lines(artifact: SealedZip, name: str, mine: Iterable[bytes], what: str) -> ArtifactCheck:
    compared = _Compared()
    try:
        for number, (own, other) in enumerate(zip_longest(mine, artifact.lines(f"{DATA}{name}.jsonl")), start=1):
            # Most lines are equal byte for byte, and only the rest is worth parsing.
            if own == other or _nearly(own, other, compared):
                compared.same += 1
            else:
                compared.apart.append(tr("{file}, line {n}", file=f"{name}.jsonl", n=number))
    # What was changed since it was sealed is one more line that differs, so that the other checks are still told.
    except UserError:
        compared.apart.append(f"{name}.jsonl")
    return _check_of(compared, what)


def _nearly(one: bytes | None, two: bytes | None, compared: _Compared) -> bool:
    """Whether two rows say the same but for the last digits of their numbers."""
    if one is None or two is None:
        return False
    try:
        own, other = json.loads(one), json.loads(two)
    except (ValueError, RecursionError):
        return False
    if not isinstance(other, dict) or not other.keys() <= own.keys():
        return False
    # Artifacts of earlier versions lack columns, of which nothing is known then.
    if any(own[key] is not None for key in own.keys() - other.keys()):
        return False
    return all(
        # Numbers of a kind that is counted or a key have no last digits to differ in.
        own[key] == other[key] or (isinstance(own[key], float) and _alike(repr(own[key]), repr(other[key]), compared))
        for key in other
    )


def _check_of(compared: _Compared, what: str) -> ArtifactCheck:
    if compared.apart:
        places = ", ".join(compared.apart[:_SHOWN]) + (" …" if len(compared.apart) > _SHOWN else "")
        words = tr(
            "{what}: {n:,} agree, {apart:,} do not: {places}",
            what=what,
            n=compared.same,
            apart=len(compared.apart),
            places=places,
        )
        return ArtifactCheck(passed=False, words=words)
    words = tr("{n:,} {what}", n=compared.same, what=what)
    if compared.largest:
        words = tr("{words}; largest difference {difference:.1e}", words=words, difference=compared.largest)
    return ArtifactCheck(passed=True, words=words)


def chains_checked(connection: Connection) -> Iterator[ArtifactCheck]:
    """A line for each reviewer's histories, of readings and of codes and memos: whole, or where they break."""
    for chain in chains(connection):
        words = trn(
            "review history of {name}: {n} entry, {signed} signed, check code {seal}",
            "review history of {name}: {n} entries, {signed} signed, check code {seal}",
            chain.entries,
            **_told(chain),
        )
        yield _whole(chain, words)
    for chain in study_chains(connection):
        words = trn(
            "codes and memos of {name}: {n} entry, {signed} signed, check code {seal}",
            "codes and memos of {name}: {n} entries, {signed} signed, check code {seal}",
            chain.entries,
            **_told(chain),
        )
        yield _whole(chain, words)


def _told(chain: Chain) -> dict[str, object]:
    return {"name": " ".join(chain.reviewer.name.split()), "signed": chain.signed, "seal": chain.head[:12]}


def _whole(chain: Chain, words: str) -> ArtifactCheck:
    if not chain.whole:
        words = tr("{words}; broken at entry {n}", words=words, n=chain.broken_at)
    return ArtifactCheck(passed=chain.whole, words=words)
