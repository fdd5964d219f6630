"""Entries for the system's scheduler, so that rounds are repeated while the program is closed. Only makes the text."""

import plistlib
import shlex
import subprocess
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpf_desktop.domain.schedules import Schedule
from gpf_desktop.domain.text import tr

NAME: Final = "gpf-desktop-round"
_LABEL: Final = "org.gpf-desktop.round"
_TASKS: Final = "http://schemas.microsoft.com/windows/2004/02/mit/task"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Text for one scheduler, and what to do with it."""

    scheduler: str
    files: tuple[tuple[str, str], ...]
    """(where it goes, text)."""
    then: str
    """What to type or do once the files are there; a sentence."""


def command_line(program: Sequence[str], plan: Path, audit: Path) -> tuple[str, ...]:
    """The command that every scheduler runs; *program* starts GPF Desktop."""
    return (*program, "run", str(plan), "--audit", str(audit))


def cron(schedule: Schedule, command: Sequence[str]) -> Entry:
    """Lines of a crontab. A per cent sign would end the command there, so it is escaped."""
    words = shlex.join(command).replace("%", r"\%")
    if schedule.every_hours is not None:
        hours = "*" if schedule.every_hours == 1 else "0" if schedule.every_hours == 24 else f"*/{schedule.every_hours}"
        lines = [f"0 {hours} * * * {words}"]
    else:
        lines = [f"{moment.minute} {moment.hour} * * * {words}" for moment in schedule.moments()]
    return Entry(
        scheduler="cron",
        files=((tr("the lines that “crontab -e” opens"), "\n".join(lines) + "\n"),),
        then=tr("Save and close the editor."),
    )


def systemd(schedule: Schedule, command: Sequence[str]) -> Entry:
    """A user's service and timer; a missed round is made up for when the machine is on again."""
    words = " ".join(_systemd_word(word) for word in command)
    times = "\n".join(f"OnCalendar=*-*-* {moment:%H:%M}:00" for moment in schedule.moments())
    service = (
        "[Unit]\nDescription=A round of GPF Desktop\nWants=network-online.target\n\n"
        f"[Service]\nType=oneshot\nExecStart={words}\n"
    )
    timer = (
        f"[Unit]\nDescription=Rounds of GPF Desktop\n\n[Timer]\n{times}\nPersistent=true\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )
    folder = "~/.config/systemd/user"
    return Entry(
        scheduler="systemd",
        files=((f"{folder}/{NAME}.service", service), (f"{folder}/{NAME}.timer", timer)),
        then=tr("Then type: {command}", command=f"systemctl --user enable --now {NAME}.timer"),
    )


def launchd(schedule: Schedule, command: Sequence[str]) -> Entry:
    """A launch agent of macOS."""
    agent = {
        "Label": _LABEL,
        "ProgramArguments": list(command),
        "StartCalendarInterval": [{"Hour": each.hour, "Minute": each.minute} for each in schedule.moments()],
    }
    path = f"~/Library/LaunchAgents/{_LABEL}.plist"
    return Entry(
        scheduler="launchd",
        files=((path, plistlib.dumps(agent).decode()),),
        then=tr("Then type: {command}", command=f"launchctl load {path}"),
    )


def task_scheduler(schedule: Schedule, command: Sequence[str]) -> Entry:
    """A task of Windows, to be imported."""
    task = ET.Element("Task", {"version": "1.2", "xmlns": _TASKS})
    triggers = ET.SubElement(task, "Triggers")
    for moment in schedule.moments():
        trigger = ET.SubElement(triggers, "CalendarTrigger")
        # A day that is past: the task is repeated daily from there on, at this time.
        ET.SubElement(trigger, "StartBoundary").text = f"2026-01-01T{moment:%H:%M}:00"
        ET.SubElement(ET.SubElement(trigger, "ScheduleByDay"), "DaysInterval").text = "1"
    settings = ET.SubElement(task, "Settings")
    ET.SubElement(settings, "MultipleInstancesPolicy").text = "IgnoreNew"
    ET.SubElement(settings, "StartWhenAvailable").text = "true"
    run = ET.SubElement(ET.SubElement(task, "Actions"), "Exec")
    ET.SubElement(run, "Command").text = command[0]
    ET.SubElement(run, "Arguments").text = subprocess.list2cmdline(command[1:])
    ET.indent(task)
    path = f"{NAME}.xml"
    return Entry(
        scheduler="Task Scheduler",
        files=((path, ET.tostring(task, encoding="unicode") + "\n"),),
        then=tr("Then type: {command}", command=f'schtasks /Create /TN "GPF Desktop round" /XML {path}'),
    )


def entries(schedule: Schedule, command: Sequence[str], platform: str) -> tuple[Entry, ...]:
    """The entries for the schedulers of *platform* (as `sys.platform`), the usual one first."""
    if platform == "win32":
        return (task_scheduler(schedule, command),)
    if platform == "darwin":
        return (launchd(schedule, command), cron(schedule, command))
    return (systemd(schedule, command), cron(schedule, command))


def _systemd_word(word: str) -> str:
    """Quoted as systemd reads it: ``%`` and ``$`` have a meaning of their own there."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"').replace("%", "%%").replace("$", "$$")
    return f'"{escaped}"' if escaped != word or " " in word else word
