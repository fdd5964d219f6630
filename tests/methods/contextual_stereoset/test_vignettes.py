"""Short cases have no stereotype: every table speaks of their options by number."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.round_planning import Extent
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.methods.contextual_stereoset.analyses import (
    _stored,
    contrasts,
    coverage,
    fingerprint,
    letters,
    places,
    shares,
    types,
)
from gpf_desktop.methods.contextual_stereoset.analyses import comparisons as beside
from gpf_desktop.methods.contextual_stereoset.items import ITEM_KIND, VIGNETTE_KIND, ChoiceItem
from gpf_desktop.methods.contextual_stereoset.measures import comparisons, measures
from gpf_desktop.methods.contextual_stereoset.method import METHOD
from gpf_desktop.methods.contextual_stereoset.planning import assumed, findable
from tests.methods.contextual_stereoset.studies import planted, study


class AnyScores:
    """Stands for an audit's; what is measured of them is given."""


def test_that_what_a_round_of_cases_finds_is_of_an_option(tmp_path: Path) -> None:
    protocol = load_protocol("Contextual vignettes", method=METHOD.name)
    own = tmp_path / "cases.csv"
    own.write_text(
        "id,domain,case,option_1,option_2,option_3,favourable\nv,hiring,Ana applies.,invite,hold,decline,1\n"
    )
    for asked in (protocol, replace(protocol, items=str(own))):
        titles = [each.title for each in findable(asked, Extent(items=30, models=1), assumed())]
        assert titles[0] == "How much more often option 1 is chosen, year “1990” against “2030”"
        assert not any("share of the stereotype" in title for title in titles)


def test_that_a_case_is_named_and_its_own_question_is_shown() -> None:
    protocol = load_protocol("Contextual vignettes", method=METHOD.name)
    case = METHOD.items(protocol)[0]
    assert case.title == "hiring-01"
    assert ChoiceItem.of(case).target == ""
    asked = METHOD.wording(protocol, Coordinates((("context", "grid"),)), {case.kind})
    assert asked.before.startswith(protocol.vignette_question)


def test_that_what_is_said_of_cases_alone_speaks_of_no_stereotype() -> None:
    alone, mixed = METHOD.statement_of({VIGNETTE_KIND}), METHOD.statement_of({VIGNETTE_KIND, ITEM_KIND})
    assert not re.search("SS|stereotype", " ".join((alone.short, *alone.long, *alone.limits)))
    assert mixed == METHOD.statement


def test_that_no_table_of_cases_has_a_rate_of_stereotypes(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [replace(study(planted(name, 5), items=4), labels="123", model=name) for name in ("typical", "steady")]
    stored = _stored.StoredChoices(
        models=tuple(measures(each, seed=1) for each in cases),
        comparisons=tuple(comparisons(cases, seed=1)),
        synthetic=frozenset(),
    )
    monkeypatch.setattr(_stored, "_made", lambda _scores: stored)
    titles: dict[str, str] = {}
    for analysis in (fingerprint, contrasts, types, shares, places, letters, coverage, beside):
        finding = analysis.ANALYSIS.analyse(AnyScores(), NoOptions())
        said = [
            finding.title,
            finding.reading,
            *finding.notes,
            *(each.title for each in finding.columns),
            *map(str, finding.figures),
        ]
        said += [str(value) for row in finding.rows for value in row.values.values()]
        assert finding.rows
        assert not [words for words in said if re.search(r"\bΔ?SS\b|stereotype\b", words)], finding.name
        titles |= {each.key: each.title for each in finding.columns}
    assert [titles[key] for key in ("ss", "a", "u")] == ["option 1", "option 2", "option 3"]
