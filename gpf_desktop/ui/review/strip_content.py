"""Contents of the strip above the answers: a tile per answer, in the order of the cards."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gpf_desktop.domain.text import signed, tr, trn
from gpf_desktop.ui.review.reading_content import Reading
from gpf_desktop.ui.review.wording import flag_words, missing_words
from gpf_desktop.ui.wording import percent

if TYPE_CHECKING:
    from gpf_desktop.numerics.explain import AnswerShare, BundleExplanation


@dataclass(frozen=True, slots=True, kw_only=True)
class StripTile:
    """One answer at a glance."""

    key: str
    """Names the answer among those of its bundle."""
    letter: str
    name: str
    """Its level, as it may be shown; empty in blind mode."""
    words: int
    missing: str
    """Why there is no answer; empty where there is one."""
    refused: bool
    """In words: there is an answer, and it reads like a refusal."""
    passages: int
    """Marked in it."""
    affected: bool
    """The reviewer says so."""
    share: float | None
    """Of S, 0 to 1; None while it is not known, and where it has none."""
    tone: float | None
    """VADER compound, -1 to +1."""

    @property
    def spoken(self) -> str:
        """All of the tile in words."""
        said = [f"{self.letter} {self.name}".strip()]
        if self.missing:
            said.append(missing_words(self.missing))
            return ", ".join(said)
        said.append(trn("{n} word", "{n} words", self.words))
        if self.refused:
            said.append(flag_words("refusal"))
        if self.share is not None:
            said.append(tr("carries {share} of how far apart they are", share=percent(self.share, 1)))
        if self.tone is not None:
            said.append(tr("tone {value}", value=signed(self.tone, 2)))
        if self.affected:
            said.append(tr("affected"))
        if self.passages:
            said.append(trn("{n} marked passage", "{n} marked passages", self.passages))
        return ", ".join(said)


def strip_tiles(
    reading: Reading, explanation: "BundleExplanation | None", affected: Collection[str] = ()
) -> tuple[StripTile, ...]:
    """A tile for each of the bundle's answers, identical ones too; shares and tones once they are explained."""
    known = {} if explanation is None else {answer.level: answer for answer in explanation.answers}
    return tuple(
        replace(
            _tile(reading, key, letter, card.names[at] if card.names else "", known.get(key)), affected=key in affected
        )
        for card in reading.cards
        for at, (key, letter) in enumerate(zip(card.levels, card.letters, strict=False))
    )


def _tile(reading: Reading, key: str, letter: str, name: str, share: "AnswerShare | None") -> StripTile:
    card = reading.card_of(key)
    assert card is not None
    return StripTile(
        key=key,
        letter=letter,
        name=name,
        words=card.words,
        missing=card.missing,
        refused=any(flag == "refusal" for flag, _found in card.flags),
        passages=sum(line.level == key for line in reading.passages),
        affected=False,
        share=None if share is None else share.share,
        tone=None if share is None else share.tone.compound,
    )
