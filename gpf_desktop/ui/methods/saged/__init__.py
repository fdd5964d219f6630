"""Additions of SAGED to the set-up of its studies: a benchmark of one's own, roles, and rubrics of judges."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.saged.benchmark_dialog import OwnBenchmark
from gpf_desktop.ui.studies.form_dialog import FormButton
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.widgets.labels import caption


class RolesButton(FormButton):
    """The button that opens roles and message, and what they are now."""

    def __init__(self, context: Context, model: StudyViewModel) -> None:
        self._now = caption(name="saged.roles.named")
        words = tr("Roles and message")
        super().__init__(context, model, words=words, name="saged.roles", fields=("roles", "template", "messages"))
        self.column.addWidget(self._now)

    def _show(self) -> None:
        super()._show()
        study = self.model.protocol
        if study is not None:
            roles = tr("Roles: {names}", names=", ".join(study.roles))
            own = (f"{role}: {message}" for role, message in study.messages.items())
            self._now.setText("\n".join((roles, tr("Message: {message}", message=study.template), *own)))


def _rubrics(context: Context, model: StudyViewModel) -> FormButton:
    return FormButton(
        context, model, words=tr("Marking guides of judge models"), name="saged.rubrics", fields=("rubrics",)
    )


EDITORS = (OwnBenchmark, RolesButton, _rubrics)
