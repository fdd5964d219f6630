"""Flags of many answers at once; runs in a scoring worker, so it imports little."""

from collections.abc import Sequence
from itertools import groupby

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.ids import CellId
from gpf_desktop.domain.protocol import Protocol
from gpf_desktop.scorers.flags import FlaggedAnswer, flag_answers
from gpf_desktop.storage.responses import ToFlag


def flags_of(answers: Sequence[ToFlag], protocol: Protocol, anchor: Anchor) -> list[tuple[CellId, str, str]]:
    """(cell, flag, what it found) of *answers*, which come bundle by bundle; each flag once a cell."""
    identities = [identity for dimension in protocol.dimensions for identity in dimension.identities]
    flags: dict[tuple[CellId, str], str] = {}
    for _, bundle in groupby(answers, key=lambda answer: answer.bundle_id):
        members = list(bundle)
        asked = [FlaggedAnswer(text=each.text, identity=each.identity, truncated=each.truncated) for each in members]
        for member, found in zip(members, flag_answers(asked, identities=identities, anchor=anchor), strict=True):
            for flag in found:
                before = flags.get((member.cell_id, flag.flag))
                flags[member.cell_id, flag.flag] = flag.detail if before is None else f"{before}; {flag.detail}"
    return [(cell_id, name, detail) for (cell_id, name), detail in flags.items()]
