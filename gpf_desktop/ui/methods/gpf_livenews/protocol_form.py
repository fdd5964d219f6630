"""Additions of GPF-LiveNews to the form of its protocols: overlaps, wordings left behind, the message card."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtWidgets import QMenu, QWidget

from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.gpf_livenews.protocol import Cue, Family, Identity, Protocol, Reader
from gpf_desktop.ui.methods.gpf_livenews.cell_message_card import CellMessageCard
from gpf_desktop.ui.methods.gpf_livenews.reading import parts
from gpf_desktop.ui.protocol.edit_fields import name_of
from gpf_desktop.ui.protocol.edit_paths import at
from gpf_desktop.ui.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.protocol.own_form import OwnForm
from gpf_desktop.ui.protocol.record_form import RecordForm
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import column_of, row_of
from gpf_desktop.ui.widgets.buttons import menu_button
from gpf_desktop.ui.widgets.labels import caption, label, problem_label
from gpf_desktop.ui.widgets.plain import plain_entry


def overlaps_field(form: RecordForm, path: Path) -> QWidget:
    """The overlaps at *path*, and a button that offers all others."""
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


def _followed(edited: Protocol, before: Protocol, path: Path) -> Protocol:
    """Overlaps and cues go with the labels that they name."""
    if path[:1] != ("dimensions",):
        return edited
    return relabelled(edited, before, path) if path[-1] == "label" else unlabelled(edited, before, path)


def _left_behind(form: RecordForm, path: Path) -> QWidget:
    """Says that a wording was edited, and the one at *path*, its twin without an identity, was not."""
    family, wording = int(path[1]), int(path[3])
    words = tr("The wording above was edited. This one, which names no reader, says what it said before.")
    made = problem_label(name=f"{name_of(path)}.behind")
    model = form.model
    form.book.follow(lambda: made.setText(words if left_behind(model.draft, model.base, family, wording) else ""))
    return made


def left_behind(draft: Any, base: Any, family: int, wording: int) -> bool:
    """Whether a wording says something else than in the version edited, and its twin without an identity does not.

    The control would then hold answers to one question against answers to another.
    """
    now, before = (_family(each, family) for each in (draft, base))
    if now is None or before is None:
        return False
    pairs = [
        (each.templates[wording : wording + 1], each.identity_free[wording : wording + 1]) for each in (now, before)
    ]
    (template, twin), (old_template, old_twin) = pairs
    return bool(old_template and twin) and template != old_template and twin == old_twin


def _family(protocol: Protocol | None, number: int) -> Family | None:
    return None if protocol is None or number >= len(protocol.families) else protocol.families[number]


FORM = OwnForm(
    editors={(Identity, "overlaps"): overlaps_field},
    below={(Family, "identity_free"): _left_behind},
    followed=_followed,
    read=parts,
    message=CellMessageCard,
)


def labels(protocol: Protocol) -> list[str]:
    """Every identity's label, in order."""
    return [identity.label for dimension in protocol.dimensions for identity in dimension.identities]


def relabelled(edited: Protocol, before: Protocol, path: Path) -> Protocol:
    """*edited*, where the identity at *path* has another label than *before*: what names it follows."""
    if path[0] != "dimensions" or path[-1] != "label":
        return edited
    old, new = at(before, path), at(edited, path)
    # Another identity has that label too, and may be the one that overlaps.
    if old in labels(edited):
        return edited
    renamed = _each(edited, lambda overlaps: tuple(new if each == old else each for each in overlaps))
    return _readers(renamed, lambda each: replace(each, identity=new) if each.identity == old else each)


def unlabelled(edited: Protocol, before: Protocol, gone: Path) -> Protocol:
    """*edited*, from which the identity or dimension at *gone* was taken: nothing overlaps with it any
    more, and no cue shows it."""
    if gone[0] != "dimensions":
        return edited
    lost = set(labels(before)) - set(labels(edited))
    left = _each(edited, lambda overlaps: tuple(each for each in overlaps if each not in lost))
    return _readers(left, lambda each: None if each.identity in lost else each)


def _readers(protocol: Protocol, change: Callable[[Reader], Reader | None]) -> Protocol:
    def changed(cue: Cue) -> Cue:
        return replace(cue, readers=tuple(kept for each in cue.readers if (kept := change(each)) is not None))

    return replace(protocol, cues=tuple(map(changed, protocol.cues)))


def _each(protocol: Protocol, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Protocol:
    def changed(identity: Identity) -> Identity:
        return replace(identity, overlaps=change(identity.overlaps))

    return replace(
        protocol,
        dimensions=tuple(
            replace(dimension, identities=tuple(changed(each) for each in dimension.identities))
            for dimension in protocol.dimensions
        ),
    )
