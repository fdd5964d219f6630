"""Which model has which part in a study."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtWidgets import QComboBox

from gpf_desktop.domain.studies import Part
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_4
from gpf_desktop.ui.widgets.boxes import fill, spaced_grid
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.layouts import clear_layout, flowing
from gpf_desktop.ui.widgets.names import named


class ModelParts(Card):
    """A line for each model of the audit: its name, and what it is asked for."""

    def __init__(self, context: Context, model: StudyViewModel) -> None:
        super().__init__(tr("Models"), name="study.models")
        self._model = model
        self._parts: tuple[Part, ...] = ()
        self.boxes: dict[str, QComboBox] = {}
        self._grid = spaced_grid(across=SPACE_4, down=SPACE_1, wide=0)
        self._none = caption(tr("There are no models in this audit yet."))
        self.practise = button(
            tr("Use calibration models: no key, no network, planted behaviour"), model.rehearse, name="study.practise"
        )
        to_models = link(tr("Go to Models"), lambda: context.navigator.go("models"), name="study.toModels")
        self._about = caption(name="study.about")
        fill(self.body, self._grid, self._none, flowing(self.practise, to_models), self._about)
        model.changed.connect(self._show)

    def take(self, parts: Sequence[Part]) -> None:
        """The method's parts from now on."""
        self._parts = tuple(parts)
        self._list([])

    def _show(self) -> None:
        model = self._model
        if model.set_up is None:
            return
        labels = [each.label for each in model.models]
        # Only then: a box that has the keyboard, or is open, would be gone with every count that comes in.
        if list(self.boxes) != labels:
            self._list(labels)
        places = ["", *(part.name for part in self._parts)]
        for name, box in self.boxes.items():
            box.setCurrentIndex(places.index(model.parts.get(name, "")))
        self._none.setVisible(not labels)
        self._about.setText(model.set_up.rehearsal.about)

    def _list(self, labels: Sequence[str]) -> None:
        clear_layout(self._grid)
        self.boxes.clear()
        for at, name in enumerate(labels):
            box = named(QComboBox(), f"study.part.{name}", tr("Part of {model} in the study", model=name))
            box.addItems([tr("not in it"), *(part.title for part in self._parts)])
            box.activated.connect(partial(self._chosen, name))
            self._grid.addWidget(label(name), at, 0)
            self._grid.addWidget(box, at, 1)
            self.boxes[name] = box

    def _chosen(self, name: str, at: int) -> None:
        self._model.give(name, self._parts[at - 1].name if at else "")
