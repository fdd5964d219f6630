"""Keeps the labels that do not fire on each other in step with the identities that they name."""

from collections.abc import Callable
from dataclasses import replace

from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.methods.gpf_livenews.protocol import Identity, Protocol
from gpf_desktop.ui.protocol.edit_paths import at


def labels(protocol: Protocol) -> list[str]:
    """Every identity's label, in order."""
    return [identity.label for dimension in protocol.dimensions for identity in dimension.identities]


def relabelled(edited: Protocol, before: Protocol, path: Path) -> Protocol:
    """*edited*, where the identity at *path* has another label than *before*: its overlaps follow."""
    if path[0] != "dimensions" or path[-1] != "label":
        return edited
    old, new = at(before, path), at(edited, path)
    # Another identity has that label too, and may be the one that overlaps.
    if old in labels(edited):
        return edited
    return _each(edited, lambda overlaps: tuple(new if each == old else each for each in overlaps))


def unlabelled(edited: Protocol, before: Protocol, gone: Path) -> Protocol:
    """*edited*, from which the identity or dimension at *gone* was taken: nothing overlaps with it any more."""
    if gone[0] != "dimensions":
        return edited
    lost = set(labels(before)) - set(labels(edited))
    return _each(edited, lambda overlaps: tuple(each for each in overlaps if each not in lost))


def _each(protocol: Protocol, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> Protocol:
    def changed(identity: Identity) -> Identity:
        return replace(identity, overlaps=change(identity.overlaps))

    return replace(
        protocol,
        dimensions=tuple(
            replace(dimension, identities=tuple(changed(each) for each in dimension.identities))
            for dimension in protocol.dimensions
        ),
    )
