"""Notes of a round, with steps of its pace folded into one line where several follow each other."""

from collections.abc import Sequence
from itertools import groupby

from gpf_desktop.domain.runs import NoteKind
from gpf_desktop.domain.text import tr
from gpf_desktop.storage.runs import RunNote
from gpf_desktop.ui.wording import clock, count


def folded(notes: Sequence[RunNote]) -> tuple[RunNote, ...]:
    """*notes*, the newest first, with each run of several about the pace as one."""
    shown: list[RunNote] = []
    for kind, group in groupby(notes, key=lambda note: note.kind):
        together = list(group)
        if kind is NoteKind.PACE and len(together) > 1:
            newest, oldest = together[0], together[-1]
            words = tr(
                "The pace changed {n} times from {time} on; last: {last}",
                n=count(len(together)),
                time=clock(oldest.at),
                last=newest.sentence,
            )
            shown.append(RunNote(at=newest.at, sentence=words, kind=kind))
        else:
            shown += together
    return tuple(shown)
