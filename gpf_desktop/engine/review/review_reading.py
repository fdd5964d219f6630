"""A bundle as a reviewer reads it, put together from what is stored."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId, CellId, ReviewerId
from gpf_desktop.domain.judging import in_lines
from gpf_desktop.domain.methods import Wording
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import Baselines
from gpf_desktop.domain.reviews import ReviewAction, ReviewEntry
from gpf_desktop.domain.scores import Measure, Unavailable
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import frozen_protocol, stored_controls
from gpf_desktop.storage import bundles, corrections, models, responses, reviews, runs, scores
from gpf_desktop.storage.bundles import BundleFacts, RelatedBundle
from gpf_desktop.storage.corrections import Corrected
from gpf_desktop.storage.counted_verdicts import counted_verdicts
from gpf_desktop.storage.responses import Answer, LaterReply
from gpf_desktop.storage.reviews import ReviewState
from gpf_desktop.storage.scores import StoredScore
from gpf_desktop.storage.writer import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAnswer:
    """One level's answer with its repeats."""

    level: str
    answer: Answer
    """Repeat 0."""
    repeats: tuple[Answer, ...] = ()
    """Repeats 1, 2, …; empty for most bundles."""
    scores: Mapping[str, float | str | Unavailable] = field(default_factory=dict)
    """Of repeat 0."""
    later: tuple[LaterReply, ...] = ()
    """What models of later stages, as judges, said of repeat 0."""
    studied: bool = False
    """Its model is the one under study, among others that it is held against."""
    source: tuple[str, str] = ("", "")
    """Who says the text that the answer is held against, and that text; empty where there is none."""

    @property
    def cell_id(self) -> CellId:
        return self.answer.cell_id

    @property
    def flags(self) -> Mapping[str, str]:
        return dict(self.answer.flags)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadControl:
    """The same model's answers about the same item in the control; stands beside a bundle, not in it."""

    coordinates: Coordinates
    generations: tuple[Answer, ...]
    """#1, #2, …; at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBundle:
    """Everything that the Review page shows of a bundle except its explanation."""

    id: BundleId
    facts: BundleFacts
    model: str
    """In words where models vary."""
    scores: Mapping[str, float | str | Unavailable]
    measures: tuple[Measure, ...]
    """What those are, and what the answers' are."""
    provisional: bool
    question: Wording
    protocol: Any
    answers: tuple[ReadAnswer, ...]
    reviewer_id: ReviewerId | None
    """Whose standing this is; None before their first decision."""
    state: ReviewState
    history: tuple[ReviewEntry, ...]
    settled: ReviewEntry | None = None
    """By which its disagreement counts as settled."""
    control: ReadControl | None = None
    """None where the run had no control, or where the bundle is one itself."""
    others: tuple[RelatedBundle, ...] = ()
    """The same question in other models and runs."""
    corrected: Mapping[int, Corrected] = field(default_factory=dict)
    """By cell, what people said that answers come to."""
    items: tuple[RelatedBundle, ...] = ()
    """The same question about every news item of every batch, this bundle among them."""

    @property
    def anchor(self) -> Anchor:
        """The bundle's item, or how many items vary within it."""
        if self.facts.article_id is None:
            return Anchor(headline=trn("{n} item", "{n} items", len(self.facts.items)), description="")
        item = self.facts.items[self.facts.article_id]
        return Anchor(headline=item.title, description=item.text)

    @property
    def valid(self) -> int:
        return sum(not each.answer.missing for each in self.answers)


@dataclass(frozen=True, slots=True, kw_only=True)
class SentPrompt:
    """The exact message of one cell, and the call's parameters and answer as the provider told them."""

    prompt: Prompt
    answer: Answer


def read_bundle(
    connection: Connection, bundle_id: BundleId, setting_id: int | None, reviewer_id: ReviewerId | None
) -> ReadBundle:
    """Raises `UserError` where there is no such bundle."""
    row = bundles.get(connection, bundle_id)
    if row is None:
        raise UserError(tr("There is no set of answers {number} in this audit.", number=bundle_id))
    method, protocol = catalogue.method(row.method), frozen_protocol(row.method, row.protocol)
    answers = responses.of_bundle(connection, bundle_id)
    setting = next((each for each in scores.settings(connection) if each.id == setting_id), None)
    history = reviews.history(connection, bundle_id)
    stored = [] if setting is None else scores.of_bundle(connection, setting.id, bundle_id)
    of_answers = {} if setting is None else scores.of_answers(connection, setting.id, bundle_id)
    return ReadBundle(
        id=bundle_id,
        facts=row,
        model=row.model or trn("{n} model", "{n} models", len({answer.model for answer in answers})),
        scores={score.name: score.value for score in stored},
        measures=() if setting is None else setting.measures,
        provisional=any(score.provisional for score in stored),
        question=method.wording(protocol, row.coordinates, {item.kind for item in row.items.values()}),
        protocol=protocol,
        answers=_with_sources(
            method,
            protocol,
            row,
            _with_later(
                connection, method, bundle_id, _with_studied(connection, method, row, _by_level(answers, of_answers))
            ),
        ),
        reviewer_id=reviewer_id,
        state=reviews.state(connection, bundle_id, reviewer_id),
        history=tuple(history),
        settled=_settled(connection, bundle_id, history),
        control=_control(connection, method, bundle_id, row.coordinates),
        corrected=corrections.of_bundle(connection, bundle_id),
        others=bundles.same_question(connection, bundle_id),
        items=bundles.same_question_of_every_item(connection, bundle_id),
    )


def _settled(connection: Connection, bundle_id: BundleId, history: Sequence[ReviewEntry]) -> ReviewEntry | None:
    newest = next((entry for entry in reversed(history) if entry.action is ReviewAction.ADJUDICATE), None)
    if newest is None or all(each.settled_by is None for each in counted_verdicts(connection, (bundle_id,))):
        return None
    return newest


def _with_studied(
    connection: Connection, method: Method, row: BundleFacts, answers: tuple[ReadAnswer, ...]
) -> tuple[ReadAnswer, ...]:
    """*answers*, those of the model under study marked where others stand beside it."""
    if row.model_id is not None:
        return answers
    sizes = stored_controls(row.method, runs.controls(connection, row.run_id))
    studied = method.studied(sizes, {model.label: model.role for model in models.of_run(connection, row.run_id)})
    found = [each.answer.model in studied for each in answers]
    if all(found) or not any(found):
        return answers
    return tuple(replace(each, studied=its) for each, its in zip(answers, found, strict=True))


def _with_later(
    connection: Connection, method: Method, bundle_id: BundleId, answers: tuple[ReadAnswer, ...]
) -> tuple[ReadAnswer, ...]:
    """*answers* with what later stages said of each."""
    if len(method.stages) < 2:
        return answers
    said = responses.later_replies(connection, bundle_id)
    return tuple(
        replace(each, later=tuple(replace(one, text=in_lines(one.text)) for one in said.get(each.cell_id, ())))
        for each in answers
    )


def _with_sources(
    method: Method, protocol: Any, row: BundleFacts, answers: tuple[ReadAnswer, ...]
) -> tuple[ReadAnswer, ...]:
    """*answers* with what their sources say, where the method holds them against that."""
    if not isinstance(method, Baselines):
        title = method.given_title(row.coordinates)
        rests = [each.answer.given for each in answers]
        if not title or not any(rests):
            return answers
        pairs = zip(answers, rests, strict=True)
        return tuple(replace(each, source=(title, in_lines(given[0]))) if given else each for each, given in pairs)
    found = []
    for each in answers:
        about = protocol, row.coordinates.joined(each.answer.coordinates), row.items[each.answer.item_id]
        found.append(replace(each, source=(method.baseline_title(*about), method.baseline(*about))))
    return tuple(found)


def sent_prompt(bundle: ReadBundle, cell: Answer) -> SentPrompt:
    """The prompt sent for *cell*, one of the bundle's or of its control's: composed again from what was frozen."""
    control = bundle.control
    free = control if control is not None and cell in control.generations else None
    fixed = bundle.facts.coordinates if free is None else free.coordinates
    item = bundle.facts.items[cell.item_id]
    prompt = catalogue.method(bundle.facts.method).compose(
        bundle.protocol, fixed.joined(cell.coordinates), item, cell.given
    )
    return SentPrompt(prompt=prompt, answer=cell)


def _control(
    connection: Connection, method: Method, bundle_id: BundleId, coordinates: Coordinates
) -> ReadControl | None:
    """The control that the method has read beside a bundle; None if there is none."""
    arm = method.control_arm(coordinates)
    found = bundles.of_arm(connection, bundle_id, arm) if arm else []
    place = method.control(coordinates, [where for _, where in found])
    if place is None:
        return None
    control, where = found[place]
    generations = tuple(each for each in responses.of_bundle(connection, control) if each.repeat == 0)
    return ReadControl(coordinates=where, generations=generations) if generations else None


def _by_level(answers: list[Answer], scored: Mapping[int, Sequence[StoredScore]]) -> tuple[ReadAnswer, ...]:
    first: dict[str, ReadAnswer] = {}
    for answer in answers:
        # Repeat 0 comes before the others (`responses.of_bundle`): the first of a level is its answer.
        known = first.get(answer.level)
        if known is None:
            own = {each.name: each.value for each in scored.get(answer.cell_id, ())}
            first[answer.level] = ReadAnswer(level=answer.level, answer=answer, scores=own)
        else:
            first[answer.level] = replace(known, repeats=(*known.repeats, answer))
    return tuple(first.values())
