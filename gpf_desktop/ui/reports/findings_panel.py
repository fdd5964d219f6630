"""The auditor's findings, a card each: title, severity, text, and the evidence from the tray."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtWidgets import QHBoxLayout

from gpf_desktop.domain.hidden_names import names_hidden
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.drafts.draft import DraftFinding, Evidence
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.reports.draft_fields import LineField, TextField, mover, rebuild, severity_box, shown_title
from gpf_desktop.ui.reports.draft_view_model import DraftViewModel
from gpf_desktop.ui.reports.write_panel import ChooseNumber
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button, icon_button, menu_button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import ElidedLabel, secondary
from gpf_desktop.ui.widgets.layouts import clear_layout
from gpf_desktop.ui.widgets.plain import plain_entry


class FindingsPanel(PlainWidget):
    """Cards are made anew only where findings came or went."""

    def __init__(self, context: Context, model: DraftViewModel, choose_number: ChooseNumber) -> None:
        super().__init__()
        self._context, self._model, self._choose_number = context, model, choose_number
        self.cards: dict[int, FindingCard] = {}
        self.none = secondary(
            tr(
                "No finding yet. A finding is a claim of yours with its evidence; findings are printed before every"
                " table."
            ),
            wrap=True,
            name="report.findings.none",
        )
        self.add = button(tr("Add a finding"), model.add_finding, name="report.findings.add")
        self._column = vbox(spacing=SPACE_3)
        vbox(
            self.none,
            self._column,
            hbox(self.add, 1),
            1,
            parent=self,
            spacing=SPACE_3,
            margins=(0, SPACE_2, SPACE_3, 0),
        )
        model.changed.connect(self.show_model)

    def show_model(self) -> None:
        findings = () if self._model.draft is None else self._model.draft.findings
        self.none.setVisible(not findings)
        self.add.setEnabled(self._model.draft is not None)
        if list(self.cards) != [each.id for each in findings]:
            rebuild(self, partial(self._make, findings), self.add)
        for number, each in enumerate(findings, start=1):
            self.cards[each.id].show_finding(each, number, len(findings))
        if self._model.front in self.cards:
            front = self._model.front
            self._model.front = None
            self.cards[front].heading.editor.setFocus()

    def _make(self, findings: Sequence[DraftFinding]) -> None:
        clear_layout(self._column)
        self.cards = {}
        for at, each in enumerate(findings):
            card = self.cards[each.id] = FindingCard(self._context, self._model, each.id, self._choose_number)
            card.up.setEnabled(at > 0)
            card.down.setEnabled(at < len(findings) - 1)
            self._column.addWidget(card)


class FindingCard(Card):
    """One finding."""

    def __init__(self, context: Context, model: DraftViewModel, finding_id: int, choose_number: ChooseNumber) -> None:
        super().__init__(tr("Finding {n}", n=finding_id), name=f"report.finding.{finding_id}")
        self._context, self._model, self._id = context, model, finding_id
        name = f"report.finding.{finding_id}"
        theme = context.theme
        self.up = icon_button(theme, "chevron-up", tr("Move up"), lambda: model.move_finding(finding_id, -1))
        self.down = icon_button(theme, "chevron-down", tr("Move down"), lambda: model.move_finding(finding_id, 1))
        self.gone = icon_button(theme, "trash", tr("Remove this finding"), lambda: model.remove_finding(finding_id))
        for each, end in ((self.up, "up"), (self.down, "down"), (self.gone, "remove")):
            each.setObjectName(f"{name}.{end}")
            self.top.addWidget(each)
        self.heading = LineField(
            model, tr("What was found"), f"{name}.title", partial(model.type_finding, finding_id, "title")
        )
        self.severity = severity_box(partial(model.set_severity, finding_id), f"{name}.severity")
        self.text = TextField(
            context,
            model,
            tr("In your words"),
            f"{name}.text",
            partial(model.type_finding, finding_id, "text"),
            choose_number=choose_number,
            least=3,
        )
        self.attached = vbox(spacing=SPACE_1)
        self.attach = menu_button(tr("Add evidence"), compact=True, name=f"{name}.attach")
        self.attach.menu().aboutToShow.connect(self._offer)
        self.no_tray = secondary(
            tr("The tray is empty: “Add to report” on Results and Review puts things into it."), wrap=True
        )
        fill(self.body, self.heading, self.severity, self.text, self.attached, self.no_tray, hbox(self.attach, 1))
        self._shown: object = None

    def show_finding(self, found: DraftFinding, number: int, of: int) -> None:
        draft = self._model.draft
        if draft is None:
            return
        self.title.setText(tr("Finding {n}", n=number))
        self.up.setEnabled(number > 1)
        self.down.setEnabled(number < of)
        self.heading.show_text(found.title)
        self.severity.setCurrentIndex(found.severity or 0)
        self.text.show_text(found.text)
        evidence = tuple(filter(None, map(draft.evidence, found.evidence)))
        self.attach.setVisible(bool(draft.tray))
        self.attach.setEnabled(len(evidence) < len(draft.tray))
        self.no_tray.setVisible(not draft.tray)
        if (evidence, names_hidden()) != self._shown:
            self._shown = evidence, names_hidden()
            rebuild(self, partial(self._make, evidence), self.attach)

    def _make(self, evidence: tuple[Evidence, ...]) -> None:
        clear_layout(self.attached)
        for at, item in enumerate(evidence):
            self.attached.addLayout(self._line(item, at, len(evidence)))

    def _line(self, item: Evidence, at: int, of: int) -> QHBoxLayout:
        theme, model, title = self._context.theme, self._model, shown_title(item)
        name = f"report.finding.{self._id}.evidence.{item.id}"
        moves = mover(theme, title, at, of, name, partial(model.move_attached, self._id, item.id))
        out = icon_button(
            theme, "close", tr("Take {what} off this finding", what=title), lambda: model.detach(self._id, item.id)
        )
        out.setObjectName(f"{name}.out")
        return hbox((ElidedLabel(title), 1), *moves, out, spacing=SPACE_1)

    def _offer(self) -> None:
        menu, draft = self.attach.menu(), self._model.draft
        menu.clear()
        if draft is None:
            return
        there = draft.finding(self._id)
        for item in draft.tray:
            if there is not None and item.id not in there.evidence:
                words = plain_entry(shown_title(item))
                menu.addAction(words, partial(self._model.attach, self._id, item.id))
