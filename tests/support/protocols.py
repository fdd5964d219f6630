"""The protocol that most tests ask with: what GPF-LiveNews ships."""

from functools import cache
from typing import Final

from gpf_desktop.engine.core.protocols import load_protocol, write_protocol
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.protocol import Protocol

GPF: Final = METHOD.name


@cache
def shipped_protocol() -> Protocol:
    """As it is in the program's resources."""
    protocol = load_protocol(METHOD.default_protocol, method=GPF)
    assert isinstance(protocol, Protocol)
    return protocol


@cache
def shipped_text() -> str:
    """As an audit keeps it."""
    return write_protocol(shipped_protocol(), GPF)
