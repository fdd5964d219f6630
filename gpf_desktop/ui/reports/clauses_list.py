"""Clauses of laws and standards, each as its report finds it, not applicable, or open."""

from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QComboBox, QLineEdit

from gpf_desktop.domain.declarations import ClauseAnswer, ClauseState
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.annex.clauses import clause_texts
from gpf_desktop.engine.reporting.drafts.draft import ReportDraft
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.reports.draft_view_model import DraftViewModel
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import link
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.undo_guard import UndoGuard

_STATES = (None, ClauseState.NOT_APPLICABLE, ClauseState.OPEN, ClauseState.MET)


class ClausesList(PlainWidget):
    """Folded until it is wanted: few audits answer for all of them."""

    def __init__(self, context: Context, model: DraftViewModel) -> None:
        super().__init__()
        self._context, self._model = context, model
        self.states: dict[str, QComboBox] = {}
        self.reasons: dict[str, QLineEdit] = {}
        self._answers: tuple[ClauseAnswer, ...] = ()
        self.unfold = link(tr("Say where clauses do not apply …"), self._unfold, name="report.clauses.unfold")
        self._column = vbox(
            caption(tr("The report prints each as met by a page, not applicable, or open, and never as “compliant”.")),
            self.unfold,
            parent=self,
            spacing=SPACE_2,
        )

    def show_answers(self, answers: tuple[ClauseAnswer, ...]) -> None:
        self._answers = answers
        said = {each.clause: each for each in answers}
        for clause, box in self.states.items():
            answer = said.get(clause)
            box.blockSignals(True)
            box.setCurrentIndex(_STATES.index(None if answer is None else answer.state))
            box.blockSignals(False)
            reason = "" if answer is None else answer.why
            if self.reasons[clause].text() != reason:
                self.reasons[clause].setText(reason)
            self.reasons[clause].setVisible(answer is not None and answer.state is not ClauseState.MET)

    def _unfold(self) -> None:
        self.unfold.hide()
        for text in clause_texts():
            self._column.addWidget(label(text.text, wrap=True))
            for each in text.clauses:
                self._column.addWidget(label(f"{each.clause}: {each.asks}", wrap=True))
                box = named(QComboBox(), f"report.clause.{each.id}", tr("Where it stands: {asks}", asks=each.asks))
                box.addItems([tr("As the report finds"), tr("Not applicable"), tr("Open"), tr("Met")])
                box.activated.connect(partial(self._state, each.id))
                reason = named(QLineEdit(), f"report.clause.{each.id}.why", tr("Why: {asks}", asks=each.asks))
                reason.setPlaceholderText(tr("because …"))
                reason.textEdited.connect(partial(self._why, each.id))
                UndoGuard(self._model, self._model.pause, reason)
                self.states[each.id], self.reasons[each.id] = box, reason
                row = PlainWidget()
                vbox(box, reason, parent=row, spacing=SPACE_1)
                self._column.addWidget(row)
        self.show_answers(self._answers)

    def _state(self, clause: str, at: int) -> None:
        state = _STATES[at]

        def edit(draft: ReportDraft) -> ReportDraft:
            others = tuple(each for each in draft.clauses if each.clause != clause)
            old = next((each for each in draft.clauses if each.clause == clause), None)
            if state is None:
                return replace(draft, clauses=others)
            new = ClauseAnswer(clause=clause, state=state, why="" if old is None else old.why)
            return replace(draft, clauses=(*others, new))

        self._model.edit(tr("clauses"), edit)

    def _why(self, clause: str, text: str) -> None:
        def edit(draft: ReportDraft) -> ReportDraft:
            return replace(
                draft,
                clauses=tuple(replace(each, why=text) if each.clause == clause else each for each in draft.clauses),
            )

        self._model.type_in(tr("clauses"), edit, typing=f"clause {clause}")
