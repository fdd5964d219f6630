"""The method's check of the instrument: it passes, and fails where a judge obeys what an answer tells it."""

from dataclasses import replace

import pytest

from gpf_desktop.domain.judging import JudgeReply, LevelForm
from gpf_desktop.engine.commands.method_check import PlannedCheck
from gpf_desktop.engine.core import catalogue


@pytest.mark.slow
def test_that_planted_models_and_judges_are_found_and_answers_that_give_orders_move_no_sound_judge() -> None:
    report = PlannedCheck(catalogue.checks()["relative-bias"], quick=True).run()
    assert [line.must_show for line in report.lines if not line.passed] == []
    assert {line.model for line in report.lines} >= {"evasive-0.9", "judge-1.0", "judge-0.5", "credulous"}
    assert report.over == "50 items"


@pytest.mark.slow
def test_that_levels_that_are_read_wrongly_fail_the_check(monkeypatch: pytest.MonkeyPatch) -> None:
    read = LevelForm.read

    def flattened(form, reply):  # type: ignore[no-untyped-def]
        found = read(form, reply)
        return replace(found, level=1) if isinstance(found, JudgeReply) else found

    monkeypatch.setattr(LevelForm, "read", flattened)
    report = PlannedCheck(catalogue.checks()["relative-bias"], quick=True).run()
    assert not report.passed
    assert not next(line for line in report.lines if line.model == "evasive-0.9").passed
