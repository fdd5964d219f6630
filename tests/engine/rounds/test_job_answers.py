"""What a batch job gave back: paid for where it cost something, and no job of ours where nothing in it is."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from gpf_desktop.domain.ids import BatchJobId, CellId
from gpf_desktop.domain.models import Price
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply, Usage
from gpf_desktop.domain.retries import Transient
from gpf_desktop.engine.rounds import job_answers
from gpf_desktop.engine.rounds.job_answers import Job, JobAnswers, custom_id_of
from gpf_desktop.storage.batch_jobs import Unanswered

JOB = Job(id=BatchJobId(1), tag="t", requests=2, discount=0.5, submitted=datetime.now(UTC))
PRICE = Price(prompt=2.0, completion=4.0, entered=date(2026, 11, 1))


class Scene:
    """The answers of one job with two questions, of which the store waits for *waiting*."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, waiting: int, gives: dict[str, Outcome]) -> None:
        self.given_back: list[Unanswered] = []
        self.spent = 0.0
        cells = [SimpleNamespace(id=CellId(n), attempts=1, fit_group_id=1, article_id=1) for n in range(waiting)]
        monkeypatch.setattr(job_answers.responses, "save", lambda _connection, _landed: None)
        monkeypatch.setattr(job_answers.batch_jobs, "give_back", lambda _, again: self.given_back.extend(again))
        monkeypatch.setattr(job_answers, "likely_prompt", lambda _task: 0)

        async def read(_ask: Callable[[Any], Any]) -> Any:
            return cells

        async def write(do: Callable[[Any], Any]) -> Any:
            return do(None)

        async def collect(*_: object) -> AsyncIterator[tuple[str, Outcome]]:
            for custom_id, outcome in gives.items():
                yield custom_id, outcome

        async def note(_sentence: str) -> None:
            return None

        endpoint = SimpleNamespace(price=PRICE, limits=SimpleNamespace(attempts=3))
        task = SimpleNamespace(
            model=SimpleNamespace(id=1, not_supported=(), endpoint=endpoint), items={1: None}, key=None
        )
        self.answers = JobAnswers(
            cast("Any", SimpleNamespace(read=read, write=write)),
            cast("Any", task),
            cast("Any", SimpleNamespace(collect=collect)),
            send=cast("Any", None),
            spend=lambda _, dollars: setattr(self, "spent", self.spent + dollars),
            doubt=lambda *_: None,
            announce=lambda *_: None,
            note=note,
        )

    def collected(self) -> job_answers.CollectedJob:
        return asyncio.run(self.answers.collect(replace(JOB), cast("Any", SimpleNamespace(done=2))))


def test_that_what_is_asked_again_keeps_what_it_cost(monkeypatch: pytest.MonkeyPatch) -> None:
    unread = Miss(reason=Missing.TIMED_OUT, detail="", usage=Usage(prompt=100, completion=50), retry=Transient())
    ids = [custom_id_of("t", cast("Any", SimpleNamespace(id=n))) for n in (0, 1)]
    scene = Scene(monkeypatch, 2, {ids[0]: unread, ids[1]: Reply(text="x", usage=Usage(prompt=10, completion=1))})
    assert scene.collected() == job_answers.CollectedJob(answered=1, again=1)
    # Half of 2 and 4 millionths of a dollar a token.
    assert [each.microdollars for each in scene.given_back] == [200.0]
    assert scene.spent == pytest.approx((200 + 12) / 1e6)


@pytest.mark.parametrize("waiting", [1, 2])
def test_that_a_job_is_another_s_only_where_none_of_its_answers_was_ever_stored(
    monkeypatch: pytest.MonkeyPatch, waiting: int
) -> None:
    scene = Scene(monkeypatch, waiting, {"else": Reply(text="x")})
    # With one of two stored before the kill, what is left is open again, and the job is ours.
    assert scene.collected().foreign is (waiting == 2)
    assert len(scene.given_back) == (0 if waiting == 2 else 1)
