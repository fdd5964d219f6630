"""A method's additions to the form of its protocol: ``FORM`` of `gpf_desktop/ui/methods/<name>/protocol_form.py`.

An installed package declares that object in the group of entry points `GROUP`, under its method's name. A method
that adds nothing has the form that is made from its dataclasses alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.engine.core.plug_ins import HERE, declared
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods import module_name
from gpf_desktop.ui.protocol.kinds import Own

if TYPE_CHECKING:
    from gpf_desktop.ui.protocol.kept_edit import KeptEdit
    from gpf_desktop.ui.protocol.record_form import RecordForm

GROUP: Final = "gpf_desktop.protocol_forms"

MakeField = Callable[["RecordForm", Path], QWidget]
"""Makes the widget of the field at a path: it reads `RecordForm.model`, follows by `FieldBook.follow`, and changes by
`EditViewModel.put`."""
MakeMessage = Callable[[Context, "KeptEdit"], "QWidget"]
"""Makes the card with a cell's message, given the edit that may be under way; it has the `show_protocol` of
`MessageCard`."""


def _as_it_is(edited: Any, _base: Any) -> Any:
    return edited


def _as_edited(edited: Any, _before: Any, _path: Path) -> Any:
    return edited


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnForm:
    """Widgets for single fields, and what follows from an edit."""

    editors: Mapping[tuple[type, str], MakeField] = field(default_factory=dict)
    """By dataclass and field, in place of what the form would make."""
    below: Mapping[tuple[type, str], MakeField] = field(default_factory=dict)
    """By dataclass and field, what stands beneath it; of a list of texts, beneath each of them."""
    followed: Callable[[Any, Any, Path], Any] = _as_edited
    """The protocol that an edit made, what it was before, and the path of what was changed, or taken out: what the
    protocol is then. Keeps names in step that stand in several places."""
    finished: Callable[[Any, Any], Any] = _as_it_is
    """The protocol that was edited, and the version that the edit began with, None where that is not known: what is
    saved."""
    read: Callable[[Context, Any], Sequence[Callable[[], QWidget]]] | None = None
    """What makes the cards by which a protocol is read, top to bottom; None: a card for each part of it."""
    message: MakeMessage | None = None
    """The card with the message of any cell; None: the common one."""

    @property
    def names(self) -> Own:
        """The fields that have a widget of the method's."""
        return frozenset(self.editors)


PLAIN: Final = OwnForm()


def own_form(method: str) -> OwnForm:
    """The additions of *method*."""
    place = f"gpf_desktop.ui.methods.{module_name(method)}"
    if find_spec(place) is not None and find_spec(f"{place}.protocol_form") is not None:
        found: OwnForm = import_module(f"{place}.protocol_form").FORM
        return found
    loaded = [HERE.load(point) for point in declared(GROUP, method)]
    return next((each for each in loaded if isinstance(each, OwnForm)), PLAIN)
