"""Answers that come later reach every setting in use, through real rounds of calibration models."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from openpyxl import load_workbook

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.events import Event, RunRested, TaskCancelled, TaskFailed, TaskProgressed, TaskSucceeded
from gpf_desktop.domain.findings import Estimate, Finding
from gpf_desktop.domain.ids import FitGroupId, RunId
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.reports import ReportWishes
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.runs import RunState
from gpf_desktop.domain.scores import SEMANTIC_DISPERSION
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.scoring.auto_rescoring import AUTO_RESCORING_TASK, AutoRescoring
from gpf_desktop.engine.scoring.stale_scores import StaleScores, refresh
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER, GpfOptions
from gpf_desktop.methods.gpf_livenews.scorers.sentence_encoder import EncoderOptions, SentenceEncoderScorer
from gpf_desktop.storage import fit_groups, responses, scores
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.fit_groups import Basis, Behind
from gpf_desktop.storage.writer import Connection
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import Scene, calibration, scene, server_model, small_protocol
from tests.support.stored_scores import bundle_values

pytestmark = pytest.mark.slow

WORD_PAIRS = GpfOptions(word_pairs=True)
BY_RUN = GpfOptions(fit_scope=FitScope.RUN)
BASES = "FROM score_basis b JOIN fit_group g ON g.id = b.fit_group_id WHERE g.run_id = ?"


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Scene]:
    with scene(tmp_path) as opened:
        yield opened


def asked(stage: Scene, *, articles: int = 1) -> RunId:
    """A finished round, with what follows from it."""
    run_id = stage.plan([calibration("tailoring-0.6")], articles=articles, protocol=small_protocol())
    assert stage.open_audit.rounds.start(run_id).result(timeout=250) is RunState.FINISHED
    stage.open_audit.auto_rescoring.settle().result(timeout=250)
    return run_id


def rescored(stage: Scene, options: GpfOptions, runs: list[RunId] | None = None) -> int:
    return stage.open_audit.rescoring.start("gpf", options, runs, method="gpf-livenews").result(timeout=250)


def values(stage: Scene, setting_id: int) -> dict[int, float]:
    rows = stage.open_audit.context.audit.read(lambda c: bundle_values(c, setting_id, (SEMANTIC_DISPERSION,)))
    return {int(str(unit)): float(str(value)) for unit, value in rows if value is not None}


def computed(stage: Scene, options: GpfOptions) -> dict[int, float]:
    """What the scorer says of all answers that are stored."""

    def read(connection: Connection) -> dict[int, float]:
        groups = [responses.fit_group(connection, each.id) for each in fit_groups.groups(connection)]
        scored = SCORER.score(groups, options)
        column = next(column for column in scored.columns if column.name == SEMANTIC_DISPERSION)
        return {unit: value for unit, value in zip(scored.units, column.values, strict=True) if type(value) is float}

    return stage.open_audit.context.audit.read(read)


def behind(stage: Scene, setting_id: int) -> dict[FitGroupId, Behind]:
    return stage.open_audit.context.audit.read(lambda c: fit_groups.behind(c, setting_id))


def robustness(stage: Scene) -> Finding:
    stage.open_audit.results.forget()
    return stage.open_audit.results.findings(ResultsFilter(), ("robustness",))["robustness"]


@pytest.mark.parametrize("options", [WORD_PAIRS, BY_RUN], ids=["word pairs", "fit on the run"])
def test_that_a_setting_chosen_for_every_round_scores_the_next_round_by_itself(
    stage: Scene, options: GpfOptions
) -> None:
    asked(stage)
    setting_id = rescored(stage, options)
    before = values(stage, setting_id)
    asked(stage, articles=2)
    after = values(stage, setting_id)
    assert len(after) == 3 * len(before) > 0
    assert behind(stage, setting_id) == {}
    if options is WORD_PAIRS:
        assert after == pytest.approx(computed(stage, options), abs=1e-12)


def test_that_rounds_of_a_later_protocol_version_stand_in_the_tables_and_the_queue_of_the_whole_audit(
    stage: Scene,
) -> None:
    asked(stage, articles=2)
    other = replace(small_protocol(), scoring=replace(small_protocol().scoring, fit_scope=FitScope.BUNDLE))
    run_id = stage.plan([calibration("tailoring-0.6")], articles=2, protocol=other)
    assert stage.open_audit.rounds.start(run_id).result(timeout=250) is RunState.FINISHED
    stage.open_audit.auto_rescoring.settle().result(timeout=250)
    (row,) = stage.open_audit.results.findings(ResultsFilter(), ("dimension_means",))["dimension_means"].rows
    mean = row.values["s"]
    assert isinstance(mean, Estimate)
    assert (mean.n, mean.articles) == (8, 4)
    order = stage.open_audit.reviews.queue(QueueFilter(), QueueOrder()).order
    assert len(order) == 8
    primary, own = stage.open_audit.context.audit.read(scores.settings)
    assert len(values(stage, primary.id)) == 8
    assert len(values(stage, own.id)) == 4


def test_that_a_setting_chosen_for_one_round_leaves_other_rounds_alone(stage: Scene) -> None:
    first = asked(stage)
    setting_id = rescored(stage, WORD_PAIRS, [first])
    before = values(stage, setting_id)
    asked(stage)
    assert values(stage, setting_id) == before


def test_that_nothing_is_computed_where_nothing_has_changed(stage: Scene) -> None:
    asked(stage)
    rescored(stage, WORD_PAIRS)
    stage.open_audit.auto_rescoring.look()
    stage.open_audit.auto_rescoring.settle().result(timeout=250)
    assert [event for event in stage.heard(TaskProgressed) if event.task == AUTO_RESCORING_TASK] == []


@pytest.mark.parametrize("options", [WORD_PAIRS, BY_RUN], ids=["word pairs", "fit on the run"])
def test_that_answers_of_a_retry_reach_every_setting(
    options: GpfOptions, stage: Scene, openai_server: OpenAIServer
) -> None:
    openai_server.fail("I am Socialist", status=500)
    run_id = stage.plan([server_model(openai_server.base_url, attempts=1)], protocol=small_protocol())
    assert stage.open_audit.rounds.start(run_id).result(timeout=250) is RunState.FINISHED_WITH_GAPS
    setting_id = rescored(stage, options)
    before = values(stage, setting_id)
    openai_server.fail_no_more()
    assert stage.open_audit.rounds.retry_failed(run_id).result(timeout=250) is RunState.FINISHED
    stage.open_audit.auto_rescoring.settle().result(timeout=250)
    assert values(stage, setting_id) != before
    assert values(stage, setting_id) == pytest.approx(computed(stage, replace(options, fit_scope=FitScope.ARTICLE)))
    assert behind(stage, setting_id) == {}


def test_that_a_paused_round_is_scored_as_far_as_it_went_and_wholly_once_it_went_on(stage: Scene) -> None:
    asked(stage)
    setting_id = rescored(stage, WORD_PAIRS)
    with OpenAIServer(gate=True) as server:
        run_id = stage.plan([server_model(server.base_url, in_flight=7)], protocol=small_protocol())
        resting = stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(7)
        stage.open_audit.rounds.pause().result(timeout=250)
        assert server.gate is not None
        server.gate.open()
        assert resting.result(timeout=250) is RunState.PAUSED
        stage.open_audit.auto_rescoring.settle().result(timeout=250)
        assert behind(stage, setting_id) == {}
        assert stage.read(f"SELECT provisional {BASES}", run_id) == [(1,), (1,)]
        assert stage.open_audit.rounds.start(run_id).result(timeout=250) is RunState.FINISHED
    stage.open_audit.auto_rescoring.settle().result(timeout=250)
    assert stage.read(
        f"SELECT b.answers, provisional {BASES}",
        run_id,
    ) == [(10, 0), (10, 0)]
    assert values(stage, setting_id) == pytest.approx(computed(stage, WORD_PAIRS))


def test_that_a_command_that_asks_a_round_leaves_every_setting_current(tmp_path: Path) -> None:
    with scene(tmp_path) as stage:
        asked(stage)
        setting_id = rescored(stage, WORD_PAIRS)
        run_id = stage.plan([calibration("leaky")], protocol=small_protocol())
        path = stage.open_audit.path
    with Headless(quiet=True) as headless:
        open_audit = headless.enter(path)
        assert headless.ask_round(open_audit, run_id) is RunState.FINISHED
        assert open_audit.context.audit.read(lambda c: fit_groups.due(c, setting_id)) == []
        assert len(open_audit.context.audit.read(lambda c: bundle_values(c, setting_id, (SEMANTIC_DISPERSION,)))) == 4


def gap_closed_without_upkeep(stage: Scene, server: OpenAIServer, options: GpfOptions = WORD_PAIRS) -> int:
    """A setting over a round with gaps; then the gaps are answered, and nothing brings the setting forward."""
    server.fail("I am Socialist", status=500)
    run_id = stage.plan([server_model(server.base_url, attempts=1)], articles=2, protocol=small_protocol())
    assert stage.open_audit.rounds.start(run_id).result(timeout=250) is RunState.FINISHED_WITH_GAPS
    setting_id = rescored(stage, options)
    stage.open_audit.auto_rescoring.close()
    server.fail_no_more()
    assert stage.open_audit.rounds.retry_failed(run_id).result(timeout=250) is RunState.FINISHED
    return setting_id


def test_that_a_setting_that_is_behind_is_never_compared_and_says_so_everywhere(
    stage: Scene, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    setting_id = gap_closed_without_upkeep(stage, openai_server)
    assert sum(each.newer for each in behind(stage, setting_id).values()) == 4
    (stale,) = stage.open_audit.auto_rescoring.stale_settings()
    assert (stale.words, stale.bundles, stale.newer) == ("with word pairs", 4, 4)
    compared = robustness(stage)
    assert compared.rows == ()
    assert any("“with word pairs”: 4 sets are left out" in note for note in compared.notes)
    shown = stage.open_audit.results.results(ResultsFilter(setting_id=setting_id), ("model_table",))
    assert shown.scope.behind == 4
    said = "The scores of 4 sets were made before newer answers came"
    assert any(said in note for note in shown.findings["model_table"].notes)
    report = stage.open_audit.reports.report(ReportWishes(), ResultsFilter(setting_id=setting_id))
    assert any(said in note for note in report.scope)
    book = stage.open_audit.reports.export(report, tmp_path / "report.xlsx")
    cells = [str(cell) for sheet in load_workbook(book) for row in sheet.iter_rows(values_only=True) for cell in row]
    assert any(said in cell for cell in cells)


def test_that_the_primary_scores_are_not_said_to_be_behind_for_it(stage: Scene, openai_server: OpenAIServer) -> None:
    gap_closed_without_upkeep(stage, openai_server)
    stage.open_audit.results.forget()
    assert stage.open_audit.results.results(ResultsFilter(), ()).scope.behind == 0


def test_that_opening_the_audit_again_brings_what_is_behind_forward(
    stage: Scene, openai_server: OpenAIServer, tmp_path: Path
) -> None:
    setting_id = gap_closed_without_upkeep(stage, openai_server)
    path = stage.open_audit.path
    stage.engine.close_audit()
    stage.engine.open(path)
    stage.open_audit.auto_rescoring.settle().result(timeout=250)
    assert behind(stage, setting_id) == {}
    assert values(stage, setting_id) == pytest.approx(computed(stage, WORD_PAIRS))
    assert robustness(stage).rows
    told = [event.sentence for event in stage.heard(TaskSucceeded) if event.task == AUTO_RESCORING_TASK]
    assert told == ["Brought 4 scores up to date."]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL")
@pytest.mark.parametrize("options", [WORD_PAIRS, BY_RUN], ids=["word pairs", "fit on the run"])
def test_that_a_program_killed_while_it_brings_scores_forward_goes_on_where_it_stopped(
    options: GpfOptions, tmp_path: Path
) -> None:
    with scene(tmp_path) as stage:
        asked(stage)
        setting_id = rescored(stage, options)
        stage.open_audit.auto_rescoring.close()
        run_id = stage.plan([calibration("neutral"), calibration("leaky")], articles=6, protocol=small_protocol())
        assert stage.open_audit.rounds.start(run_id).result(timeout=250) is RunState.FINISHED
        audit = stage.open_audit.path
        due = len(stage.open_audit.context.audit.read(lambda c: fit_groups.due(c, setting_id)))
    assert due == 12
    command = [sys.executable, "-m", "tests.support.doomed_rescoring", str(audit)]
    assert subprocess.run(command, timeout=250, check=False).returncode == -signal.SIGKILL
    killed = AuditFile.open(audit)
    left = len(killed.read(lambda c: fit_groups.due(c, setting_id)))
    killed.close()
    assert 0 < left < 12
    with scene(tmp_path) as stage:
        stage.open_audit.auto_rescoring.settle().result(timeout=250)
        assert stage.open_audit.context.audit.read(lambda c: fit_groups.due(c, setting_id)) == []
        assert len(values(stage, setting_id)) == 2 + 24
        if options is WORD_PAIRS:
            assert values(stage, setting_id) == pytest.approx(computed(stage, options))


def test_that_scores_of_an_article_cut_off_before_it_was_scored_come_at_the_next_opening(tmp_path: Path) -> None:
    with scene(tmp_path) as stage:
        asked(stage, articles=3)
        primary = stage.open_audit.context.audit.read(scores.primary)
        whole = values(stage, primary)

        def cut_off(connection: Connection) -> None:
            connection.execute("DELETE FROM score WHERE unit_id IN (SELECT max(id) FROM bundle)")
            connection.execute("DELETE FROM score_basis WHERE fit_group_id = (SELECT max(fit_group_id) FROM bundle)")
            connection.execute("DELETE FROM flag")

        stage.open_audit.context.audit.write(cut_off).result()
        assert len(values(stage, primary)) == len(whole) - 1
    with scene(tmp_path) as stage:
        stage.open_audit.auto_rescoring.settle().result(timeout=250)
        assert values(stage, primary) == whole


def test_that_what_cannot_be_computed_is_told_once_and_stays_behind(stage: Scene, tmp_path: Path) -> None:
    asked(stage)

    def in_use(connection: Connection) -> int:
        options = asdict(EncoderOptions(model=str(tmp_path / "gone")))
        setting_id = scores.setting(
            connection, "sentence-encoder", SentenceEncoderScorer.version, options, method="gpf-livenews"
        )
        (group,) = fit_groups.groups(connection)
        basis = Basis(group=group.id, answers=9)
        fit_groups.save_bases(connection, setting_id, [basis], provisional=False)
        return setting_id

    setting_id = stage.open_audit.context.audit.write(in_use).result()
    for _ in range(2):
        stage.open_audit.auto_rescoring.look()
        stage.open_audit.auto_rescoring.settle().result(timeout=250)
    (failed,) = stage.heard(TaskFailed)
    assert failed.task == AUTO_RESCORING_TASK
    (stale,) = stage.open_audit.auto_rescoring.stale_settings()
    assert (stale.setting_id, stale.newer, stale.problem) == (setting_id, 1, failed.what)
    stage.open_audit.auto_rescoring.refresh()
    stage.open_audit.auto_rescoring.settle().result(timeout=250)
    assert len(stage.heard(TaskFailed)) == 2


def test_that_what_breaks_once_a_round_rests_is_told(stage: Scene) -> None:
    def broken() -> None:
        raise ZeroDivisionError

    asked(stage)
    work = AutoRescoring(stage.open_audit.context, lambda: None, broken)
    work.heard(stage.heard(RunRested)[-1])
    with pytest.raises(GpfError, match="could not be computed"):
        work.settle().result(timeout=250)
    (told,) = stage.heard(TaskFailed)
    assert (told.task, told.details) == (AUTO_RESCORING_TASK, "ZeroDivisionError()")
    work.close()


def test_that_scores_of_another_version_of_a_scorer_are_left_as_they_are(stage: Scene) -> None:
    asked(stage)
    setting_id = rescored(stage, WORD_PAIRS)
    stage.open_audit.context.audit.write(
        lambda c: c.execute("UPDATE score_setting SET version = '0' WHERE id = ?", (setting_id,))
    ).result()
    before = values(stage, setting_id)
    asked(stage)
    assert values(stage, setting_id) == before


def test_that_a_newer_version_scores_earlier_rounds_too_and_tables_show_all_of_them(stage: Scene) -> None:
    first = asked(stage)
    masked = rescored(stage, WORD_PAIRS)
    # As an earlier program left them.
    context = stage.open_audit.context
    context.audit.write(lambda c: c.execute("UPDATE score_setting SET version = '0', hash = 'before' || id")).result()
    (old, _), before = context.audit.read(scores.settings), values(stage, 1)
    second = asked(stage)
    settings = context.audit.read(scores.settings)
    new = settings[0]
    # The newer ones stand where those before stood; these stay, value by value, and are used no further.
    assert [(each.version, each.everywhere) for each in settings] == [(SCORER.version, True)] * 2 + [("0", False)] * 2
    assert [each.options for each in settings[:2]] == [each.options for each in settings[2:]]
    assert values(stage, old.id) == before
    assert len(values(stage, new.id)) == 2 * len(before) > 0
    assert len(values(stage, settings[1].id)) == 2 * len(values(stage, masked))
    stage.open_audit.results.forget()
    frame = stage.open_audit.results.frame(ResultsFilter())
    assert set(frame["run_id"]) == {first, second}
    words = [words for _, words in stage.open_audit.results.choices().settings]
    assert words[::2] == ["the main way", "by version 0"]
    assert words[3] == f"{words[1]}, by version 0"
    assert context.audit.read(scores.primary) == new.id
    assert stage.open_audit.auto_rescoring.stale_settings() == ()


def test_that_stopping_it_leaves_the_setting_behind_until_it_is_asked_for(
    stage: Scene, openai_server: OpenAIServer
) -> None:
    setting_id = gap_closed_without_upkeep(stage, openai_server)
    events: list[Event] = []

    def hear(event: Event) -> None:
        events.append(event)
        if isinstance(event, TaskProgressed) and len(events) == 1:
            auto_rescoring.cancel()

    auto_rescoring = AutoRescoring(replace(stage.open_audit.context, emit=hear), lambda: None, lambda: None)
    for _ in range(2):
        auto_rescoring.look()
        auto_rescoring.settle().result(timeout=250)
    assert [type(event) for event in events] == [TaskProgressed, TaskCancelled]
    assert behind(stage, setting_id)
    auto_rescoring.refresh()
    auto_rescoring.settle().result(timeout=250)
    assert behind(stage, setting_id) == {}
    auto_rescoring.close()


def test_that_final_scores_stay_final_when_their_round_is_caught_up_with_too_late(stage: Scene) -> None:
    run_id = asked(stage)
    context = stage.open_audit.context
    (setting,) = context.audit.read(scores.settings)
    # As they were read while the round, resumed in the meantime, still had answers to come.
    read = [replace(group, complete=False) for group in context.audit.read(fit_groups.groups)]
    late = StaleScores(setting=setting, words="", groups=tuple(read), of_protocol=True)
    asyncio.run_coroutine_threadsafe(refresh(context, late, lambda _bundles: None), context.loop.loop).result(250)
    assert stage.read("SELECT count(*), sum(provisional) FROM score") == [(2 * 19, 0)]
    assert not context.audit.read(lambda c: fit_groups.unscored(c, run_id, setting.id))


def test_that_counts_which_are_not_those_of_the_answers_end_and_are_told(stage: Scene) -> None:
    """As in a shared file that was damaged: whatever is computed, its group is due again."""
    asked(stage)
    audit, rescoring = stage.open_audit.context.audit, stage.open_audit.auto_rescoring
    audit.write(lambda c: c.execute("UPDATE fit_group SET answers = answers + 1")).result()
    rescoring.refresh()
    rescoring.settle().result(timeout=250)
    (stale,) = rescoring.stale_settings()
    assert "stay behind their answers whatever is computed" in stale.problem
    (told,) = [each for each in stage.events if isinstance(each, TaskFailed)]
    assert "gpf-desktop doctor" in told.remedy
    audit.write(lambda c: c.execute("UPDATE fit_group SET answers = answers - 1")).result()
    rescoring.refresh()
    rescoring.settle().result(timeout=250)
    assert rescoring.stale_settings() == ()
