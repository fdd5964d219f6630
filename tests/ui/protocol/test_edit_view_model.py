"""Whatever is done in the form, the draft can be saved or a field is named, and undo leads back."""

from dataclasses import fields, is_dataclass
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QObject

from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import protocol_hash, read_protocol, write_protocol
from gpf_desktop.methods.gpf_livenews.protocol import Dimension, Family, Identity, LabelSet
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.protocol.edit_paths import at
from gpf_desktop.ui.protocol.kept_edit import KeptEdit
from gpf_desktop.ui.protocol.own_form import own_form
from gpf_desktop.ui.protocol.tabs import tabs_of
from tests.support.protocols import GPF, shipped_protocol

DEFAULT = shipped_protocol()
METHOD, OWN = catalogue.method(GPF), own_form(GPF)
DIGEST = protocol_hash(DEFAULT)
NEW: dict[str, Any] = {
    "dimensions": Dimension(name="New", identities=(Identity(label="One"), Identity(label="Two"))),
    "identities": Identity(label=""),
    "families": Family(name="New", templates=("I am {identity}.",), identity_free=("Tell me.",)),
    "templates": "I am {identity}.",
    "identity_free": "",
    "label_sets": LabelSet(name="New", labels=("A", "B")),
}
TEXTS = st.one_of(
    st.sampled_from(["", "Jewish", "jewish ", "{identity}", "I am {identity}.", "(unclosed", "Impact", "letters"]),
    st.text(max_size=12),
)
STEPS = st.lists(
    st.tuples(st.sampled_from(["type", "add", "remove", "move", "undo", "redo", "pause"]), st.randoms(), TEXTS),
    max_size=12,
)


@pytest.fixture
def model(context: Context) -> KeptEdit:
    return KeptEdit(context, QObject(context.actions))


def text_paths(model: KeptEdit) -> list[Any]:
    draft = model.draft
    assert draft is not None
    paths: list[Any] = [("name",), ("system_prompt",), ("message_layout",)]
    for i, dimension in enumerate(draft.dimensions):
        paths.append(("dimensions", i, "name"))
        paths += [("dimensions", i, "identities", j, "label") for j in range(len(dimension.identities))]
        paths += [("dimensions", i, "identities", j, "patterns") for j in range(len(dimension.identities))]
    for i, family in enumerate(draft.families):
        paths.append(("families", i, "name"))
        paths += [("families", i, "templates", j) for j in range(len(family.templates))]
        paths += [("families", i, "identity_free", j) for j in range(len(family.identity_free))]
    for i in range(len(draft.label_sets)):
        paths += [("label_sets", i, "name"), ("label_sets", i, "labels")]
    return paths


def list_paths(model: KeptEdit) -> list[Any]:
    draft = model.draft
    assert draft is not None
    paths: list[Any] = [("dimensions",), ("families",), ("label_sets",)]
    paths += [("dimensions", i, "identities") for i in range(len(draft.dimensions))]
    paths += [("families", i, part) for i in range(len(draft.families)) for part in ("templates", "identity_free")]
    return paths


def take(model: KeptEdit, kind: str, pick: Any, text: str) -> None:
    """One step of an auditor's."""
    listed = pick.choice(list_paths(model))
    items = at(model.draft, listed)
    match kind:
        case "type":
            path = pick.choice(text_paths(model))
            model.put(path, (text,) if isinstance(at(model.draft, path), tuple) else text, "typing")
        case "add":
            model.add(listed, NEW[listed[-1]], "adding")
        case "remove" if items:
            model.remove((*listed, pick.randrange(len(items))), "removing")
        case "move" if items:
            model.move((*listed, pick.randrange(len(items))), pick.choice((-1, 1)), "moving")
        case "undo":
            model.undo()
        case "redo":
            model.redo()
        case _:
            model.pause()


@given(steps=STEPS)
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_that_any_edit_can_be_saved_or_names_a_field_and_can_be_undone(model: KeptEdit, steps: Any) -> None:
    model.begin(METHOD, OWN, DEFAULT, DIGEST, "")
    for kind, pick, text in steps:
        take(model, kind, pick, text)
    draft = model.draft
    assert draft is not None
    for problem in model.problems.found:
        at(draft, problem.path)
        assert model.problems.at(problem.path)
    if model.problems:
        with pytest.raises(UserError):
            read_protocol(write_protocol(draft, GPF), where="draft", method=GPF)
    else:
        saved = read_protocol(write_protocol(draft, GPF), where="draft", method=GPF)
        assert len(saved.dimensions) == len(draft.dimensions)
    assert model.can_save is (model.dirty and not model.problems)
    while model._history.undo_words:
        model.undo()
    assert model.draft == DEFAULT
    while model._history.redo_words:
        model.redo()
    model.close()


def test_that_what_is_typed_into_one_field_is_one_step_until_it_is_left(model: KeptEdit) -> None:
    model.begin(METHOD, OWN, DEFAULT, DIGEST, "")
    for text in ("R", "Ra", "Rac"):
        model.put(("dimensions", 0, "name"), text, "renaming")
    model.pause()
    model.put(("dimensions", 0, "name"), "Race", "renaming")
    model.undo()
    assert model.draft is not None
    assert model.draft.dimensions[0].name == "Rac"
    model.undo()
    assert model.draft == DEFAULT
    assert not model._history.undo_words
    model.close()


def test_that_every_part_with_settings_of_its_own_stands_among_the_settings() -> None:
    parts = [each.name for each in fields(DEFAULT) if is_dataclass(getattr(DEFAULT, each.name))]
    assert "confirmatory" in parts
    assert list(tabs_of(type(DEFAULT), OWN.names)[-1].names) == parts
