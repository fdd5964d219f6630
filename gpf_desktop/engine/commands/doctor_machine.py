"""``gpf-desktop doctor`` without an audit: what the program finds on this machine."""

import importlib.metadata
import os
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import platformdirs

from gpf_desktop import __version__
from gpf_desktop.documents.targets import there
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.doctor_command import DoctorLine, MachineCondition
from gpf_desktop.settings import crash_notes
from gpf_desktop.settings.keys import KeyRing
from gpf_desktop.storage import schema

_LIBRARIES: Final = ("PySide6-Essentials", "numpy", "scipy", "scikit-learn", "pandas", "httpx", "pydantic", "keyring")
_OPTIONAL: Final = ("pyarrow", "onnxruntime", "spacy")
_LEAST_FREE: Final = 2**30
"""Bytes; a large audit with its report takes some hundred megabytes."""
_DISPLAYS: Final = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def examine_machine(reach: str = "") -> MachineCondition:
    """Look at the versions, folders, disk, key store and display; *reach*: an address that is asked for as well."""
    lines = [*_versions(), *_folders(), _key_store(), _display()]
    if reach:
        lines.append(_reached(reach))
    return MachineCondition(lines=tuple(lines), faulty=tr("Mend what is marked as a fault."))


def _versions() -> Iterator[DoctorLine]:
    system = platform.platform(terse=True)
    words = tr(
        "GPF Desktop {program}, Python {python}, SQLite {sqlite}, {system}",
        program=__version__,
        python=platform.python_version(),
        sqlite=schema.sqlite_version(),
        system=system,
    )
    yield DoctorLine(passed=True, words=words)
    found = {name: _version(name) for name in (*_LIBRARIES, *_OPTIONAL)}
    listed = ", ".join(f"{name} {version}" for name, version in found.items() if version)
    missing = [name for name in _LIBRARIES if not found[name]]
    if missing:
        remedy = tr("Install the program again; it brings them along.")
        yield DoctorLine(passed=False, words=tr("missing: {names}", names=", ".join(missing)), remedy=remedy)
    yield DoctorLine(passed=True, words=listed)


def _version(name: str) -> str:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _folders() -> Iterator[DoctorLine]:
    places: dict[str, Callable[[], Path]] = {
        tr("settings"): lambda: platformdirs.user_config_path("gpf-desktop", appauthor=False),
        tr("data"): lambda: platformdirs.user_data_path("gpf-desktop", appauthor=False),
        tr("cache"): lambda: platformdirs.user_cache_path("gpf-desktop", appauthor=False),
        tr("logs"): crash_notes.folder,
        tr("this folder"): Path.cwd,
    }
    for name, place in places.items():
        path = place()
        standing = next(each for each in (path, *path.parents) if there(each))
        free = shutil.disk_usage(standing).free
        said = {"name": name, "path": str(path), "gb": f"{free / 2**30:.1f}"}
        if not os.access(standing, os.W_OK):
            remedy = tr("Ask for the right to write there.")
            yield DoctorLine(passed=False, words=tr("{name}: nothing can be written in {path}", **said), remedy=remedy)
        elif free < _LEAST_FREE:
            words = tr("{name}: {gb} GB free at {path}", **said)
            yield DoctorLine(passed=False, words=words, remedy=tr("Free some space there."))
        else:
            yield DoctorLine(passed=True, words=tr("{name}: {gb} GB free at {path}", **said))


def _key_store() -> DoctorLine:
    ring = KeyRing()
    if ring.persistent:
        return DoctorLine(passed=True, words=tr("key store: {name}", name=ring.backend_title))
    # No fault: keys are then held for the session, or come from variables.
    return DoctorLine(
        passed=True,
        words=tr("key store: none; keys are held for the session, or come from environment variables"),
    )


def _display() -> DoctorLine:
    named = [f"{name}={os.environ[name]}" for name in _DISPLAYS if os.environ.get(name)]
    if named or sys.platform in {"win32", "darwin"}:
        return DoctorLine(passed=True, words=tr("display: {names}", names=", ".join(named) or sys.platform))
    return DoctorLine(passed=True, words=tr("display: none; the commands work without one, the window does not"))


def _reached(address: str) -> DoctorLine:
    import asyncio

    from gpf_desktop.domain.errors import GpfError
    from gpf_desktop.engine.collect.fetching import fetch

    try:
        asyncio.run(fetch(address, typed=True))
    except GpfError as error:
        remedy = tr("Check the connection, and the proxy if there is one.")
        return DoctorLine(passed=False, words=str(error), remedy=remedy)
    return DoctorLine(passed=True, words=tr("{address} answers", address=address))
