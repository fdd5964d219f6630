"""Answers declined by words not known are told wherever the engine tells of declined ones."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, RefusalReading, Refused
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.reports import Report
from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.runs import ModelProgress, RunProgress, RunState
from gpf_desktop.domain.unknown_refusals import UnknownRefusals
from gpf_desktop.engine.commands.run_command import RunSummary
from gpf_desktop.engine.reporting.annex.threats import _rows
from gpf_desktop.engine.reporting.incomplete_sets import MissingAnswers
from gpf_desktop.engine.reporting.what_next import SetsRead, next_steps
from gpf_desktop.engine.rounds.tracker import Tracker, words_of_rest
from gpf_desktop.storage.answer_facts import MarkedAnswers
from gpf_desktop.storage.runs import ModelCount
from gpf_desktop.storage.unknown_refusals import GapWords
from tests.domain.test_conclusions import N, evidence
from tests.domain.test_conclusions import told as told_of
from tests.support.running_round import MODEL, running

SENTENCE = UnknownRefusals(by_model={"p/m": 2}).sentence
NOT_KNOWN = Miss(reason=Missing.REFUSED, detail="We would rather not.", status=400, guessed=True)
KNOWN = replace(NOT_KNOWN, detail="content_filter", guessed=False)


def tracked() -> Tracker:
    """Of a round one of whose declined answers was so in an earlier execution."""
    count = ModelCount(
        model_id=MODEL.id, planned=10, answered=5, by_reason={Missing.REFUSED: 1}, spent=0.0, unknown_refusals=1
    )
    tracker = Tracker(running(planned=10, answered=5, missing=1), [MODEL], [count], lambda: 0.0)
    for outcome in (NOT_KNOWN, KNOWN, KNOWN):
        tracker.landed(MODEL.id, outcome)
    return tracker


def line_of(tracker: Tracker) -> ModelProgress:
    (line,) = tracker.progress(RunState.RUNNING, None).models
    return line


def test_that_a_round_counts_them_as_they_come_and_no_more_once_they_are_open_again() -> None:
    tracker = tracked()
    assert (line_of(tracker).by_reason, line_of(tracker).unknown_refusals) == (((Missing.REFUSED, 4),), 2)
    tracker.reopened(MODEL.id, [Missing.REFUSED])
    assert (line_of(tracker).by_reason, line_of(tracker).unknown_refusals) == (((Missing.REFUSED, 3),), 1)


def test_that_the_note_of_a_round_that_rests_tells_them() -> None:
    said = words_of_rest(RunState.FINISHED_WITH_GAPS, tracked())
    assert said.endswith("5 answers, 4 declined (2 by words that this program does not know).")


def test_that_the_command_tells_them_to_people_and_to_programs() -> None:
    progress: RunProgress = tracked().progress(RunState.FINISHED, None)
    summary = RunSummary(
        audit=Path("a.gpf"),
        name="Round 1",
        state=RunState.FINISHED,
        progress=progress,
        why="",
        resumed=False,
        statement="",
        said=[GapWords(MODEL.label, 400, "We would rather not.", 2)],
    )
    assert "    2 × HTTP 400: “We would rather not.”" in summary.sentences()
    assert "The same command with --retry-failed asks those again." in summary.sentences()
    assert "  p/m: 5/10, 4 declined (2 by words that this program does not know), 1 not asked to the end" in (
        summary.sentences()
    )
    (model,) = cast("list[dict[str, object]]", summary.as_dict()["models"])
    assert model["refused_by_unknown_words"] == 2
    assert model["said"] == [{"status": 400, "words": "We would rather not.", "n": 2}]


def test_that_a_brief_has_them_among_what_to_look_at() -> None:
    made = told_of(evidence(N))
    made = replace(made, page=replace(made.page, method="saged"))
    lost = MissingAnswers(n=2, of=10, model="a", every=True)
    told = replace(made, page=replace(made.page, unknown_refusals=SENTENCE))
    before, after = (list(next_steps(each, lost, SetsRead(), draft=False)) for each in (made, told))
    assert SENTENCE not in before
    assert [each for each in after if each != SENTENCE] == before
    assert SENTENCE in after


def test_that_the_annex_has_them_beside_how_many_declined() -> None:
    refused = RefusalReading(
        outcome=ConclusionOutcome.NOT_SHOWN,
        declined=19,
        of=690,
        groups=(Refused(who="Muslim", declined=19, of=99, others=0, others_of=591, p=0.4),),
    )
    made = told_of(replace(evidence(N), refusals=refused))
    told = replace(made, page=replace(made.page, unknown_refusals=SENTENCE))

    def result_of(page: ToldPage) -> str:
        report = cast("Report", SimpleNamespace(concluded=page, findings=()))
        rows = list(_rows(report, MarkedAnswers(answers=1, cut_off=0, quoting=0)))
        (declined,) = (row for row in rows if row[0] == "Declined")
        return declined[2]

    assert result_of(made) == "19 of 690"
    assert result_of(told) == f"19 of 690. {SENTENCE}"
