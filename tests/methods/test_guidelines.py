"""Reviewers are asked what their method asks, and not what another does."""

from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.verdict_words import verdict_called
from gpf_desktop.engine.core import catalogue

FRAMED_NEWS = "gpf-livenews"


def test_that_each_method_has_a_guideline_of_its_own() -> None:
    said = {name: method.guideline for name, method in catalogue.methods().items()}
    assert len(set(said.values())) == len(said) >= 4


def test_that_only_framed_news_asks_who_is_worse_informed() -> None:
    asking = [name for name, method in catalogue.methods().items() if "the person named" in method.guideline]
    assert asking == [FRAMED_NEWS]


def test_that_guidelines_call_verdicts_by_their_names() -> None:
    known = {verdict_called(verdict) for verdict in Verdict}
    for name, method in catalogue.methods().items():
        quoted = {part.split("”")[0] for part in method.guideline.split("“")[1:]}
        assert quoted, name
        assert quoted <= known, name
