"""The choices that an audit's stored answers come to, measured once for all tables of a window."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from weakref import WeakKeyDictionary

from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.contextual_stereoset.answers import AnsweredCell, AnsweredCells
from gpf_desktop.methods.contextual_stereoset.decoding import REFUSED, UNPARSED, decode
from gpf_desktop.methods.contextual_stereoset.items import STEREOTYPE_LABELS, ChoiceItem
from gpf_desktop.methods.contextual_stereoset.measures import Comparison, Measures, comparisons, measures
from gpf_desktop.methods.contextual_stereoset.protocol import ORDER, WORDING, Context
from gpf_desktop.methods.contextual_stereoset.shares import ALL, NO_CONTEXT

METHOD: Final = "contextual-stereoset"
SEED: Final = 1
_REPEAT: Final = "repeat"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredChoices:
    """What was measured of each model; of one that was asked items and vignettes, of each kind."""

    models: tuple[Measures, ...]
    comparisons: tuple[Comparison, ...]
    synthetic: frozenset[str]

    def warnings(self) -> Iterator[str]:
        """Which models have levels without enough valid cells."""
        for each in self.models:
            if factors := ", ".join(factor for factor in each.choices.factors if factor in each.warned):
                yield tr(
                    "{model}: under 99 % of cells are valid at some level of {factors}; the contrasts stand beside"
                    " their bounds, with such cells as chosen and as not.",
                    model=each.choices.model,
                    factors=factors,
                )

    def factor_title(self, factor: str) -> str:
        known = {
            "location": tr("place"),
            "year": tr("year"),
            "style": tr("style"),
            "observer": tr("observer"),
            WORDING: tr("wording"),
        }
        return known.get(factor, factor)

    def level_title(self, factor: str, level: str) -> str:
        if factor == ALL:
            return tr("all contexts")
        return tr("no context") if factor == NO_CONTEXT else f"{self.factor_title(factor)} · {level}"

    def option_title(self, label: str) -> str:
        known = {"S": tr("stereotype"), "A": tr("anti-stereotype"), "U": tr("unrelated")}
        return known.get(label, tr("option {n}", n=label))


_KEPT: "WeakKeyDictionary[ScoreTables, StoredChoices]" = WeakKeyDictionary()


def stored_choices(scores: ScoreTables) -> StoredChoices:
    """Everything that the window's answers come to."""
    if scores not in _KEPT:
        _KEPT[scores] = _made(scores)
    return _KEPT[scores]


def _made(scores: ScoreTables) -> StoredChoices:
    replies, terms = scores.replies(METHOD), scores.terms(METHOD)
    newest = next(iter(terms.values()), None)
    factors = () if newest is None else tuple(factor.name for factor in newest.protocol.factors)
    stereotypes, vignettes = _cells(replies, factors)
    choices = [each for cells in (stereotypes, vignettes) for each in cells.by_model()]
    return StoredChoices(
        models=tuple(measures(each, seed=SEED) for each in choices),
        comparisons=tuple(comparisons(choices, seed=SEED)),
        synthetic=frozenset(each.model for each in replies if each.synthetic),
    )


def _cells(replies: Sequence[Any], factors: tuple[str, ...]) -> tuple[AnsweredCells, AnsweredCells]:
    """Of items and of vignettes; generations of all runs are counted through."""
    items: dict[tuple[int, int], ChoiceItem] = {}
    generations: Counter[tuple[str, str, Context]] = Counter()
    found: dict[bool, list[AnsweredCell]] = {True: [], False: []}
    for number, each in enumerate(replies):
        item = items.setdefault((each.batch_id, each.item_id), ChoiceItem.of(_item(each)))
        levels = dict(each.coordinates)
        context = tuple(levels.get(factor, "") for factor in factors) if any(map(levels.get, factors)) else ()
        if context and not all(context):
            continue
        where = (each.model, item.id, (*context, levels[WORDING]))
        generations[where] += 1
        found[item.labels == STEREOTYPE_LABELS].append(
            AnsweredCell(
                line=number,
                model=each.model,
                item=item.id,
                group=item.group,
                context=(*context, levels[WORDING], str(generations[where])) if context else (),
                order=levels[ORDER],
                choice=_choice(each, levels[ORDER], item.option),
            )
        )
    named = (*factors, WORDING, _REPEAT)
    stereotypes, vignettes = (AnsweredCells(factors=named, rows=_one_each(found[kind])) for kind in (True, False))
    return _without_single(stereotypes), _without_single(vignettes)


def _without_single(cells: AnsweredCells) -> AnsweredCells:
    """Without wording and repeat where there is only one of it."""
    seen = [{cell.context[place] for cell in cells.rows if cell.context} for place in range(len(cells.factors))]
    kept = [place for place, name in enumerate(cells.factors) if name not in {WORDING, _REPEAT} or len(seen[place]) > 1]
    rows = [
        replace(cell, context=tuple(cell.context[place] for place in kept) if cell.context else ())
        for cell in cells.rows
    ]
    return AnsweredCells(factors=tuple(cells.factors[place] for place in kept), rows=rows)


def _one_each(cells: Sequence[AnsweredCell]) -> list[AnsweredCell]:
    """The first generation of each cell without context, in its first wording."""
    kept: dict[tuple[str, str], int] = {}
    for cell in cells:
        if not cell.context:
            kept.setdefault((cell.model, cell.item), cell.line)
    return [cell for cell in cells if cell.context or kept[cell.model, cell.item] == cell.line]


def _choice(reply: Any, order: str, options: Mapping[str, str]) -> str:
    if reply.missing:
        return REFUSED if reply.missing == Missing.REFUSED else UNPARSED
    return decode(reply.text, order, options).choice


def _item(reply: Any) -> StudyItem:
    return StudyItem(kind=reply.kind, key=reply.key, title=reply.title, text="", stratum=reply.stratum, data=reply.data)
