"""``gpf-desktop doctor AUDIT``: whether an audit is whole, and whether its scores come out of its answers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpf_desktop.documents.whole_files import temporary_folder
from gpf_desktop.domain.errors import GpfError, StorageError, StorageFault
from gpf_desktop.domain.imports import Told
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.commands.artifact_commands import doubted, of_this_machine, scored_anew
from gpf_desktop.engine.commands.doctor_kept import flags_apart, forget_kept, in_force, kept_apart, made_anew
from gpf_desktop.engine.commands.doctor_meanings import contradictions
from gpf_desktop.engine.exchange.artifact.verifying import chains_checked
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.storage import archived_texts, soundness
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.score_comparison import ComparedScores, compare
from gpf_desktop.storage.writer import Connection

_SHOWN: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorLine:
    """One check of the doctor, and its result."""

    passed: bool
    words: str
    remedy: str = ""
    """What can be done; empty where nothing has to be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MachineCondition:
    """The lines that doctor found about an audit, or about a machine."""

    lines: tuple[DoctorLine, ...]
    faulty: str
    """What is said in the end where something is wrong."""
    beyond: str = ""
    """What no line can show."""

    @property
    def passed(self) -> bool:
        return all(line.passed for line in self.lines)

    def sentences(self) -> list[str]:
        """The condition as sentences for people."""
        said = []
        for line in self.lines:
            said.append(f"{tr('sound') if line.passed else tr('FAULT')}  {line.words}")
            said += [f"       {line.remedy}"] if line.remedy else []
        said += [self.beyond] if self.beyond else []
        return [*said, tr("Nothing is wrong.") if self.passed else self.faulty]

    def as_dict(self) -> dict[str, object]:
        """The condition as plain data for programs."""
        lines = [{"passed": each.passed, "words": each.words, "remedy": each.remedy} for each in self.lines]
        return {"passed": self.passed, "lines": lines, "beyond": self.beyond}


def examine(path: Path, tell: Told, *, readable: Path | None = None) -> MachineCondition:
    """Look at the audit at *path*, of which no byte is changed; its scores are computed anew in a copy.

    *readable*: where what can be read is copied to of one that lacks what was saved last. Raises `StorageError` where
    it cannot be opened at all.
    """
    tell(tr("Looking at every page"), 0, None)
    audit, lacking = _opened(path, accept_incomplete=readable is not None)
    try:
        if readable is not None:
            audit.save_copy(readable)
        lines = audit.read(_of_the_file)
        # Of pages that are damaged no number is worth computing.
        if all(line.passed for line in lines):
            lines += audit.read(lambda connection: tuple(_histories(connection)))
            texts = audit.read(lambda connection: tuple(_texts(connection)))
            # Without them, or with others, no score can come out of its answers.
            lines += texts if any(not line.passed for line in texts) else (*texts, *_scores(audit, tell))
    finally:
        audit.close()
    if lacking is not None:
        copied = tr("What can be read was copied to {path}.", path=str(readable))
        lines = (DoctorLine(passed=False, words=lacking.what, remedy=copied), *lines)
    beyond = tr(
        "Nothing here can show that a title, a batch's name, or an article in all its places was changed; a shared"
        " file's check code can."
    )
    return MachineCondition(lines=lines, faulty=tr("Do not rely on this audit as it is."), beyond=beyond)


def _opened(path: Path, *, accept_incomplete: bool) -> tuple[AuditFile, StorageError | None]:
    """The audit, and the error for which it would be refused."""
    try:
        return AuditFile.open(path, read_only=True), None
    except StorageError as error:
        if not accept_incomplete or error.fault is not StorageFault.INCOMPLETE:
            raise
        return AuditFile.open(path, read_only=True, accept_incomplete=True), error


def _of_the_file(connection: Connection) -> tuple[DoctorLine, ...]:
    if problems := soundness.pages(connection):
        words = tr("the file is damaged: {problems}", problems="; ".join(problems))
        remedy = tr("Open the newest backup or copy. What can still be read: gpf-desktop export.")
        return (DoctorLine(passed=False, words=words, remedy=remedy),)
    return (
        DoctorLine(passed=True, words=tr("every page and every index of the file")),
        _of_references(soundness.references(connection)),
        *_of_values([*soundness.values(connection), *soundness.agreements(connection), *contradictions(connection)]),
    )


def _of_references(torn: Mapping[str, int]) -> DoctorLine:
    if not torn:
        return DoctorLine(passed=True, words=tr("every row refers to rows that are there"))
    words = tr("rows that refer to nothing: {tables}", tables=", ".join(f"{table} {n:,}" for table, n in torn.items()))
    remedy = tr("Rows were removed by another program. Go back to a copy from before.")
    return DoctorLine(passed=False, words=words, remedy=remedy)


def _of_values(problems: Sequence[str]) -> Iterator[DoctorLine]:
    if not problems:
        yield DoctorLine(passed=True, words=tr("every number, time, word and list can be read"))
    remedy = tr("Another program wrote this. Go back to a copy from before.")
    yield from (DoctorLine(passed=False, words=each, remedy=remedy) for each in problems)


def _histories(connection: Connection) -> Iterator[DoctorLine]:
    remedy = tr("An entry was changed after its check code was made. Compare it with that reviewer's own copy or pack.")
    for chain in chains_checked(connection):
        yield DoctorLine(passed=chain.passed, words=chain.words, remedy="" if chain.passed else remedy)


def _texts(connection: Connection) -> Iterator[DoctorLine]:
    moved = archived_texts.rounds(connection)
    lacking = archived_texts.lacking(moved.values())
    yield from (DoctorLine(passed=False, words=each.what, remedy=each.remedy) for each in lacking)
    if moved and not lacking:
        words = trn(
            "the texts of {n} round beside the audit are those that were moved there",
            "the texts of {n} rounds beside the audit are those that were moved there",
            len(moved),
        )
        yield DoctorLine(passed=True, words=words)


def _scores(audit: AuditFile, tell: Told) -> tuple[DoctorLine, ...]:
    with temporary_folder() as folder:
        place = folder / "audit.gpf"
        audit.save_copy(place)
        copy = AuditFile.open(place)
        try:
            kept = copy.write(doubted).result()
            copy.write(forget_kept).result()
        finally:
            copy.close()
        try:
            with scored_anew(place, tell) as opened:
                anew = opened.context.audit
                found = audit.read(lambda stored: anew.read(lambda connection: compare(stored, connection)))
                # Where scores are older than their answers, what is kept and noticed is so too.
                beside = () if found.older else tuple(_beside(audit, opened))
        except GpfError as error:
            if (fault := of_this_machine(error, place)) is not None:
                raise fault from error
            return (DoctorLine(passed=False, words=error.what, remedy=error.remedy),)
    told = (DoctorLine(passed=each.passed, words=each.words) for each in kept)
    return (_of_scores(found), *_older(found), *beside, *told)


def _beside(audit: AuditFile, opened: OpenAudit) -> Iterator[DoctorLine]:
    anew = opened.context.audit
    apart = (
        kept_apart(audit.read(in_force), made_anew(opened)),
        audit.read(lambda stored: anew.read(lambda connection: flags_apart(stored, connection))),
    )
    remedy = tr("Another program wrote this. Go back to a copy from before.")
    yield from (DoctorLine(passed=False, words=words, remedy=remedy) for words in apart if words)


def _of_scores(found: ComparedScores) -> DoctorLine:
    if not found.apart:
        return DoctorLine(passed=True, words=tr("{n:,} scores, computed anew from the answers", n=found.same))
    shown = ", ".join(map(str, sorted(found.bundles)[:_SHOWN])) + (" …" if len(found.bundles) > _SHOWN else "")
    words = tr(
        "scores that do not come out of their answers: {apart:,} of {of:,}, in sets of answers {sets}",
        apart=found.apart,
        of=found.apart + found.same,
        sets=shown,
    )
    remedy = tr(
        "An answer or a score was changed by another program. Go back to a copy from before,"
        " or compare the answers with the calls as they were sent."
    )
    return DoctorLine(passed=False, words=words, remedy=remedy)


def _older(found: ComparedScores) -> Iterator[DoctorLine]:
    if found.older:
        words = trn(
            "{n:,} score is older than the newest answers",
            "{n:,} scores are older than the newest answers",
            found.older,
        )
        remedy = tr("Open the audit in the window: it brings them up to date.")
        yield DoctorLine(passed=True, words=words, remedy=remedy)
