"""Judges and encoders that join a round whose answers are there: asked here, or imported.

They are further models of the round, and what they are asked is further cells of its later stages, so that caps,
pauses, kills and prices go by the rules of every round. No answer is asked for again.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from typing import Any, Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import ModelId, ProtocolId, RunId
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import ANSWERING, IMPORTED, Role, TargetModel
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.rates_answers import RatesAnswers
from gpf_desktop.domain.runs import RunState, Spread
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.protocols import kept_text, protocol_hash, stored_controls
from gpf_desktop.engine.models.price_list import price_of, with_prices
from gpf_desktop.engine.rounds.forecast import CHARACTERS_PER_TOKEN
from gpf_desktop.engine.rounds.planning import check_encoders, further_cells, planned_cells
from gpf_desktop.engine.rounds.preparing import RoundFacts, facts_of
from gpf_desktop.engine.rounds.scoping import scoped
from gpf_desktop.storage import fit_groups, models, new_cells, protocols, runs, stages
from gpf_desktop.storage.new_cells import PlannedCell
from gpf_desktop.storage.writer import Connection

_RATED: Final = 1
"""The stage of judgements and vectors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raters:
    """The raters of a round's answers, and the words that judges are told."""

    roles: dict[ModelId, Role]
    """Models of the audit: judges and encoders."""
    protocol: StudyProtocol | None = None
    """Of which judges are told what is for them alone (`RatesAnswers.judging_fields`); None: the round's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChoices:
    """Facts about a round that are needed to choose its raters."""

    method: Method
    protocol: StudyProtocol
    judged: bool
    """What judges are told stands: one was asked."""
    models: tuple[TargetModel, ...]
    """Those of the audit that answer nothing in the round."""
    roles: dict[ModelId, Role]
    """Of those among them that rate the round already."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingOutlook:
    """The calls of raters and their cost."""

    calls: dict[str, int]
    """By model, in the order given; 0: it has rated every answer."""
    cost: Spread | None
    """US dollars; None where no model that is asked has a price."""
    unpriced: tuple[str, ...]
    """Models that are asked whose price is not known."""

    @property
    def total(self) -> int:
        return sum(self.calls.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wish:
    """Raters of one round, with all that their cells are planned by."""

    facts: RoundFacts
    protocol: StudyProtocol
    controls: Any
    joining: tuple[TargetModel, ...]
    reworded: bool
    """What judges are told, or how they are checked, is not the round's own yet."""


def can_be_rated(connection: Connection, run_id: RunId) -> bool:
    """Whether a round's method has answers rated, and the round has any."""
    run = runs.get(connection, run_id)
    return run.answered > 0 and isinstance(facts_of(connection, run_id).method, RatesAnswers)


def choices(connection: Connection, run_id: RunId) -> RatingChoices:
    """The models that may rate the answers of a round, and the protocol that says what judges are told."""
    facts = facts_of(connection, run_id)
    there = {each.id: each.role for each in facts.models}
    others = [each for each in models.every(connection) if there.get(each.id) not in ANSWERING]
    return RatingChoices(
        method=facts.method,
        protocol=facts.protocol,
        judged=_was_judged(connection, run_id),
        models=tuple(with_prices(others)),
        roles={ModelId(each.id): there[each.id] for each in others if each.id in there},
    )


def _was_judged(connection: Connection, run_id: RunId) -> bool:
    """Whether a judge of the round was asked anything: what judges are told stands from then on."""
    judges = [each.id for each in models.of_run(connection, run_id) if each.role is Role.JUDGE]
    return any(count.planned for count in runs.counts(connection, run_id) if count.model_id in judges)


def outlook(connection: Connection, run_id: RunId, raters: Raters) -> RatingOutlook:
    """The outlook of what `join` would have asked. Stores nothing. Raises `UserError` as `join` does."""
    wish = _wish(connection, run_id, raters)
    facts, protocol = wish.facts, wish.protocol
    answers = {
        each.cell: each.text or ""
        for group in fit_groups.groups(connection, [run_id])
        for each in stages.ended(connection, group.id)
    }
    items = {article.id: article.item for article in facts.articles}
    planned: Counter[ModelId] = Counter()
    characters: Counter[ModelId] = Counter()
    for cell in chain.from_iterable(_planned(connection, run_id, wish)):
        given = () if cell.parent is None else (answers[cell.parent],)
        prompt = facts.method.compose(protocol, cell.answer.coordinates, items[cell.article_id], given)
        planned[cell.model_id] += 1
        characters[cell.model_id] += len(prompt.system) + len(prompt.user)
    there = {count.model_id: count.planned for count in facts.counts}
    left = {model.id: planned[model.id] - there.get(model.id, 0) for model in wish.joining}
    asked = [model for model in wish.joining if left[model.id] and not model.synthetic]
    costs = []
    for model in asked:
        if (price := price_of(model.endpoint)) is not None:
            n = left[model.id]
            words = (0, 0) if model.role is Role.EMBEDDER else facts.method.answer_tokens(protocol, _RATED)
            sent = [characters[model.id] * n / planned[model.id] / each for each in CHARACTERS_PER_TOKEN]
            least, most = (price.microdollars(round(p), n * w) / 1e6 for p, w in zip(sent, words, strict=True))
            costs.append(Spread(low=least, high=most))
    return RatingOutlook(
        calls={model.label: left[model.id] for model in wish.joining},
        cost=Spread(low=sum(each.low for each in costs), high=sum(each.high for each in costs)) if costs else None,
        unpriced=tuple(model.label for model in asked if price_of(model.endpoint) is None),
    )


def join(connection: Connection, run_id: RunId, raters: Raters) -> int:
    """Add *raters* to a round, with everything that they are to be asked; how much that is.

    A model that is a rater of it already is asked what it was not asked yet. The round then waits to be resumed. Raises
    `UserError` where nothing can be rated, and for a model that answers in the round.
    """
    wish = _wish(connection, run_id, raters)
    if wish.reworded:
        _store_words(connection, run_id, wish)
    models.join(connection, run_id, wish.joining)
    method, asked = wish.facts.method, 0
    for cells_of in _planned(connection, run_id, wish):
        added = new_cells.add(connection, run_id, method.grouping, cells_of, fitted_on=method.fitted_on)
        asked += added.total()
    if asked:
        names = ", ".join(model.label for model in wish.joining)
        runs.note(connection, run_id, tr("Asked afterwards to rate the answers: {models}.", models=names))
        if runs.get(connection, run_id).state.over:
            runs.set_state(connection, run_id, RunState.PAUSED)
    return asked


def _wish(connection: Connection, run_id: RunId, raters: Raters) -> _Wish:
    facts = facts_of(connection, run_id)
    method = facts.method
    if not isinstance(method, RatesAnswers):
        raise UserError(
            tr("{method} has no judge models: its answers are scored by what they say.", method=method.title),
            tr("Nothing is to be rated."),
        )
    if not any(count.answered for count in facts.counts):
        raise UserError(
            tr("The round {name} has no answers yet.", name=facts.run.name), tr("Rate them once they are there.")
        )
    imported = all(model.endpoint.provider == IMPORTED for model in facts.models)
    stored = facts.controls or stored_controls(facts.run.method, runs.controls(connection, run_id))
    judged = _was_judged(connection, run_id)
    controls = method.judging_controls(stored) if imported and not judged else stored
    protocol = facts.protocol
    if raters.protocol is not None:
        told = {name: getattr(raters.protocol, name) for name in method.judging_fields}
        changed = replace(protocol, **told)  # type: ignore[type-var]
        if changed != protocol and judged:
            raise UserError(
                tr("Answers of this round were judged already, by what its protocol says."),
                tr("Have the others rate by the same words: their marks stand beside each other."),
            )
        if changed != protocol:
            protocol = replace(changed, version=protocol.version + 1)  # type: ignore[type-var]
    joining = tuple(
        replace(model, role=raters.roles[ModelId(model.id)])
        for model in with_prices(models.get(connection, model_id) for model_id in raters.roles)
    )
    _check(facts, joining, protocol, method)
    reworded = protocol != facts.protocol or controls != stored
    return _Wish(facts=facts, protocol=protocol, controls=controls, joining=joining, reworded=reworded)


def _check(facts: RoundFacts, joining: Sequence[TargetModel], protocol: StudyProtocol, method: RatesAnswers) -> None:
    there = {model.id: model.role for model in facts.models}
    for model in joining:
        if model.role not in facts.method.roles or model.role in ANSWERING:
            raise UserError(
                tr("{method} has no {role}.", method=facts.method.title, role=str(model.role)),
                tr("Choose another part for {model}.", model=model.label),
            )
        if there.get(model.id, model.role) is not model.role:
            raise UserError(
                tr("{model} is a {role} of this round.", model=model.label, role=str(there[model.id])),
                tr("Have another model rate: whoever answers does not judge."),
            )
    check_encoders(joining)
    lacks = method.judging_lacks(protocol) if any(model.role is Role.JUDGE for model in joining) else ""
    if lacks:
        raise UserError(
            lacks,
            tr(
                "Say what judge models are told, in the window or by the file of a protocol (--protocol), and ask"
                " again."
            ),
        )


def _store_words(connection: Connection, run_id: RunId, wish: _Wish) -> None:
    """Store the words for judges, and the checks of them, as the round's own from now on."""
    name = wish.facts.run.method
    if wish.protocol != wish.facts.protocol:
        kept = protocols.keep(
            connection,
            method=name,
            name=wish.protocol.name,
            version=wish.protocol.version,
            hash=protocol_hash(wish.protocol),
            text=kept_text(wish.protocol, name),
        )
        runs.set_protocol(connection, run_id, ProtocolId(kept))
    runs.set_controls(connection, run_id, json.dumps(asdict(wish.controls)))


def _planned(connection: Connection, run_id: RunId, wish: _Wish) -> Iterator[Iterator[PlannedCell]]:
    """The cells of the joining models, as the round would have planned them: those that rest on no answer, then those
    of every group whose answers have all ended."""
    facts, method = wish.facts, scoped(wish.facts.method, wish.facts.scope)
    yield planned_cells(method, facts.articles, wish.joining, wish.protocol, wish.controls, facts.run.seed)
    items = {article.id: article.item for article in facts.articles}
    first = stages.last_position(connection, run_id) + 1
    cells_of = further_cells(method, wish.joining, items, wish.protocol, wish.controls, facts.run.seed, first=first)
    # Groups that still wait for answers have these models asked when their next stage is planned.
    waiting = stages.left(connection, run_id)
    for group in fit_groups.groups(connection, [run_id]):
        if group.id not in waiting:
            yield cells_of(_RATED, stages.ended(connection, group.id))
