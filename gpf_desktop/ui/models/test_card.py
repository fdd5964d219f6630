"""The three steps of a test, live."""

from PySide6.QtWidgets import QLabel

from gpf_desktop.domain.model_tests import ModelTestStep, StepName, StepState
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.models.model_testing import remedy_for
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.models.editor_view_model import EditorViewModel
from gpf_desktop.ui.models.wording import STEP_ICONS, last_test, step_title, step_word
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption, label, show_words


class _StepLine(PlainWidget):
    """Icon, what is tried, how it went, and what was found."""

    def __init__(self, context: Context, name: StepName) -> None:
        super().__init__()
        self._context = context
        self._icon = QLabel()
        self._title = label(step_title(name), wrap=True)
        self._word = label("", "secondary")
        self._found = caption(name=f"models.step.{name.name.lower()}")
        vbox(
            hbox(self._icon, (self._title, 1), self._word, spacing=SPACE_2),
            self._found,
            parent=self,
            spacing=SPACE_1,
            margins=(0, SPACE_1, 0, SPACE_1),
        )

    def show_step(self, step: ModelTestStep, *, running: bool) -> None:
        icon, tone = STEP_ICONS[step.state]
        trying = running and step.state is StepState.WAITING
        self._icon.setPixmap(
            self._context.theme.pixmap("refresh" if trying else icon, "accent" if trying else tone.token, 16)
        )
        self._word.setText(step_word(step.state, running=running))
        show_words(self._found, step.words)
        self.setAccessibleName(f"{self._title.text()}: {self._word.text()}. {step.words}".strip())


class TestCard(Card):
    """The card of the test: what was tried, what was found, what to do."""

    # By its name pytest would take it for a class of tests.
    __test__ = False

    def __init__(self, context: Context, model: EditorViewModel) -> None:
        super().__init__(tr("Test"), name="models.testCard")
        self._model = model
        self._lines = {name: _StepLine(context, name) for name in StepName}
        self._remedy = label("", "warning", wrap=True, name="models.remedy")
        self._refused = caption(name="models.refused")
        self._told = label("", wrap=True, name="models.lastTest")
        self._found = caption(name="models.lastFound")
        self.repair = button("", model.repair, compact=True, name="models.repair")
        fill(self.body, self._told, self._found, *self._lines.values(), self._remedy, self.repair, self._refused)
        context.theme.on_change(self, self.show_model)

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model, test, kept = self._model, self._model.shown_test, self._model.kept_test
        for step in test.steps:
            self._lines[step.name].show_step(step, running=model.running)
            self._lines[step.name].setVisible(kept is None)
        remedy = test.remedy
        if kept is not None:
            self._told.setText(last_test(kept))
            self._found.setText(kept.test_words)
            remedy = "" if kept.test_fault is None else remedy_for(kept.test_fault)
        self._told.setVisible(kept is not None)
        self._found.setVisible(kept is not None)
        show_words(self._remedy, remedy)
        self.repair.setVisible(bool(test.address))
        self.repair.setText(tr("Use {address}", address=test.address))
        refused = ", ".join(model.refused)
        self._refused.setText(tr("This model does not take {names}: left out from now on.", names=refused))
        self._refused.setVisible(bool(refused))
