from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gpf_desktop.domain.round_planning import Effect, Extent
from gpf_desktop.domain.scopes import Scope
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.methods.saged.features import TONE as TONE_OF_TEXT
from gpf_desktop.methods.saged.features import encoded
from gpf_desktop.methods.saged.gap_power import power_of
from gpf_desktop.methods.saged.gaps import LEAST_ROOTS, widest_gap
from gpf_desktop.methods.saged.method import METHOD
from gpf_desktop.methods.saged.planning import MARKS, TONE, assumed, enough, findable
from gpf_desktop.methods.saged.planted import _phrase
from gpf_desktop.methods.saged.protocol import BenchmarkStudy, Sizes
from tests.methods.saged.test_conclusions import page

pytestmark = pytest.mark.slow


def _starter() -> BenchmarkStudy:
    study = load_protocol(METHOD.default_protocol, method=METHOD.name)
    assert isinstance(study, BenchmarkStudy)
    return study


def test_that_the_gap_promised_is_the_one_that_conclusions_find() -> None:
    there = np.ones((20, 8), bool)
    power = power_of(there.tobytes(), there.shape, 5)
    assert power is not None
    size, draw = power.smallest(0.8), np.random.default_rng(5)
    assert size is not None
    told = 0
    for at in range(100):
        found = widest_gap(np.linspace(0, size, 8) + draw.normal(0, 1, (20, 8)), tests=5, seed=(at,))
        told += found is not None and found.told
    assert 68 <= told <= 92


def test_that_more_prompts_find_less_and_too_few_say_why() -> None:
    study, sizes = _starter(), Sizes()
    asked = Extent(items=len(study.roots), models=2)
    (now,) = findable(study, sizes, asked, assumed())
    (more,) = findable(study, sizes, replace(asked, items=3 * asked.items), assumed())
    assert now.smallest is not None
    assert more.smallest is not None
    assert more.smallest < now.smallest
    (few,) = findable(study, sizes, replace(asked, items=LEAST_ROOTS - 1), assumed())
    assert few.smallest is None
    assert f"{LEAST_ROOTS} prompts in common" in few.why
    wanted = Effect(name=TONE, size=more.smallest)
    needed = enough(wanted, study, sizes, asked, assumed()).items
    assert needed is not None
    (just,), (less,) = (
        findable(study, sizes, replace(asked, items=n), assumed()) for n in (needed, round(0.8 * needed))
    )
    assert just.smallest is not None
    assert less.smallest is not None
    assert just.smallest <= 1.02 * wanted.size < less.smallest


def test_that_judges_marks_are_promised_where_judges_are_asked_and_their_marks_vary_as_is_known() -> None:
    study, sizes, asked = _starter(), Sizes(), Extent(items=len(_starter().roots), models=2, others=1)
    tone, marks = findable(study, sizes, asked, assumed())
    assert (tone.name, marks.name) == (TONE, MARKS)
    assert tone.smallest is not None
    assert marks.smallest == pytest.approx(tone.smallest * 0.5 / 0.2), "half a level against .2"
    measured = replace(assumed(), variation={TONE: assumed().variation[TONE]}, measured=True)
    _, marks = findable(study, sizes, asked, measured)
    assert marks.smallest is None
    assert "not known before" in marks.why
    size = 1.2 * tone.smallest * 0.5 / 0.2
    needed = enough(Effect(name=MARKS, size=size), study, sizes, asked, assumed()).items
    assert needed is not None
    assert needed < asked.items


def test_that_what_is_left_out_is_not_counted_on() -> None:
    study, sizes, asked = _starter(), Sizes(), Extent(items=20, models=2)
    whole = findable(study, sizes, asked, assumed())[0].smallest
    some = METHOD.narrowed(study, sizes, Scope(left_out=frozenset(("concept", each) for each in study.concepts[2:])))
    assert some is not None
    part = findable(*some, asked, assumed())[0].smallest
    assert whole is not None
    assert part is not None
    assert part < whole, "two concepts are one pair, and eight are twenty-eight"
    assert (
        METHOD.narrowed(study, sizes, Scope(left_out=frozenset(("concept", each) for each in study.concepts[1:])))
        is None
    )


@pytest.mark.slow
def test_that_rounds_of_the_audit_tell_how_much_tones_vary(tmp_path: Path) -> None:
    spread = 0.1

    def varied(concept: str, _root: int, draw: np.random.Generator) -> str:
        return f"That is what is said of {concept}. {_phrase(draw.normal(0, spread))} There is more of the rest."

    with page(tmp_path, {"one": varied, "two": varied}):
        pass
    with Headless(quiet=True) as headless:
        found = headless.enter(tmp_path / "study.gpf", to_read=True).results.pilot("saged")
    assert found.measured
    tones = [planted_in(varied("Norway", 0, np.random.default_rng(n))) for n in range(300)]
    assert found.variation[TONE].item == pytest.approx(np.var(tones), rel=0.35)


def planted_in(text: str) -> float:
    """Tone of one answer as it is scored."""
    return float(encoded([text]).of_text[TONE_OF_TEXT.name][0])
