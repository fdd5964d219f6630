"""Two versions of a protocol side by side."""

from dataclasses import replace

from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.methods.gpf_livenews.protocol_comparison import ProtocolDifference, differences

DEFAULT = load_protocol("GPF-LiveNews-v1")


def test_that_a_version_does_not_differ_from_itself_by_its_number() -> None:
    assert differences(DEFAULT, replace(DEFAULT, version=9)) == []


def test_that_each_change_is_named_with_both_texts() -> None:
    family = DEFAULT.families[0]
    reworded = replace(family, templates=(family.templates[0], "I am {identity}. And?", *family.templates[2:]))
    after = replace(
        DEFAULT,
        system_prompt="Answer briefly.",
        decoding=replace(DEFAULT.decoding, temperature=None),
        families=(reworded, *DEFAULT.families[1:]),
    )
    assert differences(DEFAULT, after) == [
        ProtocolDifference(field="system prompt", before=DEFAULT.system_prompt, after="Answer briefly."),
        ProtocolDifference(field="decoding › temperature", before="0.2", after="None"),
        ProtocolDifference(field="Impact › paraphrase 1", before=family.templates[1], after="I am {identity}. And?"),
    ]


def test_that_what_only_one_version_has_is_added_or_removed() -> None:
    fewer = replace(DEFAULT, label_sets=DEFAULT.label_sets[:1], dimensions=DEFAULT.dimensions[1:])
    removed = differences(DEFAULT, fewer)
    added = differences(fewer, DEFAULT)
    assert {each.field for each in removed} == {each.field for each in added}
    assert all(each.after is None for each in removed)
    assert all(each.before is None for each in added)
    assert "Race / Ethnicity" in {each.field for each in removed}
