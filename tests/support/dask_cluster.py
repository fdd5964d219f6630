"""A cluster as a user has one: a scheduler and workers, each a process of Dask's own commands, on loopback."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from gpf_desktop.engine.core.worker_pool import WorkerPool
from tests.support.own_certificates import Authority

ROOT = Path(__file__).parents[2]


class Cluster:
    """Nothing runs until it is started; all ends with *stack*. Its files are in *folder*."""

    def __init__(self, folder: Path, stack: ExitStack, *, protocol: str = "tls") -> None:
        self._stack = stack
        authority = Authority(folder)
        self.authority, self.certificate = str(authority.file), str(authority.certificate())
        self.file = folder / "scheduler.json"
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.address = f"{protocol}://127.0.0.1:{free.getsockname()[1]}"

    def scheduler(self) -> "subprocess.Popen[bytes]":
        return self._start("scheduler", "--host", self.address, "--scheduler-file", str(self.file))

    def worker(self, code: Path = ROOT) -> "subprocess.Popen[bytes]":
        """One with the program that lies in the folder *code*."""
        return self._start("worker", self.address, "--nthreads", "1", "--no-nanny", code=code)

    def _start(self, what: str, *arguments: str, code: Path = ROOT) -> "subprocess.Popen[bytes]":
        tls = ["--tls-ca-file", self.authority, "--tls-cert", self.certificate, "--tls-key", self.certificate]
        tls = tls if self.address.startswith("tls") else []
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments, "--no-dashboard", *tls]
        quiet = subprocess.DEVNULL
        environment = os.environ | {"PYTHONPATH": str(code)}
        process = subprocess.Popen(command, cwd=code, env=environment, stdout=quiet, stderr=quiet)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process


def _until_closed(port: int) -> int:
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.sendall(f"{os.getpid()}\n".encode())
        line.recv(1)
    return os.getpid()


@dataclass(frozen=True, slots=True)
class Held:
    """A call that a worker is at until the test says so."""

    call: "Future[int]"
    """Of the process that did it."""
    _server: socket.socket
    _stack: ExitStack

    def taken_up(self) -> int:
        """Once a worker, perhaps another one than before, is at it: its process."""
        line, _ = self._server.accept()
        self._stack.enter_context(line)
        with line.makefile() as said:
            return int(said.readline())

    def release(self) -> int:
        """Lets it end; the process that did it."""
        self._stack.close()
        return self.call.result()


@contextmanager
def held(pool: WorkerPool) -> Iterator[Held]:
    """A call handed to *pool*."""
    with socket.create_server(("127.0.0.1", 0)) as server, ExitStack() as stack:
        yield Held(pool.call(_until_closed, server.getsockname()[1]), server, stack)
