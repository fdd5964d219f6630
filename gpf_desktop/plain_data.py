"""Frozen dataclasses as plain data and back: a protocol is declared once, by its fields, their types and bounds.

Bounds stand in the annotations (``Annotated[int, Ge(1)]``); files, plans and forms are held to the same ones. What
types cannot say, such as names that stand once, a method's own *check* adds.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import is_dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar, get_args, get_origin, get_type_hints

from gpf_desktop.domain.protocol_problems import FieldProblem, WrongFieldError
from gpf_desktop.domain.text import tr

if TYPE_CHECKING:
    from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")
Check = Callable[[T], Iterable[FieldProblem]]


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
    for problem in check(value):
        raise WrongFieldError(problem)
    return value


def problems(value: T, check: Check[T] = _no_check) -> list[FieldProblem]:
    """Everything that would keep *value* from being read back; empty exactly when `read` takes it.

    *check* is asked even where fields are out of bounds.
    """
    return [*_read(type(value), json.dumps(write(value)))[1], *check(value)]


def write(value: Any) -> dict[str, Any]:
    """A dataclass as `read` reads it back, its fields in order."""
    data: dict[str, Any] = _adapter(type(value)).dump_python(value, mode="json", warnings=False)
    return data


def rebuild(kind: Any, data: Any) -> Any:
    """A value of *kind* from what `write` made of it, held to types but not to bounds: a draft may be wrong.

    Raises TypeError or ValueError.
    """
    if isinstance(kind, type) and is_dataclass(kind):
        hints = get_type_hints(kind)
        return kind(**{name: rebuild(hints[name], each) for name, each in data.items()})
    if get_origin(kind) is tuple:
        return tuple(rebuild(get_args(kind)[0], each) for each in data)
    from pydantic import TypeAdapter

    return TypeAdapter(kind).validate_python(data)


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
