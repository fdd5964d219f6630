"""Every provider that talks to a server, one after the other."""

import pytest

from tests.providers.rigs import ON_THE_WIRE, Rig
from tests.support.http_server import LoopbackServer


@pytest.fixture(params=ON_THE_WIRE)
def rig(request: pytest.FixtureRequest, http_server: LoopbackServer) -> Rig:
    return Rig(request.param, http_server)
