"""For the team: agreement by code, and within and between groups that people say they belong to."""

from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QLineEdit

from gpf_desktop.domain.events import ReviewChanged, StudyNotesChanged
from gpf_desktop.domain.text import range_ends, tr
from gpf_desktop.engine.reporting.report_codes import group_agreement_told, groups_told
from gpf_desktop.engine.review.code_service import CodeService
from gpf_desktop.engine.review.coding_agreement import (
    FEWEST_ANSWERS,
    FEWEST_GIVEN,
    FEWEST_PEOPLE,
    FEWEST_SETS,
    CodeAgreement,
    GroupAgreement,
)
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import fill, hbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.table_models import RowsTableModel
from gpf_desktop.ui.wording import count, decimal

_FIELD = 300
_ROWS = 6
Found = tuple[tuple[CodeAgreement, ...], tuple[GroupAgreement, ...], tuple[str, ...]]


class CodingAgreementViewModel(ViewModel):
    """Read when the team is shown, and again whenever somebody codes."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, parent)
        self.codes: tuple[CodeAgreement, ...] = ()
        self.groups: tuple[GroupAgreement, ...] = ()
        self.mine: tuple[str, ...] = ()
        self.blind = self._shown = False
        self.listen(lambda _event: self.load(), ReviewChanged, StudyNotesChanged)

    def open(self, *, blind: bool) -> None:
        """*blind*: what others coded stays hidden."""
        self.blind, self._shown = blind, True
        self.load()

    def set_groups(self, typed: str) -> None:
        """Put whoever sits here into the groups named in *typed*, with commas between them."""
        audit = self.context.engine.current
        if audit is not None:
            service = audit.reviews.codes
            failed = partial(self.context.messages.failure, topic="team")
            self.context.bridge.command(partial(service.set_groups, typed.split(",")), failed=failed, owner=self)

    def load(self) -> None:
        audit = self.context.engine.current
        if self._shown and audit is not None:
            self.context.bridge.run(
                _read, audit.reviews.codes, then=self._loaded, owner=self, latest="coding agreement"
            )

    def _loaded(self, found: Found) -> None:
        self.codes, self.groups, self.mine = found
        self.touch_now()


class CodingCards:
    """Two cards of the team's page; hidden while there is nothing in them to read."""

    def __init__(self, context: Context, parent: QObject) -> None:
        theme = context.theme
        self.model = CodingAgreementViewModel(context, parent)
        self.codes = RowsTableModel[CodeAgreement](theme, _code_columns(), key=lambda each: each.code.id)
        self.groups = RowsTableModel[GroupAgreement](theme, _group_columns(), key=lambda each: (each.group, each.other))
        self._code_table = DataTable(theme, self.codes, says=tr("Agreement by code"), embedded=True)
        self._group_table = DataTable(theme, self.groups, says=tr("Agreement by group"), embedded=True)
        for table in (self._code_table, self._group_table):
            table.fit_height(_ROWS)
        self.own = named(QLineEdit(placeholderText=tr("for example: nurse, under 30")), "team.groups")
        self.own.setMinimumWidth(theme.px(_FIELD))
        self.own.returnPressed.connect(self._keep)
        self.by_code = Card(tr("Agreement by code"), name="team.codes")
        fill(
            self.by_code.body,
            self._code_table,
            caption(
                tr(
                    "Do people give the same answers the code? 1: always, 0: as by chance (Krippendorff's alpha). Told"
                    " from {n} answers on that two or more read while the code was there, {m} of them with it.",
                    n=FEWEST_ANSWERS,
                    m=FEWEST_GIVEN,
                )
            ),
        )
        self.by_group = Card(tr("Groups of reviewers"), name="team.by_group")
        keep = button(tr("Keep"), self._keep, name="team.groups.keep")
        fill(
            self.by_group.body,
            hbox(
                FormField(tr("Groups you belong to (you need not say)"), self.own),
                (keep, 0, Qt.AlignmentFlag.AlignBottom),
                1,
                spacing=SPACE_2,
            ),
            caption(
                tr(
                    "Never shown beside a name. Reports tell how far groups of {n} people or more agree. It goes along"
                    " in your review pack, and into a shared file only where that is chosen. Empty the field to take"
                    " it back.",
                    n=FEWEST_PEOPLE,
                )
            ),
            self._group_table,
            caption(
                tr(
                    "Agreement on verdicts, 1: always, 0: as by chance; within a group Krippendorff's alpha, between"
                    " two a kappa of all pairs. Groups of fewer than {n} people are not shown; under {m} shared sets"
                    " are too few.",
                    n=FEWEST_PEOPLE,
                    m=FEWEST_SETS,
                )
            ),
        )
        self.model.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        model = self.model
        self.codes.set_rows(() if model.blind else model.codes)
        self.groups.set_rows(() if model.blind else model.groups)
        self.by_code.setVisible(bool(self.codes.rows))
        self._group_table.setVisible(bool(self.groups.rows))
        if not self.own.hasFocus():
            self.own.setText(", ".join(model.mine))

    def _keep(self) -> None:
        self.model.set_groups(self.own.text())


def _read(service: CodeService) -> Found:
    return service.agreement(), service.group_agreement(), service.own_groups()


def _code_columns() -> tuple[TableColumn[CodeAgreement], ...]:
    return (
        TableColumn(title=tr("Code"), text=lambda each: each.code.name, stretch=True),
        TableColumn(
            title=tr("Quotes"), text=lambda each: count(each.passages), sort=lambda each: each.passages, numeric=True
        ),
        TableColumn(
            title=tr("Read by two"),
            text=lambda each: count(each.answers),
            sort=lambda each: each.answers,
            numeric=True,
            help=tr("Answers that two or more read while the code was there."),
        ),
        TableColumn(
            title=tr("With the code"), text=lambda each: count(each.given), sort=lambda each: each.given, numeric=True
        ),
        TableColumn(title=tr("Agreement"), text=_code_words, width=190),
    )


def _code_words(found: CodeAgreement) -> str:
    alpha = found.alpha
    if alpha is None:
        return tr("too few")
    if alpha.value is None:
        return tr("nothing varies")
    value = decimal(alpha.value, 2)
    if alpha.low is None or alpha.high is None:
        return tr("{value}, no range", value=value)
    low, high = range_ends(alpha.low, alpha.high, 2)
    return tr("{value} ({low} to {high})", value=value, low=low, high=high)


def _group_columns() -> tuple[TableColumn[GroupAgreement], ...]:
    return (
        TableColumn(
            title=tr("Groups"),
            text=groups_told,
            stretch=True,
        ),
        TableColumn(
            title=tr("Shared sets"), text=lambda each: count(each.sets), sort=lambda each: each.sets, numeric=True
        ),
        TableColumn(title=tr("Agreement"), text=group_agreement_told, width=190),
    )
