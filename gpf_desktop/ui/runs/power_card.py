"""The card on what the round in set-up can find, and on what it takes to find more; live beside its cost."""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt

from gpf_desktop.domain.round_planning import EffectScale, Findable
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.rounds.round_power import findable_words
from gpf_desktop.ui.runs.power_view_model import PowerViewModel
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import fill, spaced_grid
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.editors import real_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, label, show_words
from gpf_desktop.ui.widgets.layouts import clear_layout
from gpf_desktop.ui.widgets.section import CollapsibleSection


class PowerCard(Card):
    """Shown while its method can tell, with what would find an effect of a size that can be typed."""

    def __init__(self, theme: Theme, model: PowerViewModel) -> None:
        super().__init__(tr("What this finds"), name="setup.finds")
        self._model = model
        self._lines = spaced_grid(across=SPACE_2, down=SPACE_2 // 2, wide=(0, 1))
        self._unread = label("", wrap=True, name="setup.unread")
        self._lead = caption(tr("Found in 80 of 100 such audits, where it is there:"))
        self._wanted = real_box()
        self._scale: EffectScale | None = None
        self._wanted.valueChanged.connect(model.set_size)
        self._field = FormField(tr("To find"), self._wanted, name="setup.wanted")
        self._below = caption(name="setup.origin")
        # The name of a test is for those who want it.
        self._how = CollapsibleSection(theme, tr("How this is reckoned"))
        self._tested = caption(name="setup.tested")
        self._how.body.addWidget(self._tested)
        fill(self.body, self._unread, self._lead, self._lines, self._field, self._below, self._how)
        model.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        power = self._model.power
        self._ask_by(self._model.wanted())
        self._field.setVisible(power is None or bool(power.wanted))
        nothing = self._model.nothing
        show_words(self._unread, "" if power is None else power.unread)
        self._lead.setVisible(not nothing)
        found: Sequence[Findable] = () if power is None else power.findable
        self.setVisible(bool(found))
        tested = [f"{each.title}: {each.tested}." for each in found if each.tested]
        judged = [power.judged] if power is not None and power.judged else []
        self._tested.setText("\n".join((*judged, *tested)))
        self._how.setVisible(bool(judged or tested))
        clear_layout(self._lines)
        found = () if nothing else found
        for at, each in enumerate(found):
            # A size stays whole; why there is none is a sentence.
            size = label(each.why, wrap=True) if each.smallest is None else label(findable_words(each), wrap=True)
            for place, words in enumerate((label(each.title, "secondary", wrap=True), size)):
                # Two texts that wrap share the width of the card, which is less than both want at least.
                words.setMinimumWidth(0)
                self._lines.addWidget(words, at, place)
            words.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._below.setText(self._model.would_find())

    def _ask_by(self, scale: EffectScale | None) -> None:
        """Have the box ask for sizes of *scale*, the method's own."""
        if scale is None or scale == self._scale:
            return
        self._scale = scale
        self._field.set_text(tr("To find: {effect}", effect=scale.words))
        with QSignalBlocker(self._wanted):
            self._wanted.setRange(scale.least, scale.most)
            self._wanted.setSingleStep(scale.step)
            self._wanted.setValue(self._model.size)
