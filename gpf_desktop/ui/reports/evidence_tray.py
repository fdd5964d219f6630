"""The evidence tray: what was added from Results and Review, to be reordered, attached and removed."""

from collections.abc import Collection, Sequence
from functools import partial

from gpf_desktop.domain.hidden_names import names_hidden
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.drafts.draft import Evidence, EvidenceKind
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.reports.draft_fields import mover, rebuild, shown_title
from gpf_desktop.ui.reports.draft_view_model import DraftViewModel
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import icon_button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption, label, secondary
from gpf_desktop.ui.widgets.layouts import clear_layout, flowing


class EvidenceTray(PlainWidget):
    """A card for each piece of evidence."""

    def __init__(self, context: Context, model: DraftViewModel) -> None:
        super().__init__()
        self._context, self._model = context, model
        self._shown: object = None
        self.about = secondary(wrap=True, name="report.tray.about")
        self.results = link(tr("Go to Results"), lambda: context.navigator.go("results"), name="report.tray.results")
        self._column = vbox(spacing=SPACE_2)
        vbox(
            self.about,
            flowing(self.results),
            self._column,
            1,
            parent=self,
            spacing=SPACE_3,
            margins=(0, SPACE_2, SPACE_3, 0),
        )
        model.changed.connect(self.show_model)

    def show_model(self) -> None:
        draft = self._model.draft
        tray = () if draft is None else draft.tray
        waiting = {each.id for each in self._model.waiting()}
        if (tray, waiting, names_hidden()) == self._shown:
            return
        self._shown = tray, waiting, names_hidden()
        self.about.setText(
            tr("Attach these to findings; what no finding rests on is not printed.")
            if tray
            else tr(
                "The tray is empty. “Add to report” stands on every table, row and figure of Results. In Review "
                "it stands on every set of answers and marked passage."
            )
        )
        self.results.setVisible(not tray)
        rebuild(self, partial(self._make, tray, waiting), self.results)

    def _make(self, tray: Sequence[Evidence], waiting: Collection[int]) -> None:
        clear_layout(self._column)
        for at, item in enumerate(tray):
            self._column.addWidget(self._card(item, at, len(tray), waits=item.id in waiting))

    def _card(self, item: Evidence, at: int, of: int, *, waits: bool) -> Card:
        theme, model = self._context.theme, self._model
        card, title = Card(name=f"report.tray.{item.id}"), shown_title(item)
        moves = mover(theme, title, at, of, f"report.tray.{item.id}", partial(model.move_evidence, item.id))
        gone = icon_button(theme, "trash", tr("Remove {what}", what=title), lambda: model.remove_evidence(item.id))
        card.body.addLayout(hbox((label(title, wrap=True), 1), *moves, gone, spacing=SPACE_1))
        added = tr("added {day}", day=f"{item.added.astimezone():%Y-%m-%d %H:%M}")
        used = tr("no finding rests on it") if waits else tr("in a finding")
        card.body.addWidget(caption(" · ".join((kind_words(item.kind), added, used))))
        return card


def kind_words(kind: EvidenceKind) -> str:
    return {
        EvidenceKind.TABLE: tr("table"),
        EvidenceKind.ROW: tr("row of a table"),
        EvidenceKind.FIGURE: tr("figure"),
        EvidenceKind.BUNDLE: tr("set"),
        EvidenceKind.PASSAGE: tr("passage"),
    }[kind]
