"""The shown form of a stored text, and the stored character that each shown character is."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gpf_desktop.engine.review.reading_aids.words import Stretch

INSERTED = -1


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text for reading. Parts of the stored one may be left out or put in."""

    text: str
    origins: Sequence[int]
    """For each character of *text* its place in the stored text, ascending; `INSERTED` where it has none."""
    strong: tuple[Stretch, ...] = ()
    """Stretches of *text* that the author stressed."""

    @classmethod
    def plain(cls, stored: str) -> "ShownText":
        # A range, which holds no numbers and tells `shown` that every place is its own.
        return cls(stored, range(len(stored)))

    def stored(self, part: Stretch) -> Stretch | None:
        """The stretch of the stored text that *part* of *text* shows; None if all of it was put in."""
        places = [place for place in self.origins[part.start : part.end] if place != INSERTED]
        return Stretch(places[0], places[-1] + 1) if places else None

    def shown(self, part: Stretch) -> Stretch:
        """The stretch of *text* that shows *part* of the stored text; empty if none of it is shown."""
        if isinstance(self.origins, range):
            return part
        kept = [at for at, place in enumerate(self.origins) if part.start <= place < part.end]
        if kept:
            return Stretch(kept[0], kept[-1] + 1)
        at = bisect_left([place for place in self.origins if place != INSERTED], part.start)
        return Stretch(at, at)

    def with_insertions(self, insertions: Iterable[tuple[int, str]]) -> "Widened":
        """This text with strings put in at places of *text*, given in ascending order."""
        pieces: list[str] = []
        origins: list[int] = []
        put_in: list[Stretch] = []
        moves: list[tuple[int, int]] = []
        done = length = 0
        for at, words in insertions:
            pieces.append(self.text[done:at])
            origins.extend(self.origins[done:at])
            length += at - done
            pieces.append(words)
            origins.extend([INSERTED] * len(words))
            put_in.append(Stretch(length, length + len(words)))
            length += len(words)
            moves.append((at, length - at))
            done = at
        pieces.append(self.text[done:])
        origins.extend(self.origins[done:])
        return Widened("".join(pieces), origins, moves, tuple(put_in), self)


class Widened:
    """A shown text with insertions; moves stretches of the former one to where they stand now."""

    def __init__(
        self, text: str, origins: list[int], moves: list[tuple[int, int]], put_in: tuple[Stretch, ...], base: ShownText
    ) -> None:
        self._moves = moves
        self.put_in = put_in
        self.shown = ShownText(text, origins, tuple(self.moved(part) for part in base.strong))

    def moved(self, part: Stretch) -> Stretch:
        """*part* of the former text; what is put in at its very end stays outside it."""
        return Stretch(
            part.start + self._shift(part.start, before=False), part.end + self._shift(part.end, before=True)
        )

    def _shift(self, at: int, *, before: bool) -> int:
        shift = 0
        for place, moved in self._moves:
            if place < at or (place == at and not before):
                shift = moved
            else:
                break
        return shift
