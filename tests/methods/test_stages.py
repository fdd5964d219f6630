"""Cells of a later stage rest on answers: planned when these are there, and asked like all others."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.responses import Missing, Reply
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.review.review_reading import sent_prompt
from gpf_desktop.engine.rounds.plans import plan_hash, read_plan, write_plan
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.engine.schedules.plan_rounds import plan_round
from gpf_desktop.storage import batches, cells, models, responses, stages
from gpf_desktop.storage.responses import CellResult
from gpf_desktop.storage.stages import StageCount
from tests.methods.toy import Judged
from tests.support.http_server import Mode
from tests.support.http_server import Reply as Http
from tests.support.openai_server import OpenAIServer

PLAN = """
method = "judged"
articles_per_source = 2
[[sources]]
file = "news.csv"
[[models]]
provider = "calibration"
model = "neutral"
[[models]]
provider = "calibration"
model = "{second}"
role = "baseline"
[[models]]
provider = "calibration"
model = "tone-0.3"
role = "judge"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(catalogue.methods(), Judged.name, Judged(tmp_path))
    rows = ("Bus lanes,They open.,https://news.example/1", "Ferry,It stays.,https://news.example/2")
    (tmp_path / "news.csv").write_text("\n".join(("headline,description,url", *rows)))
    return tmp_path


@pytest.fixture
def opened(folder: Path) -> Iterator[tuple[Headless, OpenAudit]]:
    with Headless(quiet=True) as headless:
        yield headless, headless.engine.create(folder / "audit.gpf", title="Judged")


def plan_of(second: str = "tailoring-0.6") -> str:
    return PLAN.format(second=second)


def counts(open_audit: OpenAudit) -> tuple[StageCount, ...]:
    return open_audit.rounds.stages(open_audit.rounds.runs()[0].id)


def test_that_answers_are_judged_in_the_same_round(folder: Path, opened: tuple[Headless, OpenAudit]) -> None:
    headless, open_audit = opened
    plan = read_plan(plan_of(), where="plan.toml")
    assert plan.roles == (Role.TARGET, Role.BASELINE, Role.JUDGE)
    assert read_plan(write_plan(plan), where="again") == plan
    assert plan_hash(plan) != plan_hash(replace(plan, roles=()))
    summary = run_plan(headless, open_audit, plan, beside=folder)
    assert summary.state is RunState.FINISHED
    assert counts(open_audit) == (
        StageCount(stage=0, planned=8, answered=8, missing=0),
        StageCount(stage=1, planned=8, answered=8, missing=0),
    )
    outlook = open_audit.rounds.stage_outlook(open_audit.rounds.runs()[0].id)
    assert outlook is not None
    assert [(line.planned, line.answered, line.likely) for line in outlook.lines] == [(8, 8, 0), (8, 8, 0)]
    assert set(outlook.roles) == {Role.TARGET, Role.BASELINE, Role.JUDGE}
    assert summary.progress is not None
    assert [(line.planned, line.answered) for line in summary.progress.models] == [(4, 4), (4, 4), (8, 8)]
    ended = summary.progress
    assert (ended.bundles_planned, ended.bundles_scored, ended.bundles_provisional) == (4, 4, 0)
    reviews = open_audit.reviews
    main = reviews.bundle(reviews.queue(QueueFilter(), QueueOrder()).order[0])
    assert [each.level for each in main.answers] == ["calibration/neutral", "calibration/tailoring-0.6"]
    judged = reviews.bundle(reviews.queue(QueueFilter(arm="judgements"), QueueOrder()).order[0])
    (judgement,) = judged.answers
    assert judgement.level == "calibration/tone-0.3"
    mains = [reviews.bundle(each) for each in reviews.queue(QueueFilter(), QueueOrder()).order]
    answered = {each.answer.text for bundle in mains for each in bundle.answers}
    assert sent_prompt(judged, judgement.answer).prompt.user.removeprefix("Is this calm? ") in answered


def test_that_a_judge_who_is_asked_twice_stays_under_the_cap(
    folder: Path, opened: tuple[Headless, OpenAudit], monkeypatch: pytest.MonkeyPatch
) -> None:
    # At a dollar for an answer's token and 20 tokens an answer: a judgement and its repetition cost 40.
    monkeypatch.setattr(Judged, "ask_again", lambda _its, _protocol, prompt, _reply: prompt)
    headless, open_audit = opened
    judge = "decoding = { max_tokens = 20 }\nprice = { prompt = 0, completion = 1_000_000 }\n"
    plan = read_plan("spend_cap = 30.0\n" + plan_of() + judge, where="plan.toml")
    summary = run_plan(headless, open_audit, plan, beside=folder)
    assert summary.state is RunState.PAUSED
    assert counts(open_audit)[1].answered == 0
    assert summary.progress is not None
    assert summary.progress.spent == 0


def test_that_a_repeated_judgement_whose_end_nobody_saw_is_held_at_its_worst_case(
    folder: Path, opened: tuple[Headless, OpenAudit], openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def again(_its: object, _protocol: object, prompt: Prompt, _reply: str) -> Prompt:
        return replace(prompt, user=f"Again: {prompt.user}")

    monkeypatch.setattr(Judged, "ask_again", again)
    openai_server.fail("Again", reply=Http(mode=Mode.RESET))
    headless, open_audit = opened
    judge = PLAN[: PLAN.rindex("[[models]]")].format(second="tailoring-0.6") + (
        f'[[models]]\nprovider = "openai-compatible"\nmodel = "some-model"\nrole = "judge"\n'
        f'base_url = "{openai_server.base_url}"\nattempts = 1\nin_flight = 1\n'
        "decoding = { max_tokens = 20 }\nprice = { prompt = 0, completion = 1_000_000 }\n"
    )
    summary = run_plan(headless, open_audit, read_plan(f"spend_cap = 100.0\n{judge}", where="plan"), beside=folder)
    assert summary.state is RunState.PAUSED
    assert summary.progress is not None
    # At 20 for the judgement and 20 for its repetition: after two of them there is no room for a third.
    assert (summary.progress.spent, summary.progress.in_doubt) == pytest.approx((40, 40), abs=0.01)
    (run,) = open_audit.rounds.runs()
    assert open_audit.rounds.progress(run.id).in_doubt == pytest.approx(summary.progress.in_doubt)
    kept = open_audit.context.audit.read(
        lambda c: c.execute("SELECT text, missing FROM response WHERE missing IS NOT NULL").fetchall()
    )
    assert len(kept) == 2
    assert all(text for text, _ in kept)


def test_that_a_round_killed_between_stages_goes_on_where_it_was(
    folder: Path, opened: tuple[Headless, OpenAudit]
) -> None:
    _, open_audit = opened
    run_id = plan_round(open_audit, read_plan(plan_of(), where="plan.toml"), beside=folder).run_id
    assert run_id is not None
    outlook = open_audit.rounds.stage_outlook(run_id)
    assert outlook is not None
    assert [(line.planned, line.likely) for line in outlook.lines] == [(8, 0), (0, 8)]
    audit = open_audit.context.audit
    for model in audit.read(lambda c: models.of_run(c, run_id)):
        ready = audit.read(lambda c, its=model.id: cells.next_open(c, run_id, its, after=-1, limit=9))
        audit.write(lambda c, ready=ready: cells.record_starts(c, [(each.id, 1) for each in ready])).result()
        landed = [_answer(each.id) for each in ready]
        audit.write(lambda c, landed=landed: responses.save(c, landed)).result()
    assert set(audit.read(lambda c: stages.left(c, run_id)).values()) == {1}
    assert len(counts(open_audit)) == 1
    assert open_audit.rounds.start(run_id).result(timeout=250) is RunState.FINISHED
    assert [(each.planned, each.answered) for each in counts(open_audit)] == [(8, 8), (8, 8)]
    assert audit.read(lambda c: stages.left(c, run_id)) == {}


def test_that_nothing_rests_on_an_answer_that_is_missing_until_it_is_asked_again(
    folder: Path, opened: tuple[Headless, OpenAudit]
) -> None:
    headless, open_audit = opened
    summary = run_plan(headless, open_audit, read_plan(plan_of("faulty"), where="plan.toml"), beside=folder)
    first, second = counts(open_audit)
    assert summary.state is RunState.FINISHED_WITH_GAPS
    assert first.missing > 0
    assert second.planned == second.answered == first.answered
    (run,) = open_audit.rounds.runs()
    audit = open_audit.context.audit
    lost = audit.read(lambda c: c.execute("SELECT id FROM cell WHERE state = 'missing' LIMIT 1").fetchone()[0])
    assert audit.write(lambda c: cells.reopen_chosen(c, [lost], [*Missing])).result() == [lost]
    audit.write(lambda c: cells.record_starts(c, [(lost, 9)])).result()
    audit.write(lambda c: responses.save(c, [replace(_answer(lost), attempt=9)])).result()
    open_audit.rounds.start(run.id).result(timeout=250)
    again_first, again_second = counts(open_audit)
    assert again_first.answered == first.answered + 1
    assert again_second.planned == again_second.answered == second.planned + 1


def test_that_the_forecast_tells_the_sure_calls_from_the_likely_ones(
    folder: Path, opened: tuple[Headless, OpenAudit]
) -> None:
    _, open_audit = opened
    run_id = plan_round(open_audit, read_plan(plan_of(), where="plan.toml"), beside=folder).run_id
    assert run_id is not None
    audit = open_audit.context.audit
    chosen = audit.read(lambda c: models.of_run(c, run_id))
    (batch,) = audit.read(batches.every)
    protocol = Judged(folder).protocol({"name": "Two", "asked": {"English": "New?", "Deutsch": "Neu?"}})
    setup = RunSetup(
        name="Again",
        protocol=protocol,
        method=Judged.name,
        model_ids=tuple(model.id for model in chosen),
        batch_id=batch.id,
        roles={model.id: model.role for model in chosen},
    )
    told = open_audit.rounds.forecast(setup)
    assert told.calls.total == 8
    assert told.further is not None
    assert told.further.calls == 8


def _answer(cell_id: int) -> CellResult:
    reply = Reply(text=f"Calm words of cell {cell_id}.", finish="stop")
    return CellResult(cell_id=cell_id, attempt=1, outcome=reply, seconds=0.1, microdollars=0.0)  # type: ignore[arg-type]
