"""Checks of a protocol beyond the bounds of its fields: names that stand once, slots, patterns that compile."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gpf_desktop.domain.protocol_problems import FieldProblem, Path, unknown_places
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.prompts import without_label
from gpf_desktop.methods.gpf_livenews.protocol import LEAST_ARTICLES, Controls, Family, Protocol, inline

MOST_QUESTIONS: Final = 100_000
"""About one article, of one model: 150 times those of the shipped protocol."""


def check(protocol: Protocol) -> Iterator[FieldProblem]:
    """Everything of that kind that is wrong in *protocol*, whatever else is."""
    yield from _unique([d.name for d in protocol.dimensions], ("dimensions",), "name")
    yield from _unique([f.name for f in protocol.families], ("families",), "name")
    yield from _unique([s.name for s in protocol.label_sets], ("label_sets",), "name")
    for i, dimension in enumerate(protocol.dimensions):
        path: Path = ("dimensions", i, "identities")
        yield from _unique([identity.label for identity in dimension.identities], path, "label")
        for j, identity in enumerate(dimension.identities):
            for k, pattern in enumerate(identity.patterns):
                try:
                    re.compile(pattern.strip())
                # Files may be hostile: "a{99999999999}" overflows, and a thousand open brackets exhaust the stack.
                except (re.error, OverflowError, RecursionError) as error:
                    words = tr("not a valid pattern: {e}", e=str(error))
                    yield FieldProblem(path=(*path, j, "patterns", k), words=words)
    for i, family in enumerate(protocol.families):
        yield from _family_checks(i, family, inline(protocol))
    yield from _cue_checks(protocol)
    yield from _unique([each.kind for each in protocol.second_turns], ("second_turns",), "kind")
    if protocol.second_turns:
        taken = {each.name.strip().casefold() for each in protocol.dimensions}
        for i, labels in enumerate(protocol.label_sets):
            if labels.name.strip().casefold() in taken:
                words = tr("with second turns no made-up labels can be called as a group of readers is")
                yield FieldProblem(path=("label_sets", i, "name"), words=words)
    if (asked := most_questions(protocol, protocol.controls)) > MOST_QUESTIONS:
        words = tr("up to {n:,} questions about one article; at most {most:,} may be", n=asked, most=MOST_QUESTIONS)
        yield FieldProblem(path=("dimensions",), words=words)
    # A single look has all articles, whose number the field itself bounds.
    if protocol.confirmatory.looks > 1 and min(protocol.confirmatory.sizes) < LEAST_ARTICLES:
        words = tr(
            "the first of {n} planned looks has fewer than {least} articles",
            n=protocol.confirmatory.looks,
            least=LEAST_ARTICLES,
        )
        yield FieldProblem(path=("confirmatory", "looks"), words=words)
    if "{question}" not in protocol.message_layout:
        yield FieldProblem(path=("message_layout",), words=tr("{field} is missing", field="{question}"))
    for field in inline(protocol):
        yield from _inline_checks(protocol, field)


def most_questions(protocol: Protocol, controls: Controls) -> int:
    """How many questions about one article a model may be asked at most, without listing them."""
    families = len(protocol.families)
    main = families * sum(len(dimension.identities) for dimension in protocol.dimensions)
    repeats = main * (controls.repeat_generations - 1) if controls.repeat_share else 0
    paraphrases = main if controls.paraphrase_share else 0
    labels = families * sum(len(labels.labels) for labels in protocol.label_sets) if controls.random_label else 0
    labels *= controls.repeat_generations if controls.label_repeat_share else 1
    cues = sum(len(each.readers) for each in protocol.cues) if controls.cues and controls.repeat_share else 0
    cues *= families * controls.repeat_generations
    turns = len(protocol.second_turns) if controls.second_turns and controls.repeat_share else 0
    turns *= repeats + labels + (main if repeats else 0)
    return turns + main + repeats + paraphrases + labels + cues + families * controls.identity_free_generations


def _inline_checks(protocol: Protocol, field: str) -> Iterator[FieldProblem]:
    """Problems of wordings without *field*: what the layout lacks must stand in every wording, or a part of the
    questions would be asked without it."""
    lacking: list[Path] = []
    wordings = 0
    for i, family in enumerate(protocol.families):
        for name, texts in (("templates", family.templates), ("identity_free", family.identity_free)):
            wordings += len(texts)
            lacking += [("families", i, name, j) for j, text in enumerate(texts) if field not in text]
    if len(lacking) == wordings:
        yield FieldProblem(path=("message_layout",), words=tr("{field} is missing", field=field))
        return
    words = tr("{field} is missing: other wordings have it in place of the message layout", field=field)
    yield from (FieldProblem(path=path, words=words) for path in lacking)


def _family_checks(at: int, family: Family, news: Sequence[str]) -> Iterator[FieldProblem]:
    for j, template in enumerate(family.templates):
        if template.count("{identity}") != 1:
            words = tr("a wording needs {field} exactly once", field="{identity}")
            yield FieldProblem(path=("families", at, "templates", j), words=words)
    for j, template in enumerate(family.identity_free):
        if "{identity}" in template:
            words = tr("a wording with no reader named must not hold {field}", field="{identity}")
            yield FieldProblem(path=("families", at, "identity_free", j), words=words)
        # The identity itself is told above.
        yield from unknown_places(template.replace("{identity}", ""), news, ("families", at, "identity_free", j))
    if len(family.identity_free) > len(family.templates):
        words = tr("there are more wordings with no reader named than wordings")
        yield FieldProblem(path=("families", at, "identity_free"), words=words)


def _cue_checks(protocol: Protocol) -> Iterator[FieldProblem]:
    yield from _unique([each.kind for each in protocol.cues], ("cues",), "kind")
    labels = {identity.label for dimension in protocol.dimensions for identity in dimension.identities}
    for i, cue in enumerate(protocol.cues):
        path: Path = ("cues", i, "readers")
        yield from _unique([each.identity for each in cue.readers], path, "identity")
        for j, reader in enumerate(cue.readers):
            if reader.identity not in labels:
                words = tr("there is no reader “{name}”", name=reader.identity)
                yield FieldProblem(path=(*path, j, "identity"), words=words)
        if not protocol.shown_by(cue):
            words = tr("it shows no group of readers whole: each of its readers is needed")
            yield FieldProblem(path=path, words=words)
    for i, family in enumerate(protocol.families if protocol.cues else ()):
        if not without_label(family.templates[0]):
            words = tr("for cues the reader has to be named in a sentence of its own, whose place a cue takes")
            yield FieldProblem(path=("families", i, "templates", 0), words=words)


def _unique(names: Sequence[str], path: Path, key: str) -> Iterator[FieldProblem]:
    seen: set[str] = set()
    for i, name in enumerate(each.strip() for each in names):
        if name and name.casefold() in seen:
            words = tr("“{name}” appears twice; each name may stand once", name=name)
            yield FieldProblem(path=(*path, i, key), words=words)
        seen.add(name.casefold())
