"""The identities that one overlaps with, to be ticked in a menu."""

from functools import partial

from PySide6.QtWidgets import QMenu, QWidget

from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.gpf_livenews.protocol import Identity, Protocol
from gpf_desktop.ui.methods.gpf_livenews.overlap_labels import labels
from gpf_desktop.ui.protocol.edit_fields import name_of
from gpf_desktop.ui.protocol.edit_paths import at
from gpf_desktop.ui.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.protocol.record_form import RecordForm
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import column_of, row_of
from gpf_desktop.ui.widgets.buttons import menu_button
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.plain import plain_entry


def overlaps_field(form: RecordForm, path: Path) -> QWidget:
    """Those that stand at *path*, and the button that offers all others."""
    model, says = form.model, form.of_item(path)
    listed = label("", wrap=True)
    choose = menu_button(tr("Choose …"), compact=True, name=name_of(path))

    def paint() -> None:
        if model.has(path):
            listed.setText(", ".join(at(model.draft, path)) or tr("none"))
            choose.setAccessibleName(tr("Readers that {item} overlaps with", item=says()))

    form.book.follow(paint)
    menu = choose.menu()
    menu.aboutToShow.connect(partial(_offer, menu, model, path))
    said = column_of(
        caption(tr("Does not count as quoting the test when these speak of each other")), listed, spacing=0
    )
    return row_of((said, 1), choose, spacing=SPACE_2)


def _offer(menu: QMenu, model: EditViewModel, path: Path) -> None:
    """Every other identity, by dimension, with a tick at those chosen; unknown labels first."""
    draft: Protocol = model.draft
    identity: Identity = at(draft, path[:-1])
    menu.clear()
    for unknown in (each for each in identity.overlaps if each not in labels(draft)):
        _choice(menu, model, path, unknown)
    for dimension in draft.dimensions:
        inner = menu.addMenu(plain_entry(dimension.name.strip() or tr("without a name")))
        chosen = 0
        for other in dimension.identities:
            if other.label and other.label != identity.label:
                _choice(inner, model, path, other.label)
                chosen += other.label in identity.overlaps
        if chosen:
            inner.setTitle(f"{inner.title()} ({trn('{n} chosen', '{n} chosen', chosen)})")


def _choice(menu: QMenu, model: EditViewModel, path: Path, other: str) -> None:
    chosen: tuple[str, ...] = at(model.draft, path)
    action = menu.addAction(plain_entry(other))
    action.setCheckable(True)
    action.setChecked(other in chosen)
    kept = tuple(each for each in chosen if each != other)
    action.triggered.connect(
        lambda on: model.put(path, (*kept, other) if on else kept, tr("choosing overlaps"), typing=False)
    )
