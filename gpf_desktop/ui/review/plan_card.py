"""The card of the reading plan, among the team's."""

from functools import partial

from PySide6.QtWidgets import QLineEdit

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.assignment_service import ReaderProgress
from gpf_desktop.ui.file_dialogs import ask_for_folder
from gpf_desktop.ui.review.plan_view_model import PlanViewModel
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.buttons import allow, button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.editors import whole_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.table_models import RowsTableModel
from gpf_desktop.ui.wording import count, count_of

_NAMES = 280
_MOST = 2**31 - 1


class PlanCard(Card):
    """Says who is to read what; draws, writes and narrows the queue by its view model."""

    def __init__(self, theme: Theme, model: PlanViewModel) -> None:
        super().__init__(tr("Reading plan"), name="team.plan")
        self.model = model
        self.names = QLineEdit(placeholderText=tr("Ada Brown, Ben Cole, Cem Demir"))
        self.names.setMinimumWidth(theme.px(_NAMES))
        self.each, self.by_all, self.seed = whole_box(1, 20), whole_box(0, 100, "%"), whole_box(0, _MOST)
        for box, value in ((self.each, 2), (self.by_all, 10), (self.seed, 42)):
            box.setValue(value)
        self.draw = button(tr("Draw the plan"), self._draw, name="team.plan.draw")
        self.write = button(tr("Write assignments …"), self._write, name="team.plan.write")
        self.read = button(tr("Read this share here"), self._read, name="team.plan.read")
        # In one line: wrapped, it put its number below itself beside the button.
        self.offered = label("", "caption", name="team.plan.offered")
        self.called = QLineEdit(placeholderText=tr("Evening reading"))
        self.called.setMinimumWidth(theme.px(_NAMES))
        self.about = label("", wrap=True, name="team.plan.about")
        self.readers = RowsTableModel[ReaderProgress](theme, _columns(), key=lambda each: each.reader.uuid)
        self.table = DataTable(theme, self.readers, says=tr("Reviewers of the plan"), embedded=True)
        self.asked = flowing(
            FormField(tr("Reviewers, with commas between"), self.names, name="team.plan.names"),
            FormField(tr("Reviewers of each set"), self.each, name="team.plan.each"),
            FormField(tr("Read by all"), self.by_all, name="team.plan.by_all"),
            FormField(tr("Seed of the draw"), self.seed, name="team.plan.seed"),
        )
        titled = FormField(
            tr("Title of the assignments"),
            self.called,
            help=tr("In place of the audit's title and file name, which reviewers see; empty: those."),
            name="team.plan.title",
        )
        self.done = flowing(titled, self.write, self.read)
        for part in (self.about, self.asked, flowing(self.draw, self.offered), self.table, self.done):
            self.body.addWidget(part)
        self.table.current_changed.connect(lambda _: self._allow_reading())
        model.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        model = self.model
        assigned, plan = model.assignment, model.plan
        if assigned is not None:
            self.about.setText(
                tr(
                    "These {n} sets of answers were assigned to {name} from “{audit}”. They are read with names "
                    "hidden. Stay on Review: an export shows which answer is which. “Export review pack” above "
                    "makes the file that brings the readings home.",
                    n=count(assigned.bundles),
                    name=assigned.name,
                    audit=assigned.audit,
                )
            )
        else:
            self.about.setText(
                tr(
                    "Shares the sets of answers under the queue's filter out, at random. An assignment is a "
                    "small audit for one reviewer, without models' names, scores or what others said. Its file "
                    "holds which answer is which. Review covers that, and the words that tell answers apart; an "
                    "export or another program shows it. So names stay hidden only as far as the reviewer keeps "
                    "to Review. The audit's title and file name go along: where they tell what is audited, give "
                    "the assignments another title. Readings come home by “Import review pack”."
                )
            )
        for part in (self.asked, self.draw, self.offered):
            part.setVisible(assigned is None)
        self.offered.setText(tr("Sets of answers to share out: {n}", n=count(model.offered)))
        for part in (self.table, self.done):
            part.setVisible(plan is not None and assigned is None)
        if plan is not None and not self.names.isModified():
            self.names.setText(", ".join(reader.name for reader in plan.readers))
            for box, value in ((self.each, plan.each), (self.by_all, plan.by_all), (self.seed, plan.seed)):
                box.setValue(value)
        self.readers.set_rows(model.progress)
        self.table.fit_height(8)
        self._allow_reading()

    def _draw(self) -> None:
        names = [name.strip() for name in self.names.text().split(",") if name.strip()]
        self.names.setModified(False)
        self.model.draw(names, each=self.each.value(), by_all=self.by_all.value(), seed=self.seed.value())

    def _write(self) -> None:
        ask_for_folder(self, tr("Write assignments"), partial(self.model.write, self.called.text()))

    def _read(self) -> None:
        reader = self.table.current_row()
        if reader is not None:
            self.model.read(reader)

    def _allow_reading(self) -> None:
        chosen = self.table.current_row() is not None
        allow(self.read, "" if chosen else tr("Select whose share in the table first."))


def _columns() -> tuple[TableColumn[ReaderProgress], ...]:
    return (
        TableColumn(title=tr("Reviewer"), text=lambda each: each.reader.name, stretch=True),
        TableColumn(
            title=tr("Submitted"),
            text=lambda each: count_of(each.done, len(each.assigned)),
            sort=lambda each: each.done / len(each.assigned) if each.assigned else 0.0,
            numeric=True,
            width=130,
        ),
        TableColumn(
            title=tr("Read by all"),
            text=lambda each: count(each.by_all),
            sort=lambda each: each.by_all,
            numeric=True,
            help=tr("Sets of the share that everybody reads."),
            width=110,
        ),
    )
