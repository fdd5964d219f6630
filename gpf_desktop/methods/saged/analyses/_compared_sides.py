"""Sides of any kind, two by two, sentence by sentence: a model in another round, or asked by another template."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.score_tables import SidePair, asked_first
from gpf_desktop.domain.text import tr
from gpf_desktop.methods._paired_sides import PairedScore, PairedSides, compared
from gpf_desktop.methods.saged.analyses._groups import GROUP
from gpf_desktop.methods.saged.analyses._judged import METHOD
from gpf_desktop.methods.saged.analyses._series import AskedModel, BoardOptions, boards
from gpf_desktop.methods.saged.features import TONE
from gpf_desktop.methods.saged.gaps import LEAST_ROOTS, by_root_and_concept
from gpf_desktop.methods.saged.scorers.features_of_answers import CLASSIFIED
from gpf_desktop.methods.saged.words import feature_title, role_title

_ENDS: Final = {TONE.name: (-1.0, 1.0)}
"""Of features whose scale has ends."""


def of_pairs(pairs: Sequence[SidePair], margins: Mapping[str, float]) -> Finding:
    """Each pair on the sentences that both of its sides have: tone, what a classifier or a judge gives, of every
    concept and of all together. *margins* by feature, else the study's own."""
    ready = [(pair, list(_ready(pair))) for pair in pairs]
    return compared(
        [each for _, some in ready for each in some],
        [tr(" and ").join(pair.names) for pair, some in ready if not some],
        {**_agreed(pairs), **{name: size for name, size in margins.items() if size}},
        over=tr("sentences"),
        notes=(tr("Paired by sentence, role and group; of one prompt's answers the first alone."),),
    )


def _agreed(pairs: Sequence[SidePair]) -> dict[str, float]:
    """The margins that the protocol asked first states."""
    terms = {run: its for pair in pairs if pair.tables for t in pair.tables for run, its in t.terms(METHOD).items()}
    first = asked_first(terms)
    return {} if first is None else dict(first.protocol.margins)


def _ready(pair: SidePair) -> Iterator[PairedSides]:
    assert pair.tables is not None, "its pairs are answers"
    sides = [boards(tables, BoardOptions()).asked for tables in pair.tables]
    for one in sides[0]:
        for other in sides[1]:
            if one.role != other.role or (pair.same_models and one.model != other.model):
                continue
            scores = list(_scores(one, other))
            if scores:
                yield PairedSides(
                    pair=pair,
                    models=" · ".join((", ".join(dict.fromkeys((one.model, other.model))), role_title(one.role))),
                    synthetic=one.synthetic or other.synthetic,
                    scores=scores,
                )


def _scores(one: AskedModel, other: AskedModel) -> Iterator[PairedScore]:
    features = [CLASSIFIED, TONE.name, *(name for name in one.judged if name in other.judged)]
    groups = [group for group in one.groups if group in other.groups]
    if not groups:
        return
    for feature in features:
        if feature not in one.features or feature not in other.features:
            continue
        tables = [_table(each, feature, groups) for each in (one, other)]
        roots = [root for root in tables[0] if root in tables[1]]
        if not roots:
            continue
        first, second = (np.array([table[root] for root in roots]) for table in tables)
        there = ~np.isnan(first) & ~np.isnan(second)
        every = [np.where(there, each, np.nan) for each in (first, second)]
        title = feature_title(feature)
        words = tr("{feature}, all groups", feature=title)
        yield _paired(feature, words, *(_row_means(each) for each in every))
        for at, group in enumerate(groups):
            named = tr("{feature}, {group}", feature=title, group=group)
            yield _paired(feature, named, first[:, at], second[:, at])


def _paired(feature: str, words: str, first: Floats, second: Floats) -> PairedScore:
    return PairedScore(
        name=feature,
        words=words,
        first=first,
        second=second,
        clusters=np.arange(len(first), dtype=np.int64),
        fewest=LEAST_ROOTS,
        ends=_ENDS.get(feature),
    )


def _table(each: AskedModel, feature: str, groups: Sequence[str]) -> dict[int, Floats]:
    """The means of *feature* for each of *groups*, by item; NaN where a group has none."""
    number = {group: at for at, group in enumerate(each.groups)}
    concepts = np.array([number[name] for name in each.frame[GROUP]])
    items = each.frame["article_id"].to_numpy()
    cells = by_root_and_concept(each.roots, concepts, each.values(feature), len(each.groups))
    order = [number[group] for group in groups]
    return {int(item): row[order] for item, row in zip(np.unique(items), cells, strict=True)}


def _row_means(values: Floats) -> Floats:
    """The mean of each row of *values* (n, k), NaN left out; NaN where a row has no number."""
    there = ~np.isnan(values)
    counts = there.sum(axis=1)
    sums = np.where(there, values, 0.0).sum(axis=1)
    found: Floats = np.divide(sums, counts, out=np.full(len(values), np.nan), where=counts > 0)
    return found
