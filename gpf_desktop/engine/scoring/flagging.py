"""Flags of many answers at once; runs in a scoring worker, so it imports little."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from gpf_desktop.domain import methods
from gpf_desktop.domain.ids import ArticleId, CellId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import Method, StudyProtocol
from gpf_desktop.storage.responses import AnswerToFlag


def flags_of(
    method: Method, answers: Sequence[AnswerToFlag], protocol: StudyProtocol, items: Mapping[ArticleId, StudyItem]
) -> list[tuple[CellId, str, str]]:
    """(cell, flag, what it found) of *answers*, which come bundle by bundle; each flag once a cell."""
    flags: dict[tuple[CellId, str], str] = {}
    for _, bundle in groupby(answers, key=lambda answer: answer.bundle_id):
        members = list(bundle)
        asked = [methods.ToFlag(level=each.level, text=each.text, truncated=each.truncated) for each in members]
        for member, found in zip(members, method.flag(asked, protocol, items[members[0].article_id]), strict=True):
            for name, detail in found:
                before = flags.get((member.cell_id, name))
                flags[member.cell_id, name] = detail if before is None else f"{before}; {detail}"
    return [(cell_id, name, detail) for (cell_id, name), detail in flags.items()]
