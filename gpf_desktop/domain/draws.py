"""Draws that hang on what they are for and on nothing else: the same after any stop, on every machine."""

from hashlib import blake2b


def rank(*parts: str | float) -> bytes:
    """A place in an order that *parts* alone decide."""
    return _digest(parts, 64)


def number(*parts: str | float) -> int:
    """A 64-bit number made from *parts*."""
    return int.from_bytes(_digest(parts, 8))


def unit(*parts: str | float) -> float:
    """A number in [0, 1) made from *parts*."""
    return number(*parts) / 2**64


def _digest(parts: tuple[str | float, ...], size: int) -> bytes:
    # A separator that no part holds: ("a", "bc") and ("ab", "c") must not share a number.
    return blake2b("\x1f".join(map(str, parts)).encode("utf-8", "replace"), digest_size=size).digest()
