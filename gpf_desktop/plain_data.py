"""Frozen dataclasses as plain data and back: a protocol is declared once, by its fields, their types and bounds.

Bounds stand in the annotations (``Annotated[int, Ge(1)]``); files, plans and forms are held to the same ones. What
types cannot say, such as names that stand once, a method's own *check* adds.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args, get_origin, get_type_hints

from gpf_desktop.domain.options import shown_of
from gpf_desktop.domain.protocol_problems import FieldProblem, Path, WrongFieldError, unknown_places
from gpf_desktop.domain.text import tr

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")
Check = Callable[[T], Iterable[FieldProblem]]


_kept: Final[ContextVar[bool]] = ContextVar("kept", default=False)
_ADAPTERS: Final[dict[type, "TypeAdapter[Any]"]] = {}
"""Making one takes some milliseconds."""


def _no_check(_value: object) -> Iterable[FieldProblem]:
    return ()


def read(kind: type[T], data: Mapping[str, Any], check: Check[T] = _no_check) -> T:
    """The dataclass *kind* that *data* (maps, lists, texts, numbers) holds. Raises `WrongFieldError`."""
    try:
        text = json.dumps(data, default=str)
    except TypeError:
        raise WrongFieldError(FieldProblem(path=(), words=tr("every field needs a name in letters"))) from None
    value, found = _read(kind, text)
    if value is None:
        raise WrongFieldError(found[0])
    for problem in (*(() if _kept.get() else _unknown_places(value)), *check(value)):
        raise WrongFieldError(problem)
    return value


@contextmanager
def as_kept() -> Iterator[None]:
    """In the block, `read` takes what an audit keeps: what was asked stays readable, whatever is refused since."""
    token = _kept.set(True)
    try:
        yield
    finally:
        _kept.reset(token)


def problems(value: T, check: Check[T] = _no_check) -> list[FieldProblem]:
    """Everything that would keep *value* from being read back; empty exactly when `read` takes it.

    *check* is asked even where fields are out of bounds.
    """
    found = _read(type(value), json.dumps(write(value)))[1]
    return [*found, *_repeated_names(value), *_unknown_places(value), *check(value)]


def write(value: Any) -> dict[str, Any]:
    """A dataclass as `read` reads it back, its fields in order."""
    data: dict[str, Any] = _adapter(type(value)).dump_python(value, mode="json", warnings=False)
    return data


class Entries(dict[Any, Any]):
    """A map while it is edited: *pairs* in their order, of which two may have one name; the later counts."""

    def __init__(self, pairs: Iterable[tuple[Any, Any]] = ()) -> None:
        self.pairs = tuple(pairs)
        super().__init__(self.pairs)

    def __eq__(self, other: object) -> bool:
        return self.pairs == (other.pairs if isinstance(other, Entries) else None)

    __hash__ = None


def entries_of(held: Mapping[Any, Any]) -> tuple[tuple[Any, Any], ...]:
    """The pairs of *held*, those that stand twice as well."""
    return held.pairs if isinstance(held, Entries) else tuple(held.items())


def unchecked(value: Any) -> Any:
    """*value*, right or wrong, as plain data that `rebuild` makes an equal one of: maps are lists of pairs."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: unchecked(getattr(value, each.name)) for each in fields(value) if each.init}
    if isinstance(value, Mapping):
        return [[name, unchecked(each)] for name, each in entries_of(value)]
    if isinstance(value, tuple | list):
        return [unchecked(each) for each in value]
    return value


def rebuild(kind: Any, data: Any) -> Any:
    """The value of *kind* of which `unchecked` made *data*, held to types but not to bounds: a draft may be wrong.

    Raises TypeError or ValueError.
    """
    origin, inner = get_origin(kind), get_args(kind)
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{name: rebuild(hints[name], each) for name, each in data.items()})
    if origin is tuple:
        kinds = inner[:1] * len(data) if inner[-1] is Ellipsis else inner
        return tuple(rebuild(its, each) for its, each in zip(kinds, data, strict=True))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        pairs = data.items() if isinstance(data, Mapping) else data
        return mapped([(rebuild(inner[0], name), rebuild(inner[1], each)) for name, each in pairs])
    if NoneType in inner and any(map(is_dataclass, inner)):
        return None if data is None else rebuild(next(each for each in inner if each is not NoneType), data)
    from pydantic import TypeAdapter

    return TypeAdapter(kind).validate_python(data)


def mapped(pairs: Iterable[tuple[Any, Any]]) -> Mapping[Any, Any]:
    """A plain map of *pairs*; `Entries` where a name stands twice."""
    held = Entries(pairs)
    return dict(held.pairs) if len(held) == len(held.pairs) else held


def _repeated_names(value: Any, path: Path = ()) -> Iterator[FieldProblem]:
    """Maps in *value* that have a name twice."""
    if is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            if each.init and not isinstance(held := getattr(value, each.name), str | tuple):
                yield from _repeated_names(held, (*path, each.name))
    elif isinstance(value, Entries):
        names = [name for name, _ in value.pairs]
        for name in dict.fromkeys(each for each in names if names.count(each) > 1):
            yield FieldProblem(path=path, words=tr("“{name}” appears twice; each name may stand once", name=name))


def _unknown_places(root: Any) -> Iterator[FieldProblem]:
    """The words in braces in the texts of *root* that are none of their `Shown.places`."""

    def within(kind: Any, value: Any, path: Path, *, sent: bool = False) -> Iterator[FieldProblem]:
        shown = shown_of(kind)
        sent = sent or (shown is not None and shown.sent)
        if isinstance(value, str):
            known = () if shown is None else shown.places
            if known or sent:
                yield from unknown_places(value, known(root) if callable(known) else known, path)
        elif is_dataclass(value):
            record: Any = type(value)
            for name, its in _placed(record):
                yield from within(its, getattr(value, name), (*path, name))
        elif isinstance(value, tuple):
            for at, each in enumerate(value):
                yield from within(_item(kind, at), each, (*path, at), sent=sent)
        elif isinstance(value, Mapping):
            for name, each in entries_of(value):
                yield from within(_item(kind), each, (*path, name))

    return within(type(root), root, ())


@cache
def _placed(record: Any) -> tuple[tuple[str, Any], ...]:
    """Fields of *record* with places somewhere in them: all others need no walk."""
    hints = get_type_hints(record, include_extras=True)
    held = [(each.name, hints[each.name]) for each in fields(record) if each.init]
    return tuple((name, kind) for name, kind in held if _has_places(kind))


def _has_places(kind: Any) -> bool:
    shown = shown_of(kind)
    if shown is not None and (shown.places or shown.sent):
        return True
    record: Any = kind
    if isinstance(kind, type) and is_dataclass(kind):
        return bool(_placed(record))
    return any(_has_places(each) for each in get_args(kind) if each is not Ellipsis)


def _item(kind: Any, at: int = 0) -> Any:
    """The type of the items of a list, of that at the place *at* of a pair, or of the values of a map, of *kind*."""
    while get_origin(kind) is not None:
        inner = [each for each in get_args(kind) if each not in (NoneType, Ellipsis)]
        origin = get_origin(kind)
        if origin is tuple:
            return inner[at if len(inner) > 1 else 0]
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return inner[1]
        kind = inner[0]
    return kind


def _read(kind: type[T], text: str) -> tuple[T | None, list[FieldProblem]]:
    # Late: who reads no protocol, such as a worker that scores, does without the tens of milliseconds.
    from pydantic import ValidationError

    try:
        # Strictly, and as JSON: a list may become a tuple and a whole number a real one, but no text a number.
        return _adapter(kind).validate_json(text, strict=True), []
    except ValidationError as error:
        return None, _problems(error)


def _adapter(kind: type[T]) -> "TypeAdapter[T]":
    from pydantic import ConfigDict, TypeAdapter, with_config

    if kind not in _ADAPTERS:
        # Classes within take it over from the one that holds them.
        _ADAPTERS[kind] = TypeAdapter(with_config(ConfigDict(extra="forbid", str_strip_whitespace=True))(kind))
    return _ADAPTERS[kind]


def _problems(error: "ValidationError") -> list[FieldProblem]:
    found = error.errors(include_url=False)
    # An entry that is wrong is not counted, so that its list is said to be too short as well.
    within = {each["loc"][:depth] for each in found for depth in range(len(each["loc"]))}
    return [
        FieldProblem(path=each["loc"], words=_in_words(each))
        for each in found
        if not (each["type"] == "too_short" and each["loc"] in within)
    ]


def _in_words(error: Mapping[str, Any]) -> str:
    if error["type"] in _WORDS:
        return _WORDS[error["type"]](error.get("ctx", {}))
    message: str = error["msg"]
    return message[0].lower() + message[1:]


_WORDS: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    "missing": lambda _: tr("this field is missing"),
    "unexpected_keyword_argument": lambda _: tr("there is no field of this name"),
    "too_short": lambda given: tr("at least {n} are needed", n=given["min_length"]),
    "too_long": lambda given: tr("at most {n} may stand there", n=given["max_length"]),
    "string_too_short": lambda _: tr("it is empty"),
    "string_too_long": lambda given: tr("at most {n:,} characters may stand there", n=given["max_length"]),
    "greater_than_equal": lambda given: tr("{n:,.10g} is the least", n=given["ge"]),
    "greater_than": lambda given: tr("a number above {n:,.10g} is needed", n=given["gt"]),
    "less_than_equal": lambda given: tr("{n:,.10g} is the most", n=given["le"]),
    "literal_error": lambda given: tr("use one of {names}", names=given["expected"]),
    "enum": lambda given: tr("use one of {names}", names=given["expected"]),
    "string_type": lambda _: tr("a text is needed"),
    "int_type": lambda _: tr("a whole number is needed"),
    "int_from_float": lambda _: tr("a whole number is needed"),
    "float_type": lambda _: tr("a number is needed"),
    "bool_type": lambda _: tr("true or false is needed"),
    "tuple_type": lambda _: tr("a list is needed"),
    "dict_type": lambda _: tr("a map of names to values is needed"),
    "dataclass_type": lambda _: tr("a map of names to values is needed"),
}
"""By pydantic's name of what is wrong, given what it says of it."""
