"""The manual that ships with the program: Markdown in `resources/manual`, with the program's own words filled in.

A line ``{{words NAME}}`` stands for what the program itself says: the question or the sentence of a method, chips of
conclusions, verdicts, severities, measures. What is filled in is never a second copy of what the screens say.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, ConclusionTag
from gpf_desktop.domain.conclusions.rendering import chips, tag_words
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.text import language, tr
from gpf_desktop.domain.verdict_words import (
    SEVERITIES,
    severity_anchor,
    severity_called,
    verdict_called,
    verdict_question,
)
from gpf_desktop.engine.core import catalogue

_FILLED: Final = re.compile(r"\{\{(\w+)(?: ([\w-]+))?\}\}")
_HEADING: Final = re.compile(r"^(#{1,3}) (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualSection:
    """A section of the manual, from one heading to the next."""

    title: str
    level: int
    """1: the page itself."""
    anchor: str
    """The English title in small letters, with “-” between its words."""
    text: str
    """Without the heading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ManualPage:
    """One file of the manual, filled in."""

    id: str
    text: str
    """Markdown."""
    anchors: tuple[str, ...]
    """Of its headings, in every language those of the English ones: links and F1 name them."""

    @property
    def sections(self) -> tuple[ManualSection, ...]:
        heads = list(_HEADING.finditer(self.text))
        ends = [each.start() for each in heads[1:]] + [len(self.text)]
        return tuple(
            ManualSection(title=head[2], level=len(head[1]), anchor=anchor, text=self.text[head.end() : end].strip())
            for head, end, anchor in zip(heads, ends, self.anchors, strict=True)
        )

    @property
    def title(self) -> str:
        return self.sections[0].title


@dataclass(frozen=True, slots=True, kw_only=True)
class Manual:
    pages: tuple[ManualPage, ...]
    """In the order of the contents."""
    places: Mapping[str, str]
    """By the name of a widget, where the manual tells of it: “page” or “page#anchor”."""

    def page(self, page_id: str) -> ManualPage | None:
        return next((each for each in self.pages if each.id == page_id), None)

    def place_of(self, names: Sequence[str]) -> str:
        """The place in the manual about the first of *names* (widgets, innermost first) that it knows; else its
        beginning."""
        return next((self.places[name] for name in names if name in self.places), self.pages[0].id)


def manual_folder() -> Path:
    return resources() / "manual"


def manual_picture(name: str) -> Path:
    """The file of the picture *name*, of the window in the language that it speaks where the manual has that."""
    own = manual_folder() / language() / "pictures" / name
    return own if own.is_file() else manual_folder() / "pictures" / name


def manual() -> Manual:
    """The whole of it in the language of the window, in English where it has none of its own; read once."""
    return _manual(language())


@cache
def _manual(spoken: str) -> Manual:
    contents = yaml.safe_load((manual_folder() / "contents.yaml").read_text(encoding="utf-8"))
    return Manual(pages=tuple(_page(name, spoken) for name in contents["pages"]), places=contents["places"])


def _page(name: str, spoken: str) -> ManualPage:
    english = manual_folder() / f"{name}.md"
    own = manual_folder() / spoken / english.name
    anchors = tuple(anchor_of(head[2]) for head in _HEADING.finditer(english.read_text(encoding="utf-8")))
    text = (own if own.is_file() else english).read_text(encoding="utf-8")
    return ManualPage(id=name, text=filled(text), anchors=anchors)


def anchor_of(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def filled(text: str) -> str:
    """*text* with the program's words in it. Raises `KeyError` for a name that stands for none."""

    def put(found: re.Match[str]) -> str:
        makers: Mapping[str, Callable[[str], str]] = {
            "question": lambda name: catalogue.method(name).question,
            "statement": lambda name: catalogue.method(name).statement.short,
            "citation": lambda name: catalogue.method(name).citation,
            "conclusion": lambda name: chips()[ConclusionOutcome(name)],
            "tag": lambda name: tag_words()[ConclusionTag(name)],
            "verdicts": lambda _: _table(
                (tr("Verdict"), tr("The question it answers")),
                ((verdict_called(each), verdict_question(each)) for each in Verdict),
            ),
            "severities": lambda _: _table(
                (tr("Severity"), tr("What a reader loses")),
                ((severity_called(each), severity_anchor(each)) for each in SEVERITIES),
            ),
            "measures": lambda _: _table((tr("In words"), tr("Sign"), tr("What it says")), _measures()),
        }
        return makers[found[1]](found[2] or "")

    return _FILLED.sub(put, text)


def _measures() -> Iterator[tuple[str, str, str]]:
    told: set[str] = set()
    for scorer in catalogue.scorers().values():
        for each in scorer.measures:
            if each.plain and each.plain not in told:
                told.add(each.plain)
                yield each.plain, each.short, each.about


def _table(heads: Sequence[str], rows: Any) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    # A bar would end the cell that it stands in.
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
