"""A grid as plain data, and what of it can be wrong beyond the bounds of its fields."""

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any, Final

from gpf_desktop import plain_data
from gpf_desktop.domain.protocol_problems import FieldProblem, Path, repeated
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.grid import budgeted_fits
from gpf_desktop.methods.contextual_stereoset.prompts import SLOT
from gpf_desktop.methods.contextual_stereoset.protocol import ORDER, WORDING, Design, StereoProtocol

CONTEXT: Final = "context"
"""The factor that tells cells in a context from those without."""
PLAIN: Final = "plain"
"""The arm of cells without context."""
TAKEN: Final = frozenset({WORDING, ORDER, CONTEXT, "model", "item", "type", "repeat"})
MOST_CONTEXTS: Final = 5000


def protocol_of(data: Mapping[str, Any]) -> StereoProtocol:
    """The protocol that *data* holds. Raises `WrongFieldError`."""
    held = {name: _in_words(each) if name in ("factors", "own_contexts") else each for name, each in data.items()}
    if isinstance(questions := data.get("questions"), Mapping):
        held["questions"] = list(questions.items())
    return plain_data.read(StereoProtocol, held, check)


def data_of(protocol: StereoProtocol) -> dict[str, Any]:
    """The inverse of `protocol_of`, its fields in order."""
    data = plain_data.write(protocol)
    for level in (level for factor in data["factors"] for level in factor["levels"]):
        if not level["group"]:
            del level["group"]
    return {**data, "questions": dict(data["questions"])}


def check(protocol: StereoProtocol) -> Iterator[FieldProblem]:
    """Names that are taken, slots without a factor, contexts that are none or too many."""
    yield from _name_problems(protocol)
    yield from _design_problems(protocol)


def _in_words(value: Any) -> Any:
    """*value* with numbers as texts: a year is written as one in a file, and is the name of a level."""
    if isinstance(value, Mapping):
        return {name: _in_words(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_in_words(each) for each in value]
    # A bool is an int to Python: "yes" in a YAML file stays a fault and becomes no level called "True".
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _name_problems(protocol: StereoProtocol) -> Iterator[FieldProblem]:
    twice = set(repeated(factor.name for factor in protocol.factors))
    for at, factor in enumerate(protocol.factors):
        path: Path = ("factors", at)
        if not factor.name.isidentifier() or factor.name != factor.name.lower():
            yield FieldProblem(path=(*path, "name"), words=tr("a small word without spaces is needed"))
        elif at in twice or factor.name in TAKEN:
            yield FieldProblem(path=(*path, "name"), words=tr("this name is taken"))
        for place in repeated(level.name for level in factor.levels):
            words = tr("each level needs a name of its own")
            yield FieldProblem(path=(*path, "levels", place, "name"), words=words)


def _design_problems(protocol: StereoProtocol) -> Iterator[FieldProblem]:
    """The problems of fields that do not fit together: slots, factors and the design."""
    slots = SLOT.findall(protocol.template)
    for factor in protocol.factors:
        if slots.count(factor.name) != 1:
            yield FieldProblem(path=("template",), words=tr("the slot {{{name}}} is needed once", name=factor.name))
    if protocol.design is Design.BUDGETED and not budgeted_fits(protocol):
        words = tr("the budgeted grid needs 12 places, 5 years, 3 styles and 2 observers; choose full or own")
        yield FieldProblem(path=("design",), words=words)
    if protocol.design is Design.FULL and prod(len(factor.levels) for factor in protocol.factors) > MOST_CONTEXTS:
        yield FieldProblem(path=("factors",), words=tr("more than {most} contexts; choose own", most=MOST_CONTEXTS))
    if protocol.design is Design.OWN:
        yield from _own_problems(protocol)


def _own_problems(protocol: StereoProtocol) -> Iterator[FieldProblem]:
    if not 1 <= len(protocol.own_contexts) <= MOST_CONTEXTS:
        yield FieldProblem(path=("own_contexts",), words=tr("1 to {most} contexts are needed", most=MOST_CONTEXTS))
    levels = [{level.name for level in factor.levels} for factor in protocol.factors]
    seen = set()
    for at, context in enumerate(protocol.own_contexts):
        if len(context) != len(levels) or any(name not in known for name, known in zip(context, levels, strict=True)):
            yield FieldProblem(
                path=("own_contexts", at), words=tr("a level of each factor is needed, in the factors’ order")
            )
        elif context in seen:
            yield FieldProblem(path=("own_contexts", at), words=tr("this context is there twice"))
        seen.add(context)
