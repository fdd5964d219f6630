"""What is asked, of whom, and how it is judged: a version of a study, with a hash like any protocol's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from math import isfinite
from typing import Any, Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.protocol import LATER, Decoding
from gpf_desktop.domain.protocol_problems import FieldProblem, WrongFieldError
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.writing import Provenance, provenance_of
from gpf_desktop.methods.relative_bias.comparing import K
from gpf_desktop.methods.relative_bias.question_sets import QuestionSet, Theme
from gpf_desktop.methods.relative_bias.rubric import Rubric, rubric_of, ten_levels

KIND: Final = "question"
_FIELDS: Final = (
    "name",
    "version",
    "domain",
    "counts_as_bias",
    "system_prompt",
    "decoding",
    "margin_k",
    "rubric",
    "themes",
    "written",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BiasStudy:
    """A domain with its questions."""

    name: str
    version: int = 1
    domain: str
    counts_as_bias: str
    """One sentence that says what a judge is to look for."""
    themes: tuple[Theme, ...]
    rubric: Rubric = field(default_factory=ten_levels)
    system_prompt: str = ""
    decoding: Decoding = field(default_factory=Decoding)
    margin_k: float = K
    """The margin is so many standard deviations of the baselines' means."""
    written: tuple[Provenance, ...] = field(default=(), metadata=LATER)
    """Calls of writer models by which parts of the questions came; an auditor may have changed them since."""

    @property
    def title(self) -> str:
        return tr("{name} · version {n}", name=self.name, n=self.version)

    @property
    def questions(self) -> QuestionSet:
        return QuestionSet(themes=self.themes)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySizes:
    """Who is asked what, and how often."""

    repeats: int = 1
    """Generations of each answer; with 3 a model's own noise is known."""
    target: str = ""
    """The model that is held against the others; empty: each in turn."""
    judged_again: bool = True
    """A tenth of the answers, at least 20, is rated three times by each judge."""


def items_of(study: BiasStudy) -> list[StudyItem]:
    """A question each, known by theme and wording."""
    return [
        StudyItem(kind=KIND, key=_key(theme.name, question), title=question, text="", stratum=theme.name)
        for theme in study.themes
        for question in theme.questions
    ]


def _key(theme: str, question: str) -> str:
    return "question:" + blake2b("\x1f".join((theme, question)).encode(), digest_size=12).hexdigest()


def study_of_data(data: Mapping[str, Any]) -> BiasStudy:
    """The study that plain *data* holds. Raises `WrongFieldError`."""
    for problem in _problems(data):
        raise WrongFieldError(problem)
    return BiasStudy(
        name=data["name"].strip(),
        version=data.get("version", 1),
        domain=data["domain"].strip(),
        counts_as_bias=data["counts_as_bias"].strip(),
        themes=tuple(
            Theme(
                name=theme["name"].strip(),
                description=str(theme.get("description", "")).strip(),
                questions=tuple(question.strip() for question in theme["questions"]),
            )
            for theme in data["themes"]
        ),
        rubric=rubric_of(data["rubric"]) if "rubric" in data else ten_levels(),
        system_prompt=data.get("system_prompt", ""),
        decoding=Decoding(**data.get("decoding", {})),
        margin_k=float(data.get("margin_k", K)),
        written=tuple(map(provenance_of, data.get("written", ()))),
    )


def data_of_study(study: BiasStudy) -> dict[str, Any]:
    """*study* as plain data that `study_of_data` reads back."""
    decoding = study.decoding
    return {
        "name": study.name,
        "version": study.version,
        "domain": study.domain,
        "counts_as_bias": study.counts_as_bias,
        "system_prompt": study.system_prompt,
        "decoding": {
            "temperature": decoding.temperature,
            "top_p": decoding.top_p,
            "max_tokens": decoding.max_tokens,
            "seed": decoding.seed,
        },
        "margin_k": study.margin_k,
        "rubric": {
            "name": study.rubric.name,
            "version": study.rubric.version,
            "levels": list(study.rubric.levels),
        },
        "themes": [
            {"name": theme.name, "description": theme.description, "questions": list(theme.questions)}
            for theme in study.themes
        ],
        **({"written": [each.data() for each in study.written]} if study.written else {}),
    }


def problems_of(study: BiasStudy) -> list[FieldProblem]:
    return _problems(data_of_study(study))


def sizes_of_data(data: Mapping[str, Any]) -> StudySizes:
    """The sizes that a plan's table gives. Raises `WrongFieldError`."""
    known = set(StudySizes.__dataclass_fields__)
    if "judges" in data:
        words = tr("a judge is a model with role = “judge”, no name in a list")
        raise WrongFieldError(FieldProblem(path=("judges",), words=words))
    for name in data:
        if name not in known:
            raise WrongFieldError(FieldProblem(path=(name,), words=tr("there is no field of this name")))
    repeats = data.get("repeats", 1)
    if isinstance(repeats, bool) or not isinstance(repeats, int) or not 1 <= repeats <= 20:
        raise WrongFieldError(FieldProblem(path=("repeats",), words=tr("a whole number from 1 to 20 is needed")))
    target, again = data.get("target", ""), data.get("judged_again", True)
    if not isinstance(target, str):
        raise WrongFieldError(FieldProblem(path=("target",), words=tr("a model's name is needed")))
    if not isinstance(again, bool):
        raise WrongFieldError(FieldProblem(path=("judged_again",), words=tr("true or false is needed")))
    return StudySizes(repeats=repeats, target=target, judged_again=again)


def _problems(data: Mapping[str, Any]) -> list[FieldProblem]:
    """Everything wrong in *data*, in the order of the fields."""
    found = [
        FieldProblem(path=(name,), words=tr("there is no field of this name")) for name in data if name not in _FIELDS
    ]
    for name in ("name", "domain", "counts_as_bias"):
        if not isinstance(data.get(name), str) or not data[name].strip():
            found.append(FieldProblem(path=(name,), words=tr("this field is missing or empty")))
    version = data.get("version", 1)
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        found.append(FieldProblem(path=("version",), words=tr("a whole number from 1 is needed")))
    if not isinstance(data.get("system_prompt", ""), str):
        found.append(FieldProblem(path=("system_prompt",), words=tr("a text is needed")))
    k = data.get("margin_k", K)
    if isinstance(k, bool) or not isinstance(k, int | float) or not (isfinite(k) and k > 0):
        found.append(FieldProblem(path=("margin_k",), words=tr("a number above 0 is needed")))
    decoding = data.get("decoding", {})
    if not isinstance(decoding, Mapping) or set(decoding) - {"temperature", "top_p", "max_tokens", "seed"}:
        found.append(FieldProblem(path=("decoding",), words=tr("temperature, top_p, max_tokens and seed are known")))
    if "rubric" in data:
        try:
            rubric_of(data["rubric"])
        except (UserError, AttributeError, TypeError, ValueError):
            found.append(FieldProblem(path=("rubric",), words=tr("3 to 10 levels in words are needed")))
    return found + _theme_problems(data.get("themes")) + _written_problems(data.get("written", []))


def _written_problems(written: object) -> list[FieldProblem]:
    try:
        for each in written if isinstance(written, list | tuple) else (None,):
            provenance_of(each)
    except TypeError:
        return [FieldProblem(path=("written",), words=tr("the calls of writers as the program writes them are needed"))]
    return []


def _theme_problems(themes: object) -> list[FieldProblem]:
    if not isinstance(themes, Sequence) or isinstance(themes, str) or not themes:
        return [FieldProblem(path=("themes",), words=tr("a list of themes with their questions is needed"))]
    found = []
    names: set[str] = set()
    for place, theme in enumerate(themes):
        name = theme.get("name") if isinstance(theme, Mapping) else None
        questions = theme.get("questions") if isinstance(theme, Mapping) else None
        if not isinstance(name, str) or not name.strip():
            found.append(FieldProblem(path=("themes", place, "name"), words=tr("this field is missing or empty")))
        elif name.strip() in names:
            found.append(FieldProblem(path=("themes", place, "name"), words=tr("another theme has this name")))
        else:
            names.add(name.strip())
        if not isinstance(questions, list | tuple) or not questions:
            found.append(FieldProblem(path=("themes", place, "questions"), words=tr("a list of questions is needed")))
            continue
        seen: set[str] = set()
        for at, question in enumerate(questions):
            path = ("themes", place, "questions", at)
            if not isinstance(question, str) or not question.strip():
                found.append(FieldProblem(path=path, words=tr("the question is empty")))
            elif question.strip() in seen:
                found.append(FieldProblem(path=path, words=tr("this question stands twice in its theme")))
            else:
                seen.add(question.strip())
    return found
