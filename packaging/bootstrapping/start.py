"""The bootstrap's commands: make everything ready if it is not, then hand over to what was asked for."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import assert_never

from bootstrapping.environment import Environment, Stamp, Step
from bootstrapping.lock import locked
from bootstrapping.machine import CannotSetUp, Machine, has_display, look
from bootstrapping.system import Group, Need, advice, install, missing, present, unique

PROJECT = Path(__file__).resolve().parents[2]
NO_WINDOW = "--no-window"
QUICK = "--quick"
# A file's tests stay in one process: they share what is dear to make. Two processes more than there are cores: a fifth
# of the time is waiting for programs and servers. More than four want more memory than a laptop has to spare.
# Files begin in the order of their collection, which puts those of slow tests first.
IN_PARALLEL = ("-n", str(min(4, (os.cpu_count() or 1) + 1)), "--dist", "loadfile", "--no-loadscope-reorder")
USAGE = """usage: python3 packaging/bootstrap.py demo [AUDIT.gpf]      set up, then start the sample audit
       python3 packaging/bootstrap.py run -- ARGUMENTS      set up, then run gpf-desktop ARGUMENTS
       python3 packaging/bootstrap.py test [--quick] [-- ARGUMENTS]
                                                            set up, then run the tests, or only those that are not
                                                            slow (ARGUMENTS go to pytest)
       python3 packaging/bootstrap.py check [-- PROGRAMS]   set up, then ruff, mypy --strict and import-linter, or
                                                            those of them that are named
       python3 packaging/bootstrap.py constraints           set up, then look for newer versions to test with
"""

# Of every supported Python at once: where their versions differ, each line says for which it is.
PIN = (
    *("pip", "compile", "pyproject.toml", "--extra", "encoders", "--extra", "test", "--universal", "--upgrade"),
    *("--python-version", "3.11", "--no-annotate", "--quiet", "--output-file", "packaging/constraints.txt"),
    *("--custom-compile-command", "python3 packaging/bootstrap.py constraints"),
)


class Command(StrEnum):
    """What a user asks the bootstrap for."""

    DEMO = "demo"
    RUN = "run"
    TEST = "test"
    CHECK = "check"
    CONSTRAINTS = "constraints"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A command with the arguments that are passed on."""

    command: Command
    arguments: tuple[str, ...]
    display: bool
    quick: bool = False
    """Of the tests, only those that are not slow."""

    @property
    def extras(self) -> tuple[str, ...]:
        match self.command:
            case Command.TEST | Command.CHECK:
                return ("test",)
            case Command.CONSTRAINTS:
                return ("pins",)
            case _:
                return ()

    @property
    def groups(self) -> tuple[Group, ...]:
        """What of the system is wanted; nothing for a command line without a window."""
        if self.command is Command.TEST:
            return tuple(Group)
        if self.command in {Command.CHECK, Command.CONSTRAINTS} or not self.display:
            return ()
        return (Group.QT, Group.DISPLAY, Group.DESKTOP)

    @property
    def essential(self) -> tuple[Group, ...]:
        """Those of the groups without which the command cannot do its work."""
        able = {Group.QT} if self.command is Command.TEST else {Group.QT, Group.DISPLAY}
        return tuple(group for group in self.groups if group in able)


def start(arguments: Sequence[str]) -> int:
    """Do what *arguments* ask for; returns the exit code where the process was not replaced by it."""
    if not arguments or arguments[0] in {"-h", "--help"}:
        sys.stdout.write(USAGE)
        return 0 if arguments else 2
    try:
        command = Command(arguments[0])
    except ValueError:
        sys.stderr.write(f"There is no command {arguments[0]!r}.\n{USAGE}")
        return 2
    request = asked(command, arguments[1:], display=has_display(os.environ, sys.platform))
    environment = Environment(PROJECT)
    try:
        lacking = prepare(environment, request)
        if lacking and command is Command.TEST:
            raise CannotSetUp(f"The tests cannot run without {', '.join(lacking)}.")
    except CannotSetUp as error:
        _say(str(error))
        return 3
    except OSError as error:
        _say(f"The set-up could not be finished: {error}. The same command goes on from there.")
        return 3
    except KeyboardInterrupt:
        _say("Stopped. The same command goes on from there.")
        return 130
    if command is Command.DEMO and not shows_window(request, lacking) and NO_WINDOW not in request.arguments:
        cause = "There is no display" if not request.display else "The window's libraries are missing"
        _say(f"{cause}, so the sample audit runs without a window.")
    surroundings = dict(os.environ)
    if command is Command.TEST:
        surroundings.setdefault("QT_QPA_PLATFORM", "offscreen")
        # The tests start hundreds of programs, and each would compile every module anew.
        surroundings.pop("PYTHONDONTWRITEBYTECODE", None)
    in_project = command in {Command.TEST, Command.CHECK, Command.CONSTRAINTS}
    line = hand_over(request, lacking, str(environment.python))
    return _replace_process(line, PROJECT if in_project else None, surroundings)


def asked(command: Command, passed: Sequence[str], *, display: bool) -> Request:
    """The request that *command* with what followed it comes to."""
    quick = command is Command.TEST and passed[:1] == [QUICK]
    rest = tuple(passed[1:] if quick else passed)
    return Request(command=command, arguments=rest[1:] if rest[:1] == ("--",) else rest, display=display, quick=quick)


def prepare(environment: Environment, request: Request) -> tuple[str, ...]:
    """Make .venv and the system ready for *request*; the essential system packages that are still missing.

    Where a finished set-up has left its stamp, this reads two small files and does nothing else.
    """
    wanted = environment.wanted(sys.version_info[:2], request.extras)
    if environment.step(wanted) is Step.NOTHING and is_settled(environment.stamp(), request):
        return ()
    with locked(environment.project / ".venv.lock", lambda: _say("Waiting for another set-up in this folder")):
        machine = look()
        # Asked again: the other set-up may have done everything meanwhile.
        step = environment.step(wanted)
        before = environment.stamp() if step is not Step.MAKE else None
        # What an earlier command asked for stays, or “demo” and “test” in turn would each install anew.
        extras = unique([*wanted.extras, *(before.extras if before is not None else ())])
        known = before.missing if before is not None else {}
        if step is Step.MAKE:
            environment.make(machine, _say)
            _say("Installing the libraries into .venv (a few hundred MB, once)")
            environment.install(extras)
        elif step is Step.INSTALL:
            _say("Bringing the libraries in .venv up to date")
            environment.install(extras)
        done = replace(wanted, extras=extras, missing=known)
        # Before the system's packages, which may ask, fail or be stopped: the libraries count as ready all the same.
        environment.finish(done)
        lacking = _complete_system(machine, request, known)
        found = {str(group): tuple(need.package for need in lacking if need.group is group) for group in request.groups}
        environment.finish(replace(done, missing={**known, **found}))
    return unique(need.package for need in lacking if need.group in request.essential)


def is_settled(stamp: Stamp | None, request: Request) -> bool:
    """Whether the set-up that left *stamp* looked for all that *request* wants, and found everything essential."""
    if stamp is None or not set(request.groups) <= set(stamp.missing):
        return False
    return not any(stamp.missing[group] for group in request.essential)


def hand_over(request: Request, lacking: Sequence[str], python: str) -> list[str]:
    """The command line that *request* ends in."""
    # -P: a file in the user's folder must not pass for a library.
    program = [python, "-P", "-m", "gpf_desktop"]
    match request.command:
        case Command.DEMO:
            windowless = [] if shows_window(request, lacking) or NO_WINDOW in request.arguments else [NO_WINDOW]
            return [*program, "demo", *request.arguments, *windowless]
        case Command.RUN:
            return [*program, *request.arguments]
        case Command.TEST:
            chosen = ["-m", "not slow"] if request.quick else []
            return [python, "-m", "pytest", *IN_PARALLEL, *chosen, *request.arguments]
        case Command.CHECK:
            return [python, "-P", str(Path(__file__).with_name("check.py")), *request.arguments]
        case Command.CONSTRAINTS:
            return [python, "-m", "uv", *PIN]
        case _:
            assert_never(request.command)


def shows_window(request: Request, lacking: Sequence[str]) -> bool:
    """Whether a window can be opened at all."""
    return request.display and not lacking


def _complete_system(machine: Machine, request: Request, known: Mapping[str, Sequence[str]]) -> tuple[Need, ...]:
    """Install what the system lacks for *request* where that is allowed; what is lacking after that.

    Says what to run for the rest: always for what is essential, once for what only adds something.
    """
    lacking = missing(request.groups, present, machine.system)
    if not lacking:
        return ()
    failure = ""
    if machine.may_install:
        packages = unique(need.package for need in lacking)
        _say(f"Installing system packages: {' '.join(packages)}")
        failure = install(machine, packages)
        lacking = missing(request.groups, present, machine.system)
    old = {package for packages in known.values() for package in packages}
    news = [need for need in lacking if need.group in request.essential or need.package not in old]
    if news:
        sys.stderr.write(failure)
        _say(advice(machine, news))
    return lacking


def _replace_process(command: list[str], folder: Path | None, surroundings: Mapping[str, str]) -> int:
    """Go on as *command*: its exit code, its signals and its terminal are the caller's."""
    # What Python still holds back is lost when the process is replaced.
    sys.stdout.flush()
    if folder is not None:
        os.chdir(folder)
    # Windows starts another process instead and ends this one, and the prompt would come back beneath the program.
    if sys.platform == "win32":
        try:
            return subprocess.run(command, env=surroundings, check=False).returncode
        except KeyboardInterrupt:
            return 130
    return os.execve(command[0], command, surroundings)


def _say(sentence: str) -> None:
    # Standard output belongs to the program that is started.
    print(sentence, file=sys.stderr, flush=True)
