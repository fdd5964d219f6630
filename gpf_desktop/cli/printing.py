"""Summaries on standard output, for people or for programs."""

import io
import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO, cast

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.text import tr


def any_text_printed() -> None:
    """Let whatever is printed from now on get through: what the output's encoding lacks, Arabic on a code page of
    Windows or half a character in a file's name, stands there by its number, as ``\\u0627``."""
    for stream in (sys.stdout, sys.stderr):
        # None in a program without a console; a test's stand-in has no encoding to change.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def no_work_lost_for_words() -> None:
    """Let nothing end because standard error takes no words: one that is closed, or a log on a full disk."""
    if sys.stderr is None:
        # `print` would take standard output in its place, and put words between a program's data.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    elif not isinstance(sys.stderr, _PatientStream):
        sys.stderr = cast("TextIO", _PatientStream(sys.stderr))


class _PatientStream:
    """Writes to *stream* what it takes."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def show(data: object, sentences: Sequence[str], *, as_json: bool) -> None:
    """Print *data* where *as_json*, else *sentences*; it has left this process when this returns.

    Raises `StorageError` where standard output takes nothing more.
    """
    # What a code page of Windows lacks is escaped as JSON has it; other texts get a backslash (`any_text_printed`).
    ascii_alone = not (getattr(sys.stdout, "encoding", None) or "").lower().startswith("utf")
    text = json.dumps(data, ensure_ascii=ascii_alone, indent=1) if as_json else "\n".join(sentences)
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
