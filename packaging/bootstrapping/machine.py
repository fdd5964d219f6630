"""What this machine is and may do, as facts that the decisions elsewhere are made from."""

import importlib.metadata
import importlib.util
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


class CannotSetUp(Exception):  # noqa: N818 - reads as the sentence that it carries
    """One sentence saying what is in the way and what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """Facts about this computer and the Python that runs the bootstrap."""

    system: str
    """``sys.platform``."""
    python: tuple[int, int]
    venv: bool
    ensurepip: bool
    pip: bool
    """This Python's own pip is there and can install into another environment (22.3 or later)."""
    apt: bool
    root: bool
    sudo: bool
    """``sudo`` works without asking for a password."""

    @property
    def may_install(self) -> bool:
        """Whether system packages can be installed without asking anyone."""
        return self.apt and (self.root or self.sudo)


def look() -> Machine:
    """The facts, as they are now."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    apt = sys.platform == "linux" and shutil.which("apt-get") is not None
    return Machine(
        system=sys.platform,
        python=sys.version_info[:2],
        venv=importlib.util.find_spec("venv") is not None,
        ensurepip=importlib.util.find_spec("ensurepip") is not None,
        pip=_pip_is_recent(),
        apt=apt,
        root=root,
        sudo=apt and not root and _sudo_is_silent(),
    )


def has_display(environment: Mapping[str, str], system: str) -> bool:
    """Whether a window would be seen: a display is named in *environment*, and something answers there."""
    if environment.get("QT_QPA_PLATFORM", "").split(":")[0] in {"offscreen", "minimal"}:
        return False
    if system in {"win32", "darwin"}:
        return True
    wayland = environment.get("WAYLAND_DISPLAY", "")
    runtime = environment.get("XDG_RUNTIME_DIR", "")
    # WAYLAND_DISPLAY may be a whole path, and joining then takes it alone.
    if wayland and _listens(Path(runtime, wayland)):
        return True
    return _x_answers(environment.get("DISPLAY", ""))


def base_python() -> str:
    """The interpreter outside any virtual environment: .venv may be removed while this program runs from it."""
    base: str = getattr(sys, "_base_executable", None) or sys.executable
    return base


def _pip_is_recent() -> bool:
    try:
        major, minor = importlib.metadata.version("pip").split(".")[:2]
    except (importlib.metadata.PackageNotFoundError, ValueError):
        return False
    return (int(major), int(minor)) >= (22, 3)


def _sudo_is_silent() -> bool:
    sudo = shutil.which("sudo")
    if sudo is None:
        return False
    return subprocess.run([sudo, "-n", "true"], capture_output=True, check=False).returncode == 0


def _x_answers(display: str) -> bool:
    host, _, rest = display.rpartition(":")
    number = rest.split(".")[0]
    if not number.isdigit():
        return False
    if host in {"", "unix"}:
        path = f"/tmp/.X11-unix/X{number}"  # noqa: S108 - the X server's own place
        # X servers listen under the name in Linux's abstract space too, which is there where /tmp is another one.
        return _listens(Path(path)) or _listens_abstract(path)
    try:
        socket.create_connection((host, 6000 + int(number)), timeout=2).close()
    except OSError:
        return False
    return True


def _listens(path: Path) -> bool:
    return _connects(str(path))


def _listens_abstract(path: str) -> bool:
    return _connects("\0" + path)


def _connects(address: str) -> bool:
    # Never reached on Windows, where Python has no such sockets.
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(2)
        try:
            probe.connect(address)
        except OSError:
            return False
    return True
