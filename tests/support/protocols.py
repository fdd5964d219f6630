"""The protocol that most tests ask with: what GPF-LiveNews ships."""

from typing import Final

from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.protocol import Protocol

GPF: Final = METHOD.name


def shipped_protocol() -> Protocol:
    """As it is in the program's resources."""
    protocol = load_protocol(METHOD.default_protocol, method=GPF)
    assert isinstance(protocol, Protocol)
    return protocol
