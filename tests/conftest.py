"""What every test may use and nobody has to remember; what each part does stands in its own docstring."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shutil import copy

import pytest
from hypothesis import HealthCheck, settings

from gpf_desktop.settings.preferences import HERE
from tests.support.asked_in_contexts import ask_in_contexts
from tests.support.http_server import LoopbackServer
from tests.support.openai_server import OpenAIServer
from tests.support.surroundings import use_throwaway_home

pytest_plugins = [
    "tests.support.logs",
    "tests.support.parked_workers",
    "tests.support.leaks",
    "tests.support.patient_bot",
    "tests.support.shared_reading",
]

use_throwaway_home()
# However slow the machine is: no test depends on speed.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")

LONG = frozenset(
    f"test_{name}.py"
    for name in ("check", "cluster_pool", "cues", "monkey", "nothing_grows", "round", "tab_order", "untranslated")
)
"""Files of few tests that take half a minute."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks as slow whatever opens the whole window or goes through the whole program, and puts files of such first:
    one that began last would keep one process busy while the others have nothing left to do."""
    for item in items:
        whole = {"journeys", "screenshots", "benchmarks"} & set(item.path.parts)
        if whole or "desktop" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.slow)
    slow = Counter(item.path for item in items if item.get_closest_marker("slow"))
    items.sort(key=lambda item: (item.path.name not in LONG, -slow[item.path]))


@pytest.fixture(autouse=True)
def no_preferences() -> Iterator[None]:
    """What one test prefers is no other's."""
    yield
    HERE.forget()


@pytest.fixture
def http_server() -> Iterator[LoopbackServer]:
    """A loopback HTTP server with no routes yet; see tests/support/http_server.py."""
    with LoopbackServer() as server:
        yield server


@pytest.fixture
def openai_server() -> Iterator[OpenAIServer]:
    """A strict OpenAI-compatible server with the model ``some-model`` and no key; see its module."""
    with OpenAIServer() as server:
        yield server


@pytest.fixture(scope="session")
def asked_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Asked once for all tests that read it."""
    return ask_in_contexts(tmp_path_factory.mktemp("contexts"))


@pytest.fixture
def small_audit(asked_once: Path, tmp_path: Path) -> Path:
    """A copy of the audit of tests/support/asked_in_contexts.py."""
    return Path(copy(asked_once, tmp_path / "audit.gpf"))
