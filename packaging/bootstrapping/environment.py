"""The folder .venv: whether it is ready, how it is made, and what is installed into it."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path

from bootstrapping.machine import CannotSetUp, Machine, base_python
from bootstrapping.progress import Progress, installed
from bootstrapping.system import install

Say = Callable[[str], None]


class Step(StrEnum):
    """What .venv needs."""

    NOTHING = "nothing"
    INSTALL = "install"
    MAKE = "make"


class Way(StrEnum):
    """How a virtual environment with pip in it can be made."""

    VENV = "python -m venv"
    OUTER_PIP = "python -m venv --without-pip, then this Python's own pip"
    APT = "install Python's venv module with apt-get, then python -m venv"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """What a finished set-up leaves in .venv, so that the next start has nothing to do."""

    python: str
    """Major and minor version."""
    folder: str
    """Where .venv was made: its scripts hold that path, so that a moved one is made anew."""
    project: str
    """Hash of pyproject.toml and of the tested versions."""
    extras: tuple[str, ...] = ()
    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Packages of the system that could not be installed, by group looked at."""


def decide(stamp: Stamp | None, wanted: Stamp, *, begun: bool, usable: bool) -> Step:
    """What to do about a .venv that carries *stamp*.

    *begun* says that a set-up started and never finished: the package it was writing may look installed and not
    be, so everything is made anew. *usable* says that the environment has a Python that can be run.
    """
    if begun or not usable:
        return Step.MAKE
    if stamp is None:
        return Step.INSTALL
    if (stamp.python, stamp.folder) != (wanted.python, wanted.folder):
        return Step.MAKE
    if stamp.project != wanted.project or not set(wanted.extras) <= set(stamp.extras):
        return Step.INSTALL
    return Step.NOTHING


def ways(machine: Machine) -> tuple[Way, ...]:
    """The ways worth trying on this machine, best first."""
    possible = {
        Way.VENV: machine.venv and machine.ensurepip,
        Way.OUTER_PIP: machine.venv and machine.pip,
        Way.APT: machine.may_install,
    }
    return tuple(way for way, may in possible.items() if may)


def no_way(machine: Machine) -> str:
    """The sentence for a machine on which none of the ways works."""
    if machine.apt and not machine.root:
        package = f"python{machine.python[0]}.{machine.python[1]}-venv"
        return f"Python's venv module is missing; run: sudo apt-get install {package} and then the same command again."
    return "This Python can make no virtual environment; install a complete Python 3.11 to 3.14 and use that."


def reason(pip_output: str) -> str:
    """What pip's failure comes to, in one sentence."""
    if re.search(r"No space left|Errno 28|not enough space", pip_output):
        return "The disk is full; the libraries need about 1.5 GB. Make room and run the same command again."
    if is_network(pip_output):
        return (
            "The libraries could not be downloaded: the package index that pip is set up to use did not answer. "
            "Check the connection (or pip's settings) and run the same command again."
        )
    return "The libraries could not be installed; what pip said stands above, and whole in .venv/gpf-setup.log."


def is_network(pip_output: str) -> bool:
    """Whether pip failed because it reached nobody."""
    errors = r"NewConnectionError|NameResolutionError|ConnectTimeout|ReadTimeout|ProxyError|SSLError|Max retries"
    return re.search(rf"{errors}|Network is unreachable|Temporary failure in name", pip_output) is not None


class Environment:
    """One project's .venv."""

    def __init__(self, project: Path, *, system: str = sys.platform) -> None:
        self.project = project
        self.folder = project / ".venv"
        self._windows = system == "win32"
        self._stamp = self.folder / "gpf-setup.json"
        self._begun = self.folder / "gpf-setup.begun"
        self._log = self.folder / "gpf-setup.log"
        self._pins = project / "packaging" / "constraints.txt"

    @property
    def python(self) -> Path:
        return self.folder / "Scripts" / "python.exe" if self._windows else self.folder / "bin" / "python"

    def wanted(self, machine_python: tuple[int, int], extras: Sequence[str]) -> Stamp:
        """The stamp that a set-up for this Python, project and *extras* would leave."""
        text = (self.project / "pyproject.toml").read_bytes() + self._pins.read_bytes()
        return Stamp(
            python=".".join(map(str, machine_python)),
            folder=str(self.folder),
            project=hashlib.sha256(text).hexdigest(),
            extras=tuple(extras),
        )

    def stamp(self) -> Stamp | None:
        """The stamp of the last finished set-up, if it can be read."""
        try:
            read = json.loads(self._stamp.read_text("utf-8"))
            missing = {group: tuple(names) for group, names in read["missing"].items()}
            return Stamp(**{**read, "extras": tuple(read["extras"]), "missing": missing})
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def finish(self, stamp: Stamp) -> None:
        """Leave *stamp*; from here on the environment counts as ready."""
        beside = self._stamp.with_suffix(".new")
        beside.write_text(json.dumps(asdict(stamp), indent=1), "utf-8")
        # The stamp before the mark goes: killed in between, the set-up counts as begun and is made anew, which is safe.
        beside.replace(self._stamp)
        self._begun.unlink(missing_ok=True)

    def step(self, wanted: Stamp) -> Step:
        """What this environment needs to become *wanted*; cheap where that is nothing."""
        usable = os.access(self.python, os.X_OK)
        step = decide(self.stamp(), wanted, begun=self._begun.exists(), usable=usable)
        # Starting it takes a moment, so only where pip is to be started anyway: its base may be gone or be another
        # version.
        if step is Step.INSTALL and not self._runs(wanted.python):
            return Step.MAKE
        return step

    def make(self, machine: Machine, say: Say) -> None:
        """Make the environment anew, in the first way that works."""
        say(f"Making .venv with Python {machine.python[0]}.{machine.python[1]}")
        failure = ""
        for way in ways(machine):
            # Also between two ways: half of what the first one made may stand there.
            self._clear()
            if way is Way.APT:
                failure = install(machine, [f"python{machine.python[0]}.{machine.python[1]}-venv"]) or failure
            failure = self._make(way) or ""
            if not failure:
                return
        sys.stderr.write(_tail(failure))
        raise CannotSetUp(reason(failure) if is_network(failure) else no_way(machine))

    def install(self, extras: Sequence[str]) -> None:
        """Install the project and what it needs, so that edits to its files count at once."""
        self._mark_begun()
        target = f".[{','.join(extras)}]" if extras else "."
        # pip's lines are read by `Progress`; nobody would see a question that it asks.
        options = ["--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
        progress = Progress(lambda: installed(self.folder))
        command = [str(self.python), "-m", "pip", "install", *options, "-c", str(self._pins), "-e", target]
        try:
            output = _run(command, self.project, progress.take)
        finally:
            progress.end()
        if output is not None:
            # pip puts back what it replaced when it fails by itself; only one that was cut off leaves ruins.
            self._begun.unlink()
            self._log.write_text(output, "utf-8")
            sys.stderr.write(_tail(output))
            raise CannotSetUp(reason(output))

    def _make(self, way: Way) -> str | None:
        self._mark_begun()
        bare = ["--without-pip"] if way is Way.OUTER_PIP else []
        failure = _run([base_python(), "-m", "venv", *bare, str(self.folder)], self.project)
        if failure is None and way is Way.OUTER_PIP:
            into = ["--python", str(self.python), "install", "--no-input", "--disable-pip-version-check", "pip"]
            failure = _run([base_python(), "-m", "pip", *into], self.project)
        return failure

    def _runs(self, version: str) -> bool:
        probe = f"import sys, pip; sys.exit('%d.%d' % sys.version_info[:2] != {version!r})"
        return _run([str(self.python), "-c", probe], self.project) is None

    def _mark_begun(self) -> None:
        self.folder.mkdir(exist_ok=True)
        # The mark before the old stamp goes, so that a kill at any moment leaves one of them to be believed.
        self._begun.touch()
        self._stamp.unlink(missing_ok=True)

    def _clear(self) -> None:
        # Renamed before it is removed: half a removal must not pass for an environment.
        try:
            for left in self.project.glob(".venv.old-*"):
                shutil.rmtree(left)
            if self.folder.exists():
                old = self.folder.with_name(f".venv.old-{os.getpid()}")
                self.folder.rename(old)
                shutil.rmtree(old)
        except OSError as error:
            raise CannotSetUp(
                f"The unusable folder {self.folder} could not be removed ({error.strerror}); "
                f"close what uses it, remove it and run the same command again."
            ) from error


def _tail(output: str) -> str:
    return "".join(f"{line}\n" for line in output.splitlines()[-25:])


def _run(command: Sequence[str], folder: Path, told: Say | None = None) -> str | None:
    """What a command that failed printed; None for one that worked. *told* gets each line as it comes."""
    # These would send packages elsewhere than into .venv, or load others than those in it.
    astray = {"PIP_TARGET", "PIP_PREFIX", "PYTHONPATH", "PYTHONHOME", "__PYVENV_LAUNCHER__"}
    surroundings = {name: value for name, value in os.environ.items() if name not in astray} | {"PIP_USER": "0"}
    lines = []
    with subprocess.Popen(
        command,
        cwd=folder,
        env=surroundings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        # One pipe for both: of two that are read in turn, the one that fills up meanwhile would stop pip.
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            lines.append(line)
            if told is not None:
                told(line)
    return "".join(lines) if process.returncode else None
