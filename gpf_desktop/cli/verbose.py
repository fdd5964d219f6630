"""`--verbose`: what the engine does and asks, as it happens, on standard error.

Each event (`domain.events`) and each call to a provider is a line of Python's `logging`, under ``gpf_desktop``. Calls
are logged without headers, body and query, where keys and texts would be; every line is redacted on its way out. While
the window hides names from who reads, a line says no more than what kind of thing happened.
"""

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from gpf_desktop.domain.hidden_names import names_hidden
from gpf_desktop.domain.redaction import redact

VERBOSE: Final = "--verbose"


@contextmanager
def log_on_standard_error(*, wanted: bool) -> Iterator[None]:
    """While the block runs and where it is *wanted*, every record of the program's loggers is printed."""
    if not wanted:
        yield
        return
    logger, handler = logging.getLogger("gpf_desktop"), logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Redacted("%(asctime)s.%(msecs)03d %(name)s: %(message)s", "%H:%M:%S"))
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        logger.setLevel(level)
        logger.removeHandler(handler)


class _Redacted(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        if names_hidden():
            # What happened alone: what is told of it may name a model or a reader.
            what = record.getMessage().partition("(")[0].partition(" ")[0]
            record = logging.makeLogRecord({**record.__dict__, "msg": f"{what} …", "args": (), "exc_info": None})
        return redact(super().format(record))
