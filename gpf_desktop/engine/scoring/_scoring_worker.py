"""What runs inside a scoring worker; imports nothing that scoring does not need."""

import importlib
import multiprocessing
import os
import signal
import sys
import threading
from typing import Any, Final

from gpf_desktop.domain.scores import Chunk, ScoredChunk

NICENESS: Final = 10


def prepare(modules: tuple[str, ...]) -> None:
    """Runs once when a worker starts: loads what scoring needs, one thread a worker, and an end with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform != "win32":
        # The window and the answers on their way come first.
        os.nice(NICENESS)
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"
    threading.Thread(target=_end_with_parent, name="end with parent", daemon=True).start()
    for module in modules:
        importlib.import_module(module)


def _end_with_parent() -> None:
    """A worker waits on a queue that it can also write to, so it would outlive a parent that was killed."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def process_id() -> int:
    """Answers once this worker is ready."""
    return os.getpid()


def score(module: str, chunk: Chunk, options: Any) -> ScoredChunk:
    """Scores *chunk* with the scorer that *module* exposes."""
    scored: ScoredChunk = importlib.import_module(module).SCORER.score(chunk, options)
    return scored
