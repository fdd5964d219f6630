"""Parts and numbers of a method's study as it is begun in the window: what its card says, and what an auditor has to
choose."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, get_args, get_type_hints

from annotated_types import Ge, GroupedMetadata, Le

from gpf_desktop.domain.models import Endpoint, Role

_MOST: Final = 10_000
"""Of a number without an upper bound of its own."""

Chosen = Mapping[str, Sequence[str]]
"""By name of a part, the labels of the models that have it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part that a model may have in a study."""

    name: str
    title: str
    role: Role
    only_one: bool = False
    otherwise: str = ""
    """The part that the model which had this one gets when another is given it; of parts that only one can have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number that says how much of something is asked, set on the page."""

    name: str
    title: str
    least: int
    most: int
    default: int
    none: str = ""
    """What the least stands for, in words; empty: itself."""


def number_of(sizes: type, name: str, *, title: str, none: str = "") -> Number:
    """The field *name* of the dataclass *sizes*, with the bounds and the default that are declared there."""
    least, most = 0, _MOST
    for each in get_args(get_type_hints(sizes, include_extras=True)[name])[1:]:
        for bound in each if isinstance(each, GroupedMetadata) else (each,):
            match bound:
                case Ge(ge):
                    least = ge  # type: ignore[assignment]
                case Le(le):
                    most = le  # type: ignore[assignment]
    default: Any = next(each.default for each in fields(sizes) if each.name == name)
    return Number(name=name, title=title, least=least, most=most, default=default, none=none)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """A study of the starter items with calibration models: no key, no network, and what it finds was planted."""

    about: str
    """What is planted, and what may be seen, in a sentence."""
    models: Sequence[tuple[Endpoint, str]]
    """Each with its part."""
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Where other than the defaults."""
