"""Decompression with a cap, so that a small bomb cannot become a large body."""

import gzip
import zlib
from collections.abc import Callable

GZIP_MAGIC = b"\x1f\x8b"
_HEADER = 2
"""Bytes that tell zlib's and gzip's streams from raw deflate."""
# zlib's 15 bits of window, and 32 to have it find out whether the header is gzip's or its own.
_WINDOW_OF_GZIP_OR_ZLIB = 47
_STEP = 1024 * 1024


def _always(more: int) -> bool:  # noqa: ARG001 - a share's
    return True


class Inflater:
    """Takes a compressed body piece by piece and never holds more than *cap* bytes of what is inside.

    *admits* is asked before bytes are added. Reading past the cap, or what is not admitted, sets `full`; a stream
    that has not ended when the transfer has leaves `complete` false.
    Raises `zlib.error` for bytes that are no such stream.
    """

    def __init__(self, cap: int, admits: Callable[[int], bool] = _always) -> None:
        self._cap = cap
        self._admits = admits
        self._pieces: list[bytes] = []
        self._size = 0
        self._stream = zlib.decompressobj(_WINDOW_OF_GZIP_OR_ZLIB)
        self._begun = False
        self._head = b""
        """What came so far, while it is too short to tell what it is."""
        self.full = False

    @property
    def body(self) -> bytes:
        return b"".join(self._pieces)

    @property
    def complete(self) -> bool:
        return self._stream.eof or not (self._begun or self._head)

    def feed(self, piece: bytes) -> None:
        if not self._begun:
            piece, self._head = self._head + piece, b""
            if len(piece) < _HEADER:
                self._head = piece
                return
        while piece and not self.full:
            if self._stream.eof:
                # Several gzip members may follow each other; anything else after the end is padding.
                if not piece.startswith(GZIP_MAGIC):
                    return
                self._stream = zlib.decompressobj(_WINDOW_OF_GZIP_OR_ZLIB)
            piece = self._inflate(piece)

    def _inflate(self, piece: bytes) -> bytes:
        out = self._decompress(piece)
        self._begun = True
        kept = out[: self._cap - self._size]
        admitted = self._admits(len(kept))
        if admitted:
            self._pieces.append(kept)
            self._size += len(kept)
        self.full = not admitted or len(kept) < len(out)
        # Behind the end of a stream, what may be the next member; before it, what this step left over.
        return self._stream.unused_data or self._stream.unconsumed_tail

    def _decompress(self, piece: bytes) -> bytes:
        # One byte beyond the cap tells a body that is too large from one that just fits.
        room = min(self._cap - self._size + 1, _STEP)
        try:
            return self._stream.decompress(piece, room)
        except zlib.error:
            if self._begun:
                raise
            # Some servers mean raw deflate when they say "deflate".
            self._stream = zlib.decompressobj(-zlib.MAX_WBITS)
            return self._stream.decompress(piece, room)


def unpacked(body: bytes, cap: int, admits: Callable[[int], bool] = _always) -> tuple[bytes, bool]:
    """*body*, or what a gzip file holds, at most *cap* bytes; and whether the end is missing."""
    if not body.startswith(GZIP_MAGIC):
        return body[:cap], len(body) > cap
    inflater = Inflater(cap, admits)
    try:
        inflater.feed(body)
    except zlib.error as error:
        raise gzip.BadGzipFile(str(error)) from error
    return inflater.body, inflater.full or not inflater.complete
