"""A round waits until all that it asked to be scored is scored."""

import asyncio
import gc
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.ids import FitGroupId, RunId
from gpf_desktop.engine.scoring.assessment import Assessor
from gpf_desktop.methods.gpf_livenews.method import METHOD
from tests.support.open_context import OpenBench
from tests.support.rounds import small_protocol

GROUP = FitGroupId(1)


class AtOnce(Assessor):
    """Has nothing to compute: what is asked for has ended within one turn of the loop."""

    async def _score(self, group: FitGroupId, *, final: bool) -> None: ...


def test_that_scoring_which_ended_in_this_very_turn_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    async def settled(bench: OpenBench) -> bool:
        assessor = AtOnce(bench.context, RunId(1), METHOD, small_protocol(), {}, lambda *_: None)
        assessor.ask(GROUP, final=False)
        assessor.ask(GROUP, final=True)
        # The task ends; whoever waits for its end is told in the next turn.
        await asyncio.sleep(0)
        await assessor.settle()
        return not assessor._under_way

    with OpenBench(tmp_path) as bench:
        assert bench.context.loop.submit(settled(bench)).result(timeout=100)


class Failing(Assessor):
    """Cannot compute anything."""

    async def _score(self, group: FitGroupId, *, final: bool) -> None:
        raise GpfError("The process that computes scores ended twice.")


def test_that_what_failed_before_anybody_settled_is_printed_by_nobody(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def failed(bench: OpenBench) -> None:
        assessor = Failing(bench.context, RunId(1), METHOD, small_protocol(), {}, lambda *_: None)
        assessor.ask(GROUP, final=False)
        await asyncio.wait(assessor._under_way.values())
        assert not assessor._under_way

    with OpenBench(tmp_path) as bench:
        bench.context.loop.submit(failed(bench)).result(timeout=100)
        gc.collect()
    assert caplog.text == ""
