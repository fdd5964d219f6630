"""The texts of a report and who it is from."""

from collections.abc import Callable
from functools import partial
from typing import Final

from PySide6.QtWidgets import QLineEdit, QWidget

from gpf_desktop.domain.text import tr, within
from gpf_desktop.engine.reporting.drafts.draft import WRITTEN, DraftPart
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_open
from gpf_desktop.ui.reports.draft_fields import LineField, TextField
from gpf_desktop.ui.reports.draft_view_model import DraftViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.labels import secondary
from gpf_desktop.ui.widgets.layouts import flowing

ChooseNumber = Callable[[QWidget, Callable[[str], object]], object]
_PROMPTS: Final = {
    DraftPart.SUMMARY: lambda: tr("What the reader must know, in a few sentences."),
    DraftPart.SCOPE: lambda: tr("What was audited, for whom, and what was left out."),
    DraftPart.LIMITS: lambda: tr("What this audit cannot say; the method's own limits are printed anyway."),
    DraftPart.CONCLUSION: lambda: tr("What follows, and for whom."),
    DraftPart.SIGN_OFF: lambda: tr("Who signs, one a line: name, role."),
}


class WritePanel(PlainWidget):
    """A field for each; what is typed is kept at once."""

    def __init__(self, context: Context, model: DraftViewModel, choose_number: ChooseNumber) -> None:
        super().__init__()
        self._model = model
        self.title = LineField(model, tr("Title"), "report.title", partial(model.type, "title", tr("title")))
        words = tr("Organisation")
        self.organisation = LineField(
            model, words, "report.organisation", partial(model.type, "organisation", within(words))
        )
        self.authors = TextField(
            context,
            model,
            tr("Authors"),
            "report.authors",
            partial(model.type, "authors", tr("authors")),
            least=1,
            prompt=tr("One a line"),
        )
        self.texts = {
            part: TextField(
                context,
                model,
                part.heading,
                f"report.{part}",
                partial(model.type, part.value, within(part.heading)),
                choose_number=None if part is DraftPart.SIGN_OFF else choose_number,
                prompt=_PROMPTS[part](),
            )
            for part in WRITTEN
        }
        vbox(
            self.title,
            self.organisation,
            self.authors,
            self._logo_row(),
            *self.texts.values(),
            1,
            parent=self,
            spacing=SPACE_3,
            margins=(0, SPACE_2, SPACE_3, 0),
        )
        model.changed.connect(self.show_model)

    @property
    def title_field(self) -> QLineEdit:
        return self.title.editor

    def show_model(self) -> None:
        draft = self._model.draft
        self.setEnabled(draft is not None)
        if draft is None:
            return
        self.title.show_text(draft.title)
        self.organisation.show_text(draft.organisation)
        self.authors.show_text(draft.authors)
        for part, field in self.texts.items():
            field.show_text(draft.text(part))
        self.logo.setText(tr("Change the logo …") if draft.logo else tr("Choose a logo …"))
        self.no_logo.setVisible(bool(draft.logo))
        self.logo_said.setText(tr("Stands on the first page.") if draft.logo else tr("PNG or JPEG"))

    def _logo_row(self) -> QWidget:
        self.logo = button(tr("Choose a logo …"), self._ask_logo, compact=True, name="report.logo")
        self.no_logo = button(tr("Remove"), self._model.remove_logo, compact=True, name="report.logo.remove")
        self.no_logo.setAccessibleName(tr("Remove the logo"))
        self.logo_said = secondary(name="report.logo.said")
        return flowing(self.logo, self.no_logo, self.logo_said)

    def _ask_logo(self) -> None:
        ask_to_open(self, tr("Choose a logo"), tr("Pictures") + " (*.png *.jpg *.jpeg)", self._model.choose_logo)
