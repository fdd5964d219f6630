"""An unexpected warning in the log fails the test that caused it.

A test that provokes one says so beforehand; it fails too if the warning does not come:

    def test_that_a_bad_feed_is_named(expected_log):
        expected_log(r"feed .* is not XML")
"""

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

WATCHED = ("gpf_desktop", "py.warnings", "asyncio")


@dataclass(slots=True)
class ExpectedLog:
    """Collects what was said at WARNING or above, and what was meant to be."""

    said: list[logging.LogRecord] = field(default_factory=list)
    patterns: list[str] = field(default_factory=list)

    def __call__(self, pattern: str) -> None:
        """Expect one record or more whose message matches the regular expression *pattern* anywhere."""
        self.patterns.append(pattern)

    def complaints(self) -> list[str]:
        messages = [record.getMessage() for record in self.said]
        unexpected = [
            f"unexpected {record.levelname} from {record.name}: {message}"
            for record, message in zip(self.said, messages, strict=True)
            if not any(re.search(pattern, message) for pattern in self.patterns)
        ]
        missing = [
            f"expected in the log, and not there: {pattern}"
            for pattern in self.patterns
            if not any(re.search(pattern, message) for message in messages)
        ]
        return unexpected + missing


class _Listener(logging.Handler):
    def __init__(self, log: ExpectedLog) -> None:
        super().__init__(logging.WARNING)
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        self._log.said.append(record)


@pytest.fixture(autouse=True)
def expected_log() -> Iterator[ExpectedLog]:
    """Watches the program's loggers for the length of a test; call it with what is expected."""
    log = ExpectedLog()
    listener = _Listener(log)
    loggers = [logging.getLogger(name) for name in WATCHED]
    for logger in loggers:
        logger.addHandler(listener)
    yield log
    for logger in loggers:
        logger.removeHandler(listener)
    if complaints := log.complaints():
        pytest.fail("\n".join(complaints), pytrace=False)
