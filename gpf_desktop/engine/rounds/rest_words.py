"""Sentences on why a round rests that nobody paused by hand."""

from gpf_desktop.domain.text import tr


def paused_by(signal: str) -> str:
    """A sentence that *signal* paused the round, as systems call it: Ctrl+C, the end of a session, a service that is
    stopped."""
    return tr("Paused from outside, by the signal {signal}.", signal=signal)
