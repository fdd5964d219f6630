"""Keeps overlaps and cues in step with the identities that they name."""

from collections.abc import Callable
from dataclasses import replace

from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.methods.gpf_livenews.protocol import Cue, Identity, Protocol, Reader
from gpf_desktop.ui.protocol.edit_paths import at


def labels(protocol: Protocol) -> list[str]:
    """Every identity's label, in order."""
    return [identity.label for dimension in protocol.dimensions for identity in dimension.identities]


def relabelled(edited: Protocol, before: Protocol, path: Path) -> Protocol:
    """*edited*, where the identity at *path* has another label than *before*: what names it follows."""
    if path[0] != "dimensions" or path[-1] != "label":
        return edited
    old, new = at(before, path), at(edited, path)
    # Another identity has that label too, and may be the one that overlaps.
    if old in labels(edited):
        return edited
    renamed = _each(edited, lambda overlaps: tuple(new if each == old else each for each in overlaps))
    return _readers(renamed, lambda each: replace(each, identity=new) if each.identity == old else each)


def unlabelled(edited: Protocol, before: Protocol, gone: Path) -> Protocol:
    """*edited*, from which the identity or dimension at *gone* was taken: nothing overlaps with it any
    more, and no cue shows it."""
    if gone[0] != "dimensions":
        return edited
    lost = set(labels(before)) - set(labels(edited))
    left = _each(edited, lambda overlaps: tuple(each for each in overlaps if each not in lost))
    return _readers(left, lambda each: None if each.identity in lost else each)


def _readers(protocol: Protocol, change: Callable[[Reader], Reader | None]) -> Protocol:
    def changed(cue: Cue) -> Cue:
        return replace(cue, readers=tuple(kept for each in cue.readers if (kept := change(each)) is not None))

    return replace(protocol, cues=tuple(map(changed, protocol.cues)))


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
