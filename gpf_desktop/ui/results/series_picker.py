"""A picker of the line of a series chart that stands in front: model or vendor, score, and the way it is measured."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QSizePolicy

from gpf_desktop.domain.series import SeriesBook
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.results.figures import SeriesChoice, lines_beside, settled_choice
from gpf_desktop.ui.widgets.boxes import PlainWidget, by_width
from gpf_desktop.ui.widgets.fields import offer
from gpf_desktop.ui.widgets.labels import secondary
from gpf_desktop.ui.widgets.layouts import FlowLayout
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip

_CONTENTS = 12


class SeriesPicker(PlainWidget):
    """One box per question that has more than one answer; every line's name says whether it left its limits."""

    changed = Signal(object)
    """The `SeriesChoice` that the auditor made."""

    def __init__(self, book: SeriesBook, wanted: SeriesChoice, *, line_title: str, name: str) -> None:
        super().__init__()
        self.setSizePolicy(by_width(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed))
        self._book = book
        self.choice = settled_choice(book, wanted)
        figure = book.figure
        self.line = self._box(line_title, f"{name}.line")
        self.split = self._box(tr("Score"), f"{name}.split")
        self.track = self._box(tr("Measured"), f"{name}.track")
        self.outside = secondary(name=f"{name}.outside")
        FlowLayout(self, self.line, self.split, self.track, self.outside)
        offer(self.split, [(word, word) for word in book.splits])
        self.split.setVisible(bool(figure.split))
        offer(self.track, [(track.title, track.value) for track in figure.tracks])
        self.track.setVisible(len(figure.tracks) > 1)
        self._show()

    def _box(self, says: str, name: str) -> QComboBox:
        box = named(QComboBox(minimumContentsLength=_CONTENTS), name, says)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        box.setToolTip(plain_tip(says))
        # Not `currentIndexChanged`: `_show` sets the boxes too, which is no choice of the auditor's.
        box.activated.connect(self._picked)
        return box

    def _picked(self) -> None:
        self.choice = SeriesChoice(
            line=self.line.currentData(), split=self.split.currentData(), track=self.track.currentData()
        )
        self._show()
        self.changed.emit(self.choice)

    def _show(self) -> None:
        lines = lines_beside(self._book, self.choice)
        offer(self.line, [(_named(line.name, outside=bool(line.signals)), line.name) for line in lines])
        judged = sum(line.centre is not None for line in lines)
        self.outside.setVisible(judged > 0)
        self.outside.setMinimumHeight(self.line.sizeHint().height())
        self.outside.setText(
            tr("{n} of {judged} series judged are outside", n=sum(bool(line.signals) for line in lines), judged=judged)
        )
        for box, value in (
            (self.line, self.choice.line),
            (self.split, self.choice.split),
            (self.track, self.choice.track),
        ):
            box.setCurrentIndex(max(0, box.findData(value)))


def _named(line: str, *, outside: bool) -> str:
    return tr("{line} (outside)", line=line) if outside else line
