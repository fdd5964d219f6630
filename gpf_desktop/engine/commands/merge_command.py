"""`gpf-desktop merge`: one audit of the parts of a round that several machines asked."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import FitGroupId, RunId
from gpf_desktop.domain.runs import RunState
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.new_audit import made_beside
from gpf_desktop.storage import archived_texts, faults, merging_parts, runs, soundness
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.merging_parts import HeldGroup
from gpf_desktop.storage.writer import Connection

_NAMED = 5
"""Conflicts that are told one by one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedRound:
    """A round of the whole."""

    name: str
    state: RunState
    answered: int
    missing: int
    planned: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """The result of merging parts."""

    audit: Path
    taken: Mapping[str, int]
    """By file, how many answers are from there alone."""
    rounds: tuple[MergedRound, ...]

    @property
    def whole(self) -> bool:
        return all(each.state.over for each in self.rounds)

    def sentences(self) -> list[str]:
        said = [trn("{name}: {n:,} answer.", "{name}: {n:,} answers.", n, name=name) for name, n in self.taken.items()]
        for each in self.rounds:
            open_ones = each.planned - each.answered - each.missing
            left = tr(", {n:,} not asked yet", n=open_ones) if open_ones else ""
            said.append(
                tr(
                    "{name}: {answered:,} of {planned:,} answered, {missing:,} missing{left}.",
                    name=each.name,
                    answered=each.answered,
                    planned=each.planned,
                    missing=each.missing,
                    left=left,
                )
            )
        return [*said, tr("Saved in {path}.", path=str(self.audit))]

    def as_dict(self) -> dict[str, object]:
        rounds = [
            {"name": e.name, "state": str(e.state), "planned": e.planned, "answered": e.answered, "missing": e.missing}
            for e in self.rounds
        ]
        return {"audit": str(self.audit), "taken": dict(self.taken), "rounds": rounds}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    path: Path
    audit: AuditFile
    held: Mapping[FitGroupId, HeldGroup]
    seal: str
    """Of the file, byte for byte."""


def merge_parts(paths: Sequence[Path], target: Path, *, quiet: bool) -> Merged:
    """Make one audit at *target*, which may not exist, of *paths*, which stay as they are, and score it.

    Raises `UserError` where they are not parts of the same rounds, or hold different answers to the same question;
    `StorageError`. *target* is there when it is whole and scored, and else nothing is.
    """
    _check_different(paths)
    with ExitStack() as stack:
        parts = [_opened(path, stack) for path in paths]
        _check_same(parts)
        best = _best(parts)
        beside = stack.enter_context(made_beside(target))
        parts[0].audit.save_copy(beside)
        with closing(AuditFile.open(beside)) as whole:
            states = whole.write(partial(_fill, parts=parts, best=best)).result()
        rounds = _scored(beside, states, quiet=quiet)
    taken = {str(part.path): 0 for part in parts}
    for group, place in best.items():
        taken[str(parts[place].path)] += len(parts[place].held[group].answers)
    return Merged(audit=target, taken=taken, rounds=rounds)


def _scored(whole: Path, states: Mapping[RunId, RunState], *, quiet: bool) -> tuple[MergedRound, ...]:
    with Headless(quiet=quiet) as headless:
        open_audit = headless.enter(whole, must_exist=True)
        open_audit.auto_rescoring.settle().result()
        runs_there = {run_id: open_audit.rounds.run(run_id) for run_id in states}
        return tuple(
            MergedRound(
                name=run.name, state=states[run_id], answered=run.answered, missing=run.missing, planned=run.planned
            )
            for run_id, run in runs_there.items()
        )


def _check_different(paths: Sequence[Path]) -> None:
    known: dict[tuple[int, int], Path] = {}
    for path in paths:
        found = path.stat()
        same = found.st_dev, found.st_ino
        if same in known:
            raise UserError(
                tr("{one} and {other} are one file.", one=str(known[same]), other=str(path)), tr("Name each part once.")
            )
        known[same] = path


def _opened(path: Path, stack: ExitStack) -> _Part:
    with path.open("rb") as file:
        seal = hashlib.file_digest(file, "sha256").hexdigest()
    audit = stack.enter_context(closing(AuditFile.open(path, read_only=True)))
    # The whole takes the counts of its parts.
    if found := audit.read(soundness.miscounted):
        raise faults.unsound(path, found)
    if under_way := audit.read(merging_parts.jobs):
        raise UserError(
            tr("{name} has a batch job under way with {n:,} questions.", name=path.name, n=under_way),
            tr("Run that part again until its job has ended, then merge."),
        )
    if moved := audit.read(archived_texts.rounds):
        raise UserError(
            trn(
                "{name} has the texts of {n} round beside it.",
                "{name} has the texts of {n} rounds beside it.",
                len(moved),
                name=path.name,
            ),
            tr("Bring them back first: gpf-desktop archive {name} --restore", name=path.name),
        )
    return _Part(path=path, audit=audit, held=audit.read(merging_parts.held), seal=seal)


def _check_same(parts: Sequence[_Part]) -> None:
    first, *others = parts
    ours = first.audit.read(merging_parts.frozen)
    for part in others:
        theirs = part.audit.read(merging_parts.frozen)
        hashes = [{run: each.plan_hash for run, each in frozen.items()} for frozen in (ours, theirs)]
        if hashes[0] != hashes[1]:
            raise UserError(
                tr("{one} and {other} are not of the same plan.", one=first.path.name, other=part.path.name),
                tr("Merge parts of one plan, asked by copies of one audit."),
            )
        if other := [each.name for run, each in ours.items() if theirs[run].digest != each.digest]:
            raise UserError(
                tr(
                    "{one} and {other} froze different questions for {name}: other news, models or order.",
                    one=first.path.name,
                    other=part.path.name,
                    name=", ".join(other),
                ),
                tr("Plan the round once with run --only-plan, and copy that audit to each machine."),
            )
        if said := part.audit.read(merging_parts.readings):
            raise UserError(
                trn(
                    "{name} holds {n} entry of reviewers, which merging does not bring along.",
                    "{name} holds {n} entries of reviewers, which merging does not bring along.",
                    said,
                    name=part.path.name,
                ),
                tr("Name that file first, or review the merged audit."),
            )


def _best(parts: Sequence[_Part]) -> dict[FitGroupId, int]:
    """Group → the part that holds most of it. Raises `UserError` where another holds answers that this one has not."""
    found: dict[FitGroupId, int] = {}
    conflicts = []
    for group in sorted({group for part in parts for group in part.held}):
        holding = [place for place, part in enumerate(parts) if group in part.held]
        best = max(
            holding, key=lambda place: (len(parts[place].held[group].answers), parts[place].held[group].ended, -place)
        )
        found[group] = best
        for place in holding:
            if other := parts[place].held[group].answers - parts[best].held[group].answers:
                model, item = parts[best].audit.read(partial(merging_parts.group_words, group=group))
                conflicts.append(
                    tr(
                        "{item} by {model}: {n} answers of {one} are not those of {other}",
                        item=item or tr("several items"),
                        model=model or tr("several models"),
                        n=len(other),
                        one=parts[place].path.name,
                        other=parts[best].path.name,
                    )
                )
    if conflicts:
        more = tr(", and {n} more", n=len(conflicts) - _NAMED) if len(conflicts) > _NAMED else ""
        raise UserError(
            tr("The same questions were asked twice: {what}{more}.", what="; ".join(conflicts[:_NAMED]), more=more),
            tr("Leave out one of the files: each question counts once."),
        )
    return found


def _fill(whole: Connection, parts: Sequence[_Part], best: Mapping[FitGroupId, int]) -> dict[RunId, RunState]:
    places = merging_parts.further_places(whole)
    for place, part in list(enumerate(parts))[1:]:

        def take(connection: Connection, place: int = place, part: _Part = part) -> None:
            for group in part.held:
                if best[group] == place:
                    merging_parts.take_over(whole, connection, group, places)
            for group in part.held:
                if best[group] != place:
                    merging_parts.add_calls(whole, connection, group)
            merging_parts.add_notes(whole, connection)
            merging_parts.begun_earlier(whole, connection)

        part.audit.read(take)
    unfinished = [run.id for run in runs.every(whole) if not run.state.over]
    states = merging_parts.settle(whole, {run: json.loads(runs.plan(whole, run))["spend_cap"] for run in unfinished})
    named = "; ".join(f"{part.path.name} (SHA-256 {part.seal})" for part in parts)
    for run_id in states:
        runs.note(whole, run_id, tr("Merged from {files}.", files=named))
    return states
