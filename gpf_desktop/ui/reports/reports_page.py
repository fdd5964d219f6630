"""The page Reports: what is written at the left, how it reads at the right."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QLineEdit,
    QMenu,
    QTabWidget,
    QWidget,
)

from gpf_desktop.domain.hidden_names import names_hidden
from gpf_desktop.domain.reports import ReportKind
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_save
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.reports.contents_panel import ContentsPanel
from gpf_desktop.ui.reports.declarations_panel import DeclarationsPanel
from gpf_desktop.ui.reports.evidence_tray import EvidenceTray
from gpf_desktop.ui.reports.findings_panel import FindingsPanel
from gpf_desktop.ui.reports.inert_text import InertBrowser
from gpf_desktop.ui.reports.number_dialog import NumberDialog
from gpf_desktop.ui.reports.reports_view_model import ReportsViewModel
from gpf_desktop.ui.reports.write_panel import WritePanel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.badge import synthetic_badge
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, splitter, stacked, vbox
from gpf_desktop.ui.widgets.buttons import action_button, button, menu_button
from gpf_desktop.ui.widgets.cards import EmptyState, WaitingCard, going_on
from gpf_desktop.ui.widgets.hidden_names import ask_of_names
from gpf_desktop.ui.widgets.labels import caption, problem_label
from gpf_desktop.ui.widgets.layouts import scrolling

_FORM_WIDTH = 440
_BAR = 120
_TRAY = 2
"""The tab of the evidence."""
_SAID = 3
"""Sentences on what no longer resolves; the preview has them all at their places."""
_WIDEST = 960
"""Pixels at 100 % of a line in the preview: some 130 characters, as wide tables need."""


class ReportsPage(Page):
    """Write, read, export."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "reports", tr("Reports"))
        self.model = ReportsViewModel(context, self)
        self.synthetic = synthetic_badge(context.theme)
        self.header.add_mark(self.synthetic)
        self.writing = going_on(tr("Writing the report"))
        self.header.add_mark(self.writing)
        self.stop = button(tr("Stop"), self.model.stop_export, name="export.stop")
        self.stop.setAccessibleName(tr("Stop writing the report"))
        self.header.add_button(self.stop)
        self.export = menu_button(tr("Write the annex"), name="export")
        self.header.add_button(self.export)
        self.brief = button(tr("Make the brief"), primary=True, name="brief")
        self.brief.setMenu(QMenu(self.brief))
        self.header.add_button(self.brief)
        self.write = WritePanel(context, self.model.draft, self._choose_number)
        self.findings = FindingsPanel(context, self.model.draft, self._choose_number)
        self.tray = EvidenceTray(context, self.model.draft)
        self.contents = ContentsPanel(context, self.model, self.model.draft)
        self.declarations = DeclarationsPanel(context, self.model, self.model.draft)
        self.preview = InertBrowser(tr("Preview of the report"), "preview")
        self.empty = EmptyState(context.theme, "reports")
        preparing = WaitingCard(tr("Preparing the preview …"), name="report.preparing")
        self.cover = EmptyState(context.theme, "reports")
        self.cover.explain(
            tr(
                "Names are hidden while you read. The report names models and readers, and may tell whose answers you"
                " have still to read."
            ),
            tr("Show the report"),
            self._uncover,
        )
        self._uncovered = False
        self.reading = stacked(self.preview, preparing, self.cover)
        self.splitter = splitter(self._form(), (self.reading, 1))
        self.splitter.setHandleWidth(SPACE_3)
        self.stack = stacked(self.splitter, self.empty)
        self.body.addWidget(self.stack, 1)
        context.actions.on("report.export", self.export.click)
        self._page = ""
        self._offers = False
        """The brief was asked for elsewhere, and its formats are to be offered."""
        self._restyled = True
        context.theme.follow(self, self._restyle)
        self.model.changed.connect(self._show)
        self.model.elsewhere.connect(
            lambda suffix, kind: self._ask_where(suffix, dict(self.model.formats)[suffix], ReportKind(kind))
        )
        self._show()

    def arrive(self, state: Mapping[str, object]) -> None:
        wanted = state.get("filter")
        if state.get("part") == "evidence":
            self.tabs.setCurrentIndex(_TRAY)
        self._offers = state.get("offer") == "brief"
        self.model.arrive(wanted if isinstance(wanted, ResultsFilter) else None)

    def state(self) -> Mapping[str, object]:
        return {"filter": self.model.wanted}

    @property
    def title_field(self) -> QLineEdit:
        return self.write.title_field

    def panes(self) -> Sequence[QWidget]:
        return (self.form, self.preview)

    def first_focus(self) -> QWidget | None:
        if self.stack.currentWidget() is not self.splitter:
            return self.empty.button
        # In a tab that is not shown the keyboard would be nowhere, and no shortcut heard.
        return self.tabs.tabBar() if self.tabs.currentIndex() else self.title_field

    def _form(self) -> QWidget:
        """The tabs at the left in which a report is written, and below them the references that no longer resolve."""
        self.tabs = QTabWidget()
        self.tabs.setObjectName("report.tabs")
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setAccessibleName(tr("Parts of the editor"))
        self.tabs.tabBar().setExpanding(False)
        # Else Qt hands the keyboard on to a button of the panel, which may be one that removes.
        self.tabs.tabBar().setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for panel, words, name in (
            (self.write, tr("Text"), "text"),
            (self.findings, tr("Findings"), "findings"),
            (self.tray, tr("Evidence"), "tray"),
            (self.contents, tr("Contents"), "contents"),
            (self.declarations, tr("Declarations"), "declarations"),
        ):
            self.tabs.addTab(scrolling(panel, f"report.{name}.scroll"), words)
        self.unresolved = problem_label(name="report.unresolved")
        self.undo = action_button(self.context.actions.action("edit.undo"), tr("Undo"))
        self.redo = action_button(self.context.actions.action("edit.redo"), tr("Redo"))
        for each in (self.undo, self.redo):
            # A click leaves the keyboard in the text: with nothing left to undo, Qt would hand it on to what is next.
            each.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.form = PlainWidget(name="report.form")
        vbox(
            (self.tabs, 1),
            self.unresolved,
            hbox((caption(tr("Kept in the audit with every letter.")), 1), self.undo, self.redo),
            parent=self.form,
            spacing=SPACE_2,
        )
        return self.form

    def _choose_number(self, parent: QWidget, chosen: Callable[[str], object]) -> None:
        NumberDialog(self.context, parent, self.model.wanted, chosen).open()

    def _show(self) -> None:
        model = self.model
        self.stack.setCurrentWidget(self.splitter if model.has_scores or model.looking else self.empty)
        self.synthetic.setVisible(model.has_scores and model.synthetic)
        for each in (self.export, self.brief):
            each.setVisible(model.has_scores)
            each.setEnabled(model.can_export)
        self.writing.setVisible(bool(model.exporting))
        self.stop.setVisible(bool(model.exporting))
        self.stop.setEnabled(not model.stopping)
        self.header.subtitle.setText(model.doing)
        if names_hidden() and not self._uncovered:
            self.reading.setCurrentWidget(self.cover)
        else:
            self.reading.setCurrentIndex(0 if model.page else 1)
        self.form.setVisible(model.has_scores)
        if not model.has_scores:
            self._explain()
            return
        self._show_formats()
        if self._offers and model.can_export and self.brief.isVisible():
            self._offers = False
            # After the page is laid out; and not by a click, which would wait in here until something is chosen.
            QTimer.singleShot(0, self, self._offer_brief)
        self.title_field.setPlaceholderText(model.audit_title)
        self._show_counts()
        if model.page != self._page:
            self._page = model.page
            self.preview.set_pictures(model.pictures)
            self._set_page()

    def _explain(self) -> None:
        go = self.context.navigator.go
        if self.model.has_audit:
            self.empty.explain(
                tr("Nothing has been scored yet, so there is nothing to report."),
                tr("Set up a round"),
                lambda: go("runs"),
                then=(
                    tr("Its answers are scored, and Results says what they show."),
                    tr("People read the answers on which that rests most."),
                    tr("Here you make the brief, of two to four pages, and the annex with every number."),
                ),
            )
        else:
            self.empty.explain(tr("No audit is open."), tr("Go to Home"), lambda: go("home"))

    def _show_formats(self) -> None:
        if self.export.menu().actions():
            return
        for suffix, title in self.model.formats:
            self._offer(self.export.menu(), f"export.{suffix}", f"{title} …", suffix, ReportKind.ANNEX)
            self._offer(self.brief.menu(), f"brief.{suffix}", f"{title} …", suffix, ReportKind.BRIEF)
        self.export.menu().addSeparator()
        words = tr("The quoted answers alone, with check codes (HTML) …")
        self._offer(self.export.menu(), "export.answers", words, "html", ReportKind.ANSWERS)

    def _offer_brief(self) -> None:
        menu = self.brief.menu()
        menu.popup(self.brief.mapToGlobal(QPoint(0, self.brief.height())))
        menu.setActiveAction(menu.actions()[0])

    def _offer(self, menu: QMenu, name: str, words: str, suffix: str, kind: ReportKind) -> None:
        action = QAction(words, menu)
        action.setObjectName(name)
        title = dict(self.model.formats)[suffix]
        ask = partial(self._ask_where, suffix, title, kind)
        action.triggered.connect(lambda _checked=False: ask_of_names(self, ask))
        menu.addAction(action)

    def _ask_where(self, suffix: str, title: str, kind: ReportKind) -> None:
        heads = {
            ReportKind.BRIEF: tr("Make the brief"),
            ReportKind.ANNEX: tr("Write the annex"),
            ReportKind.ANSWERS: tr("Write the quoted answers"),
        }
        suggested = self.model.suggested
        ask_to_save(
            self,
            heads[kind],
            f"{title} (*.{suffix})",
            suffix,
            lambda target: self.model.export(target, kind),
            suggested=suggested if kind is ReportKind.ANNEX else f"{suggested} {kind}",
        )

    def _show_counts(self) -> None:
        draft = self.model.draft.draft
        for panel, words, n in (
            (1, tr("Findings"), 0 if draft is None else len(draft.findings)),
            (_TRAY, tr("Evidence"), 0 if draft is None else len(draft.tray)),
        ):
            self.tabs.setTabText(panel, f"{words} ({n})" if n else words)
        said = self.model.unresolved
        more = tr("and {n} more", n=len(said) - _SAID) if len(said) > _SAID else ""
        self.unresolved.setText("\n".join(filter(None, (*said[:_SAID], more))))

    def _set_page(self) -> None:
        bar = self.preview.verticalScrollBar()
        at = bar.value()
        self.preview.setHtml(self._page)
        bar.setValue(min(at, bar.maximum()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_form()

    def _fit_form(self) -> None:
        """The form takes what writing needs, and less than half of a narrow window."""
        self.writing.setFixedWidth(self.context.theme.px(_BAR))
        self.form.setFixedWidth(min(self.context.theme.px(_FORM_WIDTH), self.width() * 45 // 100))

    def _uncover(self) -> None:
        """Show the preview to who reads with names hidden, until they leave the page."""
        self._uncovered = True
        self._show()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._uncovered = False

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Names may have been hidden, or shown again, on Review.
        for each in (self.tray.show_model, self.findings.show_model, self._show):
            each()
        if not self._restyled:
            self._restyle_preview()

    def _restyle(self) -> None:
        self._fit_form()
        # A long report takes longer to lay out than the rest of the window to change its look.
        self._restyled = self.isVisible() or not self._page
        if self._restyled:
            self._restyle_preview()

    def _restyle_preview(self) -> None:
        theme = self.context.theme
        self._restyled = True
        self.preview.document().setDefaultFont(theme.font())
        self.preview.document().setDocumentMargin(theme.px(SPACE_4))
        self.preview.set_widest(theme.px(_WIDEST))
        tokens = theme.tokens
        # Qt applies it to what is set from then on: the page that is shown is set once more below.
        self.preview.document().setDefaultStyleSheet(
            f"small {{ color: {tokens.text_secondary}; }} th {{ color: {tokens.text_secondary}; }}"
            f" h1 {{ font-size: x-large; }} h2 {{ font-size: large; }} h3 {{ font-size: medium; }}"
        )
        if self._page:
            self._set_page()
