"""What is said of answers before they are scored, alike for every method."""

import pandas as pd

from gpf_desktop.domain.conclusions.conclusion import Caveat, CaveatEffect
from gpf_desktop.engine.core import catalogue
from gpf_desktop.methods._answer_gates import CUT_OFF, answer_caveats, answer_readings, as_they_came


def said(truncated: int) -> pd.DataFrame:
    """Forty answers of a base model, of which so many end at their limit of tokens."""
    counts = {"decided": 42, "refused": 2, "repeated": 1, "deflected": 0, "leaked": 0, "truncated": truncated}
    return pd.DataFrame([counts])


def test_that_answers_cut_off_at_their_limit_weigh_on_what_every_method_says() -> None:
    few, many = (dict(as_they_came(said(n)))[CUT_OFF.key] for n in (4, 5))
    assert CUT_OFF.holds(few)
    assert not CUT_OFF.holds(many)
    assert dict(answer_readings(said(5)))[CUT_OFF.key] == many
    caveat = Caveat(key=CUT_OFF.key, effect=CaveatEffect.WEAKENS, numbers=many.numbers)
    assert answer_caveats()[CUT_OFF.key](caveat) == "5 of 40 answers were cut off at their length limit."
    for name in ("gpf-livenews", "relative-bias", "contextual-stereoset", "saged"):
        method = catalogue.method(name)
        assert CUT_OFF in method.gates, name  # type: ignore[attr-defined]
        assert CUT_OFF.key in method.voice.caveats, name  # type: ignore[attr-defined]


def test_that_no_answer_gives_no_reading() -> None:
    assert dict(as_they_came(said(5).iloc[:0])) == {}
