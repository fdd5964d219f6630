"""States the margins within which a difference is held too small to matter."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QDialogButtonBox, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.reporting.option_choices import ChosenOptions, OptionNumber
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import vbox
from gpf_desktop.ui.widgets.buttons import ok_and_cancel
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.editors import real_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption

_PLACES = 3


class MarginsDialog(TitledDialog):
    """One field for each of *numbers*; *choose* is called with what was *chosen* then, if it is something else."""

    def __init__(
        self,
        parent: QWidget,
        numbers: Sequence[OptionNumber],
        chosen: ChosenOptions,
        choose: Callable[[ChosenOptions], object],
    ) -> None:
        super().__init__(parent, tr("Too small to matter"), "results.margins")
        self._numbers, self._chosen, self._choose = numbers, dict(chosen), choose
        least = 10.0**-_PLACES
        self.boxes = {each.name: real_box(least, 1 - least, decimals=_PLACES, step=0.01) for each in numbers}
        column = vbox(
            caption(
                tr(
                    "Two sides are called alike where their difference is shown to be smaller than this. State "
                    "it before you see the differences: one that is stated afterwards shows nothing. It is kept "
                    "with the audit and printed in its reports."
                )
            ),
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        for each in numbers:
            usual = tr("{usual:g} either way where nothing is stated.", usual=each.usual)
            column.addWidget(
                FormField(each.title[:1].upper() + each.title[1:], self.boxes[each.name], help=usual, name=each.name)
            )
            self.boxes[each.name].setValue(float(self._chosen.get(each.name, each.usual)))
        buttons = ok_and_cancel(self, self._take)
        usual_again = buttons.addButton(tr("The usual sizes"), QDialogButtonBox.ButtonRole.ResetRole)
        usual_again.clicked.connect(self._reset)
        column.addWidget(buttons)

    def _reset(self) -> None:
        for each in self._numbers:
            self.boxes[each.name].setValue(each.usual)

    def _take(self) -> None:
        chosen = {name: value for name, value in self._chosen.items() if name not in self.boxes}
        for each in self._numbers:
            value = round(self.boxes[each.name].value(), _PLACES)
            if value != each.usual:
                chosen[each.name] = f"{value:g}"
        if chosen != self._chosen:
            self._choose(tuple(chosen.items()))
        self.accept()
