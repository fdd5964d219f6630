"""Scores the stored answers again with another setting, for a robustness table or for comparison."""

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtWidgets import QComboBox, QWidget

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.scores import ScoreVariant
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.scoring.rescoring import RESCORE_TASK
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.results.model_download_row import ModelDownloadRow
from gpf_desktop.ui.tasks.task_dialog import TaskDialog
from gpf_desktop.ui.tasks.task_view_model import TaskViewModel
from gpf_desktop.ui.widgets.boxes import vbox
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.layouts import clear_layout, scrolling
from gpf_desktop.ui.widgets.options_form import OptionsForm

_FORM_HEIGHT = 260
_HEIGHT = 640


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choices:
    """The ways of scoring and the rounds to choose from."""

    variants: tuple[ScoreVariant, ...]
    runs: tuple[tuple[RunId, str], ...]


class RescoreDialog(TaskDialog):
    """Layout and connections."""

    def __init__(self, context: Context, parent: QWidget, method: str) -> None:
        rescoring = context.engine.open_audit.rescoring
        super().__init__(
            parent,
            TaskViewModel(
                context, RESCORE_TASK, lambda chosen: rescoring.start(*chosen, method=method), rescoring.cancel
            ),
            title=tr("Measure again, another way"),
            about=tr(
                "No model is asked again. The scores are kept beside those there are, each with its settings, "
                "and follow later answers by themselves. The tables of Results can be switched to them."
            ),
            begin=tr("Score"),
            name="rescore",
        )
        self._context = context
        self._choices = _Choices(variants=(), runs=())
        self.variant = QComboBox()
        self.run = QComboBox(minimumContentsLength=12)
        self.form: OptionsForm | None = None
        self.download: ModelDownloadRow | None = None
        """Where the setting needs a language model."""
        holder = QWidget()
        self._holder = vbox(parent=holder)
        self.content.addWidget(FormField(tr("Way of measuring"), self.variant, name="rescore.variant"))
        self.content.addWidget(FormField(tr("Answers of"), self.run, name="rescore.run"))
        area = scrolling(holder, "rescore.options")
        area.setMinimumHeight(context.theme.px(_FORM_HEIGHT))
        # Wrapped labels and a scroll area in one layout: its own minimum would let the buttons cover the form.
        self.setMinimumHeight(context.theme.px(_HEIGHT))
        self.content.addWidget(area, 1)
        self.variant.currentIndexChanged.connect(self._fill_form)
        self.model.ended.connect(self.accept)
        self.begin.setEnabled(False)
        context.bridge.run(lambda: _choices(context, method), then=self._arrived, failed=self._not_read)

    def options(self) -> Any:
        """(scorer, options, runs or None)."""
        if self.form is None:
            raise UserError(tr("There is nothing to choose from yet."))
        variant = self._choices.variants[self.variant.currentIndex()]
        run = self.run.currentIndex()
        run_ids = None if run == 0 else [self._choices.runs[run - 1][0]]
        return variant.scorer, self.form.value(), run_ids

    def show_state(self) -> None:
        super().show_state()
        # The base class calls this while it is being made, before there is anything of this one.
        if hasattr(self, "form"):
            self.begin.setEnabled(not self.model.running and self.form is not None)

    def _arrived(self, choices: _Choices) -> None:
        self._choices = choices
        self.run.addItems([tr("every round"), *(name for _, name in choices.runs)])
        self.variant.addItems([variant.title for variant in choices.variants])

    def _not_read(self, error: BaseException) -> None:
        self._context.messages.failure(error)
        self.reject()

    def _fill_form(self, at: int) -> None:
        variant = self._choices.variants[at]
        clear_layout(self._holder)
        if variant.needs:
            self._holder.addWidget(caption(variant.needs))
        options = catalogue.scorers()[variant.scorer].options
        self.form = form = OptionsForm(self._context.theme, options, variant.options, name="rescore.form")
        if "model" in form.fields:
            self.download = row = ModelDownloadRow(self._context, lambda: _named(form))
            row.model.fetched.connect(lambda commit: form.set_value(replace(form.value(), revision=commit)))
            row.model.fetched.connect(self.model.forget_problem)
            form.changed.connect(row.show_state)
            self.finished.connect(lambda _: row.model.stop())
            self._holder.addWidget(row)
        self._holder.addWidget(form)
        self.show_state()


def _named(form: OptionsForm) -> tuple[str, str]:
    """The model's name and revision as they stand in *form*."""
    try:
        options = form.value()
    except UserError:
        return "", ""
    return options.model.strip(), options.revision.strip()


def _choices(context: Context, method: str) -> _Choices:
    open_audit = context.engine.open_audit
    return _Choices(
        variants=open_audit.rescoring.variants(method),
        runs=tuple((run.id, run.name) for run in open_audit.rounds.runs() if run.method == method),
    )
