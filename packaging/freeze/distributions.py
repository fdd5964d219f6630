"""The libraries that ship with the program, and their licences, as their own metadata have them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_LICENCE_FILES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "COPYRIGHT")
_CLASSIFIER = "License :: "


@dataclass(frozen=True, slots=True)
class Licence:
    """Of one library."""

    name: str
    version: str
    terms: str
    """What its metadata say, in a few words."""
    texts: tuple[tuple[str, str], ...]
    """(name of the file, its text)."""


def shipped(name: str, extras: Iterable[str] = ()) -> list[Distribution]:
    """The distribution *name* with *extras* and all that it needs here, itself first. Raises `PackageNotFoundError`."""
    return needed([f"{name}[{','.join(extras)}]"])


def needed(lines: Iterable[str]) -> list[Distribution]:
    """What requirements as in pyproject.toml come to here, and all that that needs. Raises `PackageNotFoundError`."""
    found: dict[str, Distribution] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [(Requirement(line), frozenset({""})) for line in lines]
    while waiting:
        each, of_extras = waiting.pop(0)
        if each.marker is not None and not any(each.marker.evaluate({"extra": extra}) for extra in of_extras):
            continue
        key = canonicalize_name(each.name)
        found.setdefault(key, distribution(each.name))
        new = frozenset(extra for extra in ("", *each.extras) if (key, extra) not in seen)
        seen |= {(key, extra) for extra in new}
        if new:
            waiting += [(Requirement(line), new) for line in found[key].requires or ()]
    return list(found.values())


def licences(distributions: Iterable[Distribution]) -> list[Licence]:
    """Of each, sorted by name. Raises `LookupError` for one that says nothing: what its terms are has to be known."""
    made = [Licence(each.metadata["Name"], each.version, _terms(each), tuple(_texts(each))) for each in distributions]
    silent = [each.name for each in made if not each.terms and not each.texts]
    if silent:
        raise LookupError(f"no licence is named in the metadata of {', '.join(silent)}")
    return sorted(made, key=lambda each: each.name.lower())


def write_licences(all_of_them: Iterable[Licence], folder: Path) -> None:
    """A folder for each with the texts, and one list."""
    lines = []
    for each in all_of_them:
        lines.append(f"{each.name} {each.version}: {each.terms or 'see its text'}")
        for name, text in each.texts:
            place = folder / each.name / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")
    (folder / "LIBRARIES").write_text("\n".join(lines) + "\n", "utf-8")


def version_of(name: str) -> str:
    """Of an installed distribution; empty where there is none."""
    try:
        return distribution(name).version
    except PackageNotFoundError:
        return ""


def _terms(each: Distribution) -> str:
    told = each.metadata
    classifiers = [
        line.removeprefix(_CLASSIFIER).removeprefix("OSI Approved :: ")
        for line in told.get_all("Classifier") or ()
        if line.startswith(_CLASSIFIER)
    ]
    expression = told.get("License-Expression") or ", ".join(classifiers)
    # Some put the whole text there, which is among the texts anyway.
    return expression or (told.get("License") or "").strip().partition("\n")[0][:120]


def _texts(each: Distribution) -> Iterator[tuple[str, str]]:
    for file in each.files or ():
        if ".dist-info" not in file.parts[0] or file.name == "METADATA":
            continue
        below = file.parts[1:]
        if "licenses" in below or file.name.upper().startswith(_LICENCE_FILES):
            text = Path(str(file.locate())).read_text("utf-8", errors="replace")
            yield "/".join(part for part in below if part != "licenses"), text
