"""Rounds are repeated at their times, by the program or by the system's scheduler."""

import json
import plistlib
import shlex
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import RunRested, TaskFailed, TaskSucceeded
from gpf_desktop.domain.runs import RunState
from gpf_desktop.domain.schedules import HOURS, REPEAT_TASK, Schedule, next_due
from gpf_desktop.engine.schedules import scheduler_entries
from gpf_desktop.engine.schedules.repeating import Repeater
from gpf_desktop.storage import audits
from tests.support.rounds import Scene, scene

pytestmark = pytest.mark.slow

PLAN = """
articles_per_source = 1
protocol = "GPF-LiveNews-v1"
controls = "none"
[[sources]]
url = "sample:news"
[[models]]
provider = "calibration"
model = "neutral"
"""
NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
COMMAND = ("/opt/gpf desktop/python", "-m", "gpf_desktop", "run", "/data/50% plan.toml", "--audit", "/data/a.gpf")


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Scene]:
    with scene(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize(
    ("schedule", "due"),
    [
        (Schedule(plan="", every_hours=6), datetime(2026, 11, 20, 18, tzinfo=UTC)),
        (Schedule(plan="", every_hours=24), datetime(2026, 11, 21, tzinfo=UTC)),
        (Schedule(plan="", times=(time(12), time(7, 30))), datetime(2026, 11, 21, 7, 30, tzinfo=UTC)),
        (Schedule(plan="", times=(time(12, 1),)), datetime(2026, 11, 20, 12, 1, tzinfo=UTC)),
        (Schedule(plan=""), None),
    ],
)
def test_that_the_next_round_is_due_at_the_first_time_after_now(schedule: Schedule, due: datetime | None) -> None:
    assert next_due(schedule, NOON) == due


@pytest.mark.parametrize("hours", HOURS)
def test_that_intervals_part_the_day_evenly(hours: int) -> None:
    schedule = Schedule(plan="", every_hours=hours)
    first = next_due(schedule, NOON)
    assert first is not None
    assert next_due(schedule, first) == first + timedelta(hours=hours)


class Clock:
    """Tells the moments that it is given, the last one for ever."""

    def __init__(self, *moments: datetime) -> None:
        self.moments = list(moments)

    def __call__(self) -> datetime:
        return self.moments.pop(0) if len(self.moments) > 1 else self.moments[0]


def test_that_a_round_starts_when_it_is_due_and_is_scored(stage: Scene) -> None:
    clock = Clock(NOON, NOON + timedelta(hours=7))
    repeater = Repeater(stage.open_audit, clock=clock)
    repeater.keep(Schedule(plan=PLAN, every_hours=6))
    assert stage.wait_for(RunRested).state is RunState.FINISHED
    repeater.close()
    assert repeater.next_due() == datetime(2026, 11, 21, tzinfo=UTC)
    assert repeater.schedules()[0].last == NOON + timedelta(hours=7)


def test_that_each_repetition_takes_new_articles_until_there_are_none(stage: Scene) -> None:
    repeater = Repeater(stage.open_audit, clock=Clock(NOON))
    schedule = Schedule(plan=PLAN.replace("source = 1", "source = 50"), times=(time(11),))
    repeater.keep(schedule)
    repeater.start_round(schedule)
    stage.wait_for(RunRested)
    stage.open_audit.rounds.wait_until_at_rest()
    repeater.start_round(schedule)
    assert "no new articles" in stage.heard(TaskSucceeded)[-1].sentence
    assert len(stage.open_audit.rounds.runs()) == 1
    repeater.close()


def test_that_schedules_are_kept_with_the_audit_and_can_be_changed_switched_off_and_ended(stage: Scene) -> None:
    morning = Schedule(plan=f'name = "Morning"\n{PLAN}', times=(time(7, 30), time(19)))
    hourly = Schedule(plan=PLAN, every_hours=1)
    first = Repeater(stage.open_audit, clock=Clock(NOON))
    first.keep(morning)
    first.keep(hourly)
    first.keep(replace(hourly, every_hours=2))
    first.close()
    second = Repeater(stage.open_audit, clock=Clock(NOON))
    assert second.schedules() == (replace(morning, name="Morning"), replace(hourly, every_hours=2))
    assert second.next_due() == NOON + timedelta(hours=2)
    second.keep(replace(hourly, every_hours=2, on=False))
    assert second.next_due() == NOON + timedelta(hours=7)
    for _ in range(2):  # pressed twice before the first is told of
        second.drop(morning.plan)
    assert [each.on for each in second.schedules()] == [False]
    assert second.next_due() is None
    second.close()


def test_that_a_schedule_of_a_file_that_could_have_one_only_is_read(stage: Scene) -> None:
    one = json.dumps({"plan": PLAN, "every_hours": 6, "times": []})
    stage.open_audit.context.audit.write(lambda c: audits.set_setting(c, "repeat", one)).result()
    repeater = Repeater(stage.open_audit, clock=Clock(NOON))
    assert repeater.schedules() == (Schedule(plan=PLAN, every_hours=6),)
    repeater.close()


def test_that_a_wrong_plan_is_refused_before_it_is_kept(stage: Scene) -> None:
    repeater = Repeater(stage.open_audit, clock=Clock(NOON))
    with pytest.raises(UserError):
        repeater.keep(Schedule(plan="models = 3", every_hours=6))
    assert repeater.schedules() == ()


def test_that_what_keeps_a_repeated_round_from_being_asked_is_told(stage: Scene) -> None:
    repeater = Repeater(stage.open_audit, clock=Clock(NOON))
    model = 'provider = "openai-compatible"\nmodel = "m"\nbase_url = "http://127.0.0.1:9/v1"\nkey_env = "GPF_NO_KEY"'
    schedule = Schedule(plan=PLAN.partition("[[models]]")[0] + f"[[models]]\n{model}\n", times=(time(11),))
    repeater.start_round(schedule)
    failed = stage.wait_for(TaskFailed)
    assert failed.task == REPEAT_TASK
    assert "GPF_NO_KEY" in failed.what


def test_that_cron_runs_the_command_at_its_hours() -> None:
    entry = scheduler_entries.cron(Schedule(plan="", every_hours=6), COMMAND)
    minute, hour, *days, words = entry.files[0][1].strip().split(" ", 5)
    assert (minute, hour, days) == ("0", "*/6", ["*", "*", "*"])
    assert r"50\% plan" in words
    assert tuple(shlex.split(words.replace(r"\%", "%"))) == COMMAND
    twice = scheduler_entries.cron(Schedule(plan="", times=(time(19), time(7, 30))), COMMAND)
    assert [line.split(" ")[:2] for line in twice.files[0][1].splitlines()] == [["30", "7"], ["0", "19"]]


def test_that_systemd_gets_a_service_and_a_timer() -> None:
    entry = scheduler_entries.systemd(Schedule(plan="", times=(time(7, 30),)), COMMAND)
    (service, service_text), (timer, timer_text) = entry.files
    assert service.endswith(".service")
    assert timer.endswith(".timer")
    assert 'ExecStart="/opt/gpf desktop/python" -m gpf_desktop run "/data/50%% plan.toml"' in service_text
    assert "OnCalendar=*-*-* 07:30:00" in timer_text


def test_that_launchd_gets_an_agent() -> None:
    entry = scheduler_entries.launchd(Schedule(plan="", every_hours=12), COMMAND)
    agent = plistlib.loads(entry.files[0][1].encode())
    assert tuple(agent["ProgramArguments"]) == COMMAND
    assert agent["StartCalendarInterval"] == [{"Hour": 0, "Minute": 0}, {"Hour": 12, "Minute": 0}]


def test_that_windows_gets_a_task() -> None:
    entry = scheduler_entries.task_scheduler(Schedule(plan="", times=(time(7, 30),)), COMMAND)
    task = ET.fromstring(entry.files[0][1])
    names = {"t": "http://schemas.microsoft.com/windows/2004/02/mit/task"}
    assert task.findtext(".//t:Command", namespaces=names) == COMMAND[0]
    assert task.findtext(".//t:Arguments", namespaces=names) == (
        '-m gpf_desktop run "/data/50% plan.toml" --audit /data/a.gpf'
    )
    assert str(task.findtext(".//t:StartBoundary", namespaces=names)).endswith("T07:30:00")


@pytest.mark.parametrize(
    ("platform", "first"), [("win32", "Task Scheduler"), ("darwin", "launchd"), ("linux", "systemd")]
)
def test_that_each_system_is_offered_its_own(platform: str, first: str) -> None:
    assert scheduler_entries.entries(Schedule(plan="", every_hours=6), COMMAND, platform)[0].scheduler == first
