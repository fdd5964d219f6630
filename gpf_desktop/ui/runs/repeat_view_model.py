"""State of the dialog that repeats a round."""

import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject

from gpf_desktop.domain.ids import ArticleId
from gpf_desktop.domain.program import program
from gpf_desktop.domain.schedules import HOURS, Schedule, next_due
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.engine.schedules.scheduler_entries import command_line, entries
from gpf_desktop.storage.articles import ArticleFilter
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.wording import moment, money

AT_TIMES = 0
"""Stands for times of day among the hours between two rounds."""


class RepeatViewModel(ViewModel):
    """A schedule of the round in *setup*, with fresh articles, at moments to be chosen."""

    def __init__(
        self,
        context: Context,
        setup: RunSetup | None,
        parent: QObject | None = None,
        *,
        editing: Schedule | None = None,
    ) -> None:
        """A new schedule for *setup*, or the one being edited: *editing*."""
        super().__init__(context, parent)
        self._setup = setup
        self._editing = editing
        self.hours: int | None = None
        """Between two rounds; `AT_TIMES`: at *times*; None: never."""
        self.times = "07:30"
        open_audit = context.engine.open_audit
        self._audit = open_audit.path
        self._repeater = partial(context.engine.repeater, open_audit)
        if editing is not None:
            self.hours = AT_TIMES if editing.every_hours is None else editing.every_hours
            self.times = ", ".join(f"{each:%H:%M}" for each in editing.times) or self.times
        self.news_left = True
        """There are articles that no round has used, beside those that *setup* is about to use."""
        unused = partial(open_audit.sources.article_ids, ArticleFilter(unused=True))
        context.bridge.run(unused, then=self._count_left, owner=self)

    def _count_left(self, unused: Sequence[ArticleId]) -> None:
        asked = () if self._setup is None else self._setup.article_ids
        self.news_left = bool(set(unused) - set(asked))
        self.touch_now()

    @property
    def can_save_plan(self) -> bool:
        return self._setup is not None and self.schedule is not None

    @property
    def choices(self) -> tuple[tuple[str, int | None], ...]:
        hours = tuple((tr("Every hour") if n == 1 else tr("Every {n} hours", n=n), n) for n in HOURS)
        return ((tr("Never"), None), *hours, (tr("At times of day"), AT_TIMES))

    @property
    def plan_path(self) -> Path:
        """The path at which the system's scheduler looks for the plan."""
        return self._audit.with_name(f"{self._audit.stem}-round.toml")

    @property
    def about(self) -> str:
        """A sentence on what is asked each time."""
        articles = 0 if self._setup is None else len(self._setup.article_ids)
        if not articles:
            return tr("The same models and settings are asked about the newest unused articles.")
        return trn(
            "The same models and settings are asked about the newest unused article.",
            "The same models and settings are asked about the {n} newest unused articles.",
            articles,
        )

    @property
    def problem(self) -> str:
        """A sentence on what is wrong with the times; empty where nothing is."""
        if self.hours != AT_TIMES or _times(self.times):
            return ""
        return tr("Type times of day such as 07:30, 19:00.")

    @property
    def schedule(self) -> Schedule | None:
        """None where the round is not to be repeated, or not yet; of a new one without its plan, which `keep` makes."""
        if self.hours is None or self.problem:
            return None
        chosen = Schedule(plan="") if self._editing is None else replace(self._editing, on=True)
        if self.hours == AT_TIMES:
            return replace(chosen, times=_times(self.times), every_hours=None)
        return replace(chosen, every_hours=self.hours, times=())

    @property
    def next_text(self) -> str:
        schedule = self.schedule
        due = None if schedule is None else next_due(schedule, datetime.now().astimezone())
        return tr("Not repeated.") if due is None else tr("Next round: {moment}.", moment=moment(due))

    @property
    def left_text(self) -> str:
        """That nothing is left to ask about, where a round is to be repeated."""
        return "" if self.news_left or self.schedule is None else nothing_left()

    @property
    def most_text(self) -> str:
        """A sentence on the most that the rounds of a day may cost; empty where there are none, or no cap."""
        schedule, cap = self.schedule, None if self._setup is None else self._setup.spend_cap
        if schedule is None or cap is None:
            return ""
        a_day = len(schedule.times) if schedule.every_hours is None else 24 // schedule.every_hours
        return tr("Each round pauses at {cap}: {day} a day at most.", cap=money(cap), day=money(a_day * cap))

    @property
    def entry_text(self) -> str:
        """The entries for this system's schedulers, each with where it goes and what to do then."""
        if self.schedule is None:
            return ""
        command = command_line(program(), self.plan_path, self._audit)
        parts: list[str] = []
        for entry in entries(self.schedule, command, sys.platform):
            parts += [f"{entry.scheduler} · {where}\n\n{text}" for where, text in entry.files]
            parts.append(f"{entry.then}\n")
        return "\n".join(parts)

    def choose(self, hours: int | None) -> None:
        self.hours = hours
        self.touch_now()

    def type_times(self, text: str) -> None:
        self.times = text
        self.touch()

    def keep(self) -> None:
        """Repeat from now on as chosen."""
        repeater, schedule, told, setup = self._repeater, self.schedule, self.next_text, self._setup
        editing, plan_text = self._editing, self.context.engine.open_audit.plan_text

        def kept(_: object) -> None:
            # Not a method of this, which is gone with its dialog by then.
            messages.success(told, topic="repeat")

        messages = self.context.messages
        if schedule is not None:
            self.context.bridge.run(
                lambda: repeater().keep(schedule if setup is None else replace(schedule, plan=plan_text(setup))),
                then=kept,
            )
        elif editing is not None:
            self.context.bridge.run(lambda: repeater().drop(editing.plan), then=kept)

    def save_plan(self) -> None:
        """Write the plan where the scheduler's entry looks for it."""
        open_audit, path, setup = self.context.engine.open_audit, self.plan_path, self._setup
        if setup is not None:
            saved = tr("Saved the plan as {path}.", path=str(path))
            self.context.bridge.run(
                open_audit.save_plan, setup, path, then=lambda _: self.context.messages.success(saved, topic="plan")
            )


def nothing_left() -> str:
    """Of schedules, where no article is unused."""
    return tr("No unused article is left: a round is left out unless its sources bring new ones by then.")


def _times(text: str) -> tuple[time, ...]:
    """The times of day in *text*; none where a part of it is no time."""
    found = []
    for part in text.replace(";", ",").split(","):
        try:
            # Python wants two digits of the hour, and people type 7:30.
            found.append(time.fromisoformat(part.strip().zfill(5)))
        except ValueError:
            return ()
    return tuple(each for each in found if not each.second)
