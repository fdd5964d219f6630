"""The page Reports: what goes in at the left, how it reads at the right."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QProgressBar,
    QRadioButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from gpf_desktop.domain.reports import BundleChoice
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_save
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.reports.inert_text import InertBrowser
from gpf_desktop.ui.reports.reports_view_model import ReportsViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.badge import synthetic_badge
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.cards import Card, EmptyState
from gpf_desktop.ui.widgets.editors import whole_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, heading, secondary
from gpf_desktop.ui.widgets.layouts import clear_layout, scrolling

_FORM_WIDTH = 280
_WIDEST = 960
"""Pixels at 100 % of a line in the preview: some 130 characters, as wide tables need."""


class ReportsPage(Page):
    """Choose, read, export."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "reports", tr("Reports"))
        self.model = ReportsViewModel(context, self)
        self.synthetic = synthetic_badge(context.theme)
        self.header.add_mark(self.synthetic)
        self.export = button(tr("Export …"), primary=True, name="export")
        self.export.setMenu(QMenu(self.export))
        self.header.add_button(self.export)
        self.title_field = QLineEdit()
        self.title_field.textEdited.connect(self.model.set_title)
        self.sections = QVBoxLayout()
        self.sections.setSpacing(0)
        self.filter_words = caption()
        self.everything = link(tr("Use everything"), self.model.use_everything, name="everything")
        self.preview = InertBrowser(tr("Preview of the report"), "preview")
        self.waiting = QProgressBar()
        self.waiting.setRange(0, 0)
        self.waiting.setTextVisible(False)
        self.waiting.setAccessibleName(tr("Preparing the preview …"))
        self.empty = EmptyState(context.theme, "reports")
        self._boxes: dict[str, QCheckBox] = {}
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setHandleWidth(SPACE_3)
        self.splitter.addWidget(self._form())
        self.reading = QStackedWidget()
        self.reading.addWidget(self.preview)
        self.reading.addWidget(self._preparing())
        self.splitter.addWidget(self.reading)
        self.splitter.setStretchFactor(1, 1)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.splitter)
        self.stack.addWidget(self.empty)
        self.body.addWidget(self.stack, 1)
        context.actions.on("report.export", self.export.click)
        context.theme.follow(self, self._restyle)
        self.model.changed.connect(self._show)
        self.model.elsewhere.connect(lambda suffix: self._ask_where(suffix, dict(self.model.formats)[suffix]))
        self._page = ""
        self._show()

    def arrive(self, state: Mapping[str, object]) -> None:
        wanted = state.get("filter")
        self.model.arrive(wanted if isinstance(wanted, ResultsFilter) else None)

    def state(self) -> Mapping[str, object]:
        return {"filter": self.model.wanted}

    def first_focus(self) -> QWidget | None:
        return self.title_field if self.stack.currentWidget() is self.splitter else self.empty.button

    def _preparing(self) -> QWidget:
        """Where the preview will be, until there is one."""
        card = Card(name="report.preparing")
        words = secondary(tr("Preparing the preview …"), name="report.preparing.words")
        words.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        row = QHBoxLayout()
        row.addStretch(1)
        row.addWidget(self.waiting, 1)
        row.addStretch(1)
        card.body.addStretch(1)
        card.body.addWidget(words)
        card.body.addLayout(row)
        card.body.addStretch(1)
        return card

    def _form(self) -> QWidget:
        card = Card(name="report.form")
        card.body.setContentsMargins(0, 0, SPACE_3, 0)
        card.body.setSpacing(SPACE_2)
        card.body.addWidget(FormField(tr("Title"), self.title_field, name="report.title"))
        card.body.addWidget(self.filter_words)
        card.body.addWidget(self.everything)
        card.body.addSpacing(SPACE_2)
        card.body.addWidget(heading(tr("Answers in full")))
        self._choices = QButtonGroup(self)
        for choice, words in (
            (BundleChoice.TOP, tr("Bundles with the highest S")),
            (BundleChoice.REVIEWED, tr("Reviewed bundles")),
            (BundleChoice.NONE, tr("None")),
        ):
            radio = QRadioButton(words)
            radio.setObjectName(f"bundles.{choice}")
            radio.setChecked(choice is self.model.wishes.bundles)
            radio.toggled.connect(lambda on, choice=choice: self.model.set_bundles(choice) if on else None)
            self._choices.addButton(radio)
            card.body.addWidget(radio)
        self.most = whole_box(1, 200)
        self.most.setValue(self.model.wishes.most)
        self.most.valueChanged.connect(self.model.set_most)
        self.most_field = FormField(tr("At most"), self.most, name="report.most")
        row = QHBoxLayout()
        row.addWidget(self.most_field)
        row.addStretch(1)
        card.body.addLayout(row)
        card.body.addSpacing(SPACE_2)
        card.body.addWidget(heading(tr("Tables")))
        card.body.addLayout(self.sections)
        card.body.addWidget(
            caption(tr("Required reading, limits, what was run and the counts of reviews are always part of it."))
        )
        card.body.addStretch(1)
        self.form = scrolling(card, "report.form.scroll")
        return self.form

    def _show(self) -> None:
        model = self.model
        self.stack.setCurrentWidget(self.splitter if model.has_scores or model.looking else self.empty)
        self.synthetic.setVisible(model.has_scores and model.synthetic)
        self.export.setVisible(model.has_scores)
        self.export.setEnabled(model.can_export)
        self.export.setText(tr("Writing …") if model.exporting else tr("Export …"))
        self.header.subtitle.setText(tr("Updating the preview …") if model.computing and model.page else "")
        self.reading.setCurrentIndex(0 if model.page else 1)
        self.filter_words.setText(model.filter_words)
        self.everything.setVisible(model.wanted.narrowed > 0)
        self.most_field.setVisible(model.wishes.bundles is not BundleChoice.NONE)
        self.form.setVisible(model.has_scores)
        if not model.has_scores:
            self._explain()
            return
        self._show_formats()
        self._show_sections()
        if self.title_field.text() != model.wishes.title:
            self.title_field.setText(model.wishes.title)
        self.title_field.setPlaceholderText(model.suggested)
        if model.page != self._page:
            self._page = model.page
            self._set_page()

    def _explain(self) -> None:
        go = self.context.navigator.go
        if self.model.has_audit:
            self.empty.explain(
                tr("Nothing has been scored yet, so there is nothing to report."),
                tr("Set up a round"),
                lambda: go("runs"),
            )
        else:
            self.empty.explain(tr("No audit is open."), tr("Go to Home"), lambda: go("home"))

    def _show_formats(self) -> None:
        menu = self.export.menu()
        if menu.actions():
            return
        for suffix, title in self.model.formats:
            action = QAction(f"{title} …", menu)
            action.setObjectName(f"export.{suffix}")
            action.triggered.connect(lambda _checked=False, suffix=suffix, title=title: self._ask_where(suffix, title))
            menu.addAction(action)

    def _ask_where(self, suffix: str, title: str) -> None:
        ask_to_save(
            self,
            tr("Export a report"),
            f"{title} (*.{suffix})",
            suffix,
            self.model.export,
            suggested=self.model.suggested,
        )

    def _show_sections(self) -> None:
        names = [name for name, _ in self.model.sections]
        if list(self._boxes) != names:
            clear_layout(self.sections)
            self._boxes = {}
            for name, title in self.model.sections:
                box = QCheckBox(title)
                box.setObjectName(f"section.{name}")
                box.toggled.connect(lambda on, name=name: self.model.set_section(name, on))
                self._boxes[name] = box
                self.sections.addWidget(box)
            # Only once they are laid out is it known how wide they are.
            QTimer.singleShot(0, self, self._fit_form)
        for name, box in self._boxes.items():
            box.blockSignals(True)
            box.setChecked(self.model.is_in(name))
            box.blockSignals(False)

    def _set_page(self) -> None:
        bar = self.preview.verticalScrollBar()
        at = bar.value()
        self.preview.setHtml(self._page)
        bar.setValue(min(at, bar.maximum()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_form()

    def _fit_form(self) -> None:
        """The form keeps its width; where text is large it takes what its words need, and at most half."""
        content = self.form.widget()
        bar = self.form.verticalScrollBar().sizeHint().width()
        needed = (content.minimumSizeHint().width() if content is not None else 0) + bar
        wanted = min(self.context.theme.px(_FORM_WIDTH), self.width() * 2 // 5)
        self.form.setFixedWidth(max(_FORM_WIDTH, wanted, min(needed, self.width() // 2)))

    def _restyle(self) -> None:
        theme = self.context.theme
        self._fit_form()
        self.preview.document().setDefaultFont(theme.font())
        self.preview.document().setDocumentMargin(theme.px(SPACE_4))
        self.preview.set_widest(theme.px(_WIDEST))
        tokens = theme.tokens
        self.preview.document().setDefaultStyleSheet(
            f"small {{ color: {tokens.text_secondary}; }} th {{ color: {tokens.text_secondary}; }}"
            f" h1 {{ font-size: x-large; }} h2 {{ font-size: large; }} h3 {{ font-size: medium; }}"
        )
        if getattr(self, "_page", ""):
            self._set_page()
