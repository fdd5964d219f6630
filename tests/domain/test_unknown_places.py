"""A word in braces that nothing fills is refused, not sent as it stands."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
import yaml

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.protocol_problems import unknown_places
from gpf_desktop.engine.core.catalogue import methods
from gpf_desktop.engine.core.protocols import kept_protocol, kept_text, read_protocol
from gpf_desktop.methods.saged.judging import Rubric


def shipped(name: str) -> tuple[Method, Any]:
    method = methods()[name]
    text = method.protocol_files()[method.default_protocol].read_text(encoding="utf-8")
    return method, method.protocol(yaml.safe_load(text))


@pytest.mark.parametrize(
    "written",
    [
        *("{headline}", "{ identity }", "{Identity}", "{name}{name}", "{0}", "{Überschrift}"),
        *("{identity!s}", "{identity:>9}", "{news.headline}", "{news[0]}", "{head-line}"),
    ],
)
def test_that_what_is_known_is_listed(written: str) -> None:
    (problem,) = unknown_places(f"As {{identity}}: {written}?", ("{identity}",), ("templates", 0))
    assert problem.words.endswith("is not known here; known: {identity}")


@pytest.mark.parametrize(
    "written", ["{}", '{"a": 1}', "{identity}", "a { b } c }", "{a b}", "{a: 1}", "{a, b}", "{...}"]
)
def test_that_braces_around_anything_but_a_word_are_text(written: str) -> None:
    assert not list(unknown_places(written, ("{identity}", "{ b }"), ()))


def test_that_a_known_place_in_braces_twice_is_told_and_braces_around_more_are_text() -> None:
    (problem,) = unknown_places("As {{identity}}?", ("{identity}",), ())
    assert problem.words.endswith("one pair would be sent: write {identity}")
    assert not list(unknown_places('{"who": {identity}}', ("{identity}",), ()))


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
        assert any(problem.words.startswith("{headline} ") for problem in found)
    found = method.problems(replace(protocol, message_layout=protocol.message_layout + "{source}"))
    assert [problem.words for problem in found] == [
        "{source} is not known here; known: {question}, {headline}, {description}"
    ]


def changed(protocol: Any, path: tuple[str | int, ...], text: str) -> Any:
    """*protocol* with *text* behind what stands at *path*."""
    if not path:
        return f"{protocol} {text}".strip()
    first, *rest = path
    if isinstance(first, str) and isinstance(protocol, Mapping):
        return {**protocol, first: changed(protocol[first], tuple(rest), text)}
    if isinstance(first, str):
        return replace(protocol, **{first: changed(getattr(protocol, first), tuple(rest), text)})
    return tuple(changed(each, tuple(rest), text) if at == first else each for at, each in enumerate(protocol))


SENT: tuple[tuple[str, tuple[str | int, ...]], ...] = (
    ("gpf-livenews", ("system_prompt",)),
    ("gpf-livenews", ("dimensions", 0, "identities", 0, "label")),
    ("gpf-livenews", ("label_sets", 0, "labels", 1)),
    ("relative-bias", ("system_prompt",)),
    ("relative-bias", ("counts_as_bias",)),
    ("relative-bias", ("rubric", "levels", 2)),
    ("contextual-stereoset", ("system_prompt",)),
    ("contextual-stereoset", ("factors", 0, "levels", 0, "wording")),
    ("contextual-stereoset", ("questions", 0, 1)),
    ("contextual-stereoset", ("vignette_question",)),
    ("saged", ("roles", "assistant")),
    ("saged", ("rubrics", 0, "asks")),
    ("saged", ("rubrics", 0, "levels", 1)),
)


@pytest.mark.parametrize(("name", "path"), SENT, ids=str)
def test_that_a_word_in_braces_is_refused_wherever_a_text_is_sent_as_it_stands(
    name: str, path: tuple[str | int, ...]
) -> None:
    method, protocol = shipped(name)
    if name == "saged":
        rubric = Rubric(name="warmth", asks="How warm is it towards {concept}?", levels=("cold", "even", "warm"))
        protocol = replace(protocol, roles={"none": "", "assistant": "You help."}, rubrics=(rubric,))
    before = method.problems(protocol)
    found = [each for each in method.problems(changed(protocol, path, "{headline}")) if each not in before]
    assert any(each.words.startswith("{headline} ") and each.path == path for each in found), found
    assert method.problems(changed(protocol, path, '{"a": 1}')) == before


@pytest.mark.parametrize(("name", "path"), [("relative-bias", ("themes", 0, "questions", 0))])
def test_that_braces_in_what_is_asked_about_are_text(name: str, path: tuple[str | int, ...]) -> None:
    method, protocol = shipped(name)
    assert not method.problems(changed(protocol, path, "What does {name} mean in Python?"))


def test_that_a_protocol_that_an_audit_keeps_is_read_with_the_words_that_were_asked() -> None:
    method, protocol = shipped("gpf-livenews")
    asked = replace(protocol, system_prompt="Answer as {name}.")
    text = kept_text(asked, method.name)
    with pytest.raises(UserError, match=r"\{name\} would be sent as it stands"):
        read_protocol(text, where="a.yaml", method=method.name)
    assert kept_protocol(text, where="the round", method=method.name) == asked
