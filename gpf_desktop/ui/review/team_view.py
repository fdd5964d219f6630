"""The team: reviewers, their histories, agreement, verdicts by group, and packs to and from other machines."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton

from gpf_desktop.documents.file_names import safe_name
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.queue_samples import MODEL
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import verdict_called, verdict_question
from gpf_desktop.engine.core.factor_words import group_title
from gpf_desktop.engine.review.review_packs import SUFFIX
from gpf_desktop.engine.review.review_team import ReviewerPace, TeamReport, VerdictCounts
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_open, ask_to_save
from gpf_desktop.ui.review.codes.coding_cards import CodingCards
from gpf_desktop.ui.review.plan_card import PlanCard
from gpf_desktop.ui.review.plan_view_model import PlanViewModel
from gpf_desktop.ui.review.team_view_model import TeamViewModel, agreement_words, chain_words
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, fill, hbox, spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.hidden_names import ask_of_names
from gpf_desktop.ui.widgets.labels import caption, label, show_words
from gpf_desktop.ui.widgets.layouts import clear_layout, scrolling
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.table_models import RowsTableModel
from gpf_desktop.ui.wording import count, count_of, decimal

_FIELD = 240
_KIND = 150


class TeamView(PlainWidget):
    """Stands in the place of the answers until one goes back to reading."""

    closed = Signal()

    def __init__(self, context: Context, bundles: Callable[[], Sequence[BundleId]]) -> None:
        """*bundles*: those that the queue's filter leaves, for a reading plan."""
        super().__init__()
        theme = context.theme
        self.model = TeamViewModel(context, self)
        self.plan = PlanCard(theme, PlanViewModel(context, bundles, self))
        self.coding = CodingCards(context, self)
        self.name = named(QLineEdit(), "team.name")
        self.name.returnPressed.connect(lambda: self.model.call_me(self.name.text()))
        self.seal = named(QLineEdit(placeholderText=tr("64 letters and digits, or the first 12")), "team.seal")
        self.seal.returnPressed.connect(self._look_up)
        self.found = label("", wrap=True, name="team.found")
        self.found.hide()
        self.back = button(tr("Back to reading"), self._leave, primary=True, name="team.back")
        self._short: dict[str, str] = {}
        """Name of a model → what it is called beside the others."""
        self.people = RowsTableModel[ReviewerPace](theme, self._people_columns(), key=lambda pace: pace.reviewer.id)
        self.verdicts = RowsTableModel[VerdictCounts](
            theme, _verdict_columns(self._short), key=lambda counts: (counts.kind, counts.name)
        )
        self._people_table = DataTable(theme, self.people, says=tr("Reviewers"), embedded=True)
        self._verdict_table = DataTable(theme, self.verdicts, says=tr("Verdicts by group"), embedded=True)
        # Before anything is read: nothing moves under the mouse once it is.
        self._people_table.fit_height(8)
        self._verdict_table.fit_height(14)
        self._agreement = spaced_grid(across=SPACE_4, down=SPACE_2, wide=1)
        self._hidden = caption(tr("Verdicts by group are not shown while names are hidden."))
        self.export = button(tr("Export review pack …"), self._ask_export, name="team.export")
        content = column_of(
            self._people_card(),
            self.plan,
            self._agreement_card(),
            self.coding.by_code,
            self.coding.by_group,
            self._verdict_card(),
            1,
            spacing=SPACE_3,
            margins=(0, 0, SPACE_2, 0),
        )
        vbox(scrolling(content, "team.scroll"), parent=self)
        self.model.changed.connect(self.refresh)
        self.model.looked_up.connect(partial(show_words, self.found))
        self.model.merged.connect(self.plan.model.load)
        self.model.merged.connect(self.coding.model.load)
        self.blind = self._read_out = False

    def _people_columns(self) -> tuple[TableColumn[ReviewerPace], ...]:
        return (
            TableColumn(title=tr("Reviewer"), text=lambda pace: pace.reviewer.name, stretch=True),
            TableColumn(title=tr("Done"), text=lambda pace: count(pace.done), numeric=True, sort=lambda p: p.done),
            TableColumn(title=tr("To do"), text=lambda pace: count(pace.to_do), numeric=True, sort=lambda p: p.to_do),
            TableColumn(
                title=tr("A day"),
                text=lambda pace: decimal(pace.done / pace.days, 1) if pace.days else tr("none yet"),
                numeric=True,
                help=tr("Submissions per day on which there were any."),
            ),
            TableColumn(
                title=tr("History"),
                text=lambda pace: chain_words(self.model.chains.get(pace.reviewer.uuid)),
                icon=self._chain_icon,
                width=230,
            ),
            TableColumn(
                title=tr("Check code"),
                text=lambda pace: self._head(pace)[:12],
                tip=self._head,
                help=tr("The last entry's check code. Keep it elsewhere: a history that was rewritten has another."),
                width=130,
            ),
        )

    def _chain_icon(self, pace: ReviewerPace) -> tuple[str, str] | None:
        chain = self.model.chains.get(pace.reviewer.uuid)
        if chain is None or not chain.entries:
            return None
        return ("check-circle", "success") if chain.whole else ("error", "danger")

    def _head(self, pace: ReviewerPace) -> str:
        chain = self.model.chains.get(pace.reviewer.uuid)
        return "" if chain is None else chain.head

    def _people_card(self) -> Card:
        card = Card(tr("Reviewers"), name="team.people")
        fill(card.top, button(tr("Import review pack …"), self._import, name="team.import"), self.export, self.back)
        self.rename = button("", lambda: self.model.rename(self.name.text()), name="team.rename")
        self.sit = button(tr("Somebody else sits here"), lambda: self.model.newcomer(self.name.text()), name="team.sit")
        look_up = button(tr("Is it still part of a history?"), self._look_up, name="team.look_up")
        fill(
            card.body,
            self._people_table,
            self._asking(tr("Reviewing at this machine"), self.name, self.rename, self.sit),
            self._asking(tr("Check code from a report or a pack"), self.seal, look_up),
            self.found,
        )
        return card

    def _asking(self, question: str, field: QLineEdit, *buttons: QPushButton) -> QHBoxLayout:
        field.setMinimumWidth(self.model.context.theme.px(_FIELD))
        below = ((each, 0, Qt.AlignmentFlag.AlignBottom) for each in buttons)
        return hbox(FormField(question, field), *below, 1, spacing=SPACE_2)

    def _look_up(self) -> None:
        self.model.look_up(self.seal.text())

    def _agreement_card(self) -> Card:
        card = Card(tr("Agreement"), name="team.agreement")
        fill(
            card.body,
            self._agreement,
            caption(
                tr(
                    "Over the sets that at least two people submitted; 95% ranges, by article. Draw the overlap "
                    "with Filter › Random sample: the top of the queue holds extreme sets only."
                )
            ),
        )
        return card

    def _verdict_card(self) -> Card:
        card = Card(tr("Verdicts"), name="team.verdicts")
        fill(
            card.body,
            self._hidden,
            self._verdict_table,
            caption(tr("Counts of readings, not a ranking: groups of which few sets were read say little.")),
        )
        return card

    def open(self, *, blind: bool, read_out: bool = False) -> None:
        """Show what holds now. *read_out*: of an assignment nothing is left to read, so no name gives anything away."""
        self.blind, self._read_out = blind, read_out
        self.name.setModified(False)
        self.model.load()
        self.plan.model.load()
        self.coding.model.open(blind=blind)

    def refresh(self) -> None:
        model, report = self.model, self.model.report
        if not self.name.isModified() or (model.me is not None and self.name.text() == model.me.name):
            self.name.setModified(False)
            service = model.service
            login = "" if service is None else service.login
            self.name.setText(login if model.me is None else model.me.name)
        self.rename.setText(tr("Correct my name") if model.has_spoken else tr("This is my name"))
        self.sit.setVisible(model.has_spoken or bool(report is not None and report.pace))
        if report is None:
            return
        self.people.set_rows(report.pace)
        self._short |= short_names(each.name for each in report.verdicts if each.kind == MODEL)
        self.verdicts.set_rows(() if self.blind else report.verdicts)
        self._verdict_table.setVisible(not self.blind)
        self._hidden.setVisible(self.blind)
        self._show_agreement(report)

    def _show_agreement(self, report: TeamReport) -> None:
        clear_layout(self._agreement)
        found, graded = report.comparison, report.severities
        said = tr("{n} open, {m} settled", n=count(report.disagreements), m=count(report.settled))
        if graded:
            said += tr("; {n} more on the severity alone", n=count(graded))
        lines = [(tr("Disagreements"), said)]
        if found is None:
            lines.append((tr("Agreement"), tr("nobody has read the same set as somebody else yet")))
        else:
            lines.append((tr("Between"), ", ".join(found.names)))
            lines.append((tr("Equal verdicts"), agreement_words(found.raw)))
            if found.kappa is not None:
                lines.append((tr("Agreement beyond chance (Cohen's kappa)"), agreement_words(found.kappa)))
            lines.append((tr("Agreement on verdicts (Krippendorff's alpha)"), agreement_words(found.verdicts)))
            lines.append((tr("Agreement on severity (Krippendorff's alpha)"), agreement_words(found.severity)))
        for at, (name, value) in enumerate(lines):
            self._agreement.addWidget(label(name, "secondary"), at, 0)
            self._agreement.addWidget(label(value, wrap=True, name=f"team.line.{at}"), at, 1)

    def _leave(self) -> None:
        """A name that was typed is taken along: nobody reads under another's because a button was not pressed."""
        if not self.name.isModified() or self.model.call_me(self.name.text()):
            self.closed.emit()
        # Pressed once more, it is left as it was.
        self.name.setModified(False)

    def _ask_export(self) -> None:
        if self._read_out:
            self._export()
        else:
            ask_of_names(self, self._export)

    def _export(self) -> None:
        # Packs of several readers come home into one folder.
        who = self.model.me.name if self.model.me is not None else ""
        suggested = f"{safe_name(tr('reviews of {name}', name=who) if who else tr('reviews'))}.{SUFFIX}"
        ask_to_save(self, tr("Export review pack"), _packs(), SUFFIX, self.model.export_pack, suggested=suggested)

    def _import(self) -> None:
        ask_to_open(self, tr("Import review pack"), _packs(), self.model.import_pack)


def _packs() -> str:
    return tr("Review packs") + f" (*.{SUFFIX})"


def _verdict_columns(short: Mapping[str, str]) -> tuple[TableColumn[VerdictCounts], ...]:

    def given(verdict: Verdict) -> TableColumn[VerdictCounts]:
        return TableColumn(
            title=verdict_called(verdict),
            help=verdict_question(verdict),
            text=lambda counts: count(dict(counts.counts)[verdict]),
            sort=lambda counts: dict(counts.counts)[verdict],
            numeric=True,
        )

    return (
        TableColumn(title=tr("By"), text=lambda counts: group_title(counts.kind), width=_KIND),
        TableColumn(
            title=tr("Group"),
            text=lambda counts: short.get(counts.name, counts.name),
            tip=lambda counts: counts.name,
            icon=lambda counts: ("synthetic", "synthetic") if counts.synthetic else None,
            spoken=lambda counts: f"{counts.name}, {tr('synthetic')}" if counts.synthetic else counts.name,
            stretch=True,
        ),
        TableColumn(
            title=tr("Read"),
            help=tr("Sets of answers that somebody has submitted, of those there are; those of controls are left out."),
            text=lambda counts: count_of(counts.read, counts.of),
            sort=lambda counts: counts.read / counts.of if counts.of else 0.0,
            numeric=True,
        ),
        *(given(verdict) for verdict in Verdict),
        TableColumn(
            title=tr("Open"),
            help=tr(
                "Sets with unlike verdicts, not settled yet: they count as no verdict. Behind “+”: sets that all call "
                "harmful, with unlike severities; the highest counts."
            ),
            text=lambda counts: (
                f"{count(counts.open)} + {count(counts.graded)}" if counts.graded else count(counts.open)
            ),
            sort=lambda counts: counts.open + counts.graded,
            numeric=True,
        ),
    )
