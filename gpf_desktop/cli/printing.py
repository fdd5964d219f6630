"""Summaries on standard output, for people or for programs."""

import json
import sys
from collections.abc import Sequence

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.text import tr


def show(data: object, sentences: Sequence[str], *, as_json: bool) -> None:
    """Print *data* where *as_json*, else *sentences*; it has left this process when this returns.

    Raises `StorageError` where standard output takes nothing more.
    """
    text = json.dumps(data, ensure_ascii=False, indent=1) if as_json else "\n".join(sentences)
    try:
        print(text, flush=True)
    # An OSError as well, but one that `main` knows as no fault.
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is left in the buffer would fail again when the interpreter ends.
        sys.stdout = None
        raise StorageError(
            tr("The summary cannot be written: {why}.", why=error.strerror or str(error)),
            tr("Run the same command again with its output elsewhere."),
            fault=StorageFault.FULL,
        ) from error
