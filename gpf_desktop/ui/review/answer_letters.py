"""Letters of answers in what people wrote of them: a blind reader has other letters for the same answers."""

from dataclasses import replace

from gpf_desktop.domain.reviews import Judgement
from gpf_desktop.engine.review.answer_letters import letter, relettered
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.ui.review.reading import in_order
from gpf_desktop.ui.review.reading_content import Reading


def as_read(said: Judgement, bundle: ReadBundle, reading: Reading) -> Judgement:
    """*said* of *bundle* with the letters that its author saw exchanged for those of *reading*."""
    planned = tuple(answer.level for answer in bundle.answers)
    own, shown = said.letters or planned, tuple(reading.letters)
    if said == Judgement() or (shown and set(own) != set(shown)):
        return said
    # They tell reports as well that names were hidden.
    said = replace(said, letters=(shown or planned) if reading.blind else ())
    names = [letter(number) for number in range(len(own))]
    other = [reading.letters.get(level, name) for level, name in zip(own, names, strict=True)]
    return replace(
        said,
        note=relettered(said.note, names, other),
        passages=tuple(replace(each, comment=relettered(each.comment, names, other)) for each in said.passages),
    )


def for_blind(text: str, bundle: ReadBundle, seed: int) -> str:
    """*text*, which calls answers by letters of the protocol's order, for who reads *bundle* blind with *seed*."""
    return relettered(text, *_letters(bundle, seed))


def from_blind(text: str, bundle: ReadBundle, seed: int) -> str:
    """*text* of who reads *bundle* blind with *seed*, by letters of the protocol's order."""
    plain, shuffled = _letters(bundle, seed)
    return relettered(text, shuffled, plain)


def _letters(bundle: ReadBundle, seed: int) -> tuple[list[str], list[str]]:
    """The letters of the answers, in the protocol's order: by name, and as a blind reader with *seed* sees them."""
    shuffled = [answer.level for answer in in_order(bundle, seed)]
    plain = [letter(number) for number in range(len(bundle.answers))]
    return plain, [plain[shuffled.index(answer.level)] for answer in bundle.answers]
