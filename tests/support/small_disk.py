"""A round on a disk that is full in the middle of it: ``unshare --mount python -m tests.support.small_disk FOLDER``.

Mounts a file system of 64 MB on FOLDER, seen by this process alone, and prints how many chats were answered, how many
answers are stored at the end, and why the round rested.
"""

import errno
import json
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from gpf_desktop.domain.events import RunRested
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import scene, server_model


def fill(folder: Path) -> None:
    """Leave no byte of the disk that holds *folder*."""
    with (folder / "filler").open("wb", buffering=0) as file:
        for size in (2**20, 4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise


def main(folder: Path) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", str(folder)], check=True)
    with OpenAIServer(gate=True) as server:
        with scene(folder) as stage:
            run_id = stage.plan([server_model(server.base_url, in_flight=8)])
            resting = stage.open_audit.rounds.start(run_id)
            server.http.wait_for_requests(8)
            fill(folder)
            assert server.gate is not None
            server.gate.open()
            resting.result(timeout=250)
            why = stage.heard(RunRested)[-1].why
        answered = server.answered
    with closing(sqlite3.connect(folder / "audit.gpf")) as connection:
        (stored,) = connection.execute("SELECT count(*) FROM response").fetchone()
    json.dump([answered, stored, why], sys.stdout)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
