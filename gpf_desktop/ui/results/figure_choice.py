"""One of a finding's figures that differ by a level only, such as the model, and a box to choose another."""

from collections.abc import MutableMapping

from PySide6.QtWidgets import QComboBox, QWidget

from gpf_desktop.domain.figures import Intervals, Violins
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.results.card_maker import CardMaker
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.labels import secondary


class FigureChoice(PlainWidget):
    """Figures are made when they are chosen; *chosen* remembers the level by the finding's name."""

    def __init__(self, cards: CardMaker, finding: Finding, chosen: MutableMapping[str, str]) -> None:
        super().__init__(name=f"choice.{finding.name}")
        self._cards, self._finding, self._chosen = cards, finding, chosen
        self._card: QWidget | None = None
        drawn = [figure for figure in finding.figures if isinstance(figure, Intervals | Violins)]
        wheres = [figure.where for figure in drawn if figure.where]
        key, levels = wheres[0][0], [level for _, level in wheres]
        # Several figures of one level: by the level alone the one that was looked at could not be found again.
        if len(set(levels)) < len(levels):
            levels = [figure.title for figure in drawn]
        title = next((column.label for column in finding.columns if column.key == key), tr("Shown"))
        self.box = QComboBox()
        self.box.addItems(levels)
        self.box.setAccessibleName(tr("{factor} that is drawn", factor=title))
        self.box.setCurrentIndex(max(0, self.box.findText(chosen.get(finding.name, ""))))
        self.box.currentIndexChanged.connect(lambda _: self._show())
        self._column = vbox(hbox(secondary(title), self.box, 1, spacing=SPACE_2), parent=self, spacing=SPACE_2)
        self._show()

    def _show(self) -> None:
        if self._card is not None:
            self._card.hide()
            self._card.deleteLater()
        self._chosen[self._finding.name] = self.box.currentText()
        self._card = self._cards.chart(self._finding, self.box.currentIndex())
        self._column.addWidget(self._card)
