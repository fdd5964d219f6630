"""One round: how far it is, model by model, and what happened."""

from collections.abc import Mapping

from PySide6.QtWidgets import QCheckBox, QProgressBar, QWidget

from gpf_desktop.domain.runs import ModelProgress, NoteKind
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.unknown_refusals import told_by_reason
from gpf_desktop.storage.runs import RunNote
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.runs.run_words import answered_by, facts_of, short_names
from gpf_desktop.ui.runs.runs_view_model import RunsViewModel
from gpf_desktop.ui.runs.scope_words import not_asked_words
from gpf_desktop.ui.runs.stages_card import StagesCard
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.boxes import column_of, hbox, vbox
from gpf_desktop.ui.widgets.buttons import link
from gpf_desktop.ui.widgets.cards import StatCard, StatRow
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.labels import heading, label
from gpf_desktop.ui.widgets.layouts import scrolling
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.widgets.table_models import RowsTableModel
from gpf_desktop.ui.wording import (
    NO_VALUE,
    clock,
    count,
    count_of,
    decimal,
    duration,
    duration_range,
    money_beside,
    percent,
    spending,
)

_STEPS = 10_000


class RunDetail(QWidget):
    """Painted again at most every 50 ms while a round is asked."""

    def __init__(self, context: Context, model: RunsViewModel) -> None:
        super().__init__()
        self._model = model
        self._bar = named(QProgressBar(), "runs.progress", tr("Share of the round that is answered"))
        self._bar.setRange(0, _STEPS)
        self._bar.setTextVisible(False)
        self._cards = [StatCard() for _ in range(5)]
        # Filled as models come and never replaced: the columns read from this very dictionary.
        self._names: dict[str, str] = {}
        self._models: RowsTableModel[ModelProgress] = RowsTableModel(
            context.theme, _model_columns(self._names), key=lambda line: line.model
        )
        self.table = DataTable(context.theme, self._models, says=tr("Models of this round"), name="runs.models")
        self.table.opened.connect(lambda line: model.review(line.model))
        self._facts = label("", "secondary", wrap=True, name="runs.facts")
        self._answered_by = label("", "secondary", wrap=True, name="runs.answeredBy")
        self._unknown = label("", "caption", wrap=True, name="runs.unknown")
        self.list_unknown = link(tr("List them"), name="runs.listUnknown")
        self._pace = named(QCheckBox(tr("Every change of the pace")), "runs.pace")
        self._pace.toggled.connect(model.set_show_pace)
        self._notes: RowsTableModel[RunNote] = RowsTableModel(
            context.theme,
            [
                TableColumn(title=tr("Time"), text=lambda note: clock(note.at), width=90),
                TableColumn(
                    title=tr("What happened"),
                    text=lambda note: note.sentence,
                    stretch=True,
                    tip=lambda note: note.sentence,
                ),
            ],
        )
        self._events = DataTable(context.theme, self._notes, says=tr("What happened"), name="runs.events")
        self._quiet = label(tr("Nothing out of the ordinary happened."), "secondary")
        content = column_of(
            self._facts,
            self._bar,
            StatRow(*self._cards),
            StagesCard(context, model),
            self.table,
            self._answered_by,
            hbox((self._unknown, 1), self.list_unknown),
            hbox(heading(tr("What happened")), 1, self._pace),
            self._quiet,
            (self._events, 1),
            0,
            spacing=SPACE_3,
        )
        vbox(scrolling(content), parent=self)
        model.changed.connect(self.show_progress)
        model.noted.connect(self.show_notes)
        # Made for a round that is there already, whose changes were told.
        self.show_progress()
        self.show_notes()

    def show_progress(self) -> None:
        now = self._model.progress
        if now is None:
            return
        ended = now.answered + now.missing
        self._bar.setValue(round(_STEPS * ended / now.planned) if now.planned else 0)
        for card, (figure, under) in zip(self._cards, self._model.figures(), strict=True):
            card.show_figure(figure, under)
        self._names.update(short_names([line.model for line in now.models]))
        self._models.set_rows(now.models)
        self.table.fit_height()
        unknown = len(self._model.unknown)
        if self._model.run is not None:
            narrowing = self._model.narrowing
            self._facts.setText(facts_of(self._model.run, now.usage, narrowing))
            self._facts.setToolTip("" if narrowing is None else plain_tip(not_asked_words(narrowing)))
        said = self._model.answered_by
        self._answered_by.setVisible(bool(said))
        self._answered_by.setText(answered_by(said, self._names))
        self._unknown.setVisible(bool(unknown))
        self.list_unknown.setVisible(bool(unknown))
        words = trn(
            "The answer of {n} call was lost: outcome unknown, possibly billed.",
            "The answers of {n} calls were lost: outcome unknown, possibly billed.",
            unknown,
        )
        if now.in_doubt:
            words = tr(
                "{words} In doubt: up to {dollars}.", words=words, dollars=money_beside(now.in_doubt, now.spend_cap)
            )
        self._unknown.setText(words)

    def show_notes(self) -> None:
        self._notes.set_rows(self._model.shown_notes)
        self._pace.setVisible(any(note.kind is NoteKind.PACE for note in self._model.notes))
        self._events.setVisible(bool(self._model.notes))
        self._quiet.setVisible(not self._model.notes)


def _model_columns(names: Mapping[str, str]) -> list[TableColumn[ModelProgress]]:
    return [
        TableColumn(
            title=tr("Model"),
            text=lambda line: names.get(line.model, line.model),
            tip=lambda line: line.model,
            width=220,
        ),
        TableColumn(
            title=tr("Answered"),
            text=lambda line: count_of(line.answered, line.planned),
            numeric=True,
            # Counts grow while the round runs; columns have been sized by then.
            width=150,
            sort=lambda line: line.answered,
        ),
        TableColumn(
            title=tr("Done"),
            text=lambda line: percent(line.answered + line.missing, line.planned),
            bar=lambda line: (line.answered + line.missing) / line.planned if line.planned else 0.0,
            spoken=lambda line: count_of(line.answered + line.missing, line.planned),
            stretch=True,
        ),
        TableColumn(
            title=tr("Gaps"),
            text=_gaps,
            tip=lambda line: "\n".join(told_by_reason(line.by_reason, line.unknown_refusals)),
            token=lambda line: "warning" if line.missing else "",
            sort=lambda line: line.missing,
        ),
        TableColumn(title=tr("Rate"), text=_rate, numeric=True, sort=lambda line: line.rate, spare=1),
        TableColumn(
            title=tr("In flight"),
            text=_in_flight,
            numeric=True,
            sort=lambda line: line.in_flight,
            tip=_job_words,
            help=tr("Calls on their way now, and how many the program allows itself at once."),
        ),
        TableColumn(
            title=tr("Left"), text=_left, numeric=True, width=110, sort=lambda line: line.left and line.left.high
        ),
        TableColumn(
            title=tr("Spend"),
            text=lambda line: spending(line.spent, unpriced=not line.priced),
            numeric=True,
            sort=lambda line: line.spent,
        ),
    ]


def _gaps(line: ModelProgress) -> str:
    if not line.missing:
        return tr("none")
    reason, n = line.by_reason[0]
    more = line.missing - n
    (said,) = told_by_reason(((reason, n),), line.unknown_refusals)
    return said + (tr(" and {n} more", n=count(more)) if more else "")


def _rate(line: ModelProgress) -> str:
    return tr("{rate} /s", rate=decimal(line.rate, 1)) if line.rate else NO_VALUE


def _in_flight(line: ModelProgress) -> str:
    if line.job_requests:
        return tr("job: {done}", done=count_of(line.job_done, line.job_requests))
    if line.throttle:
        return line.throttle
    return tr("{n} of {limit}", n=line.in_flight, limit=line.limit) if line.limit else NO_VALUE


def _job_words(line: ModelProgress) -> str:
    if not line.job_requests:
        return ""
    return trn(
        "Batch jobs of {n} question, {done} done at the provider",
        "Batch jobs of {n} questions, {done} done at the provider",
        line.job_requests,
        done=count(line.job_done),
    )


def _left(line: ModelProgress) -> str:
    if line.waits:
        return tr("waits {time}", time=duration(line.waits))
    if line.left is None:
        return NO_VALUE
    return duration_range(line.left) if line.left.high else tr("done")
