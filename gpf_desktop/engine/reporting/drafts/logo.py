"""A logo: a small picture that every format can hold."""

import base64
import binascii
import struct
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.reports import ReportLogo
from gpf_desktop.domain.text import tr

LARGEST_LOGO: Final = 300_000
"""Bytes."""
_PNG: Final = b"\x89PNG\r\n\x1a\n"
_MOST_PIXELS: Final = 8000
_FRAMES: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers that begin a frame and hold its size."""


def check_logo(text: str) -> None:
    """Raises `UserError` where *text*, in base 64, is no picture that can be a logo; empty is none."""
    read_logo(text)


def read_logo(text: str) -> ReportLogo | None:
    """The picture in *text*, in base 64; None for an empty one. Raises `UserError`."""
    if not text:
        return None
    try:
        return logo(base64.b64decode(text, validate=True))
    except binascii.Error:
        raise UserError(tr("The logo is not in base 64."), tr("Choose the picture again.")) from None


def logo(data: bytes) -> ReportLogo:
    """The picture in *data*. Raises `UserError` for what is none, or too large."""
    if len(data) > LARGEST_LOGO:
        raise UserError(
            tr("The logo has {n:,} bytes.", n=len(data)), tr("Make it smaller than {n:,} bytes.", n=LARGEST_LOGO)
        )
    size = _png_size(data) if data.startswith(_PNG) else _jpeg_size(data) if data.startswith(b"\xff\xd8") else None
    if size is None or not all(0 < side <= _MOST_PIXELS for side in size):
        raise UserError(tr("The logo is no PNG or JPEG picture."), tr("Choose one that ends in .png or .jpg."))
    kind = "png" if data.startswith(_PNG) else "jpeg"
    return ReportLogo(kind=kind, data=data, width=size[0], height=size[1])


def _png_size(data: bytes) -> tuple[int, int] | None:
    if len(data) < 24 or data[12:16] != b"IHDR":
        return None
    width, height = struct.unpack(">II", data[16:24])
    return width, height


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        if marker in _FRAMES:
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return width, height
        # By 2 at least, so that a length of 0 in a hostile file does not hold the loop at its place.
        at += 2 + length
    return None
