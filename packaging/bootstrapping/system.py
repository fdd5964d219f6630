"""Libraries, programs and fonts of the operating system that pip cannot bring.

Only Linux lacks any: Qt's wheels for macOS and Windows carry what they need, and both have a key store.
"""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from bootstrapping.machine import Machine


class Group(StrEnum):
    """What a need is for."""

    QT = "qt"
    """Qt loads; enough for drawing offscreen."""
    DISPLAY = "display"
    """Qt opens a window."""
    DESKTOP = "desktop"
    """A key store, and fonts for every script an answer may be in."""
    TESTS = "tests"


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """One thing, found by a *library* that loads, any of *programs*, or a *fonts* word in a font's file name."""

    package: str
    """Debian's name."""
    group: Group
    library: str = ""
    programs: tuple[str, ...] = ()
    fonts: tuple[str, ...] = ()


NEEDS: tuple[Need, ...] = (
    Need(package="libglib2.0-0", group=Group.QT, library="libgthread-2.0.so.0"),
    Need(package="libgl1", group=Group.QT, library="libGL.so.1"),
    Need(package="libegl1", group=Group.QT, library="libEGL.so.1"),
    Need(package="libxkbcommon0", group=Group.QT, library="libxkbcommon.so.0"),
    Need(package="libfontconfig1", group=Group.QT, library="libfontconfig.so.1"),
    Need(package="libdbus-1-3", group=Group.QT, library="libdbus-1.so.3"),
    Need(package="libxcb-cursor0", group=Group.DISPLAY, library="libxcb-cursor.so.0"),
    Need(package="libxcb-icccm4", group=Group.DISPLAY, library="libxcb-icccm.so.4"),
    Need(package="libxcb-keysyms1", group=Group.DISPLAY, library="libxcb-keysyms.so.1"),
    Need(package="libxcb-shape0", group=Group.DISPLAY, library="libxcb-shape.so.0"),
    Need(package="libxcb-xkb1", group=Group.DISPLAY, library="libxcb-xkb.so.1"),
    Need(package="libxkbcommon-x11-0", group=Group.DISPLAY, library="libxkbcommon-x11.so.0"),
    Need(
        package="gnome-keyring",
        group=Group.DESKTOP,
        programs=("gnome-keyring-daemon", "kwalletd6", "kwalletd5", "ksecretd", "keepassxc", "oo7-daemon"),
    ),
    Need(
        package="fonts-noto-cjk",
        group=Group.DESKTOP,
        fonts=("cjk", "sourcehan", "wqy", "droidsansfallback", "unifont"),
    ),
    Need(package="fonts-noto-color-emoji", group=Group.DESKTOP, fonts=("emoji",)),
    Need(package="gnome-keyring", group=Group.TESTS, programs=("gnome-keyring-daemon",)),
    Need(package="dbus", group=Group.TESTS, programs=("dbus-run-session",)),
    Need(package="poppler-utils", group=Group.TESTS, programs=("pdftotext",)),
    Need(package="xvfb", group=Group.TESTS, programs=("Xvfb",)),
    Need(package="xauth", group=Group.TESTS, programs=("xauth",)),
)


def missing(groups: Iterable[Group], is_present: Callable[[Need], bool], system: str) -> tuple[Need, ...]:
    """What of *groups* *is_present* does not find; nothing outside Linux."""
    wanted = set(groups)
    if system != "linux":
        return ()
    return tuple(need for need in NEEDS if need.group in wanted and not is_present(need))


def present(need: Need) -> bool:
    """Whether *need* is met on this machine."""
    if need.library:
        try:
            # Loaded and not looked for: a file of another processor, or one that lacks what it needs itself, is no
            # library.
            ctypes.CDLL(need.library)
        except OSError:
            return False
        return True
    if need.programs:
        return any(shutil.which(name) for name in need.programs)
    return any(word in name for name in _font_files() for word in need.fonts)


def install_commands(machine: Machine, packages: Sequence[str]) -> list[list[str]]:
    """The commands that install *packages* on this machine; none where it may not."""
    if not packages or not machine.may_install:
        return []
    prefix = [] if machine.root else ["sudo", "-n"]
    # A second installer holds the lock for a while on machines that update themselves.
    apt = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "DPkg::Lock::Timeout=300", "-qq"]
    mend = [*prefix, "dpkg", "--configure", "-a"]  # an installer that was cut off blocks the next one
    return [mend, [*apt, "update"], [*apt, "install", "-y", "--no-install-recommends", *packages]]


def install(machine: Machine, packages: Sequence[str]) -> str:
    """Install *packages* if this machine may; what the installer said where it failed, else nothing.

    One by one where all together fail, so that one name which a release does not know spoils nothing.
    """
    commands = install_commands(machine, packages)
    if not commands:
        return ""
    *before, together = commands
    for command in before:
        _run(command)
    if not _run(together):
        return ""
    return "".join(_run([*together[: -len(packages)], package]) for package in packages)


def advice(machine: Machine, needs: Sequence[Need]) -> str:
    """One sentence naming what to run for *needs*, which were not installed here."""
    packages = " ".join(unique(need.package for need in needs))
    if machine.apt:
        return f"Some system packages are missing; run: sudo apt-get install {packages}"
    return f"Some system packages are missing; install what Debian calls {packages}"


def unique(names: Iterable[str]) -> tuple[str, ...]:
    """*names* without repetitions, in order."""
    return tuple(dict.fromkeys(names))


def _run(command: Sequence[str]) -> str:
    outcome = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    return outcome.stdout or "failed" if outcome.returncode else ""


def _font_files(environment: Mapping[str, str] = os.environ) -> list[str]:
    data = environment.get("XDG_DATA_HOME") or str(Path("~/.local/share").expanduser())
    roots = ["/usr/share/fonts", "/usr/local/share/fonts", str(Path("~/.fonts").expanduser()), f"{data}/fonts"]
    return [name.lower() for root in roots for _folder, _folders, names in os.walk(root) for name in names]
