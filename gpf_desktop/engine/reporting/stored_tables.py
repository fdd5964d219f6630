"""Frames of an audit's scores, read once and kept until they are forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Any

from gpf_desktop.domain.ids import ArticleId, ModelId, RunId
from gpf_desktop.domain.protocol import Protocol
from gpf_desktop.domain.runs import Run
from gpf_desktop.domain.score_tables import OtherScores
from gpf_desktop.domain.scores import BUNDLE_SCORES, VALID
from gpf_desktop.engine.bench import Bench
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.reporting.score_frame import (
    FrameTables,
    Orders,
    bundle_frame,
    cell_frame,
    in_order,
    other_frame,
    tested_frame,
)
from gpf_desktop.engine.review.review_reading import frozen_protocol
from gpf_desktop.engine.scoring.identity_answers import ANSWER_COLUMNS, answer_rows, places_of
from gpf_desktop.engine.scoring.score_variants import only_masked, setting_words
from gpf_desktop.scorers.flags import Flag
from gpf_desktop.storage import batches, cell_counts, fit_groups, protocols, responses, run_tables, scores
from gpf_desktop.storage.run_stamps import RunStamp, run_stamps
from gpf_desktop.storage.run_tables import RunTable
from gpf_desktop.storage.score_columns import ScoredBundles, scored_bundles
from gpf_desktop.storage.scores import ScoreSetting

if TYPE_CHECKING:
    import pandas as pd


class StoredTables:
    """Reads what analyses need. Threads may share it; frames that it hands out are never changed."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._lock = Lock()
        self._frames: dict[int, FrameTables] = {}

    def forget(self) -> None:
        """Scores have changed: read again the next time."""
        with self._lock:
            self._frames.clear()

    def keep_tables(self) -> None:
        """Read what has changed since it was last kept, so that the tables of runs are kept."""
        for setting in self._bench.audit.read(scores.settings):
            self._scored(setting.id, BUNDLE_SCORES)
        self._counted_cells()

    def setting(self, setting_id: int | None) -> ScoreSetting | None:
        """The score setting with this id; for None the audit's primary one, None where nothing was scored."""
        every = self._bench.audit.read(scores.settings)
        return next((each for each in every if setting_id in (None, each.id)), None)

    def protocols_by_run(self, chosen: Sequence[Run | RunStamp]) -> dict[int, Protocol]:
        """The protocol that each of *chosen* runs was asked with, the newest run first."""
        found: dict[int, Protocol] = {}
        for run in chosen:
            if run.protocol_id not in found:
                row = self._bench.audit.read(partial(protocols.get, protocol_id=run.protocol_id))
                found[run.protocol_id] = frozen_protocol(row.text)
        return {int(run.id): found[run.protocol_id] for run in chosen}

    def batches(self) -> tuple[tuple[int, str], ...]:
        """(id, name), the oldest first; batches of one name are told apart by their number."""
        every = self._bench.audit.read(batches.every)[::-1]
        named = [batch.name for batch in every]
        return tuple(
            (int(batch.id), batch.name if named.count(batch.name) == 1 else f"{batch.name} ({batch.id})")
            for batch in every
        )

    def tables(self, setting: ScoreSetting | None) -> FrameTables:
        """Everything under *setting*; empty where nothing was scored."""
        key = 0 if setting is None else setting.id
        with self._lock:
            kept = self._frames.get(key)
        if kept is not None:
            return kept
        used = list(self.protocols_by_run(self._bench.audit.read(run_stamps)).values())
        orders = Orders(
            dimensions=tuple(dict.fromkeys(d.name for protocol in used for d in protocol.dimensions)),
            families=tuple(dict.fromkeys(f.name for protocol in used for f in protocol.families)),
            identities=tuple(
                dict.fromkeys(i.label for protocol in used for d in protocol.dimensions for i in d.identities)
            ),
            batches=self.batches(),
        )
        bundles = self._bundles(0 if setting is None else setting.id, orders)
        made = FrameTables(
            bundles,
            lambda: cell_frame(self._counted_cells(), orders),
            lambda: self._answers(bundles, orders),
            read_others=lambda: self._others(setting),
            read_tests=lambda: tested_frame(self._bench.audit.read(scores.test_rows), orders),
        )
        with self._lock:
            return self._frames.setdefault(key, made)

    def _bundles(self, setting_id: int, orders: Orders) -> pd.DataFrame:
        # What is behind is read first: scores saved in between are then told as behind, never the other way round.
        behind = self._behind(setting_id)
        return bundle_frame(self._scored(setting_id, (*BUNDLE_SCORES, VALID)), orders, behind)

    def _scored(self, setting_id: int, names: Sequence[str]) -> ScoredBundles:
        scored = self._bench.audit.read(lambda c: scored_bundles(c, setting_id, names))
        self._keep(scored.read)
        return scored

    def _behind(self, setting_id: int) -> dict[tuple[int, int, int], int]:
        return self._bench.audit.read(lambda c: fit_groups.behind(c, setting_id))

    def _counted_cells(self) -> Sequence[tuple[object, ...]]:
        counted = self._bench.audit.read(lambda c: cell_counts.cell_counts(c, Flag.REFUSAL, Flag.TRUNCATED))
        self._keep(counted.read)
        return counted.rows

    def _keep(self, read: Sequence[RunTable]) -> None:
        """Have what was read kept for the next time; nobody waits for it, and nothing hangs on it."""
        for table in read:
            with suppress(RuntimeError):  # the audit is being closed
                self._bench.audit.write(partial(run_tables.keep, table=table))

    def _others(self, setting: ScoreSetting | None) -> tuple[OtherScores, ...]:
        """What every setting but *setting* gave."""
        every = self._bench.audit.read(scores.settings)
        return tuple(
            OtherScores(
                title=setting_words(other, every[0]),
                masked=only_masked(other, setting),
                frame=other_frame(self._scored(other.id, BUNDLE_SCORES), self._behind(other.id)),
            )
            for other in every
            if setting is not None and other.id != setting.id
        )

    def _answers(self, bundles: pd.DataFrame, orders: Orders) -> pd.DataFrame:
        """The table of answers over every run, model and article that was scored."""
        import pandas as pd

        places = places_of(bundles)
        keys = ["run_id", "model_id", "model", "synthetic", "article_id"]
        rows: list[tuple[object, ...]] = []
        for run_id, model_id, model, synthetic, article_id in bundles[keys].drop_duplicates().itertuples(index=False):
            read = partial(
                responses.fit_group,
                run_id=RunId(int(run_id)),
                model_id=ModelId(int(model_id)),
                article_id=ArticleId(int(article_id)),
            )
            group = self._bench.audit.read(read)
            rows += answer_rows(group, places, str(model), bool(synthetic), int(article_id))
        frame = pd.DataFrame.from_records(rows, columns=list(ANSWER_COLUMNS))
        for name in ("model", "dimension", "identity", "family"):
            frame[name] = in_order(frame[name], orders.of(name))
        for name in ("tone_shift", "to_others", "to_identity_free"):
            frame[name] = frame[name].astype(float)
        frame["synthetic"] = frame["synthetic"].astype(bool)
        return frame


def in_window(run: Run | RunStamp, wanted: ResultsFilter) -> bool:
    """Whether *run* was set up within the window of *wanted*."""
    return (
        (wanted.runs is None or run.id in wanted.runs)
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
        if wanted.stratum is not None:
            keep &= frame["stratum"] == wanted.stratum
        return frame if bool(keep.all()) else frame[keep]

    bundles = picked(tables.bundles)

    def answers() -> pd.DataFrame:
        every = tables.answers
        return every[every["bundle_id"].isin(bundles["bundle_id"])]

    def others() -> tuple[OtherScores, ...]:
        current = bundles.loc[bundles["newer"] == 0, "bundle_id"]
        found = []
        for other in tables.others:
            some = other.frame[other.frame["bundle_id"].isin(bundles["bundle_id"])]
            both = some[(some["newer"] == 0) & some["bundle_id"].isin(current)]
            found.append(replace(other, frame=both, behind=len(some) - len(both)))
        return tuple(found)

    return FrameTables(
        bundles,
        lambda: picked(tables.cells),
        answers,
        read_others=others,
        read_tests=lambda: picked(tables.tests),
    )
