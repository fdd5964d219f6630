"""What the round that is being set up will find, and what it takes to find more; live beside its cost."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.runs.setup_view_model import SetupViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.editors import real_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.layouts import clear_layout
from gpf_desktop.ui.widgets.plain import plain_tip

SUMMARY_WIDTH = 300


class FindsCard(Card):
    """Shown while the round has articles and models, and its method can tell."""

    def __init__(self, context: Context, model: SetupViewModel) -> None:
        super().__init__(tr("What this finds"), name="setup.finds")
        self._model = model
        context.theme.follow(self, lambda: self.setFixedWidth(context.theme.px(SUMMARY_WIDTH)))
        self.body.addWidget(caption(tr("In 80 of 100 such rounds, where it is there:")))
        self._lines = QGridLayout()
        self._lines.setVerticalSpacing(SPACE_2 // 2)
        self.body.addLayout(self._lines)
        self._wanted = real_box(0.005, 1.0, "", decimals=3, step=0.005)
        self._wanted.setValue(model.wanted_cfs)
        self._wanted.valueChanged.connect(model.set_wanted_cfs)
        self.body.addWidget(FormField(tr("To find a CFS of"), self._wanted, name="setup.wanted"))
        self._would = caption(name="setup.would")
        self.body.addWidget(self._would)
        model.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        lines = self._model.finds()
        self.setVisible(bool(lines))
        clear_layout(self._lines)
        for at, (title, size, tested) in enumerate(lines):
            name, words = label(title, "secondary"), label(size)
            for widget in (name, words):
                widget.setWordWrap(True)
                widget.setToolTip(plain_tip(tested))
            self._lines.addWidget(name, at, 0)
            self._lines.addWidget(words, at, 1, Qt.AlignmentFlag.AlignRight)
        self._would.setText(self._model.would_find())
