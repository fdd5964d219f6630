"""The words of the figure that leads a page of conclusions: its title, its rows, and what weighs on them."""

import re
from collections.abc import Mapping
from typing import Final

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome, ConclusionTag, Held
from gpf_desktop.domain.conclusions.lead import LeadCell, LeadRow
from gpf_desktop.domain.conclusions.rendering import ROW_CAVEATS, ToldPage, chance_alone, chips, number, tag_words
from gpf_desktop.domain.text import grouped, percent, tr, trn

_SHARES: Final = 1000
"""Of more answers than this, how many were declined is told as a share too."""
_SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?]) (?=[A-ZÀ-Þ“„])")


def finding(told: ToldPage, *, of_all: bool = True) -> tuple[str, str]:
    """The headline as a title, and what else it says, as the line under that; *of_all*: with what holds for every row,
    which `how_sure` says too."""
    title, *further = _SENTENCE_ENDS.split(told.headline)
    if len(told.told) == 1:
        further += [each for each in told.told[0].further if each not in further]
    title = title.removesuffix(".") if not title.endswith("..") else title
    return title, " ".join((*further, *(told.of_all if of_all else ())))


def told_first(told: ToldPage) -> tuple[str, str]:
    """The first sentence of the headline, and the others, which stand below it and are as much of the answer."""
    first, *others = _SENTENCE_ENDS.split(told.headline)
    return first, " ".join(others)


def weighing(told: ToldPage, row: LeadRow) -> tuple[str, ...]:
    """Sentences on what weighs on *row*, without what is said of the whole page; the gravest first."""
    one = told.told[row.conclusion]
    pairs = list(zip(one.conclusion.caveats, one.weighs, strict=True))
    if row.measures:
        pairs = [(c, words) for c, words in pairs if c.measures and set(c.measures) & set(row.measures)]
    said = [words for _, words in pairs if words not in told.of_all]
    if row.measures:
        return tuple(said[:ROW_CAVEATS])
    if not said:
        held = [each.words for each in one.conclusion.controls if each.held is Held.YES]
        said = [tr("Holds against {control}.", control=held[0])] if held else []
    return (*behind_chip(told, row.conclusion), *said)[:ROW_CAVEATS]


def weighing_on_all(told: ToldPage, at: int) -> tuple[str, ...]:
    """Sentences that stand beside every measure of conclusion number *at*, where rows are measures."""
    one = told.told[at]
    pairs = zip(one.conclusion.caveats, one.weighs, strict=True)
    said = (words for c, words in pairs if not c.measures and words not in told.of_all)
    return (*behind_chip(told, at), *said)


def behind_chip(told: ToldPage, at: int) -> tuple[str, ...]:
    """Sentences on what the chip of one of several models does not say; of one alone the line under
    the title says it."""
    return told.told[at].behind_chip if len(told.told) > 1 else ()


def why(told: ToldPage, at: int, row: LeadRow | None) -> tuple[str, ...]:
    """The lines that *row*, or the head of conclusion number *at*, unfolds to: controls in numbers, range, test, what
    weighs."""
    one = told.told[at]
    if row is None or not row.measures:
        rows = (each for each in told.lead.rows if each.conclusion == at)
        # What stands in a row already is not said twice.
        seen = {*told.of_all, *(said for each in rows for said in weighing(told, each))}
        return tuple(each for each in (*one.why, *one.further, *one.weighs) if each not in seen)
    cell = row.cells[0]
    if cell.value is None:
        return tuple(filter(None, (cell.why,)))
    numbers = tr("{label}: {value}.", label=row.label, value=_ranged(told, cell))
    told_apart = cell.outcome is ConclusionOutcome.DIFFERS and cell.p is not None
    chance = (chance_alone(cell.p),) if told_apart and cell.p is not None else ()
    first = next(each for each in told.lead.rows if each.conclusion == at)
    # What else is said of one model alone stands under the title.
    rest = weighing_on_all(told, at) if row is first and len(told.told) == 1 else ()
    return tuple(filter(None, (numbers, *chance, row.exact, *weighing(told, row), *rest)))


def declined_words(told: ToldPage) -> str:
    """Sentences on who was declined more often; else on how many were declined."""
    differing = [each for each in told.told if ConclusionTag.REFUSALS_DIFFER in each.conclusion.tags]
    # What stands in a model's row already is not said twice.
    beside_chip = {words for at in range(len(told.told)) for words in behind_chip(told, at)}
    differ = [sentence for each in differing for sentence in each.further[:1] if sentence not in beside_chip]
    if differing:
        return "\n".join(differ)
    known = {
        each.called: each.conclusion.refusals.counted for each in told.told if each.conclusion.refusals is not None
    }
    declined, of = (sum(counts) for counts in zip(*known.values(), strict=True)) if known else (0, 0)
    if not of:
        return ""
    # Lest “0” be quoted as that it never declines.
    said = tr(
        "Declined outright in this audit{who}: {n} of {of} {answers}{share}; {evading}.",
        evading=_evading(told),
        n=grouped(declined),
        of=grouped(of),
        answers=told.answers or tr("answers"),
        who=tr(" by {m}", m=told.told[0].called) if len(told.told) == 1 else "",
        share=_share_of(declined, of),
    )
    if not declined:
        return said
    return " ".join(filter(None, (said, _most_declined(known), tr("No difference in this was shown."))))


def _evading(told: ToldPage) -> str:
    """What is known of answers that evade without declining, within a sentence."""
    counts = [each.conclusion.refusals.evaded for each in told.told if each.conclusion.refusals is not None]
    known = [each for each in counts if each is not None]
    if len(known) == len(counts):
        return trn("{n} more evades in another way", "{n:,} more evade in another way", sum(known))
    return told.evading or tr("evasions were not counted")


def _most_declined(known: Mapping[str, tuple[int, int]]) -> str:
    """Of several models the one that declined most, whom a share of all together hides: (declined, of) by model."""
    most = max(known, key=lambda model: known[model][0])
    declined, of = known[most]
    others = sum(count for count, _ in known.values()) - declined
    if len(known) < 2 or declined <= others:
        return ""
    named = {"m": most, "n": grouped(declined), "of": grouped(of), "share": _share_of(declined, of)}
    if not others:
        return tr("All are of {m}: {n} of {of}{share}.", **named)
    return tr("Most are of {m}: {n} of {of}{share}.", **named)


def _share_of(declined: int, of: int) -> str:
    return f" ({percent(declined / of)})" if of > _SHARES and declined else ""


def _ranged(told: ToldPage, cell: LeadCell) -> str:
    """The number of *cell* with its range, or as a gap stands everywhere: with what chance gives."""
    if told.lead.of_groups:
        return tr("{value} ({range})", value=cell.text, range=cell.reach)
    return cell.ranged or cell.text


def undrawn_words(told: ToldPage) -> str:
    """A sentence on the comparisons of the page that tables alone have; empty: there are none."""
    rows = told.lead.undrawn
    if not rows:
        return ""
    failed = sum(row.cells[0].voided for row in rows)
    differ = sum(row.cells[0].outcome is ConclusionOutcome.DIFFERS and not row.cells[0].voided for row in rows)
    kinds = (
        (differ, tr("{n} differ", n=differ)),
        (len(rows) - failed - differ, tr("{n} show no difference", n=len(rows) - failed - differ)),
        (failed, tr("{n} are not counted, as a check failed", n=failed)),
    )
    said = tr(
        "Not drawn are {n} comparisons: {kinds}.",
        n=grouped(len(rows)),
        kinds=", ".join(words for n, words in kinds if n),
    )
    elsewhere = told.page.tests - len(rows) - len(told.lead.rows)
    if elsewhere != len(told.told) or any(each.conclusion.refusals is None for each in told.told):
        return said
    more = trn("{n} more is of how often a model declined.", "{n} more are of how often a model declined.", elsewhere)
    return f"{said} {more}"


def tags(told: ToldPage, at: int) -> tuple[str, ...]:
    return tuple(tag_words()[each] for each in told.told[at].conclusion.tags)


def outcome_of(told: ToldPage, row: LeadRow) -> tuple[ConclusionOutcome, bool]:
    """The outcome on the chip of *row*, and whether it is so far only."""
    one = told.told[row.conclusion].conclusion
    early = one.outcome is ConclusionOutcome.TOO_EARLY
    if not row.measures:
        return one.said, early
    measure = one.measure(row.measures[0])
    return (row.cells[0].outcome if measure is None else measure.outcome), early


def rows_differing(told: ToldPage, at: int) -> str:
    """In how many of its rows conclusion number *at* differs, behind its chip; empty unless it does."""
    outcomes = [outcome_of(told, row)[0] for row in told.lead.rows if row.conclusion == at]
    if told.told[at].conclusion.outcome is not ConclusionOutcome.DIFFERS or len(outcomes) < 2:
        return ""
    return tr("in {k} of its {n} rows", k=outcomes.count(ConclusionOutcome.DIFFERS), n=len(outcomes))


def says(told: ToldPage, row: LeadRow) -> str:
    """*row* for who does not see it: whose, what is concluded, the numbers on each scale and the controls."""
    one = told.told[row.conclusion]
    outcome, early = outcome_of(told, row)
    said = chips()[outcome]
    chip_words = tr("So far: {chip}", chip=said.lower()) if early else said
    name = tr("{m}, synthetic", m=one.name) if one.conclusion.synthetic else one.name
    parts = [f"{name}, {row.label}" if row.label else name, chip_words]
    for panel, cell in zip(told.lead.panels, row.cells, strict=True):
        if cell.value is None:
            continue
        beside = "".join(f", {each.words} {number(each.value)}" for each in cell.points)
        parts.append(f"{panel.column or panel.title or row.label} {_ranged(told, cell)}{beside}".strip())
    parts += [*tags(told, row.conclusion), *(each.rstrip(".") for each in weighing(told, row))]
    return ". ".join(parts) + "."
