"""The measures as tables with named columns; a value that there is none of is empty."""

from collections.abc import Iterator, Sequence
from math import isnan

from gpf_desktop.domain.tables import CellValue, Table
from gpf_desktop.methods.contextual_stereoset.contrasts import ContrastEstimate
from gpf_desktop.methods.contextual_stereoset.measures import Measures, ModelsCompared
from gpf_desktop.methods.contextual_stereoset.mixed import MixedContrasts
from gpf_desktop.methods.contextual_stereoset.shares import ENOUGH, Share

Row = list[CellValue]

_CONTRAST = ("factor", "a", "b", "estimate", "low", "high", "p", "q", "items", "pairs")
_SHARE = ("factor", "level", "ss", "low", "high", "s_of_sa", "share_s", "share_a", "share_u", "valid", "items")


def contrasts_table(models: Sequence[Measures]) -> Table:
    rows = [[each.choices.model, *_contrast(found)] for each in models for found in each.contrasts]
    return Table(("model", *_CONTRAST), rows)


def fingerprint_table(models: Sequence[Measures]) -> Table:
    rows: list[Row] = [
        [each.choices.model, found.factor, _number(found.sigma), _number(found.sigma_excess), found.p]
        for each in models
        for found in each.dispersions
    ]
    return Table(("model", "factor", "sigma", "sigma_excess", "p"), rows)


def shares_table(models: Sequence[Measures]) -> Table:
    rows = [[each.choices.model, *_share(found)] for each in models for found in each.shares]
    return Table(("model", *_SHARE), rows)


def shares_by_type_table(models: Sequence[Measures]) -> Table:
    rows = [
        [each.choices.model, group, *_share(found)]
        for each in models
        for group, some in each.shares_by_group.items()
        for found in some
    ]
    return Table(("model", "type", *_SHARE), rows)


def coverage_table(models: Sequence[Measures]) -> Table:
    """*warning* is 1 where a level lies below 99 %, else 0."""
    rows: list[Row] = [
        [
            each.choices.model,
            found.factor,
            found.level,
            found.asked,
            found.valid,
            found.refused,
            found.unparsed,
            _number(found.rate),
            int(found.rate < ENOUGH),
        ]
        for each in models
        for found in each.coverage
    ]
    columns = ("model", "factor", "level", "asked", "valid", "refused", "unparsed", "coverage", "warning")
    return Table(columns, rows)


def contrast_checks_table(models: Sequence[Measures]) -> Table:
    """Each contrast again: with the order as a covariate, and with invalid cells as all of the option and as none."""
    rows: list[Row] = [
        [
            each.choices.model,
            label,
            adjusted.contrast.factor,
            adjusted.contrast.a,
            adjusted.contrast.b,
            *map(_number, (adjusted.estimate, adjusted.low, adjusted.high, bound.all_chosen, bound.none_chosen)),
        ]
        for each in models
        for label in each.choices.labels
        for adjusted, bound in zip(each.adjusted[label], each.bounds[label], strict=True)
    ]
    columns = (
        "model",
        "option",
        "factor",
        "a",
        "b",
        "order_adjusted",
        "order_adjusted_low",
        "order_adjusted_high",
        "invalid_as_chosen",
        "invalid_as_not_chosen",
    )
    return Table(columns, rows)


def letters_table(models: Sequence[Measures]) -> Table:
    rows: list[Row] = [
        [each.choices.model, found.letter, *map(_number, (found.share, found.low, found.high))]
        for each in models
        for found in each.letters
    ]
    return Table(("model", "letter", "share", "low", "high"), rows)


def contrasts_by_type_table(models: Sequence[Measures]) -> Table:
    rows = [
        [each.choices.model, found.group, *_contrast(found.estimate), _number(found.interaction_p)]
        for each in models
        for found in each.by_group
    ]
    return Table(("model", "type", *_CONTRAST, "interaction_p"), rows)


def contrasts_by_option_table(models: Sequence[Measures]) -> Table:
    """The contrasts in how often the anti-stereotype and the unrelated option are chosen; q over each option's."""
    rows = [
        [each.choices.model, label, *_contrast(found)]
        for each in models
        for label in each.choices.labels[1:]
        for found in each.of_labels[label]
    ]
    return Table(("model", "option", *_CONTRAST), rows)


def mixed_table(models: Sequence[tuple[str, MixedContrasts | None]]) -> Table:
    """The contrasts by a logistic model with random intercepts; of the models that it could be fitted to."""
    rows: list[Row] = [
        [
            model,
            found.contrast.factor,
            found.contrast.a,
            found.contrast.b,
            *map(_number, (found.estimate, found.low, found.high, found.odds, fit.sigma_items, fit.sigma_contexts)),
        ]
        for model, fit in models
        if fit is not None
        for found in fit.contrasts
    ]
    columns = ("model", "factor", "a", "b", "estimate", "low", "high", "odds_ratio", "sigma_items", "sigma_contexts")
    return Table(columns, rows)


def comparisons_table(compared: Sequence[ModelsCompared]) -> Table:
    rows = [[each.first, each.second, *_contrast(found)] for each in compared for found in each.contrasts]
    return Table(("model", "other_model", *_CONTRAST), rows)


def _contrast(found: ContrastEstimate) -> Iterator[CellValue]:
    yield from (found.contrast.factor, found.contrast.a, found.contrast.b)
    yield from map(_number, (found.estimate, found.low, found.high, found.p, found.q))
    yield from (found.items, found.pairs)


def _share(found: Share) -> Iterator[CellValue]:
    yield from (found.factor, found.level)
    yield from map(_number, (found.ss, found.low, found.high, found.of_first_two, *found.shares))
    yield from (found.valid, found.items)


def _number(value: float) -> float | None:
    return None if isnan(value) else value
