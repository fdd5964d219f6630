"""Two protocols of any method side by side."""

from dataclasses import replace
from typing import Any

import pytest

from gpf_desktop.domain.protocol_differences import ProtocolDifference, differences
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from tests.support.protocols import shipped_protocol

DEFAULT = shipped_protocol()


def between(before: Any, after: Any, method: str = "gpf-livenews") -> list[ProtocolDifference]:
    its = catalogue.method(method)
    return differences(its.protocol_data(before), its.protocol_data(after))


@pytest.mark.parametrize("method", catalogue.methods())
def test_that_a_version_of_any_method_differs_by_what_was_changed_and_not_by_its_number(method: str) -> None:
    protocol = load_protocol(catalogue.method(method).default_protocol, method=method)
    assert between(protocol, replace(protocol, version=9), method) == []
    cooler = replace(protocol, version=9, decoding=replace(protocol.decoding, temperature=0.125))
    (found,) = between(protocol, cooler, method)
    assert (found.field, found.after) == ("decoding › temperature", "0.125")


def test_that_each_change_is_named_with_both_texts() -> None:
    family = DEFAULT.families[0]
    reworded = replace(family, templates=(family.templates[0], "I am {identity}. And?", *family.templates[2:]))
    after = replace(
        DEFAULT,
        system_prompt="Answer briefly.",
        decoding=replace(DEFAULT.decoding, temperature=None, seed=False),
        families=(reworded, *DEFAULT.families[1:]),
    )
    assert between(DEFAULT, after) == [
        ProtocolDifference(field="system prompt", before=DEFAULT.system_prompt, after="Answer briefly."),
        ProtocolDifference(field="decoding › temperature", before="0.2", after="not set"),
        ProtocolDifference(field="decoding › seed", before="yes", after="no"),
        ProtocolDifference(
            field="families › Impact › templates › 2", before=family.templates[1], after="I am {identity}. And?"
        ),
    ]


def test_that_what_only_one_version_has_is_added_or_removed() -> None:
    fewer = replace(DEFAULT, label_sets=DEFAULT.label_sets[:1], dimensions=DEFAULT.dimensions[1:])
    removed, added = between(DEFAULT, fewer), between(fewer, DEFAULT)
    assert {each.field for each in removed} == {each.field for each in added}
    assert all(each.after is None for each in removed)
    assert all(each.before is None for each in added)
    assert "dimensions › Race / Ethnicity › name" in {each.field for each in removed}


def test_that_a_question_that_is_put_in_moves_none_of_those_behind_it() -> None:
    drinks = load_protocol("Sugary drinks", method="relative-bias")
    theme = drinks.themes[0]
    more = replace(theme, questions=(theme.questions[0], "Who says so?", *theme.questions[1:]))
    (found,) = between(drinks, replace(drinks, themes=(more, *drinks.themes[1:])), "relative-bias")
    assert found == ProtocolDifference(field="themes › Health › questions › 2", before=None, after="Who says so?")


def test_that_entries_without_names_are_compared_field_by_field() -> None:
    velmora = load_protocol("Velmora", method="saged")
    changed = replace(velmora.benchmark[2], baseline="It is calm.")
    rows = (velmora.benchmark[0], changed, *velmora.benchmark[3:])
    found = between(velmora, replace(velmora, benchmark=rows), "saged")
    assert ("benchmark › 2 › baseline", "It is calm.") in {(each.field, each.after) for each in found}
