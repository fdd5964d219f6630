"""In a fresh clone pytest rewrites every file of tests before it is run, which is half of the reading, and each worker
would do all of it at the same moment. So each begins with a share of its own, and finds the others' done.
"""

import contextlib
import importlib
from pathlib import Path

import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Reads this worker's share of the tests' folder, where all of it is going to be collected."""
    worker = getattr(session.config, "workerinput", None)
    if worker is None or session.config.args_source is not pytest.Config.ArgsSource.TESTPATHS:
        return
    tests = Path(__file__).parents[1]
    number = int(worker["workerid"].removeprefix("gw"))
    for file in sorted(tests.rglob("test_*.py"))[number :: worker["workercount"]]:
        name = ".".join(file.relative_to(tests.parent).with_suffix("").parts)
        # What it says, the collection says with its place.
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(name)
