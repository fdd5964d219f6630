"""Filters runs, and the frames that analyses read, by a filter of Results."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gpf_desktop.domain.runs import Run
from gpf_desktop.domain.score_tables import Endings, OtherScores
from gpf_desktop.engine.reporting.ending_frame import some_endings
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.reporting.score_frame import FrameTables
from gpf_desktop.storage.replies import StoredReply
from gpf_desktop.storage.run_stamps import RunStamp

if TYPE_CHECKING:
    import pandas as pd


def in_window(run: Run | RunStamp, wanted: ResultsFilter) -> bool:
    """Whether *run* was set up within the window of *wanted*."""
    return (
        wanted.method in (None, run.method)
        and (wanted.runs is None or run.id in wanted.runs)
        and (wanted.since is None or run.created >= wanted.since)
        and (wanted.until is None or run.created <= wanted.until)
    )


def within(tables: FrameTables, wanted: ResultsFilter, chosen: frozenset[int]) -> FrameTables:
    """*tables* with the rows of *chosen* runs that *wanted* leaves in."""

    def picked(frame: pd.DataFrame) -> pd.DataFrame:
        keep: Any = frame["run_id"].isin(list(chosen))
        if wanted.models is not None:
            keep &= frame["model"].isin(list(wanted.models))
        if wanted.batches is not None:
            keep &= frame["batch_id"].isin(list(wanted.batches))
        # Counts of how questions ended know no article: `StoredTables.set_aside` leaves out those of the others.
        if wanted.articles is not None and "article_id" in frame:
            keep &= frame["article_id"].isin(list(wanted.articles))
        if wanted.stratum is not None:
            keep &= frame["stratum"] == wanted.stratum
        # The frame itself where nothing is left out: indexing by a mask copies all of it.
        return frame if bool(keep.all()) else frame[keep]

    bundles = picked(tables.bundles)

    def answers() -> pd.DataFrame:
        every = tables.answers
        return every[every["bundle_id"].isin(bundles["bundle_id"])]

    def others() -> tuple[OtherScores, ...]:
        # Two settings are compared only where both rest on all answers; else the answers would differ and not the
        # settings.
        current = bundles.loc[bundles["newer"] == 0, "bundle_id"]
        found = []
        for other in tables.others:
            some = other.frame[other.frame["bundle_id"].isin(bundles["bundle_id"])]
            both = some[(some["newer"] == 0) & some["bundle_id"].isin(current)]
            found.append(replace(other, frame=both, behind=len(some) - len(both)))
        return tuple(found)

    def scored_answers() -> pd.DataFrame:
        every = tables.scored_answers
        return every[every["bundle_id"].isin(bundles["bundle_id"])]

    def pairs() -> pd.DataFrame:
        cells, every = scored_answers()["cell_id"], tables.scored_pairs
        return every[every["first_cell"].isin(cells) & every["second_cell"].isin(cells)]

    return FrameTables(
        bundles,
        lambda: picked(tables.cells),
        answers,
        read_others=others,
        read_tests=lambda: picked(tables.tests),
        read_decided=lambda: picked(tables.decided),
        read_said=lambda: picked(tables.said),
        read_replies=lambda method: [each for each in tables.replies(method) if _wanted(each, wanted, chosen)],
        read_endings=lambda method, measure: _endings_within(tables.endings(method, measure), wanted, chosen),
        read_numbers=tables.numbers,
        read_ratings=tables.ratings,
        read_vectors=lambda method: [each for each in tables.vectors(method) if each.run_id in chosen],
        read_terms=lambda method: {run: each for run, each in tables.terms(method).items() if run in chosen},
        measures=tables.measures,
        read_scored_answers=scored_answers,
        read_scored_pairs=pairs,
    )


def _wanted(reply: StoredReply, wanted: ResultsFilter, chosen: frozenset[int]) -> bool:
    """Later stages are about the answers of models, so that a choice of models leaves them in."""
    return (
        reply.run_id in chosen
        and (wanted.models is None or reply.stage > 0 or reply.model in wanted.models)
        and (wanted.batches is None or reply.batch_id in wanted.batches)
        and (wanted.stratum is None or reply.stratum == wanted.stratum)
    )


def _endings_within(every: Endings, wanted: ResultsFilter, chosen: frozenset[int]) -> Endings:
    frame = every.frame
    keep: Any = frame["run_id"].isin(list(chosen))
    if wanted.models is not None:
        keep &= (frame["stage"] > 0) | frame["model"].isin(list(wanted.models))
    if wanted.batches is not None:
        keep &= frame["batch_id"].isin(list(wanted.batches))
    if wanted.stratum is not None:
        keep &= frame["stratum"] == wanted.stratum
    return every if bool(keep.all()) else some_endings(every, keep)
