"""Writes what ports and abilities declare into `docs/ports.md`, and lists of abilities into the guides.

.venv/bin/python packaging/make_port_lists.py
"""

import inspect
import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Final

from gpf_desktop.domain import ports as package
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.plug_in import Ability, PlugIn, WithOptions, abilities_of
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.ports.scorer import Scorer
from gpf_desktop.domain.ports.set_up import StudySetUp
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.plug_ins import Port

DOCS: Final = Path(__file__).parents[1] / "docs"
GUIDES: Final[Mapping[str, tuple[type[PlugIn], ...]]] = {
    "adding-a-method.md": (Method, StudySetUp),
    "adding-a-provider.md": (Provider,),
    "adding-a-scorer.md": (Scorer,),
}
"""By guide, the ports whose abilities it lists."""
_LIST: Final = re.compile(r"(<!-- abilities of (\w+)[^>]*-->\n).*?(<!-- end -->)", re.DOTALL)
_HEAD: Final = """# Ports and their abilities

Made from the classes in `gpf_desktop/domain/ports/` by `packaging/make_port_lists.py`; do not edit.

A plug-in is derived from the port of its kind and inherits the abilities that it has. What is marked *must* has to be
there; all else has the default that the port gives it. A public name that is in neither list is refused when the
plug-in's file is imported, and one of its own begins with an underscore.
"""


def ports() -> list[type[PlugIn]]:
    """Every kind of plug-in, in the order of their modules."""
    found = [each for module in _modules() for each in _classes(module) if issubclass(each, PlugIn)]
    return [each for each in found if each not in (PlugIn, WithOptions)]


def reference() -> str:
    """`docs/ports.md`."""
    parts = [_HEAD]
    for port in ports():
        parts.append(_section("##", port))
        parts += [_section("###", each, f"An ability of {port.__name__}. ") for each in abilities_of(port)]
    return "\n".join(parts)


def with_lists(guide: str) -> str:
    """The text of *guide* with its lists as the classes have them. Raises KeyError for a port that there is not."""
    known = {each.__name__: each for each in ports()}

    def made(found: re.Match[str]) -> str:
        lines = [f"- `{each.__name__}`: {_first(each)}" for each in abilities_of(known[found[2]])]
        return f"{found[1]}{chr(10).join(lines)}\n{found[3]}"

    return _LIST.sub(made, guide)


def _section(level: str, kind: type, before: str = "") -> str:
    place = kind.__module__.replace(".", "/") + ".py"
    head = [f"{level} {kind.__name__}", "", f"{before}{_first(kind)} (`{place}`)", "", *exposed(kind)]
    # Each once, as the last that declares it has it.
    lines: dict[str, str] = {}
    for owner in reversed(kind.__mro__):
        if issubclass(owner, PlugIn | Ability) and owner is not Ability:
            lines |= {name: _line(name, member) for name, member in vars(owner).items() if not name.startswith("_")}
    return "\n".join([*head, *lines.values(), ""])


def exposed(kind: type) -> list[str]:
    """Where the program looks for plug-ins of *kind*, and in which group of entry points; of an ability nothing."""
    found = []
    for port in vars(catalogue).values():
        if isinstance(port, Port) and issubclass(kind, port.promises):
            folder = port.folder.__name__.replace(".", "/")
            inside = port.inside.lstrip(".")
            # The packages of one method stand for those of all.
            several = not inside or Path(port.folder.__path__[0], "saged", inside).is_dir()
            place = "/".join(filter(None, (folder, inside and "<method>", inside, "<name>" if several else ""))) + ".py"
            found.append(f"Exposed as `{port.attribute}` of `{place}`, by a package in the group `{port.group}`.")
    return ["  \n".join(found), ""] if found else []


def _line(name: str, member: object) -> str:
    function = member.fget if isinstance(member, property) else member
    must = " *must*" if getattr(function, "__isabstractmethod__", False) else ""
    taken = "" if isinstance(member, property) else f"({', '.join(list(inspect.signature(function).parameters)[1:])})"
    return f"- `{name}{taken}`{must}: {_first(function)}"


def _first(documented: object) -> str:
    """The first paragraph of its docstring, on one line."""
    return " ".join((inspect.getdoc(documented) or "").split("\n\n")[0].split())


def _modules() -> list[str]:
    return [f"{package.__name__}.{each.name}" for each in iter_modules(package.__path__)]


def _classes(module: str) -> list[type]:
    found = vars(import_module(module)).values()
    return [each for each in found if isinstance(each, type) and each.__module__ == module]


def main() -> None:
    (DOCS / "ports.md").write_text(reference(), encoding="utf-8")
    for name in GUIDES:
        guide = DOCS / name
        guide.write_text(with_lists(guide.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
