"""The tabs of a protocol's form: one for each list, name and texts, all settings."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.protocol.edit_paths import at, stands
from gpf_desktop.ui.protocol.kinds import Field, FieldLook, Own, fields_of, head_of

_TEXTS, _SETTINGS = "name and texts", "settings"
_WITH_A_TAB: Final = frozenset({FieldLook.CARDS, FieldLook.TABLE, FieldLook.OWN})
_SET: Final = frozenset({FieldLook.RECORD, FieldLook.OPTIONAL})


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """Fields that are seen together."""

    key: str
    title: str
    fields: tuple[Field, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.name for each in self.fields)

    @property
    def alone(self) -> bool:
        """It is one field's, whose label it has for a title."""
        return self.key == self.fields[0].name


def tabs_of(root: type, own: Own, only: Sequence[str] = ()) -> tuple[Tab, ...]:
    """The tabs of a *root*, left to right; *only*: of these fields, empty: of all."""
    every = [each for each in fields_of(root, own) if not only or each.name in only]
    lists = sorted((each for each in every if each.look in _WITH_A_TAB), key=lambda each: each.shown.tab)
    texts = tuple(each for each in every if each.look not in _WITH_A_TAB | _SET)
    settings = tuple(each for each in every if each.look in _SET)
    found = [Tab(key=each.name, title=each.label, fields=(each,)) for each in lists]
    if texts:
        found.append(Tab(key=_TEXTS, title=tr("Name and texts"), fields=texts))
    if settings:
        found.append(Tab(key=_SETTINGS, title=tr("Settings"), fields=settings))
    return tuple(found)


def tab_of(tabs: Sequence[Tab], path: Path) -> Tab | None:
    """The tab that has the field at *path*."""
    return next((each for each in tabs if path[:1] and path[0] in each.names), None)


def items_around(draft: Any, path: Path) -> frozenset[Path]:
    """The items of *draft* that must be unfolded for the field at *path* to be seen."""
    return frozenset(path[:depth] for depth in range(2, len(path)) if _hides(draft, path, depth))


def _hides(draft: Any, path: Path, depth: int) -> bool:
    if not isinstance(path[depth - 1], int) or not stands(draft, path[:depth]):
        return False
    # What an item is known by is seen of one that is folded away.
    return path[depth:] != (head_of(type(at(draft, path[:depth]))),)
