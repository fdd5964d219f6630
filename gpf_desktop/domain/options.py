"""The way in which forms show the fields of declared dataclasses: options of plug-ins, protocols of methods.

@dataclass(frozen=True, slots=True, kw_only=True)
class LengthOptions:
    shortest: Annotated[int, Shown(label="Shortest answer", help="In words.", least=1, unit="words")] = 5
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from types import MappingProxyType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from annotated_types import BaseMetadata, Ge, GroupedMetadata, Le


@dataclass(frozen=True, slots=True, kw_only=True)
class NoOptions:
    """The options of a plug-in without settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(GroupedMetadata):
    """The way in which a form shows a field; stands in its `Annotated`. Its words are translated where they are
    shown."""

    label: str
    help: str = ""
    """A sentence beneath."""
    least: float | None = None
    """Like *most* a bound as `Ge` and `Le` are, which may stand beside it in their place."""
    most: float | None = None
    decimals: int = 3
    step: float = 0.1
    unit: str = ""
    choices: tuple[Any, ...] = ()
    """Values of a field whose type alone does not tell them."""
    lines: int = 1
    """Of a text, how many are seen at once."""
    placeholder: str = ""
    none: str = ""
    """The words of the tick box of an optional value."""
    hidden: bool = False
    """No form has it: it is chosen elsewhere, or filled in."""
    one: str = ""
    """Of a list, what one item is called: ``theme``."""
    add: str = ""
    """Of a list, what the button says that adds an item: ``Add a theme``."""
    in_lines: bool = False
    """Of a list of texts: one field holds all, a line each."""
    places: tuple[str, ...] | Callable[[Any], Sequence[str]] = ()
    """Of a text, what is filled in, braces and all: ``("{question}",)``, or worked out from the whole protocol. A form
    offers them, and any other word in braces is refused."""
    sent: bool = False
    """Of a text, or of all in a list: it goes into prompts as it stands, so that any word in braces is refused."""
    tab: int = 0
    """Of a list with a tab of its own: tabs stand by this number, equal ones as their fields do."""
    choice: type | None = None
    """A reader of Results chooses it: an enumeration whose members have ``words``, or float, between 0 and 1."""

    def __iter__(self) -> Iterator[BaseMetadata]:
        if self.least is not None:
            yield Ge(self.least)
        if self.most is not None:
            yield Le(self.most)


def shown_in(options: type) -> Mapping[str, Shown]:
    """The `Shown` of the fields of the dataclass *options*, by name, for fields that have one."""
    # Kept: a page of Results asks it of every analysis several times, and evaluating annotations takes long.
    return _shown_in(options)


@cache
def _shown_in(options: type) -> Mapping[str, Shown]:
    hints = get_type_hints(options, include_extras=True)
    found = {each.name: shown_of(hints[each.name]) for each in fields(options)}
    return MappingProxyType({name: shown for name, shown in found.items() if shown is not None})


def shown_of(kind: Any) -> Shown | None:
    """The `Shown` in the annotation *kind*; None if it has none."""
    said = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    return next((each for each in said if isinstance(each, Shown)), None)
