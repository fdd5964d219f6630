"""A command's worker, copied from a process that has read what workers of scoring read; see `warm_program`."""

import importlib
import os
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
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


for scorer in catalogue.scorers().values():
    for module in scorer.preloads:
        importlib.import_module(module)
