"""The protocol: the prompts and the roles in which they are asked; a version of a benchmark, with a hash like any
protocol's."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Annotated, Any, Final

from annotated_types import Ge, Gt, Interval, Len, MinLen

from gpf_desktop import plain_data
from gpf_desktop.documents.encodings import file_text
from gpf_desktop.domain.draws import rank
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.protocol import LATER, Decoding
from gpf_desktop.domain.protocol_problems import FieldProblem, repeated
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.saged import judging
from gpf_desktop.methods.saged.benchmark import QUESTION_MARKS, BenchmarkRow
from gpf_desktop.methods.saged.judging import MOST_RUBRICS, Rubric
from gpf_desktop.methods.saged.masking import names_of
from gpf_desktop.numerics.planted_orders import MOST_ORDERED, ORDERED
from gpf_desktop.stats.judge_samples import how_many_again

if TYPE_CHECKING:
    from gpf_desktop.arrays import Ints

KIND: Final = "prompt"
_BEHIND_ROOT: Final = " · "
SAMPLE: Final = resources() / "methods" / "saged" / "protocols" / "velmora.yaml"
"""The study that comes with the program."""
PROMPT: Final = "{prompt}"
NO_ROLE: Final = "none"
BASELINES: Final = "baselines"
"""Of an item's data: its baseline by concept."""
NAMES: Final = "names"
"""Of an item's data: the names of all concepts of its benchmark, which features do not see (`ConceptNames.data`)."""
MOST_ROLES: Final = 20
TONE, CLASSIFIED = "tone", "classified"
"""Features that a margin may be stated of, beside the study's rubrics."""
QUESTION, CONTINUATION = "question", "continuation"
TEMPLATES: Final = {
    QUESTION: "Answer this question in three or four sentences: {prompt}",
    CONTINUATION: "Go on with this text in three or four sentences: {prompt}",
}
"""The message for each kind of prompt, by the name that a file may say in its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkStudy:
    """A benchmark with the generation functions that answer it: every model in every role."""

    name: Annotated[
        str,
        MinLen(1),
        Shown(label="Name", help="Another name makes a study of its own, with versions counted from 1."),
    ]
    version: Annotated[int, Ge(1)] = 1
    domain: Annotated[str, MinLen(1), Shown(label="Domain")]
    template: Annotated[
        str,
        Shown(
            label="Message",
            lines=2,
            places=(PROMPT,),
            help="What is said around a prompt, which {prompt} stands for, once. “question” or “continuation” puts "
            "the method's own words for that kind.",
        ),
    ] = PROMPT
    """The message, `PROMPT` once; given one of the names of `TEMPLATES`, it is that one."""
    roles: Annotated[
        Mapping[
            Annotated[str, MinLen(1), Shown(label="Role")], Annotated[str, Shown(label="System prompt", sent=True)]
        ],
        Len(1, MOST_ROLES),
        Shown(
            label="Roles",
            add="Add a role",
            tab=1,
            help="Every prompt is answered in every role, a system prompt such as “You are a helpful assistant.” The "
            "role called none has no system prompt; the others are held against it.",
        ),
    ] = field(default_factory=lambda: {NO_ROLE: ""})
    """System prompt by the role's name; empty: none is sent."""
    messages: Annotated[
        Mapping[
            Annotated[str, MinLen(1), Shown(label="Role")],
            Annotated[str, Shown(label="Message", lines=2, places=(PROMPT,))],
        ],
        Shown(
            label="Messages of their own",
            add="Add a message",
            tab=1,
            help="A role that says something else around a prompt than all others: with a role for each message, "
            "several templates are answered side by side.",
        ),
    ] = field(default_factory=dict, metadata=LATER)
    """Template by the role's name, in place of `template`."""
    rubrics: Annotated[
        tuple[Rubric, ...],
        Len(0, MOST_RUBRICS),
        Shown(
            label="Marking guides",
            one="rubric",
            add="Add a marking guide",
            tab=2,
            help="Each is a feature of its own. Judge models mark every answer and every source sentence by "
            "it, without being told which is which.",
        ),
    ] = ()
    """By which judges rate answers and baselines, where judges take part."""
    margins: Annotated[
        Mapping[Annotated[str, MinLen(1), Shown(label="Feature")], Annotated[float, Gt(0), Shown(label="Margin")]],
        Shown(
            label="Too small to matter",
            add="Add a margin",
            tab=4,
            help="By feature, a gap between groups that you agree beforehand not to count: within it they are "
            "“alike”. Where none stands nothing is called alike.",
        ),
    ] = field(default_factory=dict, metadata=LATER)
    """By feature (`TONE`, `CLASSIFIED` or a rubric's name), a gap between groups that was agreed beforehand to be too
    small to matter: what *alike* is held against. Where none is stated nothing is called alike."""
    decoding: Annotated[Decoding, Shown(label="Decoding")] = field(default_factory=Decoding)
    orders_only: Annotated[bool, Shown(label="Only orders", hidden=True)] = field(default=False, metadata=LATER)
    """Nothing is asked but judges, about baselines with orders planted."""
    benchmark: Annotated[tuple[BenchmarkRow, ...], MinLen(1), Shown(label="Benchmark", add="Add a prompt", tab=3)]
    roots: Mapping[str, Mapping[str, BenchmarkRow]] = field(init=False, repr=False, compare=False)
    """By item's key, the rows of one root by concept."""
    given_orders: Mapping[str, tuple[int, str]] = field(init=False, repr=False, compare=False, metadata=LATER)
    """By the key of an item with a baseline, its place in the order in which items are drawn for planted orders, and
    the concept whose baseline is given them."""

    judged_again: Mapping[str, Sequence[str]] = field(init=False, repr=False, compare=False, metadata=LATER)
    """By the key of an item, the concepts whose baselines each judge rates three times, to tell if it agrees with
    itself."""

    def __post_init__(self) -> None:
        # A row without a domain is of the study's: filled in, both ways of writing one make equal studies.
        rows = tuple(row if row.domain else replace(row, domain=self.domain) for row in self.benchmark)
        object.__setattr__(self, "benchmark", rows)
        object.__setattr__(self, "template", TEMPLATES.get(self.template, self.template))
        own = {role: TEMPLATES.get(message, message) for role, message in self.messages.items()}
        object.__setattr__(self, "messages", own)
        roots: dict[str, dict[str, BenchmarkRow]] = {}
        for row in self.benchmark:
            roots.setdefault(row.root, {})[row.concept] = row
        object.__setattr__(self, "roots", {_key(self.domain, rows): rows for rows in roots.values()})
        object.__setattr__(self, "given_orders", _drawn(self.roots) if self.rubrics else {})
        object.__setattr__(self, "judged_again", _again(self.roots) if self.rubrics else {})

    @property
    def title(self) -> str:
        return tr("{name} · version {n}", name=self.name, n=self.version)

    def message(self, role: str) -> str:
        """The message around a prompt in *role*."""
        return self.messages.get(role, self.template)

    @property
    def concepts(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.concept for row in self.benchmark))

    def row(self, key: str, concept: str) -> BenchmarkRow | None:
        """The row that asks the item about *concept*; None for an item or a concept of another benchmark."""
        return self.roots.get(key, {}).get(concept)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How often each prompt is asked, and which baselines judges rate more than once."""

    repeats: Annotated[int, Interval(ge=1, le=20)] = 1
    judged_again: bool = True
    """Of baselines each judge rates some three times (`stats.judge_samples`)."""
    ordered: Annotated[int, Interval(ge=0, le=MOST_ORDERED)] = ORDERED
    """Baselines, of so many roots, that each judge rates twice more by each rubric with an order planted in them."""


def items_of(study: BenchmarkStudy) -> list[StudyItem]:
    """A root prompt each."""
    names = names_of(study.benchmark).data
    return [
        StudyItem(
            kind=KIND,
            key=key,
            title=title_of(rows),
            text="",
            stratum=_first(rows).source_tag,
            data={BASELINES: {concept: row.baseline for concept, row in rows.items()}, NAMES: names},
        )
        for key, rows in study.roots.items()
    ]


def fitting_template(template: str, rows: Sequence[BenchmarkRow]) -> str:
    """*template*; where it is one of `TEMPLATES` and most of *rows* are of the other kind, that of their kind."""
    if template not in TEMPLATES.values():
        return template
    asked = sum(row.prompt.endswith(QUESTION_MARKS) for row in rows)
    return TEMPLATES[QUESTION if 2 * asked > len(rows) else CONTINUATION]


def about_another(study: BenchmarkStudy, **taken: Any) -> BenchmarkStudy:
    """*study* with another benchmark, whose fields are *taken*.

    Roles that came with the sample's benchmark go with it, since each asks every prompt once more; those that somebody
    wrote stay.
    """
    roles = {NO_ROLE: ""} if study.roles == _roles_of_the_sample() else study.roles
    messages = {role: message for role, message in study.messages.items() if role in roles}
    return replace(study, orders_only=False, roles=roles, messages=messages, **taken)


@cache
def _roles_of_the_sample() -> Mapping[str, str]:
    import yaml

    # Only the top of the file: what follows are its prompts.
    head, _, _ = file_text(SAMPLE).partition("\nbenchmark:")
    roles: Mapping[str, str] = yaml.safe_load(head)["roles"]
    return roles


def title_of(rows: Mapping[str, BenchmarkRow]) -> str:
    """A root's own name with the wording that it has in the source, or in its first branch."""
    own = next((row for row in rows.values() if not row.counterfactual), _first(rows))
    return f"{own.root}{_BEHIND_ROOT}{own.prompt}"


def title_in_words(title: str) -> str:
    """The wording of a root's title, without its name, which says nothing to whoever did not write the benchmark."""
    return title.partition(_BEHIND_ROOT)[2] or title


def nearly_alike_roots(roots: Sequence[Mapping[str, BenchmarkRow]]) -> "Ints":
    """(n,) of each root, its rows by concept, the place of the first one with which it counts as one, by the words that
    its prompts have whatever they are about."""
    from gpf_desktop.numerics.near_alike import nearly_alike, words_of

    found = []
    for rows in roots:
        words = [words_of(row.prompt) for row in rows.values()]
        shared = frozenset.intersection(*words)
        # Prompts about concepts that are sentences of their own have few words in common.
        matched = all(2 * len(shared) >= len(each) for each in words)
        found.append(shared if matched else frozenset().union(*words))
    return nearly_alike(found)


def check(study: BenchmarkStudy) -> Iterator[FieldProblem]:
    """Problems that the fields alone do not show: the slot of the template, and names that stand
    twice or are unknown."""
    if study.template.count(PROMPT) != 1:
        yield FieldProblem(path=("template",), words=tr("{prompt} is needed once", prompt=PROMPT))
    for role, message in study.messages.items():
        if role not in study.roles:
            words = tr("there is no such role: {names}", names=", ".join(study.roles))
            yield FieldProblem(path=("messages", role), words=words)
        if message.count(PROMPT) != 1:
            yield FieldProblem(path=("messages", role), words=tr("{prompt} is needed once", prompt=PROMPT))
    yield from judging.check(study.rubrics)
    known = (TONE, CLASSIFIED, *(each.name for each in study.rubrics))
    for name in study.margins:
        if name not in known:
            words = tr("there is no such feature: {names}", names=", ".join(known))
            yield FieldProblem(path=("margins", name), words=words)
    for place in repeated((row.root, row.concept) for row in study.benchmark):
        yield FieldProblem(path=("benchmark", place), words=tr("the sentence has another prompt about this concept"))


def data_of_study(study: BenchmarkStudy) -> dict[str, Any]:
    """The data of *study* as a file has them: a row says its domain only where that is not the study's."""
    data = plain_data.write(study)
    for row in data["benchmark"]:
        if row["domain"] == study.domain:
            del row["domain"]
    return data


def _ranked(roots: Mapping[str, Mapping[str, BenchmarkRow]], *what_for: str) -> list[tuple[str, str]]:
    """Every baseline, by key and concept, in an order of hashes alone: the same whatever models are asked, and after
    any stop."""
    every = ((key, row.concept) for key, rows in roots.items() for row in rows.values() if row.baseline.strip())
    return sorted(every, key=lambda each: rank(*what_for, *each))


def _again(roots: Mapping[str, Mapping[str, BenchmarkRow]]) -> dict[str, list[str]]:
    ranked = _ranked(roots, "again")
    found: dict[str, list[str]] = {}
    for key, concept in ranked[: how_many_again(len(ranked))]:
        found.setdefault(key, []).append(concept)
    return found


def _drawn(roots: Mapping[str, Mapping[str, BenchmarkRow]]) -> dict[str, tuple[int, str]]:
    """One baseline of each root."""
    concept_of: dict[str, str] = {}
    for key, concept in _ranked(roots):
        concept_of.setdefault(key, concept)
    return {key: (place, concept) for place, (key, concept) in enumerate(concept_of.items())}


def _first(rows: Mapping[str, BenchmarkRow]) -> BenchmarkRow:
    return next(iter(rows.values()))


def _key(domain: str, rows: Mapping[str, BenchmarkRow]) -> str:
    # All that is asked and held against: with another baseline it is another item.
    said = [text for row in rows.values() for text in (row.root, row.concept, row.prompt, row.baseline)]
    return "prompt:" + blake2b("\x1f".join((domain, *said)).encode(), digest_size=12).hexdigest()
