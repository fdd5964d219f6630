"""Additions of Contextual StereoSet to the form of its protocols: contexts to tick, and changes that follow a
factor's.
"""

from collections.abc import Collection
from dataclasses import replace
from itertools import islice, product

from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.protocol import Context, Design, StereoProtocol
from gpf_desktop.ui.methods.contextual_stereoset.context_table import ContextTable
from gpf_desktop.ui.methods.contextual_stereoset.grid_draft import MOST_LISTED, without_slot
from gpf_desktop.ui.protocol.edit_fields import name_of
from gpf_desktop.ui.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.protocol.own_form import OwnForm
from gpf_desktop.ui.protocol.record_form import RecordForm
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.labels import caption, problem_label
from gpf_desktop.ui.widgets.layouts import flowing

_HEIGHT = 420


class ContextsField(PlainWidget):
    """Every combination of levels, each with a tick where the design is one's own."""

    def __init__(self, form: RecordForm, path: Path) -> None:
        super().__init__()
        self._model: EditViewModel = form.model
        self._path = path
        self.table = ContextTable()
        self.table.setObjectName(name_of(path))
        self.table.setMinimumHeight(form.context.theme.px(_HEIGHT))
        self.table.rows.ticked.connect(self._tick)
        self._about = caption()
        self._problem = problem_label()
        self._buttons = flowing(
            button(tr("Tick all"), lambda: self._put(self._combinations()), compact=True, name="protocol.tickAll"),
            button(tr("Untick all"), lambda: self._put(()), compact=True, name="protocol.untickAll"),
        )
        vbox(self._about, self._buttons, self._problem, self.table, parent=self, spacing=SPACE_2)
        form.book.follow(self._show)

    def _show(self) -> None:
        draft: StereoProtocol | None = self._model.draft
        if draft is None:
            return
        own = draft.design is Design.OWN
        self._about.setText(
            tr("Only contexts that are ticked are asked.")
            if own
            else tr("To tick contexts, choose “Own” as the contexts asked, under name and texts.")
        )
        self._problem.setText(self._model.problems.at(self._path))
        self._buttons.setVisible(own)
        self.table.setVisible(own)
        if own:
            factors = tuple(factor.name for factor in draft.factors)
            self.table.rows.show(factors, self._combinations(), frozenset(draft.own_contexts))

    def _combinations(self) -> list[Context]:
        names = ([level.name for level in factor.levels] for factor in self._model.draft.factors)
        return list(islice(product(*names), MOST_LISTED))

    def _tick(self, context: Context, asked: bool) -> None:
        kept = {*self._model.draft.own_contexts} - {context}
        self._put(kept | {context} if asked else kept)

    def _put(self, wanted: Collection[Context]) -> None:
        """Set the contexts to *wanted*, in the order of the factors; combinations that no longer exist go."""
        chosen = set(wanted)
        asked = tuple(each for each in self._combinations() if each in chosen)
        self._model.put(self._path, asked, tr("ticking contexts"), typing=False)


def _followed(edited: StereoProtocol, before: StereoProtocol, path: Path) -> StereoProtocol:
    """Slots of the template and contexts of one's own go with the factors and levels that they name."""
    match path:
        case ("factors", int(at), "name"):
            old, new = before.factors[at].name, edited.factors[at].name
            return replace(edited, template=before.template.replace(f"{{{old}}}", f"{{{new}}}")) if old else edited
        case ("factors", int(at), "levels"):
            names, after = ([level.name for level in each.factors[at].levels] for each in (before, edited))
            if len(names) != len(after):
                return edited
            called = dict(zip(names, after, strict=True))
            renamed = ((*own[:at], called.get(own[at], own[at]), *own[at + 1 :]) for own in edited.own_contexts)
            return replace(edited, own_contexts=tuple(dict.fromkeys(renamed)))
        case ("factors", int(at)) if len(edited.factors) < len(before.factors):
            left, _ = without_slot(before.template, before.factors[at].name)
            shorter = ((*own[:at], *own[at + 1 :]) for own in edited.own_contexts)
            return replace(edited, template=left, own_contexts=tuple(dict.fromkeys(shorter)))
    return edited


FORM = OwnForm(editors={(StereoProtocol, "own_contexts"): ContextsField}, followed=_followed)
