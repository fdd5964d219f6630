"""What a protocol may say: the one check for files, for what is typed into the form and for what is saved."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gpf_desktop.domain.protocol import Decoding, FitScope
from gpf_desktop.domain.protocol_problems import FieldProblem, Path, WrongFieldError
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.protocol import (
    Alternative,
    Confirmatory,
    Controls,
    Dimension,
    Family,
    Identity,
    LabelSet,
    Protocol,
    ScoringSettings,
    Spending,
)

_LAYOUT_FIELDS = ("{question}", "{headline}", "{description}")

Text = Annotated[str, Field(min_length=1, max_length=20_000)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
MOST_QUESTIONS = 100_000
"""About one article, of one model: 150 times those of the shipped protocol."""
_MOST = 200
"""Entries of any list in a protocol."""

LEAST_ARTICLES = 3
"""Under which nothing is tested."""

Share = Annotated[float, Field(ge=0, le=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)


class _Identity(_Strict):
    label: Name
    patterns: Annotated[list[Text], Field(max_length=_MOST)] = []
    overlaps: Annotated[list[Name], Field(max_length=_MOST)] = []


class _Dimension(_Strict):
    name: Name
    identities: Annotated[list[_Identity], Field(min_length=2, max_length=_MOST)]


class _Family(_Strict):
    name: Name
    templates: Annotated[list[Text], Field(min_length=1, max_length=_MOST)]
    identity_free: Annotated[list[Text], Field(min_length=1, max_length=_MOST)]


class _LabelSet(_Strict):
    name: Name
    labels: Annotated[list[Name], Field(min_length=2, max_length=_MOST)]


class _Decoding(_Strict):
    temperature: Annotated[float, Field(ge=0, le=2)] | None = 0.2
    top_p: Annotated[float, Field(gt=0, le=1)] | None = 1.0
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] | None = 3000
    seed: bool = True


class _Controls(_Strict):
    identity_free_generations: Annotated[int, Field(ge=0, le=100)] = 7
    random_label: bool = True
    repeat_share: Share = 0.14
    repeat_generations: Annotated[int, Field(ge=2, le=100)] = 3
    paraphrase_share: Share = 0.5
    label_repeat_share: Share = 0.0


class _Scoring(_Strict):
    fit_scope: FitScope = FitScope.MAIN
    rarefy: Annotated[int, Field(ge=2)] | None = None
    partial_in_means: bool = True
    high_coverage: Annotated[int, Field(ge=1)] = 300


class _Confirmatory(_Strict):
    scores: Annotated[
        list[Literal["counterfactual_framing", "relative_framing", "tone_framing"]], Field(max_length=3)
    ] = []
    alpha: Annotated[float, Field(gt=0, le=0.2)] = 0.05
    articles: Annotated[int, Field(ge=3, le=2000)] = 30
    looks: Annotated[int, Field(ge=1, le=20)] = 3
    spending: Spending = Spending.OBRIEN_FLEMING
    alternative: Alternative = Alternative.TWO_SIDED


class _Protocol(_Strict):
    name: Name
    version: Annotated[int, Field(ge=1)] = 1
    system_prompt: Annotated[str, Field(max_length=20_000)]
    message_layout: Text
    decoding: _Decoding = _Decoding()
    controls: _Controls = _Controls()
    scoring: _Scoring = _Scoring()
    confirmatory: _Confirmatory = _Confirmatory()
    label_sets: Annotated[list[_LabelSet], Field(max_length=_MOST)] = []
    families: Annotated[list[_Family], Field(min_length=1, max_length=_MOST)]
    dimensions: Annotated[list[_Dimension], Field(min_length=1, max_length=_MOST)]


FIELDS = tuple(_Protocol.model_fields)
"""The parts of a protocol in the order of its file."""


def checked_protocol(data: Mapping[str, Any]) -> Protocol:
    """The protocol that plain *data* holds. Raises `WrongFieldError`."""
    try:
        protocol = _to_domain(_Protocol.model_validate(data))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise WrongFieldError(FieldProblem(path=first["loc"], words=_in_words(first))) from None
    for problem in _checks(protocol):
        raise WrongFieldError(problem)
    return protocol


def checked_controls(data: Mapping[str, Any]) -> Controls:
    """The sizes of controls that a plan's table holds. Raises `WrongFieldError`."""
    try:
        return Controls(**_Controls.model_validate(data).model_dump())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise WrongFieldError(FieldProblem(path=first["loc"], words=_in_words(first))) from None


def problems_in(protocol: Protocol) -> list[FieldProblem]:
    """Everything that would keep *protocol* from being read back; empty exactly when `checked_protocol` takes it."""
    try:
        _Protocol.model_validate(plain_data(protocol))
    except ValidationError as error:
        found = [FieldProblem(path=each["loc"], words=_in_words(each)) for each in error.errors(include_url=False)]
    else:
        found = []
    return found + list(_checks(protocol))


def plain_data(protocol: Protocol) -> dict[str, Any]:
    """*protocol* as a file holds it: maps, lists, texts and numbers."""
    data: dict[str, Any] = json.loads(json.dumps(asdict(protocol)))
    return data


def _in_words(error: Mapping[str, Any]) -> str:
    match error["type"]:
        case "missing":
            return tr("this field is missing")
        case "extra_forbidden":
            return tr("there is no field of this name")
        case "too_short":
            return tr("at least {n} are needed", n=error["ctx"]["min_length"])
        case "too_long":
            return tr("at most {n} may stand there", n=error["ctx"]["max_length"])
        case "string_too_short":
            return tr("it is empty")
        case _:
            message: str = error["msg"]
            return message[0].lower() + message[1:]


def _checks(protocol: Protocol) -> Iterator[FieldProblem]:
    """What types alone do not say: unique names, fields in templates, patterns that compile."""
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
                except (re.error, OverflowError, RecursionError) as error:
                    words = tr("not a valid pattern: {e}", e=str(error))
                    yield FieldProblem(path=(*path, j, "patterns", k), words=words)
    for i, family in enumerate(protocol.families):
        yield from _family_checks(i, family)
    if (asked := most_questions(protocol, protocol.controls)) > MOST_QUESTIONS:
        words = tr("up to {n:,} questions about one article; at most {most:,} may be", n=asked, most=MOST_QUESTIONS)
        yield FieldProblem(path=("dimensions",), words=words)
    if protocol.confirmatory.looks > 1 and min(protocol.confirmatory.sizes) < LEAST_ARTICLES:
        words = tr(
            "the first of {n} looks has fewer than {least} articles",
            n=protocol.confirmatory.looks,
            least=LEAST_ARTICLES,
        )
        yield FieldProblem(path=("confirmatory", "looks"), words=words)
    for field in _LAYOUT_FIELDS:
        if field not in protocol.message_layout:
            yield FieldProblem(path=("message_layout",), words=tr("{field} is missing", field=field))


def most_questions(protocol: Protocol, controls: Controls) -> int:
    """How many questions about one article a model may be asked at most, without listing them."""
    families = len(protocol.families)
    main = families * sum(len(dimension.identities) for dimension in protocol.dimensions)
    repeats = main * (controls.repeat_generations - 1) if controls.repeat_share else 0
    paraphrases = main if controls.paraphrase_share else 0
    labels = families * sum(len(labels.labels) for labels in protocol.label_sets) if controls.random_label else 0
    labels *= controls.repeat_generations if controls.label_repeat_share else 1
    return main + repeats + paraphrases + labels + families * controls.identity_free_generations


def _family_checks(at: int, family: Family) -> Iterator[FieldProblem]:
    for j, template in enumerate(family.templates):
        if template.count("{identity}") != 1:
            words = tr("a template needs {field} exactly once", field="{identity}")
            yield FieldProblem(path=("families", at, "templates", j), words=words)
    for j, template in enumerate(family.identity_free):
        if "{identity}" in template:
            words = tr("an identity-free template must not name {field}", field="{identity}")
            yield FieldProblem(path=("families", at, "identity_free", j), words=words)
    if len(family.identity_free) > len(family.templates):
        words = tr("there are more identity-free templates than templates")
        yield FieldProblem(path=("families", at, "identity_free"), words=words)


def _unique(names: Sequence[str], path: Path, key: str) -> Iterator[FieldProblem]:
    seen: set[str] = set()
    for i, name in enumerate(each.strip() for each in names):
        if name and name.casefold() in seen:
            words = tr("“{name}” appears twice; each name may stand once", name=name)
            yield FieldProblem(path=(*path, i, key), words=words)
        seen.add(name.casefold())


def _to_domain(wire: _Protocol) -> Protocol:
    return Protocol(
        name=wire.name,
        version=wire.version,
        dimensions=tuple(
            Dimension(
                name=d.name,
                identities=tuple(
                    Identity(label=i.label, patterns=tuple(i.patterns), overlaps=tuple(i.overlaps))
                    for i in d.identities
                ),
            )
            for d in wire.dimensions
        ),
        families=tuple(
            Family(name=f.name, templates=tuple(f.templates), identity_free=tuple(f.identity_free))
            for f in wire.families
        ),
        system_prompt=wire.system_prompt,
        message_layout=wire.message_layout,
        label_sets=tuple(LabelSet(name=s.name, labels=tuple(s.labels)) for s in wire.label_sets),
        decoding=Decoding(**wire.decoding.model_dump()),
        controls=Controls(**wire.controls.model_dump()),
        scoring=ScoringSettings(**wire.scoring.model_dump()),
        confirmatory=Confirmatory(
            **{**wire.confirmatory.model_dump(), "scores": tuple(dict.fromkeys(wire.confirmatory.scores))}
        ),
    )
