"""The protocol: the questions, the models asked and how they are judged; a version of a study, with a hash like any
protocol's."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from typing import Annotated, Any, Final

from annotated_types import Ge, Gt, Interval, MinLen

from gpf_desktop import plain_data
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.protocol import LATER, Decoding
from gpf_desktop.domain.protocol_problems import FieldProblem, WrongFieldError, repeated
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.writing import Provenance
from gpf_desktop.methods.relative_bias.comparing import K
from gpf_desktop.methods.relative_bias.question_sets import QuestionSet, QuestionTheme
from gpf_desktop.methods.relative_bias.rubric import Rubric, ten_levels
from gpf_desktop.numerics.planted_orders import ORDERED

KIND: Final = "question"
FEWEST_BASELINES: Final = 3
"""With fewer, the standard deviation of their means, and so the margin, is known to nobody."""
ROUGH_BASELINES: Final = 4
"""With so many or fewer, σ of the baselines' means is rough."""

Words = Annotated[str, MinLen(1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAnswer:
    """An answer of an earlier round, in which orders to judges are planted."""

    theme: Words
    question: Words
    answer_of: Words
    text: Words
    """As judges see it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BiasStudy:
    """A domain with its questions."""

    name: Annotated[
        Words, Shown(label="Name", help="Another name makes a study of its own, with versions counted from 1.")
    ]
    version: Annotated[int, Ge(1)] = 1
    domain: Annotated[str, Shown(label="Domain")]
    """Empty where answers were asked elsewhere and nobody says."""
    counts_as_bias: Annotated[
        str,
        Shown(
            label="What counts as bias here",
            lines=2,
            sent=True,
            help="One sentence: what a judge model is to look for.",
        ),
    ]
    """One sentence that says what a judge is to look for; empty where judges were asked elsewhere."""
    system_prompt: Annotated[
        str,
        Shown(
            label="System prompt of every question",
            lines=3,
            sent=True,
            help="Empty, as the method advises: models answer as they come.",
        ),
    ] = ""
    decoding: Annotated[Decoding, Shown(label="Decoding")] = field(default_factory=Decoding)
    margin_k: Annotated[
        float,
        Gt(0),
        Shown(
            label="Too small to matter",
            unit="σ",
            decimals=2,
            help="A difference within so many standard deviations of the means of the models compared is too "
            "small to matter: 2.81 in the method.",
        ),
    ] = K
    """The margin is so many standard deviations of the baselines' means."""
    margin_levels: Annotated[
        float,
        Ge(0),
        Shown(
            label="Too small to matter, in marks",
            unit="levels",
            decimals=2,
            help="A difference in a judge model's marks that you agree beforehand not to count: within it a "
            "model is “alike”. 0: within the low end of what stands above, from five models compared on.",
        ),
    ] = field(default=0.0, metadata=LATER)
    """A difference in a judge's levels that was agreed beforehand to be too small to matter: what *alike* is held
    against in place of the low end of the margin's interval; 0: none was stated."""
    rubric: Annotated[Rubric, Shown(label="Marking guide of judge models")] = field(default_factory=ten_levels)
    masks_names: Annotated[
        bool, Shown(label="Judge models do not see what an answer says of its own model and maker")
    ] = field(default=True, metadata=LATER)
    """Judges do not see what an answer says of its own model and maker."""
    themes: Annotated[tuple[QuestionTheme, ...], MinLen(1), Shown(label="Themes", one="theme", add="Add a theme")]
    checked: Annotated[tuple[CheckedAnswer, ...], Shown(label="Answers checked", hidden=True)] = field(
        default=(), metadata=LATER
    )
    """Where there are any, nothing is asked but judges, about these answers with orders planted."""
    written: Annotated[tuple[Provenance, ...], Shown(label="Written by models", hidden=True)] = field(
        default=(), metadata=LATER
    )
    """Calls of writer models by which parts of the questions came; an auditor may have changed them since."""

    @property
    def title(self) -> str:
        return tr("{name} · version {n}", name=self.name, n=self.version)

    @property
    def questions(self) -> QuestionSet:
        return QuestionSet(themes=self.themes)


def renewed_rubric(rubric: Rubric, before: Rubric) -> Rubric:
    """*rubric*, edited from *before*, with its number: what changes a rubric under its name makes its next version."""
    plain = replace(rubric, version=1)
    if plain == replace(before, version=1):
        return before
    if rubric.name == before.name and plain != ten_levels():
        return replace(rubric, version=before.version + 1)
    return plain


def said_of_margin(baselines: int) -> list[str]:
    """Sentences on the limits of a margin that comes from so many *baselines*."""
    if baselines > ROUGH_BASELINES:
        return []
    return [
        trn(
            "What is too small to matter comes from {n} model compared: of so few it is rough.",
            "What is too small to matter comes from {n} models compared: of so few it is rough.",
            baselines,
        )
    ]


def next_version(study: BiasStudy, made: BiasStudy) -> BiasStudy:
    """*made* of *study* with its number: unchanged it stays the version that it was; under a new name it is the first
    of another study."""
    if made == study:
        return study
    return replace(made, version=study.version + 1 if made.name == study.name else 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySizes:
    """The sizes of a round: generations, the target, and how much judges rate again."""

    repeats: Annotated[int, Interval(ge=1, le=20)] = 1
    """Generations of each answer; with 3 a model's own noise is known."""
    target: str = ""
    """The model that is held against the others; empty: each in turn."""
    judged_again: bool = True
    """A tenth of the answers, at least 20, is rated three times by each judge."""
    ordered: Annotated[int, Interval(ge=0, le=200)] = ORDERED
    """Answers, of so many questions, that each judge rates twice more with an order planted in them."""


def studied(controls: StudySizes, roles: Mapping[str, Role]) -> list[str]:
    """The labels of those that a round holds against its baselines: by their part in it, else by name."""
    if Role.BASELINE in roles.values():
        return [label for label, role in roles.items() if role is Role.TARGET]
    # A model's label has its address too since a namesake at another one came.
    wanted = controls.target
    return [label for label in roles if wanted and (label == wanted or label.startswith(f"{wanted} ("))]


def items_of(study: BiasStudy) -> list[StudyItem]:
    """A question each, known by theme and wording; of a check of judges those with an answer."""
    asked = [(theme.name, question) for theme in study.themes for question in theme.questions]
    if study.checked:
        asked = [(each.theme, each.question) for each in study.checked]
    return [
        StudyItem(kind=KIND, key=_key(theme, question), title=question, text="", stratum=theme)
        for theme, question in asked
    ]


@lru_cache(maxsize=4)
def checked_answers(study: BiasStudy) -> Mapping[str, CheckedAnswer]:
    """The checked answers by the key of their question."""
    return {_key(each.theme, each.question): each for each in study.checked}


def _key(theme: str, question: str) -> str:
    return "question:" + blake2b("\x1f".join((theme, question)).encode(), digest_size=12).hexdigest()


def read_sizes(data: Mapping[str, Any]) -> StudySizes:
    """The sizes that a plan's table gives. Raises `WrongFieldError`."""
    if "judges" in data:
        words = tr("a judge model is one with role = “judge”, no name in a list")
        raise WrongFieldError(FieldProblem(path=("judges",), words=words))
    return plain_data.read(StudySizes, data)


def check(study: BiasStudy) -> Iterator[FieldProblem]:
    """Problems that the fields alone do not show: themes, and the questions of each, must stand once."""
    for place in repeated(theme.name for theme in study.themes):
        yield FieldProblem(path=("themes", place, "name"), words=tr("another theme has this name"))
    for place in repeated((each.theme, each.question) for each in study.checked):
        yield FieldProblem(path=("checked", place), words=tr("another answer to this question is checked"))
    for place, theme in enumerate(study.themes):
        for at in repeated(theme.questions):
            words = tr("this question stands twice in its theme")
            yield FieldProblem(path=("themes", place, "questions", at), words=words)
