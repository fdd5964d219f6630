"""What GPF-LiveNews adds to the form of its protocols: overlaps, wordings left behind, the message card."""

from typing import Any

from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.protocol import Family, Identity, Protocol
from gpf_desktop.ui.methods.gpf_livenews.cell_message_card import CellMessageCard
from gpf_desktop.ui.methods.gpf_livenews.overlap_labels import relabelled, unlabelled
from gpf_desktop.ui.methods.gpf_livenews.overlaps_field import overlaps_field
from gpf_desktop.ui.methods.gpf_livenews.reading import parts
from gpf_desktop.ui.protocol.edit_fields import name_of
from gpf_desktop.ui.protocol.own_form import OwnForm
from gpf_desktop.ui.protocol.record_form import RecordForm
from gpf_desktop.ui.widgets.labels import problem_label


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
