"""Plug-ins: the files of one of the program's folders, and what installed packages declare as entry points.

A package that brings a scorer says so in its own pyproject.toml:

    [project.entry-points."gpf_desktop.scorers"]
    my-scorer = "my_package.scorer:SCORER"
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, is_dataclass
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Final, TypeVar

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.plug_in import WithOptions
from gpf_desktop.domain.program import in_safe_mode
from gpf_desktop.domain.text import tr

Made = TypeVar("Made")


@dataclass(frozen=True, slots=True)
class Port:
    """The places where the plug-ins of one kind are found."""

    promises: type
    """The class of `domain.ports` that each is derived from."""
    folder: ModuleType
    attribute: str
    """The name of the object in a file of *folder*."""
    group: str
    """The group of entry points of installed packages; empty: only the program's own are meant."""
    inside: str = ""
    """The module that holds the object, or the package of such modules, of each package in *folder*; empty: the modules
    stand in *folder* itself."""


def declared(group: str, name: str | None = None) -> tuple[EntryPoint, ...]:
    """Entry points that installed packages declare in *group*, all or those called *name*, sorted; none in safe
    mode."""
    if in_safe_mode():
        return ()
    found = entry_points(group=group) if name is None else entry_points(group=group, name=name)
    return tuple(sorted(found, key=lambda point: point.name))


class PlugIns:
    """The plug-ins that were found, kept for as long as the program runs."""

    def __init__(self) -> None:
        self._found: dict[Port, dict[str, Any]] = {}
        self._broken: dict[EntryPoint, UserError] = {}

    def of(self, port: Port) -> dict[str, Any]:
        """The plug-ins of *port* by name, the program's own files first.

        Raises `RuntimeError` for what is wrong in those: that is our bug. What is wrong in a package is in `broken`.
        """
        # Without a lock: two threads that look at the same time import the same modules and find the same objects.
        if port not in self._found:
            self._found[port] = self._find(port)
        return self._found[port]

    def one(self, port: Port, name: str) -> Any:
        """The plug-in of *port* called *name*, or None; of a folder called so nothing but its own is loaded.

        Raises as `of` does.
        """
        place = f"{port.folder.__name__}.{name.replace('-', '_')}"
        if port not in self._found and port.inside and name.replace("-", "").isalnum() and find_spec(place):
            plug_in = next((each for _, each in _in(place, port) if each.name == name), None)
            if plug_in is not None and not _unfit(plug_in, port, {}):
                return plug_in
        return self.of(port).get(name)

    def load(self, point: EntryPoint, why_not: Callable[[Any], str] = lambda _: "") -> Any:
        """The object that an installed package declares at *point*; where it cannot be used, the `UserError` that says
        so, which is in `broken` too. *why_not* tells what is wrong with an object; empty: nothing."""
        try:
            plug_in = point.load()
            if not (why := why_not(plug_in)):
                return plug_in
        except Exception as error:  # another's code, which may raise anything
            why = f"{type(error).__name__}: {error}"
        return self._broken.setdefault(point, unusable(point, why))

    def made(self, point: EntryPoint, make: Callable[[Any], Made]) -> Made | UserError:
        """The result of *make* with the object that is declared at *point*; where either fails, the `UserError` that
        says so, which is in `broken` too."""
        plug_in = self.load(point)
        if isinstance(plug_in, UserError):
            return plug_in
        try:
            return make(plug_in)
        except Exception as error:  # another's code, which may raise anything
            return self._broken.setdefault(point, unusable(point, f"{type(error).__name__}: {error}"))

    @property
    def broken(self) -> tuple[UserError, ...]:
        """Errors for what packages declare and cannot be used, for all ports that were asked for so far."""
        return tuple(self._broken.values())

    def _find(self, port: Port) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for place, plug_in in _in_folder(port):
            if why := _unfit(plug_in, port, found):
                raise RuntimeError(f"{place}: {why}")
            found[plug_in.name] = plug_in
        for point in declared(port.group) if port.group else ():
            plug_in = self.load(point, lambda each: _unfit(each, port, found))
            if not isinstance(plug_in, UserError):
                found[plug_in.name] = plug_in
        return found


HERE: Final = PlugIns()
"""Those of this program."""


def fault(plug_in: object, promises: type) -> str:
    """The reason why *plug_in* is no plug-in of the kind *promises*; empty if it is one."""
    if not isinstance(plug_in, promises):
        return tr(
            "it is not derived from {port} ({file})",
            port=promises.__name__,
            file=promises.__module__.replace(".", "/") + ".py",
        )
    options: object = plug_in.options if isinstance(plug_in, WithOptions) else NoOptions
    if not (isinstance(options, type) and is_dataclass(options)):
        return tr("its options are no dataclass (NoOptions of gpf_desktop/domain/options.py where there are none)")
    return ""


def _in_folder(port: Port) -> Iterator[tuple[str, Any]]:
    if not port.inside:
        yield from _held(_modules_of(port.folder), port)
        return
    for package in _modules_of(port.folder):
        yield from _in(package.__name__, port)


def _in(package: str, port: Port) -> Iterator[tuple[str, Any]]:
    """Plug-ins of *port* inside *package*, which is one of its folder."""
    place = package + port.inside
    # Not by trying to import it: a module that is there and broken is to raise, not to pass for missing.
    if find_spec(place) is None:
        return
    inside = importlib.import_module(place)
    yield from _held(_modules_of(inside) if hasattr(inside, "__path__") else (inside,), port)


def _held(modules: Iterable[ModuleType], port: Port) -> Iterator[tuple[str, Any]]:
    for module in modules:
        plug_in = getattr(module, port.attribute, None)
        if plug_in is not None:
            yield module.__name__, plug_in


def _modules_of(package: ModuleType) -> Iterator[ModuleType]:
    for info in sorted(pkgutil.iter_modules(package.__path__), key=lambda info: info.name):
        if not info.name.startswith("_"):
            yield importlib.import_module(f"{package.__name__}.{info.name}")


def _unfit(plug_in: Any, port: Port, found: dict[str, Any]) -> str:
    lacks = fault(plug_in, port.promises)
    if not lacks and plug_in.name in found:
        return tr("its name, {name}, is taken already", name=plug_in.name)
    return lacks or (_table_of_another(plug_in, found.values()) if isinstance(plug_in, Method) else "")


def _table_of_another(method: Method, others: Iterable[Method]) -> str:
    """Tables are found by name alone: one that is called as another method's would never be shown. Methods of one
    folder or package may have tables in common, and so may one that is made of another."""
    for each in others:
        if _folder_of(each) != _folder_of(method) and not isinstance(method, type(each)):
            for name in method.analyses:
                if name in each.analyses:
                    return tr("its table {name} is called as one of {method}", name=name, method=each.name)
    return ""


def _folder_of(method: Method) -> str:
    return type(method).__module__.rpartition(".")[0]


def unusable(point: EntryPoint, why: str) -> UserError:
    """The error that what an installed package declares at *point* cannot be used; *why* is the end of a sentence."""
    package = f"{point.dist.name} {point.dist.version}" if point.dist is not None else point.value
    return UserError(
        tr(
            "“{name}” of the installed package {package} cannot be used: {why}.",
            name=point.name,
            package=package,
            why=why,
        ),
        tr("Tell whoever made the package, or uninstall it."),
        details=f"[{point.group}] {point.name} = {point.value}",
    )
