"""Asks which judges and encoders rate the answers of a round that are there."""

from functools import partial

from PySide6.QtWidgets import QComboBox, QDialogButtonBox, QWidget

from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.runs import Run
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.models.wording import price_words
from gpf_desktop.ui.runs.forecast_words import dollars
from gpf_desktop.ui.runs.rate_view_model import RateViewModel
from gpf_desktop.ui.runs.runs_view_model import RunsViewModel
from gpf_desktop.ui.studies.form_dialog import FormDialog
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import button, link, ok_and_cancel
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.editors import real_box, show_money
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, label, problem_label, show_words
from gpf_desktop.ui.widgets.layouts import clear_layout, scrolling
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.wording import count

_WIDTH, _MODELS = 640, 200


class RateDialog(TitledDialog):
    """Shown above the round; what is begun goes on like any round."""

    def __init__(self, context: Context, parent: QWidget, runs: RunsViewModel, run: Run) -> None:
        super().__init__(parent, tr("Have answers rated"), "runs.rateDialog")
        self._context, self._runs = context, runs
        self.model = RateViewModel(context, run, self)
        self.setMinimumWidth(context.theme.px(_WIDTH))
        about = tr(
            "Judge models rate the answers of “{round}”, encoders turn them into vectors. No answer is asked for again,"
            " and no judge model sees what another said.",
            round=run.name,
        )
        self.boxes: dict[str, QComboBox] = {}
        self._lines = PlainWidget()
        self._grid = spaced_grid(across=SPACE_4, down=SPACE_1, wide=0)
        vbox(self._grid, 1, parent=self._lines)
        models = scrolling(self._lines)
        models.setMinimumHeight(context.theme.px(_MODELS))
        self._none = caption(tr("Every model of the audit answers in this round: add a further one that judges."))
        self._to_models = link(tr("Go to Models"), self._go_to_models, name="rate.toModels")
        self.words = button(tr("What judge models are told …"), self._reword, compact=True, name="rate.words")
        self._standing = caption(tr("Judge models are told what those before them were told."))
        self.takes = caption(name="rate.takes")
        self.problem = problem_label(name="rate.problem")
        self.cap = real_box(0.0, 1e6, "$", decimals=2, step=1.0)
        self.cap.setSpecialValueText(tr("not set"))
        self.cap.valueChanged.connect(self.model.set_cap)
        self._capped = FormField(tr("Pause when this has cost"), self.cap, name="rate.cap")
        buttons = ok_and_cancel(self)
        self.begin = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.begin.setText(tr("Start"))
        self.accepted.connect(self._begin)
        vbox(
            caption(about),
            (models, 1),
            hbox((self._none, 1), self._to_models),
            hbox(self.words, self._standing, 1, spacing=SPACE_3),
            self._capped,
            self.takes,
            self.problem,
            buttons,
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        self.model.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        model = self.model
        choices = model.choices
        listed = () if choices is None else choices.models
        if choices is not None and list(self.boxes) != [each.label for each in listed]:
            self._list(listed)
        self._none.setVisible(choices is not None and not listed)
        self._to_models.setVisible(choices is not None and not listed)
        self.words.setVisible(model.may_reword and bool(model.fields))
        self._standing.setVisible(choices is not None and choices.judged)
        costs = model.outlook is not None and model.outlook.cost is not None
        self._capped.setVisible(costs)
        if not self.cap.hasFocus():
            self.cap.blockSignals(True)
            show_money(self.cap, model.spend_cap or 0.0)
            self.cap.blockSignals(False)
        show_words(self.takes, self._words_of_outlook())
        self.problem.setText(model.problem)
        self.begin.setEnabled(model.ready)

    def _words_of_outlook(self) -> str:
        outlook = self.model.outlook
        if outlook is None:
            return tr("Counting …") if self.model.roles and not self.model.problem else ""
        said = [
            trn("{model}: {shown} call", "{model}: {shown} calls", n, model=model, shown=count(n))
            if n
            else tr("{model} has rated every answer", model=model)
            for model, n in outlook.calls.items()
        ]
        if outlook.cost is not None:
            said.append(tr("cost {dollars}", dollars=dollars(outlook.cost)))
        if outlook.unpriced:
            said.append(tr("the price of {models} is not known", models=", ".join(outlook.unpriced)))
        return " · ".join(said)

    def _list(self, models: tuple[TargetModel, ...]) -> None:
        clear_layout(self._grid)
        self.boxes.clear()
        for at, each in enumerate(models):
            says = tr("What {model} is asked for", model=each.label)
            box = named(QComboBox(), f"rate.part.{each.label}", says)
            box.addItems([words for words, _ in self.model.parts(each)])
            box.activated.connect(partial(self._chosen, each))
            price = "" if each.synthetic else price_words(each.endpoint.price)
            for place, widget in enumerate((label(each.label), caption(price), box)):
                self._grid.addWidget(widget, at, place)
            self.boxes[each.label] = box

    def _chosen(self, model: TargetModel, at: int) -> None:
        self.model.choose(model, self.model.parts(model)[at][1])

    def _reword(self) -> None:
        choices = self.model.choices
        if choices is not None:
            title = tr("What judge models are told")
            form = FormDialog(self._context, choices.method, self.model.protocol, self, title, self.model.fields)
            form.taken.connect(self.model.take_protocol)
            form.open()

    def _go_to_models(self) -> None:
        self.reject()
        self._context.navigator.go("models")

    def _begin(self) -> None:
        self._runs.rate(self.model.run.id, self.model.raters, self.model.spend_cap)
