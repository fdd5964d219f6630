"""`gpf-desktop` in a process of its own that need not read its modules first, which takes longer than most commands.

One process of a test session has read them, and is copied for each command: arguments, environment, folder, outputs
and exit code are the command's own, and it can be sent signals. A second one is copied for each of a command's workers,
which would read numpy and scikit-learn anew. For systems that copy processes, which Windows is not.
"""

import atexit
import importlib
import json
import os
import pkgutil
import random
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from multiprocessing import context, forkserver
from pathlib import Path
from typing import IO, Any

READ = (
    "gpf_desktop.engine.commands.headless",
    "gpf_desktop.engine.open_audit",
    "gpf_desktop.engine.reporting.score_frame",
    "httpx",
    "asyncio",
    "sqlite3",
    "feedparser",
    "pandas",
    "scipy.stats",
)
"""Modules that are read once for all commands, beside the commands' own."""
READ_BY_WORKERS = "tests.support.warm_worker"
_PROGRAM = (sys.executable, "-m", "gpf_desktop")


class Program:
    """What a test needs of `subprocess.Popen`; outputs that are pipes are read as text, or as *text* says, as bytes."""

    def __init__(
        self,
        arguments: Sequence[object],
        *,
        stdout: int | IO[Any] = subprocess.PIPE,
        stderr: int | IO[Any] = subprocess.PIPE,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
        text: bool = True,
        start_new_session: bool = False,
    ) -> None:
        self.returncode: int | None = None
        self.stdout, out = _output(stdout, text=text)
        self.stderr, errors = (None, out) if stderr == subprocess.STDOUT else _output(stderr, text=text)
        asked = json.dumps(
            {
                "arguments": [str(each) for each in arguments],
                "environment": dict(os.environ if env is None else env),
                "folder": str(cwd or Path.cwd()),
                "own_session": start_new_session,
            }
        ).encode()
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(_copied())
        socket.send_fds(self._line, [len(asked).to_bytes(4)], [out, errors])
        self._line.sendall(asked)
        for each in {out, errors}:
            os.close(each)
        self._told = self._line.makefile("r")
        self.pid = int(self._told.readline())

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        self.wait()
        for each in (self.stdout, self.stderr):
            if each is not None:
                each.close()

    def poll(self) -> int | None:
        """The exit code, or minus the signal that ended it; None while it runs."""
        if self.returncode is None and not select.select([self._line], [], [], 0)[0]:
            return None
        return self.wait()

    def wait(self, timeout: float | None = None) -> int:
        """The exit code, once there is one; `TimeoutExpired` after *timeout* seconds."""
        if self.returncode is None:
            if not select.select([self._line], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(_PROGRAM, timeout or 0.0)
            self.returncode = os.waitstatus_to_exitcode(int(self._told.readline()))
            self._told.close()
            self._line.close()
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[Any, Any]:
        """All that it writes until it ends, None for what is no pipe."""
        read: dict[str, Any] = {}

        def drain(name: str, pipe: IO[Any]) -> None:
            read[name] = pipe.read()

        pipes = {name: pipe for name, pipe in (("out", self.stdout), ("errors", self.stderr)) if pipe is not None}
        threads = [threading.Thread(target=drain, args=each) for each in pipes.items()]
        for each in threads:
            each.start()
        try:
            self.wait(timeout)
        except subprocess.TimeoutExpired:
            self.send_signal(signal.SIGKILL)
            raise
        finally:
            for each in threads:
                each.join()
        return read.get("out"), read.get("errors")

    def send_signal(self, number: int) -> None:
        """Nothing where it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)


def run_program(
    *arguments: object,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    stdout: int | IO[Any] = subprocess.PIPE,
    timeout: float = 250,
) -> "subprocess.CompletedProcess[str]":
    """`gpf-desktop` with *arguments*, run to its end, with what it wrote as text."""
    with Program(arguments, env=env, cwd=cwd, stdout=stdout) as process:
        out, errors = process.communicate(timeout)
    return subprocess.CompletedProcess([*_PROGRAM, *map(str, arguments)], process.wait(), out, errors)


def _output(kind: int | IO[Any], *, text: bool) -> tuple[IO[Any] | None, int]:
    """What a test reads from, and the end that the program writes to."""
    if kind == subprocess.PIPE:
        near, far = os.pipe()
        return (os.fdopen(near, "r", encoding="utf-8") if text else os.fdopen(near, "rb")), far
    if kind == subprocess.DEVNULL:
        return None, os.open(os.devnull, os.O_WRONLY)
    assert not isinstance(kind, int)
    return None, os.dup(kind.fileno())


@cache
def _copied() -> str:
    """The address of the process that is copied for each command; it ends with this one."""
    folder = tempfile.mkdtemp(prefix="gpf-warm-")
    address = str(Path(folder) / "line")
    ours, theirs = socket.socketpair()
    owner = os.getpid()
    command = [sys.executable, "-m", __name__, address, str(theirs.fileno())]
    process = subprocess.Popen(command, pass_fds=[theirs.fileno()], cwd=Path(__file__).parents[2])
    theirs.close()

    def end() -> None:
        if os.getpid() == owner:
            ours.close()
            process.wait()
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    assert ours.recv(1) == b"!"
    return address


def _serve(address: str, owner: socket.socket) -> None:
    """Copy this process for whoever asks at *address*, until *owner* is gone. Returns in the copies alone."""
    # Of the processes between, nobody wants to know how they ended.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        owner.send(b"!")
        line = _copy(listening, owner)
    owner.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    head, outputs, _, _ = socket.recv_fds(line, 4, 2)
    told = line.makefile("rw")
    asked = json.loads(told.read(int.from_bytes(head)))
    if (pid := os.fork()) != 0:
        for each in outputs:
            os.close(each)
        told.write(f"{pid}\n")
        told.flush()
        told.write(f"{os.waitpid(pid, 0)[1]}\n")
        told.flush()
        os._exit(0)
    line.detach()
    told.detach()
    _become(asked, outputs)


def _copy(listening: socket.socket, owner: socket.socket) -> socket.socket:
    """In a copy: what connects it with who asked for it."""
    while owner not in select.select([listening, owner], [], [])[0]:
        line, _ = listening.accept()
        if os.fork() == 0:
            return line
        line.close()
    os._exit(0)


def _become(asked: dict[str, Any], outputs: list[int]) -> None:
    if asked["own_session"]:
        os.setsid()
    for number, output in enumerate([os.open(os.devnull, os.O_RDONLY), *outputs]):
        os.dup2(output, number)
        if output > 2:
            os.close(output)
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["folder"])
    time.tzset()
    tempfile.tempdir = None
    random.seed()
    encoding = os.environ.get("PYTHONIOENCODING", "utf-8")
    sys.stdin = open(0)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding=encoding)  # noqa: SIM115
    sys.stderr = open(2, "w", buffering=1, encoding=encoding, errors="backslashreplace")  # noqa: SIM115
    sys.argv = ["gpf-desktop", *asked["arguments"]]
    # A worker that it starts reads that module in place of this one.
    import gpf_desktop.__main__

    sys.modules["__main__"] = gpf_desktop.__main__


def _copy_workers() -> None:
    """Have the workers of all commands copied from one process that has read what they need, and was started here."""
    from tests.support.warm_worker import WarmContext

    # Its libraries read this once; a worker sets it before it reads them.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    forkserver.set_forkserver_preload([READ_BY_WORKERS])
    forkserver.ensure_running()
    del os.environ["OPENBLAS_NUM_THREADS"]
    # A command, which is a copy, would ask whether this child of another process still runs.
    forkserver._forkserver.ensure_running = lambda: None  # type: ignore[method-assign]
    context._concrete_contexts["spawn"] = WarmContext()  # type: ignore[attr-defined]


if __name__ == "__main__":
    import gpf_desktop.cli

    commands = [each.name for each in pkgutil.iter_modules(gpf_desktop.cli.__path__, "gpf_desktop.cli.")]
    for module in (*READ, *commands):
        importlib.import_module(module)
    from gpf_desktop.engine.core import catalogue

    for kind in (catalogue.methods, catalogue.scorers, catalogue.providers, catalogue.sources, catalogue.analyses):
        kind()
    _copy_workers()
    _serve(sys.argv[1], socket.socket(fileno=int(sys.argv[2])))
    from gpf_desktop.__main__ import main

    sys.exit(main())
