"""What every test may use and nobody has to remember."""

from collections.abc import Iterator

import pytest

from tests.support.http_server import LoopbackServer


@pytest.fixture
def http_server() -> Iterator[LoopbackServer]:
    """A loopback HTTP server with no routes yet; see tests/support/http_server.py."""
    with LoopbackServer() as server:
        yield server
