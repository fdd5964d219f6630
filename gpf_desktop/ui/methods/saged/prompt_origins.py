"""Origins of the prompts of a benchmark in the making."""

import json
from collections.abc import Mapping
from enum import Enum, auto
from functools import lru_cache
from hashlib import sha256
from typing import Final

from gpf_desktop.ui.widgets.editable_table import EditableRows, TextRow

ROOT: Final = "root"
NO_ORIGIN: Final = ("", "")
"""The note of prompts that were not made here: what `origin` told, and what was said of the making."""
_BRANCHED_BY: Final = ("root", "from_root", "chosen", "tags")
"""Of what forms say."""


class PromptSource(Enum):
    """The material that prompts are made of."""

    SENTENCES = auto()
    QUESTIONS = auto()
    PROMPTS = auto()


_PARTS: Final = {
    PromptSource.SENTENCES: ("sentences", "words"),
    PromptSource.QUESTIONS: ("sentences", "questions", "words"),
    PromptSource.PROMPTS: ("words",),
}


def origin(of: PromptSource, tables: Mapping[str, EditableRows], said: Mapping[str, str]) -> str:
    """A digest of the material: prompts made now are made of the same where it is equal."""
    held = tuple((tables[part].columns, tables[part].rows) for part in _PARTS[of])
    return f"{of.name} {_digest(held, tuple(said[name] for name in _BRANCHED_BY))}"


def are_behind(told: str, tables: Mapping[str, EditableRows], said: Mapping[str, str]) -> bool:
    """Whether prompts of which `origin` *told* would be other ones if they were made now."""
    name = told.partition(" ")[0]
    return name in PromptSource.__members__ and told != origin(PromptSource[name], tables, said)


def noted_before(said: Mapping[str, str]) -> TextRow:
    """The note of prompts from before steps had notes: it stood in the form."""
    return said.get("made_of", ""), said.get("made", "")


@lru_cache(maxsize=4)
def _digest(held: tuple[tuple[TextRow, tuple[TextRow, ...]], ...], said: tuple[str, ...]) -> str:
    return sha256(json.dumps([held, said]).encode()).hexdigest()[:16]


def source_of(prompts: EditableRows, sentences: EditableRows, at: int) -> str:
    """The text that the prompt in row *at* is a branch of: its root's own baseline, or its sentence; empty: none."""
    root, branch, baseline = map(prompts.columns.index, (ROOT, "branch", "baseline"))
    row = prompts.rows[at]
    if not row[branch]:
        return ""
    for each in prompts.rows:
        if each[root] == row[root] and not each[branch]:
            return each[baseline]
    named, sentence = map(sentences.columns.index, (ROOT, "sentence"))
    return next((each[sentence] for each in sentences.rows if each[named] == row[root]), "")
