"""Scoring workers that are at something until the test says so."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from gpf_desktop.engine.core.scoring_pool import ScoringPool


def _until_closed(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as line:
        line.recv(1)


@contextmanager
def held_workers(pool: ScoringPool) -> Iterator[None]:
    """While the block runs no worker of *pool* takes anything up."""
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        at_it = [pool.call(_until_closed, server.getsockname()[1]) for _ in range(pool.workers)]
        for _ in at_it:
            stack.enter_context(server.accept()[0])
        yield
    for each in at_it:
        each.result()
