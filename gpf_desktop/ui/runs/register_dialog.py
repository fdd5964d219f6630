"""Shows the page of what is planned beforehand, registers it, and saves it as a file."""

from PySide6.QtWidgets import QDialogButtonBox, QLineEdit, QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_save
from gpf_desktop.ui.reports.inert_text import InertBrowser
from gpf_desktop.ui.runs.register_view_model import MakeIntended, RegisterViewModel
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import hbox, vbox
from gpf_desktop.ui.widgets.buttons import button, ending_buttons
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, problem_label


class RegisterDialog(TitledDialog):
    """Shown above the set-up of a round or a study."""

    def __init__(self, context: Context, parent: QWidget, make: MakeIntended) -> None:
        super().__init__(parent, tr("Register this plan"), "runs.registerDialog")
        self.model = RegisterViewModel(context, make, self)
        self.setMinimumSize(context.theme.px(640), context.theme.px(620))
        self.page = InertBrowser(tr("What is planned beforehand"), "register.page")
        self.readers = QLineEdit()
        self.readers.setMaxLength(500)
        self.readers.setPlaceholderText(tr("Two people, names hidden, read 24 sets each"))
        self.readers.editingFinished.connect(lambda: self.model.set_readers(self.readers.text()))
        self._standing = caption(name="register.standing")
        self._problem = problem_label(name="register.problem")
        self.register = button(tr("Register"), self.model.register, primary=True, name="register.register")
        self.save = button(tr("Save page …"), self._save, name="register.save")
        closing = ending_buttons(self, QDialogButtonBox.StandardButton.Close)
        vbox(
            caption(
                tr(
                    "One page of what will be tested, written into the audit with time and check code before the first"
                    " question is sent. Reports print it, and what differed from it."
                )
            ),
            (self.page, 1),
            FormField(tr("Who reads how many"), self.readers, name="register.readers"),
            self._standing,
            self._problem,
            hbox(self.register, self.save, 1, closing, spacing=SPACE_3),
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        self._painted = ""
        self.model.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        model = self.model
        if model.markdown != self._painted:
            self._painted = model.markdown
            place = self.page.verticalScrollBar().value()
            self.page.setMarkdown(self._painted)
            self.page.verticalScrollBar().setValue(place)
        self._standing.setText(model.standing)
        self._problem.setText(model.problem)
        self.register.setEnabled(model.can_register)
        self.save.setEnabled(model.registered is not None)
        self.readers.setEnabled(model.registered is None)

    def _save(self) -> None:
        kinds = (tr("Document to print (PDF)") + " (*.pdf)", tr("Web page (HTML)") + " (*.html)", "Markdown (*.md)")
        suggested = tr("Planned beforehand") + ".pdf"
        ask_to_save(self, tr("Save page"), ";;".join(kinds), ".pdf", self.model.save, suggested=suggested)
