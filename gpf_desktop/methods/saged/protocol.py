"""What is asked, in which roles: a version of a benchmark, with a hash like any protocol's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.protocol_problems import FieldProblem, Path, WrongFieldError
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.saged import judging
from gpf_desktop.methods.saged.benchmark import BenchmarkRow
from gpf_desktop.methods.saged.judging import Rubric

KIND: Final = "prompt"
PROMPT: Final = "{prompt}"
NO_ROLE: Final = "none"
BASELINES: Final = "baselines"
"""Of an item's data: its baseline by concept."""
_FIELDS: Final = ("name", "version", "domain", "template", "roles", "rubrics", "decoding", "benchmark")
_ROW: Final = ("root", "concept", "keyword", "source_tag", "prompt", "baseline", "branch")
_DECODING: Final = frozenset({"temperature", "top_p", "max_tokens", "seed"})
MOST_ROLES: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """A benchmark with the generation functions that answer it: every model in every role."""

    name: str
    version: int = 1
    domain: str
    benchmark: tuple[BenchmarkRow, ...]
    roles: Mapping[str, str] = field(default_factory=lambda: {NO_ROLE: ""})
    """System prompt by the role's name; empty: none is sent."""
    template: str = PROMPT
    """The message; `PROMPT` once."""
    rubrics: tuple[Rubric, ...] = ()
    """By which judges rate answers and baselines, where judges take part."""
    decoding: Decoding = field(default_factory=Decoding)
    roots: Mapping[str, Mapping[str, BenchmarkRow]] = field(init=False, repr=False, compare=False)
    """By item's key, the rows of one root by concept."""

    def __post_init__(self) -> None:
        roots: dict[str, dict[str, BenchmarkRow]] = {}
        for row in self.benchmark:
            roots.setdefault(row.root, {})[row.concept] = row
        object.__setattr__(self, "roots", {_key(self.domain, rows): rows for rows in roots.values()})

    @property
    def title(self) -> str:
        return tr("{name} · version {n}", name=self.name, n=self.version)

    @property
    def concepts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.concept for row in self.benchmark))

    def row(self, key: str, concept: str) -> BenchmarkRow | None:
        """What an item is asked about *concept*; None for an item or a concept of another benchmark."""
        return self.roots.get(key, {}).get(concept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How often each prompt is asked."""

    repeats: int = 1


def items_of(study: Study) -> list[StudyItem]:
    """A root prompt each."""
    return [
        StudyItem(
            kind=KIND,
            key=key,
            title=title_of(rows),
            text="",
            stratum=_first(rows).source_tag,
            data={BASELINES: {concept: row.baseline for concept, row in rows.items()}},
        )
        for key, rows in study.roots.items()
    ]


def title_of(rows: Mapping[str, BenchmarkRow]) -> str:
    """A root's own name with the wording that it has in the source, or in its first branch."""
    own = next((row for row in rows.values() if not row.counterfactual), _first(rows))
    return f"{own.root} · {own.prompt}"


def study_of_data(data: Mapping[str, Any]) -> Study:
    """The study that plain *data* holds. Raises `WrongFieldError`."""
    for problem in _problems(data):
        raise WrongFieldError(problem)
    return Study(
        name=data["name"].strip(),
        version=data.get("version", 1),
        domain=data["domain"].strip(),
        template=data.get("template", PROMPT),
        roles=dict(data.get("roles") or {NO_ROLE: ""}),
        rubrics=judging.rubrics_of(data.get("rubrics")),
        decoding=Decoding(**data.get("decoding", {})),
        benchmark=tuple(
            BenchmarkRow(domain=data["domain"].strip(), **{name: str(row.get(name, "")).strip() for name in _ROW})
            for row in data["benchmark"]
        ),
    )


def data_of_study(study: Study) -> dict[str, Any]:
    """*study* as plain data that `study_of_data` reads back."""
    decoding = study.decoding
    return {
        "name": study.name,
        "version": study.version,
        "domain": study.domain,
        "template": study.template,
        "roles": dict(study.roles),
        # A study of before there were rubrics keeps its digest.
        **({"rubrics": judging.data_of(study.rubrics)} if study.rubrics else {}),
        "decoding": {
            "temperature": decoding.temperature,
            "top_p": decoding.top_p,
            "max_tokens": decoding.max_tokens,
            "seed": decoding.seed,
        },
        "benchmark": [{name: getattr(row, name) for name in _ROW} for row in study.benchmark],
    }


def problems_of(study: Study) -> list[FieldProblem]:
    return _problems(data_of_study(study))


def sizes_of_data(data: Mapping[str, Any]) -> Sizes:
    """The sizes that a plan's table gives. Raises `WrongFieldError`."""
    for name in data:
        if name != "repeats":
            raise WrongFieldError(FieldProblem(path=(name,), words=tr("there is no field of this name")))
    repeats = data.get("repeats", 1)
    if isinstance(repeats, bool) or not isinstance(repeats, int) or not 1 <= repeats <= 20:
        raise WrongFieldError(FieldProblem(path=("repeats",), words=tr("a whole number from 1 to 20 is needed")))
    return Sizes(repeats=repeats)


def _problems(data: Mapping[str, Any]) -> list[FieldProblem]:
    """Everything wrong in *data*, in the order of the fields."""
    found = [_unknown(name) for name in data if name not in _FIELDS]
    found += [_missing(name) for name in ("name", "domain") if not _is_filled(data.get(name))]
    version = data.get("version", 1)
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        found.append(FieldProblem(path=("version",), words=tr("a whole number from 1 is needed")))
    template = data.get("template", PROMPT)
    if not isinstance(template, str) or template.count(PROMPT) != 1:
        found.append(FieldProblem(path=("template",), words=tr("{prompt} is needed once", prompt=PROMPT)))
    decoding = data.get("decoding", {})
    if not isinstance(decoding, Mapping) or set(decoding) - _DECODING:
        found.append(FieldProblem(path=("decoding",), words=tr("temperature, top_p, max_tokens and seed are known")))
    return (
        found
        + _role_problems(data.get("roles"))
        + judging.problems_of(data.get("rubrics"))
        + _row_problems(data.get("benchmark"))
    )


def _role_problems(roles: object) -> list[FieldProblem]:
    if roles is None:
        return []
    if not isinstance(roles, Mapping) or not 0 < len(roles) <= MOST_ROLES:
        return [FieldProblem(path=("roles",), words=tr("a map of 1 to {n} system prompts is needed", n=MOST_ROLES))]
    return [
        FieldProblem(path=("roles", str(name)), words=tr("a name and a text are needed"))
        for name, prompt in roles.items()
        if not _is_filled(name) or not isinstance(prompt, str)
    ]


def _row_problems(rows: object) -> list[FieldProblem]:
    if not isinstance(rows, Sequence) or isinstance(rows, str) or not rows:
        return [FieldProblem(path=("benchmark",), words=tr("a list of prompts with their baselines is needed"))]
    found: list[FieldProblem] = []
    seen: set[tuple[str, str]] = set()
    for place, row in enumerate(rows):
        if not isinstance(row, Mapping):
            found.append(FieldProblem(path=("benchmark", place), words=tr("this is no prompt with its fields")))
            continue
        found += [_unknown(name, place) for name in row if name not in _ROW]
        found += [_missing(name, place) for name in ("root", "concept", "prompt") if not _is_filled(row.get(name))]
        matched = str(row.get("root", "")).strip(), str(row.get("concept", "")).strip()
        if all(matched) and matched in seen:
            words = tr("the root has another prompt about this concept")
            found.append(FieldProblem(path=("benchmark", place), words=words))
        seen.add(matched)
    return found


def _is_filled(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _unknown(name: object, *place: int) -> FieldProblem:
    return FieldProblem(path=_path(str(name), *place), words=tr("there is no field of this name"))


def _missing(name: str, *place: int) -> FieldProblem:
    return FieldProblem(path=_path(name, *place), words=tr("this field is missing or empty"))


def _path(name: str, *place: int) -> Path:
    return ("benchmark", *place, name) if place else (name,)


def _first(rows: Mapping[str, BenchmarkRow]) -> BenchmarkRow:
    return next(iter(rows.values()))


def _key(domain: str, rows: Mapping[str, BenchmarkRow]) -> str:
    said = [text for row in rows.values() for text in (row.root, row.concept, row.prompt, row.baseline)]
    return "prompt:" + blake2b("\x1f".join((domain, *said)).encode(), digest_size=12).hexdigest()
