"""A word in braces that nothing fills is refused, not sent as it stands."""

from dataclasses import replace
from typing import Any

import pytest
import yaml

from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.protocol_problems import unknown_places
from gpf_desktop.engine.core.catalogue import methods


def shipped(name: str) -> tuple[Method, Any]:
    method = methods()[name]
    text = method.protocol_files()[method.default_protocol].read_text(encoding="utf-8")
    return method, method.protocol(yaml.safe_load(text))


@pytest.mark.parametrize("written", ["{headline}", "{ identity }", "{Identity}", "{name}{name}"])
def test_that_what_is_known_is_listed(written: str) -> None:
    (problem,) = unknown_places(f"As {{identity}}: {written}?", ("{identity}",), ("templates", 0))
    assert problem.words.endswith("is not known here; known: {identity}")


@pytest.mark.parametrize("written", ["{}", '{"a": 1}', "{identity}", "a { b } c }", "{a b}"])
def test_that_braces_around_anything_but_a_word_are_text(written: str) -> None:
    assert not list(unknown_places(written, ("{identity}", "{ b }"), ()))


@pytest.mark.parametrize("name", ["contextual-stereoset", "saged"])
def test_that_a_template_with_an_unknown_place_is_refused(name: str) -> None:
    method, protocol = shipped(name)
    found = method.problems(replace(protocol, template=protocol.template + " {headline}"))
    assert any("{headline} is not known here" in problem.words for problem in found)


def test_that_templates_of_the_news_with_an_unknown_place_are_refused() -> None:
    method, protocol = shipped("gpf-livenews")
    family = protocol.families[0]
    for changed in (
        replace(family, templates=(family.templates[0] + " {headline}", *family.templates[1:])),
        replace(family, identity_free=(family.identity_free[0] + " {headline}", *family.identity_free[1:])),
    ):
        found = method.problems(replace(protocol, families=(changed, *protocol.families[1:])))
        assert any("{headline} is not known here" in problem.words for problem in found)
    found = method.problems(replace(protocol, message_layout=protocol.message_layout + "{source}"))
    assert [problem.words for problem in found] == [
        "{source} is not known here; known: {question}, {headline}, {description}"
    ]
