"""How the form shows a field, told from its type and what that is annotated with; and what a new, empty one is."""

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum, StrEnum, auto
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

from annotated_types import BaseMetadata, Ge, GroupedMetadata, MinLen

from gpf_desktop.domain.options import Shown, shown_of
from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.domain.text import tr
from gpf_desktop.plain_data import entries_of
from gpf_desktop.ui.widgets.options_form import words_of

_IN_A_CELL: Final = (str, int, float)
_FILLED_IN: Final = frozenset({"version"})
"""Fields that saving fills in."""


class FieldLook(StrEnum):
    """The kind of editor that a field has on the page."""

    FIELD = auto()
    """One editor: a text, a number, a choice, a tick."""
    LINES = auto()
    """Texts in one field, a line each."""
    TEXTS = auto()
    """Texts, a field each."""
    TABLE = auto()
    """Rows of plain texts and numbers."""
    CARDS = auto()
    """Dataclasses, a card each."""
    RECORD = auto()
    """One dataclass."""
    OPTIONAL = auto()
    """One dataclass, or none."""
    OWN = auto()
    """A widget that the method brings."""
    AS_TEXT = auto()
    """No form can edit it; the text beside the form can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field of a dataclass."""

    owner: type
    name: str
    kind: Any
    """Its type, without what it is annotated with."""
    shown: Shown
    look: FieldLook

    @property
    def label(self) -> str:
        return tr(self.shown.label)

    @property
    def item(self) -> Any:
        """The type of the items of a list, annotated as it is."""
        return get_args(self.kind)[0]


Own = frozenset[tuple[type, str]]
"""Fields, by dataclass and name, for which a method brings a widget."""
NOTHING: Final[Own] = frozenset()


def fields_of(record: Any, own: Own) -> tuple[Field, ...]:
    """The fields of the dataclass *record* that the form has, in their order."""
    return _fields_of(record, own)


def new_row(kind: Any) -> tuple[Any, ...]:
    """An empty row of a table of *kind*."""
    plain = bare(kind)
    if _is_map(plain):
        return tuple(map(blank, get_args(plain)))
    return rows_of((blank(get_args(plain)[0]),))[0]


def defaults_of(record: Any, names: Iterable[str]) -> dict[str, Any]:
    """The defaults of the fields *names* of *record*, by name."""
    found = {each.name: each for each in fields(record) if each.name in names}
    made = {name: each.default_factory() for name, each in found.items() if each.default_factory is not MISSING}
    return made | {name: each.default for name, each in found.items() if each.default is not MISSING}


@cache
def _fields_of(record: Any, own: Own) -> tuple[Field, ...]:
    hints = get_type_hints(record, include_extras=True)
    found = []
    for each in fields(record):
        shown = shown_of(hints[each.name]) or Shown(label=words_of(each.name))
        if not each.init or shown.hidden or each.name in _FILLED_IN:
            continue
        kind = bare(hints[each.name])
        look = FieldLook.OWN if (record, each.name) in own else _look(kind, shown)
        # With its bounds, which the editor of a number keeps.
        whole = hints[each.name] if look is FieldLook.FIELD else kind
        found.append(Field(owner=record, name=each.name, kind=whole, shown=shown, look=look))
    return tuple(found)


def place_in_words(root: type, path: Path) -> str:
    """The labels of the fields on the way to *path*, lines and items by number: ``Themes › 2 › Questions › 1``."""
    said, record = [], root
    for part in path:
        its = next((each for each in fields_of(record, NOTHING) if each.name == part), None) if record else None
        if its is not None:
            said.append(its.label)
            record = bare(its.item) if its.look is FieldLook.CARDS else record_in(its.kind)
        elif isinstance(part, int):
            said.append(str(part + 1))
        # pydantic calls the name of an entry of a map so, behind the entry.
        elif part != "[key]":
            said.append(part or tr("without a name"))
    return " › ".join(said)


def bare(kind: Any) -> Any:
    """*kind* without what it is annotated with."""
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    return kind


def record_in(kind: Any) -> Any:
    """The dataclass that *kind* is, or may be; None: it is none."""
    plain = bare(kind)
    if get_origin(plain) in (Union, UnionType):
        plain = next((bare(each) for each in get_args(plain) if each is not NoneType), None)
    return plain if isinstance(plain, type) and is_dataclass(plain) else None


def columns_of(kind: Any) -> tuple[str, ...]:
    """Titles of the columns of a table of *kind*."""
    plain = bare(kind)
    row = plain if _is_map(plain) else bare(get_args(plain)[0])
    if record_in(row) is None:
        said = [(shown_of(each), tr("Column {n}", n=n + 1)) for n, each in enumerate(get_args(row))]
        return tuple(otherwise if shown is None else tr(shown.label) for shown, otherwise in said)
    return tuple(each.label for each in fields_of(row, NOTHING))


def blank(kind: Any) -> Any:
    """A new, empty value of *kind*: its default where it has one, and as many empty items as it needs at least."""
    plain = bare(kind)
    origin, inner = get_origin(plain), get_args(plain)
    if isinstance(plain, type):
        return _blank_of(plain, kind)
    if origin is tuple:
        shown = shown_of(kind)
        # Lines of one field stand there once they are typed.
        said = [] if shown is not None and shown.in_lines else _said(kind)
        least = max((int(each.min_length) for each in said if isinstance(each, MinLen)), default=0)
        return tuple(map(blank, inner if inner[-1] is not Ellipsis else inner[:1] * least))
    if _is_map(plain):
        return {}
    return inner[0] if origin is Literal else None


def _blank_of(plain: type, kind: Any) -> Any:
    if is_dataclass(plain):
        hints = get_type_hints(plain, include_extras=True)
        needed = [each for each in fields(plain) if each.init and each.default is each.default_factory is MISSING]
        return plain(**{each.name: blank(hints[each.name]) for each in needed})
    if issubclass(plain, Enum):
        return next(iter(plain))
    if plain in (int, float):
        return plain(max((float(str(each.ge)) for each in _said(kind) if isinstance(each, Ge)), default=0.0))
    return plain()


def head_of(record: Any) -> str:
    """The field that an item is known by: its first text of one line; empty: it has none."""
    return _head_of(record)


@cache
def _head_of(record: Any) -> str:
    hints = get_type_hints(record, include_extras=True)
    one_line = (each.name for each in fields(record) if bare(hints[each.name]) is str)
    return next((name for name in one_line if (shown_of(hints[name]) or Shown(label="")).lines == 1), "")


def summary(value: Any, own: Own) -> str:
    """The content of a folded item in a line: its lists, else its texts."""
    held = [(each, getattr(value, each.name)) for each in fields_of(type(value), own)]
    for field, within in held:
        if field.look is FieldLook.CARDS:
            names = [str(getattr(each, head_of(type(each)), "")).strip() for each in within]
            return " · ".join(each or tr("without a name") for each in names)
        if field.look is FieldLook.TABLE:
            return " · ".join(str(row[0]).strip() for row in rows_of(within))
    for field, within in held:
        if field.look in (FieldLook.LINES, FieldLook.TEXTS) and within:
            return " · ".join(within) if field.look is FieldLook.LINES else str(within[0])
    texts = [within for field, within in held if isinstance(within, str) and field.name != head_of(type(value))]
    return next(filter(None, texts), "")


def rows_of(value: Any) -> tuple[tuple[Any, ...], ...]:
    """The rows of a table's *value*."""
    if isinstance(value, Mapping):
        return entries_of(value)
    if value and is_dataclass(value[0]):
        names = [each.name for each in fields_of(type(value[0]), NOTHING)]
        return tuple(tuple(getattr(row, name) for name in names) for row in value)
    return tuple(value)


def shape(record: type, value: Any, own: Own) -> Any:
    """How many items *value*, a *record*, has where each has fields of its own: else the same fields serve."""
    found: list[Any] = []
    for each in fields_of(record, own):
        within = getattr(value, each.name)
        match each.look:
            case FieldLook.TEXTS:
                found.append(len(within))
            case FieldLook.CARDS:
                kind = bare(each.item)
                found.append(tuple(shape(kind, one, own) for one in within))
            case FieldLook.RECORD | FieldLook.OPTIONAL:
                found.append(None if within is None else shape(type(within), within, own))
            case _:
                found.append(None)
    return tuple(found)


def _look(kind: Any, shown: Shown) -> FieldLook:
    origin, inner = get_origin(kind), get_args(kind)
    if record_in(kind) is not None:
        return FieldLook.OPTIONAL if origin in (Union, UnionType) else FieldLook.RECORD
    if _is_map(kind):
        return FieldLook.TABLE if bare(inner[0]) is str and bare(inner[1]) in _IN_A_CELL else FieldLook.AS_TEXT
    if origin is tuple and len(inner) == 2 and inner[1] is Ellipsis:
        return _look_of_list(bare(inner[0]), shown)
    plain = bare(next((each for each in inner if each is not NoneType), kind)) if NoneType in inner else kind
    known = plain in (str, int, float, bool) or get_origin(plain) is Literal
    return FieldLook.FIELD if known or (isinstance(plain, type) and issubclass(plain, Enum)) else FieldLook.AS_TEXT


def _look_of_list(item: Any, shown: Shown) -> FieldLook:
    if item is str:
        return FieldLook.LINES if shown.in_lines else FieldLook.TEXTS
    if get_origin(item) is Literal:
        return FieldLook.FIELD
    if record_in(item) is not None:
        parts = fields_of(item, NOTHING)
        flat = all(each.look is FieldLook.FIELD and bare(each.kind) in _IN_A_CELL for each in parts)
        return FieldLook.TABLE if flat and len(parts) > 1 else FieldLook.CARDS
    inner = get_args(item)
    pairs = get_origin(item) is tuple and Ellipsis not in inner and all(bare(each) in _IN_A_CELL for each in inner)
    return FieldLook.TABLE if pairs else FieldLook.AS_TEXT


def _is_map(kind: Any) -> bool:
    origin = get_origin(kind)
    return isinstance(origin, type) and issubclass(origin, Mapping)


def _said(kind: Any) -> list[Any]:
    found: list[Any] = []
    while get_origin(kind) is Annotated:
        kind, *said = get_args(kind)
        for each in said:
            found += _each(each)
    return found


def _each(said: Any) -> list[BaseMetadata]:
    if isinstance(said, GroupedMetadata):
        return [inner for each in said for inner in _each(each)]
    return [said]
