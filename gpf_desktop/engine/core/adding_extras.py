"""Adds an `Extra` to this installation by Python's own pip, from its index or from a folder of files."""

import importlib
import os
import subprocess
import sys
from collections import deque
from pathlib import Path
from typing import Final

from gpf_desktop.domain.errors import StoppedError, UserError
from gpf_desktop.domain.extras import Extra
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.options.proxy import DIRECT
from gpf_desktop.settings.preferences import HERE

_KEPT: Final = 40
"""Lines of pip's that an error shows."""
_under_way: "dict[str, AddingExtra]" = {}
"""By name of its extra, what this process is adding."""


def under_way(name: str) -> "AddingExtra | None":
    """The task that is adding the extra *name* at this moment, or None; may be called from any thread."""
    return _under_way.get(name)


class AddingExtra:
    """One installation of an extra. Nothing of it is built here: only libraries that come ready are taken."""

    def __init__(self, extra: Extra, folder: Path | None = None) -> None:
        """*folder*: where its files lie, of a computer without a network; None: pip's own index."""
        self.extra = extra
        self.said = ""
        """The last line that pip said; read from any thread."""
        self._folder = folder
        self._stopped = False
        self._pip: subprocess.Popen[str] | None = None

    def run(self) -> None:
        """Blocks. Raises `UserError` with what pip said last, `StoppedError` after `cancel`."""
        if not self.extra.addable:
            raise self.extra.lacking()
        if _under_way.setdefault(self.extra.name, self) is not self:
            raise UserError(tr("It is being added already."), tr("Wait until it is here, or stop it."))
        try:
            self._install()
        finally:
            del _under_way[self.extra.name]

    def _install(self) -> None:
        lines: deque[str] = deque(maxlen=_KEPT)
        with subprocess.Popen(  # noqa: S603 - this Python, with names that stand in the code
            self.command(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            env=_surroundings(),
        ) as self._pip:
            if self._stopped:
                self._pip.terminate()
            assert self._pip.stdout is not None
            for line in self._pip.stdout:
                if line.strip():
                    self.said = line.strip()
                    lines.append(self.said)
        if self._stopped:
            raise StoppedError
        if self._pip.returncode:
            raise self._trouble(lines)
        importlib.invalidate_caches()

    def cancel(self) -> None:
        """End it; what is half there pip takes away."""
        self._stopped = True
        if self._pip is not None:
            self._pip.terminate()

    def command(self) -> list[str]:
        """The pip command that is run."""
        away = [] if self._folder is None else ["--no-index", "--find-links", str(self._folder)]
        options = ["--no-input", "--disable-pip-version-check", "--only-binary", ":all:", "--progress-bar", "off"]
        return [sys.executable, "-m", "pip", "install", *options, *away, *self.extra.requirements]

    def _trouble(self, lines: "deque[str]") -> UserError:
        said = "\n".join(lines)
        what = tr("{title}: the libraries could not be added.", title=self.extra.title)
        if "No module named pip" in said:
            names = " ".join(f'"{each}"' for each in self.extra.requirements)
            todo = tr("This Python has no pip. Add them with the tool that installed the program: {names}", names=names)
        elif self._folder is not None:
            todo = tr("Put their wheels for this system and Python into “{folder}”.", folder=self._folder.name)
        else:
            todo = tr("Check the connection and the proxy in the preferences, or name a folder with their files.")
        return UserError(what, todo, details=said)


def _surroundings() -> dict[str, str]:
    """The environment of this process, with the proxy and the certificates of the preferences."""
    found = dict(os.environ)
    proxy, certificates = str(HERE.get("network.proxy") or ""), str(HERE.get("network.certificates") or "")
    if proxy == DIRECT:
        found["NO_PROXY"] = found["no_proxy"] = "*"
    elif proxy:
        found["HTTPS_PROXY"] = found["https_proxy"] = proxy
    if certificates:
        found.setdefault("PIP_CERT", certificates)
    return found
