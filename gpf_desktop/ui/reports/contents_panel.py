"""The parts of a report and their order, and the organisation's template."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtWidgets import QButtonGroup, QCheckBox, QHBoxLayout, QRadioButton, QVBoxLayout

from gpf_desktop.domain.reports import BundleChoice
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.drafts.draft import DraftPart
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_open, ask_to_save
from gpf_desktop.ui.reports.draft_fields import mover, rebuild
from gpf_desktop.ui.reports.draft_view_model import DraftViewModel
from gpf_desktop.ui.reports.reports_view_model import ReportsViewModel
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.editors import whole_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, heading
from gpf_desktop.ui.widgets.layouts import clear_layout, flowing


class ContentsPanel(PlainWidget):
    """Sections of people, tables, quoted bundles: on or off, moved up and down."""

    def __init__(self, context: Context, model: ReportsViewModel, draft: DraftViewModel) -> None:
        super().__init__()
        self._context, self._model, self._draft = context, model, draft
        self._parts: tuple[DraftPart, ...] = ()
        self._tables: tuple[str, ...] = ()
        self.part_boxes: dict[DraftPart, QCheckBox] = {}
        self.table_boxes: dict[str, QCheckBox] = {}
        self._part_column, self._table_column = QVBoxLayout(), QVBoxLayout()
        for each in (self._part_column, self._table_column):
            each.setSpacing(0)
        self.filter_words = caption()
        self.everything = link(tr("Use everything"), model.use_everything, name="everything")
        self.save = button(tr("Save as a template …"), self._ask_save, compact=True, name="report.template.save")
        self.choose = button(tr("Use a template …"), self._ask_open, compact=True, name="report.template.use")
        column = vbox(
            self.filter_words,
            self.everything,
            heading(tr("Sections that you write")),
            self._part_column,
            parent=self,
            spacing=SPACE_2,
            margins=(0, SPACE_2, SPACE_3, 0),
        )
        column.addSpacing(SPACE_2)
        fill(
            column,
            heading(tr("Tables")),
            self._table_column,
            caption(tr("Required reading, limits, what was asked and the counts of reviews are always part of it.")),
        )
        column.addSpacing(SPACE_2)
        self._add_bundles(column)
        column.addSpacing(SPACE_2)
        fill(
            column,
            heading(tr("Template of an organisation")),
            caption(tr("Logo, organisation, authors, texts and sections; no finding and no evidence.")),
            flowing(self.save, self.choose),
            1,
        )
        model.changed.connect(self.show_model)
        draft.changed.connect(self.show_model)

    def show_model(self) -> None:
        model = self._model
        self.filter_words.setText(model.filter_words)
        self.everything.setVisible(model.wanted.narrowed > 0)
        self.most_field.setVisible(model.wishes.bundles is not BundleChoice.NONE)
        for choice, radio in self._radios.items():
            radio.blockSignals(True)
            radio.setChecked(choice is model.wishes.bundles)
            radio.blockSignals(False)
        self.most.blockSignals(True)
        self.most.setValue(model.wishes.most)
        self.most.blockSignals(False)
        self._show_parts()
        self._show_tables()

    def _add_bundles(self, column: QVBoxLayout) -> None:
        model = self._model
        column.addWidget(heading(tr("Answers in full")))
        self._choices = QButtonGroup(self)
        self._radios: dict[BundleChoice, QRadioButton] = {}
        for choice, words in (
            (BundleChoice.TOP, tr("Sets of answers to read first")),
            (BundleChoice.REVIEWED, tr("Sets that people read")),
            (BundleChoice.NONE, tr("None")),
        ):
            radio = self._radios[choice] = QRadioButton(words)
            radio.setObjectName(f"bundles.{choice}")
            radio.toggled.connect(lambda on, choice=choice: model.set_bundles(choice) if on else None)
            self._choices.addButton(radio)
            column.addWidget(radio)
        self.most = whole_box(1, 200)
        self.most.valueChanged.connect(model.set_most)
        self.most_field = FormField(tr("At most"), self.most, name="report.most")
        column.addLayout(hbox(self.most_field, 1))

    def _show_parts(self) -> None:
        draft = self._draft.draft
        if draft is None:
            return
        if self._parts != draft.parts:
            self._parts = draft.parts
            rebuild(self, self._make_parts, self.save)
        for part, box in self.part_boxes.items():
            box.blockSignals(True)
            box.setChecked(part not in draft.off)
            box.blockSignals(False)

    def _show_tables(self) -> None:
        model = self._model
        ordered = model.ordered_sections()
        names = tuple(name for name, _ in ordered)
        if self._tables != names:
            self._tables = names
            rebuild(self, partial(self._make_tables, ordered), self.save)
        for name, box in self.table_boxes.items():
            box.blockSignals(True)
            box.setChecked(model.is_in(name))
            box.blockSignals(False)

    def _make_parts(self) -> None:
        clear_layout(self._part_column)
        self.part_boxes = {}
        for at, part in enumerate(self._parts):
            box = self.part_boxes[part] = QCheckBox(part.heading)
            box.setObjectName(f"part.{part}")
            box.toggled.connect(partial(self._draft.set_part, part))
            move = partial(self._draft.move_part, part)
            self._part_column.addLayout(self._row(box, at, len(self._parts), move))

    def _make_tables(self, ordered: Sequence[tuple[str, str]]) -> None:
        clear_layout(self._table_column)
        self.table_boxes = {}
        for at, (name, title) in enumerate(ordered):
            box = self.table_boxes[name] = QCheckBox(title)
            box.setObjectName(f"section.{name}")
            box.toggled.connect(partial(self._model.set_section, name))
            self._table_column.addLayout(self._row(box, at, len(ordered), partial(self._model.move_section, name)))

    def _row(self, box: QCheckBox, at: int, of: int, move: "partial[None]") -> QHBoxLayout:
        return hbox((box, 1), *mover(self._context.theme, box.text(), at, of, box.objectName(), move), spacing=SPACE_1)

    def _ask_save(self) -> None:
        ask_to_save(
            self,
            tr("Save as a template"),
            tr("Report templates") + " (*.toml)",
            "toml",
            self._draft.save_template,
            suggested=tr("report template"),
        )

    def _ask_open(self) -> None:
        ask_to_open(self, tr("Use a template"), tr("Report templates") + " (*.toml)", self._draft.use_template)
