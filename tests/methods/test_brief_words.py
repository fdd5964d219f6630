"""What a brief says was asked is what was asked: levels that no round asked are not counted."""

import pytest

from gpf_desktop.domain.brief_words import BriefScope
from gpf_desktop.domain.ports.method_abilities import WritesBrief
from gpf_desktop.domain.scopes import Scope
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from tests.support.protocols import shipped_protocol


def numbers(method: str, protocol: object, left_out: Scope) -> list[str]:
    its = catalogue.method(method)
    assert isinstance(its, WritesBrief)
    scope = BriefScope(models=("elm",), asked=4, items=10, left_out=left_out)
    words = its.brief_words(protocol, scope)
    return [f"{each.value} {each.words}" for each in words.numbers] + [words.beyond]


def test_that_readers_and_questions_that_were_left_out_are_not_counted() -> None:
    protocol = shipped_protocol()
    out = [("dimension", each.name) for each in protocol.dimensions if each.name != "Religion"]
    out += [("family", each.name) for each in protocol.families[1:]]
    told = numbers("gpf-livenews", protocol, Scope.of(out))
    religions = len(protocol.dimension("Religion").identities)
    assert told[1].startswith(f"{religions} readers named in the questions")
    assert told[2] == "1 kind of question on each article: impact"
    beyond = f"Anything beyond these 10 articles, {religions} labels and one kind of question, as worded here."
    assert told[3] == beyond
    assert numbers("gpf-livenews", protocol, Scope())[1].startswith("42 readers")


@pytest.mark.parametrize(
    ("method", "factor", "place", "before", "after"),
    [
        ("contextual-stereoset", "location", 1, "74 contexts", "68 contexts"),
        ("saged", "concept", 1, "8 countries", "7 countries"),
        (
            "saged",
            "role_play",
            2,
            "4 models, each asked without a role and in 2 roles",
            "4 models, each asked without a role and in 1 role",
        ),
        ("relative-bias", "theme", 1, "5 themes", "4 themes"),
    ],
)
def test_that_levels_that_were_left_out_are_not_counted(
    method: str, factor: str, place: int, before: str, after: str
) -> None:
    its = catalogue.method(method)
    protocol = load_protocol(its.default_protocol, method=method)
    level = its.levels(protocol)[factor][-1]
    assert numbers(method, protocol, Scope())[place].startswith(before)
    assert numbers(method, protocol, Scope.of([(factor, level)]))[place].startswith(after)
