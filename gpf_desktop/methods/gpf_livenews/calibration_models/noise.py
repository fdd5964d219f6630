"""Numbers that depend on what they are for and on nothing else: same coordinates, same number, everywhere."""

from hashlib import blake2b


def number(*parts: str | float) -> int:
    """A 64-bit number made from *parts*."""
    # A separator that no part holds: ("a", "bc") and ("ab", "c") must not share a number.
    return int.from_bytes(blake2b("\x1f".join(map(str, parts)).encode("utf-8", "replace"), digest_size=8).digest())


def unit(*parts: str | float) -> float:
    """A number in [0, 1) made from *parts*."""
    return number(*parts) / 2**64
