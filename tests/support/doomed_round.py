"""A round in a process that kills itself: ``python -m tests.support.doomed_round AUDIT BASE_URL SEED``.

Makes the audit and its run where there is none, starts or resumes it, and sends itself SIGKILL when the engine
announces an event that the seed draws, in the engine's own thread. Exits 0 where the round was finished before that.
"""

import os
import random
import signal
import sys
from pathlib import Path

from gpf_desktop.domain.events import Event, RunStarted
from gpf_desktop.domain.runs import RunState
from tests.support.rounds import Scene, calibration, server_model

MOST = 300
"""Events of one life; a whole round announces some six hundred."""


class DoomedScene(Scene):
    """Dies at its last event."""

    left = -1

    def hear(self, event: Event) -> None:
        if isinstance(event, RunStarted):
            self.left = random.Random(int(sys.argv[3])).randint(1, MOST)
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        super().hear(event)


def main(audit: Path, base_url: str) -> int:
    scene = DoomedScene()
    if audit.exists():
        scene.engine.open(audit)
        (run,) = scene.open_audit.rounds.runs()
        run_id = run.id
    else:
        scene.engine.create(audit, title="Audit")
        run_id = scene.plan([server_model(base_url), calibration()])
    state = scene.open_audit.rounds.start(run_id).result()
    scene.engine.close()
    return 0 if state is RunState.FINISHED else 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
