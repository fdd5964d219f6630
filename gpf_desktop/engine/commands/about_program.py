"""Facts for the window's Help about the program itself: what is new, licences, what is found on this machine, its
log."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageMetadata, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from gpf_desktop.domain.redaction import redact
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.doctor_machine import examine_machine
from gpf_desktop.settings import crash_notes

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_OF_AN_EXTRA: Final = re.compile(r"\bextra\s*==\s*['\"]([^'\"]+)")
_SHIPPED_EXTRAS: Final = frozenset({"encoders", "parquet"})
_TEXTS: Final = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "AUTHORS", "COPYRIGHT")
_QT: Final = ("pyside6", "shiboken6")


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryLicence:
    """The licence of a part of the program."""

    name: str
    version: str
    terms: str
    """In a few words, as its own metadata have them."""
    files: tuple[Path, ...]
    """Where its texts lie."""

    def text(self) -> str:
        """Terms and texts, one after the other."""
        head = f"{self.name} {self.version}\n{self.terms}".strip()
        of_qt = [_about_qt()] if self.name.lower().startswith(_QT) else []
        texts = [each.read_text(encoding="utf-8", errors="replace").strip() for each in self.files if each.is_file()]
        none = [] if texts else [tr("Its package has no text of its licence; the terms are those named above.")]
        return "\n\n".join([head, *of_qt, *texts, *none])


def changes() -> str:
    """The changes of each version, as Markdown; empty if the list does not lie beside the program."""
    folder = resources()
    # In a wheel and a bundle it lies with the resources, in a checkout above them.
    found = next((each for each in (folder / "CHANGELOG.md", folder.parent / "CHANGELOG.md") if each.is_file()), None)
    whole = "" if found is None else found.read_text(encoding="utf-8")
    # What stands above the first version is for those who write the list.
    return whole[whole.find("\n## ") + 1 :]


def licences() -> tuple[LibraryLicence, ...]:
    """Licences of the program and of every library that came with it here: the program's own first, the others by
    name."""
    own = LibraryLicence(name="GPF Desktop", version="", terms="Apache-2.0", files=tuple(_own_text()))
    font = LibraryLicence(name="Inter", version="", terms="OFL-1.1", files=(resources() / "fonts" / "OFL.txt",))
    made = [_licence(each) for each in _needed("gpf-desktop")]
    return (own, *sorted((font, *made), key=lambda each: each.name.lower()))


def diagnosis() -> str:
    """The answers of ``gpf-desktop doctor``, without keys and the name of the home folder."""
    return redact("\n".join(examine_machine().sentences()))


def log() -> str:
    """Notes of recent crashes inside the program, newest first, redacted; empty if there are none."""
    notes = sorted(crash_notes.folder().glob("crash-*.txt"), reverse=True)
    return "\n\n\n".join(f"{each.name}\n{redact(each.read_text(encoding='utf-8', errors='replace'))}" for each in notes)


def _about_qt() -> str:
    return tr(
        "Qt and its bindings for Python are used under the GNU Lesser General Public License, version 3. They lie"
        " beside the program as libraries of their own: you may put other builds of them in their place."
    )


def _own_text() -> Iterator[Path]:
    folder = resources()
    yield from (each for each in (folder.parent / "LICENSE", folder.parent.parent / "LICENSE") if each.is_file())
    if own := _found("gpf-desktop"):
        yield from _texts(own)


def _found(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def _needed(name: str) -> list[Distribution]:
    """Distributions that *name* needs and that are installed here, with all that they need; those for other systems are
    not here."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        one = waiting.pop()
        each, extras = _found(one), _SHIPPED_EXTRAS if one == name else frozenset()
        for line in () if each is None else each.requires or ():
            extra, needs = _OF_AN_EXTRA.search(line), _NAME.match(line)
            if needs is None or (extra is not None and extra[1] not in extras):
                continue
            key = needs[0].lower().replace("_", "-")
            its = _found(key) if key not in found else None
            if its is not None:
                found[key] = its
                waiting.append(key)
    return list(found.values())


def _licence(each: Distribution) -> LibraryLicence:
    told, name = each.metadata, each.metadata["Name"]
    texts = tuple(_texts(each))
    if not texts and name.lower().startswith(_QT):
        texts = tuple(resources() / "licences" / f"{text}.txt" for text in ("LGPL-3.0", "GPL-3.0"))
    classifiers = [
        line.rpartition(" :: ")[2] for line in told.get_all("Classifier") or () if line.startswith("License :: ")
    ]
    said = _said(told, "License").partition("\n")[0][:120]
    return LibraryLicence(
        name=name,
        version=each.version,
        terms=_said(told, "License-Expression") or ", ".join(classifiers) or said,
        files=texts,
    )


def _said(told: PackageMetadata, field: str) -> str:
    return told[field].strip() if field in told else ""


def _texts(each: Distribution) -> Iterator[Path]:
    for file in each.files or ():
        inside = ".dist-info" in file.parts[0] and ("licenses" in file.parts or file.name.upper().startswith(_TEXTS))
        if inside and file.name != "METADATA":
            yield Path(str(file.locate()))
