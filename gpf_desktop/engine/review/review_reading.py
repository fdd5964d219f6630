"""A bundle as a reviewer reads it, put together from what is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from gpf_desktop.domain.articles import Anchor, Stratum
from gpf_desktop.domain.cells import Condition, Factors, Prompt
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import ArticleId, BundleId, CellId, ModelId, ReviewerId, RunId
from gpf_desktop.domain.prompts import compose
from gpf_desktop.domain.protocol import Protocol
from gpf_desktop.domain.reviews import ReviewEntry
from gpf_desktop.domain.scores import Unavailable
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.protocol.protocols import read_protocol
from gpf_desktop.storage import bundles, responses, reviews, scores
from gpf_desktop.storage.bundles import Elsewhere
from gpf_desktop.storage.responses import Answer
from gpf_desktop.storage.reviews import Standing
from gpf_desktop.storage.writer import Connection

IDENTITY_FIELD = "{identity}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadAnswer:
    """One identity's answer with its repeats."""

    identity: str
    answer: Answer
    """Repeat 0."""
    repeats: tuple[Answer, ...] = ()
    """Repeats 1, 2, …; empty for most bundles."""

    @property
    def cell_id(self) -> CellId:
        return self.answer.cell_id

    @property
    def flags(self) -> Mapping[str, str]:
        return dict(self.answer.flags)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadControl:
    """What the same model said of the same article when no identity was named; stands beside a bundle, not in it."""

    paraphrase: int
    generations: tuple[Answer, ...]
    """#1, #2, …; at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBundle:
    """Everything that the Review page shows of a bundle except its explanation."""

    id: BundleId
    run_id: RunId
    run: str
    model_id: ModelId
    model: str
    synthetic: bool
    article_id: ArticleId
    anchor: Anchor
    url: str
    source: str
    stratum: Stratum
    matched: tuple[str, ...]
    condition: Condition
    dimension: str
    family: str
    paraphrase: int
    planned: int
    scores: Mapping[str, float | Unavailable]
    provisional: bool
    question_before: str
    """The question up to the identity; all of it in the identity-free condition."""
    question_after: str
    """The question behind the identity."""
    has_slot: bool
    protocol: Protocol
    answers: tuple[ReadAnswer, ...]
    reviewer_id: ReviewerId | None
    """Whose standing this is; None before their first decision."""
    standing: Standing
    history: tuple[ReviewEntry, ...]
    control: ReadControl | None = None
    """None where the run had no identity-free control, or where the bundle is one itself."""
    others: tuple[Elsewhere, ...] = ()
    """The same question in other models and runs."""
    items: tuple[Elsewhere, ...] = ()
    """The same question about every news item of every batch, this bundle among them."""

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
        raise UserError(tr("There is no bundle {number} in this audit.", number=bundle_id))
    protocol = frozen_protocol(row.protocol)
    before, after, has_slot = _question(protocol, row.condition, row.family, row.paraphrase)
    stored = [] if setting_id is None else scores.of_bundle(connection, setting_id, bundle_id)
    return ReadBundle(
        id=bundle_id,
        run_id=row.run_id,
        run=row.run,
        model_id=row.model_id,
        model=row.model,
        synthetic=row.synthetic,
        article_id=row.article_id,
        anchor=row.anchor,
        url=row.url,
        source=row.source,
        stratum=row.stratum,
        matched=row.matched,
        condition=row.condition,
        dimension=row.dimension,
        family=row.family,
        paraphrase=row.paraphrase,
        planned=row.planned,
        scores={score.name: score.value for score in stored},
        provisional=any(score.provisional for score in stored),
        question_before=before,
        question_after=after,
        has_slot=has_slot,
        protocol=protocol,
        answers=_by_identity(responses.of_bundle(connection, bundle_id)),
        reviewer_id=reviewer_id,
        standing=reviews.standing(connection, bundle_id, reviewer_id),
        history=tuple(reviews.history(connection, bundle_id)),
        control=_control(connection, bundle_id),
        others=bundles.same_question(connection, bundle_id),
        items=bundles.same_question_of_every_item(connection, bundle_id),
    )


def sent_prompt(bundle: ReadBundle, cell: Answer) -> SentPrompt:
    """What the cell of *cell*, one of the bundle's or of its control's, sent: composed again from what was frozen."""
    control = bundle.control
    free = control if control is not None and cell in control.generations else None
    factors = Factors(
        condition=bundle.condition if free is None else Condition.IDENTITY_FREE,
        dimension=bundle.dimension if free is None else "",
        identity=cell.identity,
        family=bundle.family,
        paraphrase=bundle.paraphrase if free is None else free.paraphrase,
        repeat=cell.repeat,
    )
    return SentPrompt(prompt=compose(bundle.protocol, factors, bundle.anchor), answer=cell)


@lru_cache(maxsize=8)
def frozen_protocol(text: str) -> Protocol:
    """Reading one takes some tenths of a second, which only the first bundle of a protocol should cost."""
    return read_protocol(text, where=tr("this run's protocol"))


def _question(protocol: Protocol, condition: Condition, family: str, paraphrase: int) -> tuple[str, str, bool]:
    wording = protocol.family(family)
    if condition is Condition.IDENTITY_FREE:
        return wording.identity_free[paraphrase], "", False
    before, slot, after = wording.templates[paraphrase].partition(IDENTITY_FIELD)
    return before, after, bool(slot)


def _control(connection: Connection, bundle_id: BundleId) -> ReadControl | None:
    found = bundles.without_identity(connection, bundle_id)
    if found is None:
        return None
    generations = tuple(each for each in responses.of_bundle(connection, found[0]) if each.repeat == 0)
    return ReadControl(paraphrase=found[1], generations=generations) if generations else None


def _by_identity(answers: list[Answer]) -> tuple[ReadAnswer, ...]:
    first: dict[str, ReadAnswer] = {}
    for answer in answers:
        known = first.get(answer.identity)
        if known is None:
            first[answer.identity] = ReadAnswer(identity=answer.identity, answer=answer)
        else:
            first[answer.identity] = replace(known, repeats=(*known.repeats, answer))
    return tuple(first.values())
