"""Narrows a round to a part of the method's design, by the factors that the method declares."""

from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QPushButton

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.rounds.scoping import Choice
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.runs.scope_words import part_words
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.layouts import clear_layout, flowing
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_entry
from gpf_desktop.ui.widgets.section import CollapsibleSection
from gpf_desktop.ui.wording import count


class ScopeCard(Card):
    """A part for each factor, folded until it is wanted; what is ticked is asked."""

    def __init__(self, context: Context, model: StudyViewModel) -> None:
        super().__init__(tr("What of the design is asked"), name="setup.scope")
        self._context, self._model = context, model
        self._words = caption(name="setup.scopeWords")
        self._section = CollapsibleSection(context.theme, tr("Narrow it"), name="setup.narrow")
        self._boxes: dict[tuple[str, str], QCheckBox] = {}
        self._parts: dict[str, CollapsibleSection] = {}
        self._shown: tuple[Choice, ...] = ()
        self.body.addWidget(self._words)
        self.body.addWidget(self._section)
        model.changed.connect(self.show_model)
        self.show_model()

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        offered = model.choices()
        self.setVisible(bool(offered))
        forecast = model.forecast
        calls = (
            ()
            if forecast is None
            else (trn("{calls} call", "{calls} calls", forecast.calls.total, calls=count(forecast.calls.total)),)
        )
        # Where levels are ticked off, what the round takes may be out of sight.
        self._words.setText(" · ".join((model.scope_words().rstrip("."), *calls)))
        if offered != self._shown:
            self._shown = offered
            self._fill(offered)
        for (factor, level), box in self._boxes.items():
            with QSignalBlocker(box):
                box.setChecked((factor, level) not in model.left_out)
        for choice in offered:
            title = choice.title or tr("How it was asked")
            words = part_words(choice, model.left_out)
            self._parts[choice.factor].head.setText(f"{title}: {words}" if words else title)

    def _fill(self, offered: tuple[Choice, ...]) -> None:
        clear_layout(self._section.body)
        self._boxes, self._parts = {}, {}
        self._section.body.addWidget(
            caption(tr("What is left out has no score in this round; tables say so by their counts."))
        )
        for choice in offered:
            part = self._parts[choice.factor] = CollapsibleSection(self._context.theme, "")
            boxes = [self._box(choice, level, words) for level, words in choice.levels]
            part.body.addWidget(flowing(self._all(choice, on=True), self._all(choice, on=False)))
            part.body.addWidget(flowing(*boxes))
            self._section.body.addWidget(part)

    def _box(self, choice: Choice, level: str, words: str) -> QCheckBox:
        # An ampersand on a tick box marks the letter behind it.
        box = named(QCheckBox(plain_entry(words)), f"setup.scope.{choice.factor}.{level}")
        box.toggled.connect(partial(self._toggled, choice.factor, level))
        self._boxes[choice.factor, level] = box
        return box

    def _all(self, choice: Choice, *, on: bool) -> QPushButton:
        levels = [level for level, _ in choice.levels]
        words, name = (tr("Tick all"), "all") if on else (tr("Tick none"), "none")
        do = partial(self._model.leave_out, choice.factor, *levels, out=not on)
        made = button(words, do, compact=True, name=f"setup.scope.{choice.factor}.{name}")
        made.setAccessibleDescription(choice.title or tr("How it was asked"))
        return made

    def _toggled(self, factor: str, level: str, on: bool) -> None:
        self._model.leave_out(factor, level, out=not on)
