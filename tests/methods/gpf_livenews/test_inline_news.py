"""Wordings that hold the news themselves, in place of the message layout."""

from dataclasses import replace

import pytest

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.prompts import compose
from gpf_desktop.methods.gpf_livenews.protocol import Protocol
from tests.support.protocols import shipped_protocol

SHIPPED = shipped_protocol()
NEWS = Anchor(headline="Rents {identity} rise", description="By a {headline}.")


@pytest.fixture(scope="module")
def inline() -> Protocol:
    """Every wording with the headline in it; the description stays in the layout."""
    families = tuple(
        replace(
            each,
            templates=tuple(f"{text} “{{headline}}”" for text in each.templates),
            identity_free=tuple(f"{text} “{{headline}}”" for text in each.identity_free),
        )
        for each in SHIPPED.families
    )
    return replace(SHIPPED, families=families, message_layout="{question}\n{description}")


def test_that_the_protocol_of_this_news_is_the_default_but_for_that_noun() -> None:
    shipped: Protocol = load_protocol("GPF-LiveNews-this-news", method=METHOD.name)
    assert "news article" not in repr(shipped.families)
    said = [[text.replace("this news article", "this news") for text in each.templates] for each in SHIPPED.families]
    assert [list(each.templates) for each in shipped.families] == said
    assert replace(shipped, name=SHIPPED.name, version=SHIPPED.version, families=SHIPPED.families) == SHIPPED


@pytest.mark.parametrize("condition", [Condition.IDENTITY, Condition.RANDOM_LABEL, Condition.IDENTITY_FREE])
def test_that_the_headline_is_filled_in_where_it_stands_and_braces_of_news_are_text(
    inline: Protocol, condition: Condition
) -> None:
    assert METHOD.problems(inline) == []
    made = compose(inline, Factors(condition=condition, dimension="x", identity="a {headline}", family="Impact"), NEWS)
    asked, _, rest = made.user.partition("\n")
    assert asked.endswith("“Rents {identity} rise”")
    assert rest == "By a {headline}."
    assert ("I am a {headline}." in asked) is (condition is not Condition.IDENTITY_FREE)


def test_that_a_wording_without_it_is_named_and_a_layout_without_any_as_before(inline: Protocol) -> None:
    family = inline.families[0]
    bare = replace(family, identity_free=("What of it?", *family.identity_free[1:]))
    (problem,) = METHOD.problems(replace(inline, families=(bare, *inline.families[1:])))
    assert problem.path == ("families", 0, "identity_free", 0)
    assert problem.words.startswith("{headline} is missing: other wordings have it")
    (problem,) = METHOD.problems(replace(SHIPPED, message_layout="{question}\n{description}"))
    assert (problem.path, problem.words) == (("message_layout",), "{headline} is missing")


def test_that_a_headline_in_a_wording_and_in_the_layout_is_refused(inline: Protocol) -> None:
    both = replace(inline, message_layout=SHIPPED.message_layout)
    assert all(each.words.startswith("{headline} ") for each in METHOD.problems(both))
    assert METHOD.problems(both)
