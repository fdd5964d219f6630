"""The form's dimensions with their identities, each with its patterns and the labels that it overlaps with."""

from collections.abc import Callable

from PySide6.QtWidgets import QMenu, QWidget

from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.gpf_livenews.protocol import Dimension, Identity
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_fields import line_editor, lines_editor, name_of
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_paths import at
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_section import EditSection
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.methods.gpf_livenews.protocol.overlap_labels import labels
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_5
from gpf_desktop.ui.widgets.boxes import column_of, hbox, row_of, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption, label

_NEW = Dimension(name="", identities=(Identity(label=""), Identity(label="")))


class DimensionsSection(EditSection):
    """A card for each dimension, folded away but for those that were opened."""

    def __init__(self, context: Context, model: EditViewModel) -> None:
        super().__init__(context, model, ("dimensions",))

    def build(self) -> None:
        draft = self.model.draft
        assert draft is not None
        add = self.adder(tr("Add a dimension"), ("dimensions",), _NEW, tr("adding a dimension"), ("name",))
        about = caption(tr("An audit probe, not a demographic ontology: labels may mix dimensions. Each adds calls."))
        self.column.addWidget(self.head(about, add))
        self.column.addWidget(self.problem_of(("dimensions",)))
        for number, dimension in enumerate(draft.dimensions):
            self.column.addWidget(self._dimension(number, dimension))

    def _dimension(self, number: int, dimension: Dimension) -> QWidget:
        path: Path = ("dimensions", number)
        card = Card()
        editor = line_editor(tr("Name of dimension {n}", n=number + 1), name_of((*path, "name")))
        says = self.says((*path, "name"), tr("dimension {n}", n=number + 1))
        renaming = tr("renaming a dimension")
        card.body.addWidget(self.row((*path, "name"), says, renaming, editor, fold=tr("Identities of {item}")))
        identities: Path = (*path, "identities")
        card.body.addWidget(self.problem_of(identities))
        if path not in self.model.opened:
            summary = caption(" · ".join(each.label.strip() or _unnamed() for each in dimension.identities))
            summary.setContentsMargins(SPACE_5 + SPACE_3, 0, 0, 0)
            card.body.addWidget(summary)
            return card
        listed = [self._identity((*identities, n), n) for n, _ in enumerate(dimension.identities)]
        add = self.adder(tr("Add an identity"), identities, Identity(label=""), tr("adding an identity"), ("label",))
        inner = vbox(*listed, hbox(add, 1), spacing=SPACE_2, margins=(SPACE_5 + SPACE_2, 0, 0, 0))
        card.body.addLayout(inner)
        return card

    def _identity(self, path: Path, number: int) -> QWidget:
        says = self.says((*path, "label"), tr("identity {n}", n=number + 1))
        editor = line_editor(tr("Label of identity {n}", n=number + 1), name_of((*path, "label")))
        renaming = tr("renaming an identity")
        row = self.row((*path, "label"), says, renaming, editor, fold=tr("Leakage patterns of {item}"))
        if path not in self.model.opened:
            return row
        patterns = self.labelled(
            (*path, "patterns"),
            tr("Leakage patterns"),
            tr("editing patterns"),
            lines_editor("", name_of((*path, "patterns"))),
            help=tr(
                "Words that speak of this identity, one pattern per line; \\b is the edge of a word, | means or. An "
                "answer for another identity in which one is found speaks of this one."
            ),
        )
        self.book.follow(lambda: patterns.editor.setAccessibleName(tr("Leakage patterns of {item}", item=says())))
        details = column_of(patterns, self._overlaps(path, says), spacing=SPACE_2)
        details.setContentsMargins(SPACE_5 + SPACE_2, 0, 0, SPACE_2)
        return column_of(row, details, spacing=SPACE_2)

    def _overlaps(self, path: Path, says: Callable[[], str]) -> QWidget:
        listed = label("", wrap=True)
        choose = button(tr("Choose …"), compact=True, name=name_of((*path, "overlaps")))
        choose.setProperty("menu", True)

        def paint() -> None:
            draft = self.model.draft
            chosen: tuple[str, ...] = at(draft, (*path, "overlaps"))
            listed.setText(", ".join(chosen) or tr("none"))
            choose.setAccessibleName(tr("Identities that {item} overlaps with", item=says()))

        self.book.follow(paint)
        menu = QMenu(choose)
        menu.aboutToShow.connect(lambda: self._offer(menu, path))
        choose.setMenu(menu)
        said = column_of(caption(tr("No leakage when these speak of each other")), listed, spacing=0)
        return row_of((said, 1), choose, spacing=SPACE_2)

    def _offer(self, menu: QMenu, path: Path) -> None:
        """Every other identity, by dimension, with a tick at those chosen; unknown labels first."""
        draft = self.model.draft
        assert draft is not None
        identity = draft.dimensions[int(path[1])].identities[int(path[3])]
        menu.clear()
        for unknown in (each for each in identity.overlaps if each not in labels(draft)):
            self._choice(menu, path, identity, unknown)
        for dimension in draft.dimensions:
            inner = menu.addMenu((dimension.name.strip() or _unnamed()).replace("&", "&&"))
            chosen = 0
            for other in dimension.identities:
                if other.label and other.label != identity.label:
                    self._choice(inner, path, identity, other.label)
                    chosen += other.label in identity.overlaps
            if chosen:
                inner.setTitle(f"{inner.title()} ({trn('{n} chosen', '{n} chosen', chosen)})")

    def _choice(self, menu: QMenu, path: Path, identity: Identity, other: str) -> None:
        action = menu.addAction(other.replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(other in identity.overlaps)
        action.triggered.connect(lambda _=False: self._chosen(path, identity, other, on=action.isChecked()))

    def _chosen(self, path: Path, identity: Identity, other: str, *, on: bool) -> None:
        kept = tuple(each for each in identity.overlaps if each != other)
        self.model.put((*path, "overlaps"), (*kept, other) if on else kept, tr("choosing overlaps"), typing=False)


def _unnamed() -> str:
    return tr("without a name")
