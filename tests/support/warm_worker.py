"""A command's worker, copied from a process that has read what workers of scoring read; see `warm_program`."""

import errno
import importlib
import os
from multiprocessing import reduction
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from socket import socket
from typing import Any

from gpf_desktop.engine.core import catalogue


class WarmProcess(ForkServerProcess):
    """Has the environment and the folder of the command that started it, as one has that is started anew."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._environment = dict(os.environ)
        self._folder = str(Path.cwd())

    def run(self) -> None:
        os.environ.clear()
        os.environ.update(self._environment)
        os.chdir(self._folder)
        super().run()


class WarmContext(ForkServerContext):
    """What a command gets that asks for processes started anew."""

    Process = WarmProcess


_received = reduction.recvfds


def received(sock: socket, size: int) -> list[int]:
    """What a command sends along as it asks for a worker. One that is killed as it asks would end the process that
    copies the workers of all commands, which goes on after this error alone."""
    try:
        return _received(sock, size)
    except (EOFError, OSError, RuntimeError, ValueError) as error:
        raise OSError(errno.ECONNABORTED, "killed as it asked") from error


reduction.recvfds = received
for scorer in catalogue.scorers().values():
    for module in scorer.preloads:
        importlib.import_module(module)
