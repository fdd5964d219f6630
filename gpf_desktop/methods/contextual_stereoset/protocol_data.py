"""A protocol as plain data, and everything that can be wrong in it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.protocol_problems import FieldProblem, Path, WrongFieldError
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.grid import budgeted_fits
from gpf_desktop.methods.contextual_stereoset.prompts import SLOT
from gpf_desktop.methods.contextual_stereoset.protocol import (
    ORDER,
    STARTER,
    WORDING,
    Design,
    GridFactor,
    GridSizes,
    Level,
    StereoProtocol,
)

CONTEXT: Final = "context"
"""The factor that tells cells in a context from those without."""
TAKEN: Final = frozenset({WORDING, ORDER, CONTEXT, "model", "item", "type", "repeat"})
MOST_CONTEXTS: Final = 5000
MOST_REPEATS: Final = 20
MOST_LOGPROBS: Final = 20
"""The most that OpenAI and Ollama give."""
_TEXTS: Final = ("name", "template", "vignette_question")
_FIELDS: Final = frozenset(
    {
        *_TEXTS,
        "version",
        "factors",
        "questions",
        "design",
        "own_contexts",
        "items",
        "most_items",
        "system_prompt",
        "decoding",
        "top_logprobs",
    }
)


def protocol_of(data: Mapping[str, Any]) -> StereoProtocol:
    """The protocol that *data* holds. Raises `WrongFieldError`."""
    problem = next(_shape_problems(data), None)
    if problem is not None:
        raise WrongFieldError(problem)
    factors = tuple(
        GridFactor(
            name=factor["name"],
            levels=tuple(
                Level(name=str(each["name"]), wording=each["wording"], group=each.get("group", ""))
                for each in factor["levels"]
            ),
        )
        for factor in data["factors"]
    )
    protocol = StereoProtocol(
        name=data["name"],
        version=data.get("version", 1),
        factors=factors,
        template=data["template"],
        questions=tuple(data["questions"].items()),
        vignette_question=data["vignette_question"],
        design=Design(data.get("design", Design.BUDGETED)),
        own_contexts=tuple(tuple(map(str, context)) for context in data.get("own_contexts", ())),
        items=data.get("items", STARTER),
        most_items=data.get("most_items", 0),
        system_prompt=data.get("system_prompt", ""),
        decoding=Decoding(**data["decoding"]) if "decoding" in data else Decoding(temperature=0.0, max_tokens=512),
        top_logprobs=data.get("top_logprobs", 0),
    )
    problem = next(_design_problems(protocol), None)
    if problem is not None:
        raise WrongFieldError(problem)
    return protocol


def data_of(protocol: StereoProtocol) -> dict[str, Any]:
    """The inverse of `protocol_of`, its fields in order."""
    return {
        "name": protocol.name,
        "version": protocol.version,
        "factors": [
            {
                "name": factor.name,
                "levels": [
                    {"name": each.name, "wording": each.wording, **({"group": each.group} if each.group else {})}
                    for each in factor.levels
                ],
            }
            for factor in protocol.factors
        ],
        "template": protocol.template,
        "questions": dict(protocol.questions),
        "vignette_question": protocol.vignette_question,
        "design": str(protocol.design),
        "own_contexts": [list(context) for context in protocol.own_contexts],
        "items": protocol.items,
        "most_items": protocol.most_items,
        "system_prompt": protocol.system_prompt,
        "decoding": asdict(protocol.decoding),
        # Left out where none are asked for: protocols from before there were any keep their hash.
        **({"top_logprobs": protocol.top_logprobs} if protocol.top_logprobs else {}),
    }


def problems_of(protocol: StereoProtocol) -> list[FieldProblem]:
    """Everything that would keep *protocol* from being read back."""
    found = list(_shape_problems(data_of(protocol)))
    return found or list(_design_problems(protocol))


def sizes_of(data: Mapping[str, Any]) -> GridSizes:
    """The sizes that a plan's table gives. Raises `WrongFieldError`."""
    for name, value in data.items():
        if name == "plain_cell" and isinstance(value, bool):
            continue
        if name == "repeats" and _is_whole(value, 1) and value <= MOST_REPEATS:
            continue
        words = {
            "plain_cell": tr("true or false is needed"),
            "repeats": tr("a whole number from 1 to {most} is needed", most=MOST_REPEATS),
        }.get(name, tr("there is no field of this name"))
        raise WrongFieldError(FieldProblem(path=(name,), words=words))
    return GridSizes(**data)


def _shape_problems(data: Mapping[str, Any]) -> Iterator[FieldProblem]:
    """Fields that are missing, unknown or of another kind."""
    for name in data:
        if name not in _FIELDS:
            yield _problem((name,), tr("there is no field of this name"))
    for name in _TEXTS:
        if not _is_text(data.get(name)):
            yield _problem((name,), tr("this field is missing or empty"))
    for name, least in (("version", 1), ("most_items", 0)):
        if not _is_whole(data.get(name, least), least):
            yield _problem((name,), tr("a whole number from {least} is needed", least=least))
    if not _is_whole(data.get("top_logprobs", 0), 0) or data.get("top_logprobs", 0) > MOST_LOGPROBS:
        yield _problem(("top_logprobs",), tr("a whole number from 0 to {most} is needed", most=MOST_LOGPROBS))
    if not isinstance(data.get("system_prompt", ""), str):
        yield _problem(("system_prompt",), tr("a text is needed"))
    if not _is_text(data.get("items", STARTER)):
        yield _problem(("items",), tr("starter, vignettes or the path of a file is needed"))
    if data.get("design", "budgeted") not in set(Design):
        yield _problem(("design",), tr("use one of {designs}", designs=", ".join(Design)))
    yield from _question_problems(data.get("questions"))
    yield from _factor_problems(data.get("factors"))
    yield from _context_problems(data.get("own_contexts", ()))
    yield from _decoding_problems(data.get("decoding", {}))


def _question_problems(questions: object) -> Iterator[FieldProblem]:
    if not isinstance(questions, Mapping) or not questions:
        yield _problem(("questions",), tr("a question by the name of its wording is needed"))
        return
    for name, question in questions.items():
        if not _is_text(name) or not _is_text(question):
            yield _problem(("questions", str(name)), tr("this question is empty"))


def _factor_problems(factors: object) -> Iterator[FieldProblem]:
    if not isinstance(factors, Sequence) or isinstance(factors, str) or not factors:
        yield _problem(("factors",), tr("a list of factors with their levels is needed"))
        return
    names: set[str] = set()
    for at, factor in enumerate(factors):
        name = factor.get("name") if isinstance(factor, Mapping) else None
        if not isinstance(name, str) or not name.isidentifier() or name != name.lower():
            yield _problem(("factors", at, "name"), tr("a small word without spaces is needed"))
            continue
        if name in names or name in TAKEN:
            yield _problem(("factors", at, "name"), tr("this name is taken"))
        names.add(name)
        yield from _level_problems(at, factor.get("levels"))


def _level_problems(at: int, levels: object) -> Iterator[FieldProblem]:
    if not isinstance(levels, Sequence) or isinstance(levels, str) or not levels:
        yield _problem(("factors", at, "levels"), tr("a list of levels is needed"))
        return
    names: set[str] = set()
    for place, level in enumerate(levels):
        path: Path = ("factors", at, "levels", place)
        name = str(level.get("name", "")).strip() if isinstance(level, Mapping) else ""
        if not name or name in names:
            yield _problem((*path, "name"), tr("each level needs a name of its own"))
        elif not isinstance(level.get("wording"), str):
            yield _problem((*path, "wording"), tr("the words that stand in the template are needed"))
        elif not isinstance(level.get("group", ""), str):
            yield _problem((*path, "group"), tr("a text is needed"))
        names.add(name)


def _context_problems(contexts: object) -> Iterator[FieldProblem]:
    if not isinstance(contexts, Sequence) or isinstance(contexts, str):
        yield _problem(("own_contexts",), tr("a list of contexts is needed"))
        return
    for at, context in enumerate(contexts):
        if not isinstance(context, Sequence) or isinstance(context, str):
            yield _problem(("own_contexts", at), tr("a level of each factor is needed"))


def _decoding_problems(decoding: object) -> Iterator[FieldProblem]:
    known = set(Decoding.__dataclass_fields__)
    if not isinstance(decoding, Mapping):
        yield _problem(("decoding",), tr("temperature, top_p, max_tokens and seed are known"))
        return
    for name, value in decoding.items():
        if name not in known:
            yield _problem(("decoding", name), tr("temperature, top_p, max_tokens and seed are known"))
        elif name == "seed" and not isinstance(value, bool):
            yield _problem(("decoding", name), tr("true or false is needed"))
        elif name == "max_tokens" and value is not None and not _is_whole(value, 1):
            yield _problem(("decoding", name), tr("a whole number from {least} is needed", least=1))
        elif name in {"temperature", "top_p"} and not _is_number(value):
            yield _problem(("decoding", name), tr("a number from 0 is needed"))


def _design_problems(protocol: StereoProtocol) -> Iterator[FieldProblem]:
    """What does not fit together."""
    slots = SLOT.findall(protocol.template)
    for factor in protocol.factors:
        if slots.count(factor.name) != 1:
            yield _problem(("template",), tr("the slot {{{name}}} is needed once", name=factor.name))
    for slot in slots:
        if slot not in {factor.name for factor in protocol.factors}:
            yield _problem(("template",), tr("{{{name}}} is the slot of no factor", name=slot))
    if protocol.design is Design.BUDGETED and not budgeted_fits(protocol):
        words = tr("the budgeted grid needs 12 places, 5 years, 3 styles and 2 observers; choose full or own")
        yield _problem(("design",), words)
    if protocol.design is Design.FULL and _combinations(protocol) > MOST_CONTEXTS:
        yield _problem(("factors",), tr("more than {most} contexts; choose own", most=MOST_CONTEXTS))
    if protocol.design is Design.OWN:
        yield from _own_problems(protocol)


def _own_problems(protocol: StereoProtocol) -> Iterator[FieldProblem]:
    if not 1 <= len(protocol.own_contexts) <= MOST_CONTEXTS:
        yield _problem(("own_contexts",), tr("1 to {most} contexts are needed", most=MOST_CONTEXTS))
    levels = [{level.name for level in factor.levels} for factor in protocol.factors]
    seen = set()
    for at, context in enumerate(protocol.own_contexts):
        if len(context) != len(levels) or any(name not in known for name, known in zip(context, levels, strict=True)):
            yield _problem(("own_contexts", at), tr("a level of each factor is needed, in the factors’ order"))
        elif context in seen:
            yield _problem(("own_contexts", at), tr("this context is there twice"))
        seen.add(context)


def _combinations(protocol: StereoProtocol) -> int:
    total = 1
    for factor in protocol.factors:
        total *= len(factor.levels)
    return total


def _problem(path: Path, words: str) -> FieldProblem:
    return FieldProblem(path=path, words=words)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_number(value: object) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 100)
