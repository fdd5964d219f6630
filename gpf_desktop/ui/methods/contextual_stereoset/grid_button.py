"""Opens the editor of the grid from the set-up of a study."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.contextual_stereoset.grid_dialog import GridDialog
from gpf_desktop.ui.studies.editor_button import EditorButton
from gpf_desktop.ui.studies.study_view_model import StudyViewModel


class GridButton(EditorButton):
    """Opens a `GridDialog`."""

    def __init__(self, context: Context, model: StudyViewModel) -> None:
        super().__init__(context, model, tr("Edit the grid …"), "study.grid")

    def dialog(self) -> GridDialog:
        assert self.model.method is not None
        return GridDialog(self.context, self.model.method, self.model.protocol, self.window())
