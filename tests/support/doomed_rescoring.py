"""Opens an audit and is killed once something stale was stored: ``python -m tests.support.doomed_rescoring AUDIT``."""

import os
import signal
import sys
import threading
from pathlib import Path

from gpf_desktop.domain.events import Event, TaskProgressed
from gpf_desktop.engine.scoring import stored_scoring
from gpf_desktop.engine.scoring.auto_rescoring import AUTO_RESCORING_TASK
from tests.support.rounds import Scene


class DoomedScene(Scene):
    """Dies in the engine's own thread when the first scores are stored."""

    def hear(self, event: Event) -> None:
        if isinstance(event, TaskProgressed) and event.task == AUTO_RESCORING_TASK and event.done:
            os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    # One group a chunk, so that there is something left to do when it dies.
    vars(stored_scoring)["ANSWERS_AT_ONCE"] = 1
    scene = DoomedScene()
    scene.engine.open(Path(sys.argv[1]))
    threading.Event().wait(30)
    scene.engine.close()
