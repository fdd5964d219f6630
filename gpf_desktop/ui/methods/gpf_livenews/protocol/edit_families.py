"""The form's prompt families: their wordings with an identity and without."""

from functools import partial

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.protocol import Family
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_fields import line_editor, name_of, text_editor
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_section import EditSection
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_5
from gpf_desktop.ui.widgets.boxes import vbox
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption, heading

_SLOT = "{identity}"


class FamiliesSection(EditSection):
    """A card for each family, folded away but for those that were opened."""

    def __init__(self, context: Context, model: EditViewModel) -> None:
        super().__init__(context, model, ("families",))

    def build(self) -> None:
        draft = self.model.draft
        assert draft is not None
        new = Family(name="", templates=(tr("I am {slot}.", slot=_SLOT) + " ",), identity_free=("",))
        add = self.adder(tr("Add a family"), ("families",), new, tr("adding a family"), ("name",))
        about = caption(tr("The first wording is the canonical one, further ones are paraphrases."))
        self.column.addWidget(self.head(about, add))
        self.column.addWidget(self.problem_of(("families",)))
        for number, family in enumerate(draft.families):
            self.column.addWidget(self._family(number, family))

    def _family(self, number: int, family: Family) -> QWidget:
        path: Path = ("families", number)
        card = Card()
        editor = line_editor(tr("Name of family {n}", n=number + 1), name_of((*path, "name")))
        says = self.says((*path, "name"), tr("family {n}", n=number + 1))
        renaming = tr("renaming a family")
        card.body.addWidget(self.row((*path, "name"), says, renaming, editor, fold=tr("Wordings of {item}")))
        inner = vbox(spacing=SPACE_2, margins=(SPACE_5 + SPACE_2, 0, 0, 0))
        card.body.addLayout(inner)
        if path not in self.model.opened:
            inner.addWidget(caption(family.templates[0] if family.templates else ""))
            inner.addWidget(self.problem_of((*path, "templates")))
            inner.addWidget(self.problem_of((*path, "identity_free")))
            return card
        title = tr("Wordings, with {slot} once in each", slot=_SLOT)
        new = tr("I am {slot}.", slot=_SLOT) + " "
        self._wordings(inner, (*path, "templates"), title, tr("Add a paraphrase"), new, len(family.templates))
        inner.addSpacing(SPACE_3)
        title = tr("The same wordings without an identity")
        self._wordings(inner, (*path, "identity_free"), title, tr("Add one"), "", len(family.identity_free))
        return card

    def _wordings(self, inner: QVBoxLayout, path: Path, title: str, add: str, new: str, length: int) -> None:
        inner.addWidget(self.head(heading(title), self.adder(add, path, new, tr("adding a wording"))))
        inner.addWidget(self.problem_of(path))
        for number in range(length):
            says = tr("paraphrase {n}", n=number) if number else tr("the canonical wording")
            spoken = tr("{title}: {wording}", title=title, wording=says)
            editor = text_editor(spoken, name_of((*path, number)))
            row = self.row((*path, number), partial(str, says), tr("editing a wording"), editor)
            inner.addWidget(caption(says))
            inner.addWidget(row)
