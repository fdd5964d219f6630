"""Facts of an answer that its text alone tells, before it is held against others: a worker tells them of a million."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple

from gpf_desktop.numerics import answer_diagnostics, mentions_of_tests
from gpf_desktop.numerics.answer_diagnostics import deflects, plain_words
from gpf_desktop.numerics.mentions_of_tests import speaks_of_a_test
from gpf_desktop.numerics.spelling import NEEDLESS, SIGNS, one_spelling


class SaidText(NamedTuple):
    """Of one answer; a tuple, for tuples are sent between processes fast."""

    words: int
    same: bytes
    """Answers of which it is the same say the same, word for word."""
    deflects: bool
    speaks_of_a_test: bool


def said_texts(texts: Sequence[str]) -> list[SaidText]:
    """In the order of *texts*."""
    return [_said(text) for text in texts]


def rules() -> str:
    """Tells what `said_texts` says from what another version would have said."""
    return repr((answer_diagnostics.rules(), mentions_of_tests.rules(), sorted(SIGNS.items()), NEEDLESS.pattern))


def _said(text: str) -> SaidText:
    spelled = one_spelling(text)
    plain = plain_words(spelled)
    same = blake2b("\n".join(plain).encode(errors="replace"), digest_size=8).digest()
    # Of ASCII, folding leaves as many words as there were: most answers are too long to turn the question away.
    turned = (len(plain) <= answer_diagnostics.MOST_CANNED or not spelled.isascii()) and deflects(spelled)
    return SaidText(len(plain), same, turned, speaks_of_a_test(spelled))
