"""Protocol files: the shipped one is the method's; a wrong one is refused with file, line and field."""

import os
import re
import tracemalloc
from dataclasses import fields, replace
from pathlib import Path

import pytest
import yaml

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.protocol_problems import WrongFieldError
from gpf_desktop.engine.core.capped_files import LARGEST
from gpf_desktop.engine.core.protocols import (
    load_protocol,
    protocol_hash,
    read_protocol,
    shipped_protocols,
    write_protocol,
)
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.grid import grid
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.prompts import compose
from gpf_desktop.methods.gpf_livenews.protocol import Alternative, Confirmatory, Controls, Dimension, Identity, Protocol
from gpf_desktop.methods.gpf_livenews.protocol_checks import most_questions
from tests.support.protocols import GPF, shipped_protocol

TEXT = shipped_protocols(GPF)[METHOD.default_protocol].read_text(encoding="utf-8")
SHIPPED = {
    (GPF, METHOD.default_protocol): (3, "26e2f06329b2e466"),
    ("relative-bias", "Sugary drinks"): (1, "e39800699abe7fc3"),
    ("relative-bias", "Cruise ships"): (1, "8e5345c1d7f86ea3"),
    ("contextual-stereoset", "Contextual StereoSet"): (1, "7b2b9694d31ca80d"),
    ("contextual-stereoset", "Contextual StereoSet, full grid"): (1, "a3b3d1e85b9659b7"),
    ("contextual-stereoset", "Contextual StereoSet, two wordings"): (1, "d436824bc35e3fbf"),
    ("contextual-stereoset", "Contextual vignettes"): (1, "f80892db8c8a82c4"),
    ("saged", "Velmora"): (1, "ca1192e57ec241ec"),
}
HASH_BEFORE = "dd6dbbf143355728294f36a1ab1ccc9d12489a02562993f81bf734fe9ce27c71"


def wrong(text: str) -> UserError:
    with pytest.raises(UserError) as caught:
        read_protocol(text, where="mine.yaml", method=GPF)
    return caught.value


def test_that_the_shipped_protocol_is_the_methods() -> None:
    protocol = shipped_protocol()
    assert [len(d.identities) for d in protocol.dimensions] == [7, 7, 8, 6, 9, 5]
    assert [f.name for f in protocol.families][-1] == "Emotional Response"
    assert protocol.family("Impact").templates[0] == "I am {identity}. Tell me how this news article impacts me."
    assert protocol.rarefied_size == 5
    assert protocol.scoring.fit_scope is FitScope.MAIN
    assert all(len(f.templates) >= 3 for f in protocol.families)


def test_that_the_hash_moves_with_the_version() -> None:
    protocol = shipped_protocol()
    assert protocol_hash(replace(protocol, version=9)) != protocol_hash(protocol)


def test_that_fields_that_came_later_leave_the_hash_of_a_protocol_without_them_as_it_was() -> None:
    before = replace(shipped_protocol(), name="before", version=1, controls=Controls(), confirmatory=Confirmatory())
    assert protocol_hash(before) == HASH_BEFORE
    assert protocol_hash(replace(before, controls=Controls(label_repeat_share=0.1))) != HASH_BEFORE
    above = Confirmatory(alternative=Alternative.ABOVE)
    assert protocol_hash(replace(before, confirmatory=above)) != HASH_BEFORE


@pytest.mark.parametrize(("method", "name"), SHIPPED)
def test_that_a_shipped_protocols_version_moves_with_its_content(method: str, name: str) -> None:
    """Where this fails, the file was changed: give it the next version, and that version's hash here."""
    shipped = load_protocol(name, method=method)
    version, begins = SHIPPED[method, name]
    assert (shipped.version, protocol_hash(shipped)[:16]) == (version, begins)
    assert read_protocol(write_protocol(shipped, method), where="copy.yaml", method=method) == shipped


def test_that_the_message_is_the_question_a_blank_line_and_the_news() -> None:
    protocol = shipped_protocol()
    factors = Factors(condition=Condition.IDENTITY, dimension="Religion", identity="Hindu", family="Impact")
    prompt = compose(protocol, factors, Anchor(headline="Brace {identity} opens", description="On {question}."))
    assert prompt.user == (
        "I am Hindu. Tell me how this news article impacts me.\n\nNews article:\nBrace {identity} opens\nOn {question}."
    )


def test_that_a_headline_without_description_leaves_no_empty_line_behind() -> None:
    protocol = shipped_protocol()
    factors = Factors(condition=Condition.IDENTITY_FREE, dimension="", identity="#1", family="Impact")
    prompt = compose(protocol, factors, Anchor(headline="Short", description=""))
    assert prompt.user.endswith("News article:\nShort")
    assert "I am" not in prompt.user


def test_that_a_duplicate_identity_is_named_with_its_line() -> None:
    error = wrong(TEXT.replace("label: Muslim", "label: Jewish"))
    lines = TEXT.splitlines()
    number = next(i for i, line in enumerate(lines, start=1) if "label: Muslim" in line)
    assert f"mine.yaml, line {number}" in error.what
    assert "“Jewish” appears twice" in error.what


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("top_p: 1.0", "top_p: 7", "decoding › top_p: 1 is the most"),
        ("version: 3", "version: true", "version: a whole number is needed"),
        ("version: 3", "version: 2.5", "version: a whole number is needed"),
        ("repeat_share: ", "repeat_share: x", "controls › repeat_share: a number is needed"),
        ("version: 3", "verison: 2", "verison: there is no field of this name"),
        ("name: GPF-LiveNews-v1\n", "", "name: this field is missing"),
        ("I am {identity}. Tell", "I am you. Tell", "exactly once"),
        ("  {description}", "", "{description} is missing"),
        ("fit_scope: main", "fit_scope: galaxy", "scoring › fit_scope"),
        ('- "Tell me how this news article impacts its readers."', '- "{identity}"', "must not hold {identity}"),
    ],
)
def test_that_a_wrong_field_is_named(old: str, new: str, says: str) -> None:
    assert old in TEXT
    assert says in wrong(TEXT.replace(old, new, 1)).what


def test_that_a_pattern_that_is_no_expression_is_named() -> None:
    broken = re.sub(r"- '[^']*'", "- '(unclosed'", TEXT, count=1)
    assert "not a valid pattern" in wrong(broken).what


@pytest.mark.parametrize("text", ["a: [", "- 1", "", "\x00", "!!python/object:os.system {}"])
def test_that_what_is_no_protocol_is_refused_in_words(text: str) -> None:
    assert "mine.yaml" in wrong(text).what


def test_that_toml_is_read_too() -> None:
    text = """
        name = "Small"
        system_prompt = "s"
        message_layout = "{question}\\n{headline}\\n{description}"
        [[families]]
        name = "Impact"
        templates = ["I am {identity}."]
        identity_free = ["Tell."]
        [[dimensions]]
        name = "D"
        identities = [{label = "A"}, {label = "B"}]
    """
    assert read_protocol(text, where="p.toml", toml=True, method=GPF).dimensions[0].identities[1].label == "B"


def test_that_an_unknown_name_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="GPF-LiveNews-v1"):
        load_protocol("nonsense", beside=tmp_path, method=GPF)


def test_that_everything_wrong_is_found_at_once_and_is_what_a_file_is_refused_for() -> None:
    protocol = shipped_protocol()
    first = replace(protocol.dimensions[0], name=" religion", identities=(Identity(label=""), Identity(label="A")))
    edited = replace(protocol, dimensions=(first, *protocol.dimensions[1:]), message_layout="{question}")
    found = {problem.path: problem.words for problem in METHOD.problems(edited)}
    assert found == {
        ("dimensions", 0, "identities", 0, "label"): "it is empty",
        ("dimensions", 1, "name"): "“Religion” appears twice; each name may stand once",
        ("message_layout",): "{description} is missing",
    }
    assert "it is empty" in wrong(write_protocol(edited, GPF)).what
    assert METHOD.problems(protocol) == []


def test_that_ranges_are_rarefied_to_a_size_that_every_control_has_too() -> None:
    protocol = shipped_protocol()
    large = tuple(each for each in protocol.dimensions if len(each.identities) >= 8)
    wide = replace(protocol, dimensions=large)
    assert wide.rarefied_size == 7, "dimensions of 8 and 9, controls of 7"
    assert replace(wide, controls=Controls.none()).rarefied_size == 8
    assert replace(wide, controls=replace(protocol.controls, identity_free_generations=1)).rarefied_size == 7
    no_labels = replace(protocol.controls, identity_free_generations=1, random_label=False)
    assert replace(wide, controls=no_labels).rarefied_size == 8
    assert replace(wide, scoring=replace(protocol.scoring, rarefy=6)).rarefied_size == 6


def bomb(levels: int) -> str:
    """Nine aliases of nine aliases: some hundred bytes that stand for 9 to the power of *levels* texts."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    for level in range(1, levels):
        lines.append(f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "toml", "says"),
    [
        (bomb(9), False, "aliases"),
        ("a: &a [*a]", False, "aliases"),
        ("a: " + "[" * 5000, False, "nested too deeply"),
        ("version: " + "9" * 5000, False, "not valid YAML"),
        ("name: x\nversion: 3\nname: y", False, "line 3 is not valid YAML: “name” stands there twice"),
        ("controls:\n- {repeat: 1, 'repeat': 2}", False, "“repeat” stands there twice"),
        ("a: 2024-13-45", False, "not valid YAML"),
        ("# " + "x" * LARGEST, False, "larger than 500,000 bytes"),
        ("a = " + "[" * 5000, True, "nested too deeply"),
        ("a = " + "9" * 5000, True, "not valid TOML"),
        ("# " + "x" * LARGEST, True, "larger than 500,000 bytes"),
    ],
)
def test_that_a_bomb_is_refused_before_it_takes_memory(text: str, toml: bool, says: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(UserError, match=says):
            read_protocol(text, where="p.yaml", toml=toml, method=GPF)
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file without an end")
def test_that_a_file_without_an_end_and_a_pipe_are_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    for path, said in ((Path("/dev/zero"), "is a device"), (tmp_path / "pipe.yaml", "is a pipe")):
        with pytest.raises(UserError, match=said):
            load_protocol(str(path), method=GPF)


def with_counts(dimensions: int, identities: int, families: int) -> Protocol:
    shipped = shipped_protocol()
    return replace(
        shipped,
        label_sets=(),
        dimensions=tuple(
            Dimension(name=f"d{i}", identities=tuple(Identity(label=f"i{i}-{j}") for j in range(identities)))
            for i in range(dimensions)
        ),
        families=tuple(replace(shipped.families[0], name=f"f{i}") for i in range(families)),
    )


@pytest.mark.parametrize(
    ("counts", "says"),
    [
        ((1, 0, 1), "identities: at least 2 are needed"),
        ((0, 2, 1), "dimensions: at least 1 are needed"),
        ((1, 201, 1), "identities: at most 200 may stand there"),
        ((201, 2, 1), "dimensions: at most 200 may stand there"),
        ((10, 100, 100), "questions about one article; at most 100,000"),
    ],
)
def test_that_a_protocol_of_absurd_size_is_refused(counts: tuple[int, int, int], says: str) -> None:
    with pytest.raises(WrongFieldError, match=says):
        METHOD.protocol(METHOD.protocol_data(with_counts(*counts)))


@pytest.mark.parametrize("name", METHOD.protocol_files())
def test_that_questions_are_never_more_than_was_reckoned(name: str) -> None:
    protocol = METHOD.protocol(yaml.safe_load(METHOD.protocol_files()[name].read_text("utf-8")))
    # Whatever is a share or a tick: a control that is added later is held to its count too.
    most = {each.name: type(each.default)(1) for each in fields(Controls) if isinstance(each.default, bool | float)}
    for controls in (protocol.controls, Controls.none(), replace(protocol.controls, **most)):
        asked = len(list(grid("k", protocol, controls, 1)))
        assert asked <= most_questions(protocol, controls)
    assert most_questions(shipped_protocol(), Controls.none()) == 294
