"""The base of all ports, and the check that no plug-in has a public name that nobody asks for."""

from abc import ABC, abstractmethod
from difflib import get_close_matches
from typing import Any, Final

from gpf_desktop.domain.options import NoOptions

_ABILITIES: Final[dict[type, tuple[type, ...]]] = {}
"""By port, the classes of its abilities."""


class _Checked:
    """Refuses a class with a public name that none of its bases declares: a misspelt member would never be asked for.

    A class declares what it names where it says ``declares=True``: ports do, and what several plug-ins are derived
    from. Names of a plug-in's own begin with an underscore.
    """

    _declares = True

    def __init_subclass__(cls, *, declares: bool = False) -> None:
        """Raises TypeError for a name that is not declared, and for an ability of another port."""
        super().__init_subclass__()
        cls._declares = declares
        if not declares:
            _check(cls)


class PlugIn(_Checked, ABC, declares=True):
    """Anything that the catalogue finds."""

    @property
    @abstractmethod
    def name(self) -> str:
        """Stable, and stored with results; of what a method or a provider brings along, the method's or provider's."""


class WithOptions(PlugIn, declares=True):
    """A plug-in with a version, a title for people, and settings."""

    @property
    @abstractmethod
    def version(self) -> str:
        """Raised when the same input gives other results."""

    @property
    @abstractmethod
    def title(self) -> str:
        """The name that people call it by."""

    @property
    def options(self) -> type[Any]:
        """A frozen dataclass of settings, from which the form is made: each field has a default and is `Shown`."""
        return NoOptions


class Ability(_Checked, ABC, declares=True):
    """An ability of plug-ins of one kind beside what their port asks: ``class Comparer(Ability, of=Method)``.

    A plug-in has it by inheriting it, and so tells that its names are meant.
    """

    def __init_subclass__(cls, *, of: type[PlugIn] | None = None, declares: bool = False) -> None:
        super().__init_subclass__(declares=declares or of is not None)
        if of is not None:
            _ABILITIES[of] = (*_ABILITIES.get(of, ()), cls)


def abilities_of(port: type[PlugIn]) -> tuple[type, ...]:
    """The abilities that are declared for *port*, as far as their modules were imported."""
    return _ABILITIES.get(port, ())


def declared_by(port: type) -> tuple[str, ...]:
    """The public names of a port or an ability, those of its bases first."""
    found = (name for each in reversed(port.__mro__) for name in _public(each))
    return tuple(dict.fromkeys(found))


def _check(kind: type) -> None:
    ports = {each for each in kind.__mro__ if each in _ABILITIES}
    for port, abilities in _ABILITIES.items():
        for each in abilities:
            if issubclass(kind, each) and issubclass(kind, PlugIn) and port not in kind.__mro__:
                raise TypeError(f"{kind.__qualname__} is no {port.__name__}, which {each.__name__} is an ability of")
    declared = {name for each in kind.__mro__ if _is_declaring(each) for name in _public(each)}
    for each in kind.__mro__:
        for name in _public(each):
            if name not in declared and not _is_declaring(each):
                raise TypeError(_refusal(kind, name, declared, ports))


def _refusal(kind: type, name: str, declared: set[str], ports: set[type]) -> str:
    elsewhere = {
        other: ability.__name__ for port in ports for ability in _ABILITIES[port] for other in declared_by(ability)
    }
    said = f"{kind.__module__}.{kind.__qualname__}.{name}: nothing that it is derived from declares this name."
    if name in elsewhere:
        return f"{said} {elsewhere[name]} does: inherit it."
    near = get_close_matches(name, declared | elsewhere.keys(), n=1)
    meant = f" Is {near[0]} meant?" if near else ""
    return f"{said}{meant} A name of the plug-in's own begins with an underscore."


def _is_declaring(kind: type) -> bool:
    return bool(vars(kind).get("_declares"))


def _public(kind: type) -> tuple[str, ...]:
    return tuple(name for name in vars(kind) if not name.startswith("_"))
