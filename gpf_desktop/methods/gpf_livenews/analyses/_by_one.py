"""Means by one factor of the bundles."""

from collections.abc import Callable
from dataclasses import replace

from gpf_desktop.domain.columns import text
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import WORDS
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions, entering, groups, main_bundles, real_where_any
from gpf_desktop.methods.gpf_livenews.analyses._words import (
    COMPARED,
    SCORE_KEYS,
    basis,
    count_columns,
    left_out,
    mean_figures,
    score_columns,
    score_values,
    unlike_lengths,
)


def means_by(
    factor: str,
    factor_title: str,
    scores: ScoreTables,
    options: MeanOptions,
    *,
    name: str,
    title: str,
    bundles: Callable[[str], BundleFilter],
) -> Finding:
    """A table with one row per level of *factor*, in the protocol's order."""
    every = entering(main_bundles(scores.bundles, options), options)
    some = real_where_any(every)
    found = groups(some, (factor,), [SCORE_KEYS[key] for key in COMPARED], options)
    return Finding(
        name=name,
        title=title,
        columns=(text(factor, factor_title), *score_columns(*COMPARED), *count_columns()),
        rows=tuple(
            Row(
                values={factor: group.key[0], **score_values(group, *COMPARED)},
                bundles=replace(bundles(group.key[0]), synthetic=group.synthetic),
                synthetic=group.synthetic,
            )
            for group in found
        ),
        reading=tr(
            "Where answers moved further apart across identities in this window. "
            "R grows with the number of identities: compare R* between dimensions."
        ),
        notes=(*unlike_lengths(group.means[WORDS] for group in found), *basis(some, options), *left_out(every, some))
        if found
        else (),
        figures=mean_figures(factor, factor_title.lower()) if found else (),
    )
