"""Distances from baselines and clusters as scores of an audit: over all answers of a round, by tf-idf or an encoder."""

import csv
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.cluster import KMeans

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import Event, TaskProgressed
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import import_tables
from gpf_desktop.engine.commands.score_command import score_file
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.scoring.rescoring import RESCORE_TASK
from gpf_desktop.methods.saged.distances import clustered
from gpf_desktop.methods.saged.metrics import Metric
from gpf_desktop.methods.saged.scorers.distances_of_answers import DistanceOptions, EncodedDistanceOptions
from gpf_desktop.numerics.language_models import load
from gpf_desktop.numerics.sentence_vectors import unit_vectors
from tests.methods.gpf_livenews.scorers.tiny_models import write_encoder

CONCEPTS = ("Mali", "Peru")


def _table(folder: Path) -> Path:
    """Eight answers: lovely of four roots about Mali, dreadful of the same about Peru."""
    rows = [
        {
            "domain": "countries",
            "concept": concept,
            "keyword": concept,
            "source_tag": "a",
            "root": f"r{root}",
            "prompt": f"{concept} is",
            "baseline": f"A good country number {root}.",
            "model": "a",
            "role": "",
            "response": f"lovely good rivers number {root}"
            if concept == "Mali"
            else f"dreadful bad hills number {root}",
        }
        for root, concept in product(range(4), CONCEPTS)
    ]
    path = folder / "answers.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def _scored(audit: OpenAudit, scorer: str, options: DistanceOptions) -> ResultsFilter:
    setting = audit.rescoring.start(scorer, options, method="saged").result()
    audit.results.forget()
    return ResultsFilter(setting_id=setting)


@pytest.mark.slow
def test_that_distances_are_over_a_whole_round_and_clusters_are_told_by_their_words(tmp_path: Path) -> None:
    table = _table(tmp_path)
    with Headless(quiet=True) as headless:
        import_tables(headless, [table], "saged", {}, tmp_path / "study.gpf")
    with Headless(quiet=True) as headless:
        audit = headless.engine.open(tmp_path / "study.gpf")
        wanted = _scored(audit, "saged-distances", DistanceOptions(metric=Metric.L1, clusters=2))
        frame = audit.results.tables(wanted).scored_answers
        features = score_file("saged", table, {"metric": "L1", "replicates": "0"}).tables["features.csv"]
        place = features.columns.index("feature:baseline_distance")
        by_command = sorted(float(str(row[place])) for row in features.rows)
        assert sorted(frame["baseline_distance"]) == pytest.approx(by_command)
        near = frame[["cluster_distance_1", "cluster_distance_2"]].idxmin(axis=1)
        assert frame.groupby("concept", observed=True).apply(lambda its: near[its.index].nunique()).tolist() == [1, 1]
        assert near.nunique() == 2
        assert frame["cluster_distance_3"].isna().all()
        found = audit.results.findings(wanted, ["saged_clusters", "saged_features"])
        clusters = found["saged_clusters"].rows
        assert {("lovely" in str(row.values["words"]), row.values["groups"]) for row in clusters} == {
            (True, "Mali 100%"),
            (False, "Peru 100%"),
        }
        assert [len(row.bundles.answers) for row in clusters] == [4, 4]
        assert "Distance from cluster 2" in {row.values["feature"] for row in found["saged_features"].rows}
        assert not audit.results.findings(ResultsFilter(), ["saged_clusters"])["saged_clusters"].rows

        encoder = str(write_encoder(tmp_path / "encoder"))
        wanted = _scored(audit, "saged-encoded-distances", EncodedDistanceOptions(model=encoder, cluster_of="Peru"))
        frame = audit.results.tables(wanted).scored_answers
        of_mali = frame["concept"] == "Mali"
        assert frame.loc[of_mali, "baseline_distance"].max() < frame.loc[~of_mali, "baseline_distance"].min()
        assert frame.loc[of_mali, "cluster_distance_1"].isna().all()
        assert frame.loc[~of_mali, "cluster_distance_1"].notna().all()
        given = {"encoder": encoder, "clusters": "3", "cluster-of": "Peru", "metric": "cosine", "replicates": "0"}
        features = score_file("saged", table, given).tables["features.csv"]
        for name in ("baseline_distance", "cluster_distance_1"):
            place = features.columns.index(f"feature:{name}")
            by_command = [np.nan if row[place] is None else float(str(row[place])) for row in features.rows]
            assert np.sort(by_command) == pytest.approx(np.sort(frame[name]), nan_ok=True)
        assert audit.results.choices("saged").settings[1][1] == (
            "Distances from the sources, and clusters, L1, 2 clusters"
        )
        wanted = _scored(audit, "saged-distances", DistanceOptions(clusters=2, each_concept=True))
        frame = audit.results.tables(wanted).scored_answers
        assert frame["own_cluster_distance_1"].notna().all()
        assert frame["cluster_distance_1"].isna().all()
        own = audit.results.findings(wanted, ["saged_clusters"])["saged_clusters"].rows
        assert [(row.values["cluster"], row.values["groups"].split()[0]) for row in own] == [
            ("Mali 1", "Mali"),
            ("Peru 1", "Peru"),
        ]
        with pytest.raises(UserError, match="No answer is about “Oz”"):
            _scored(audit, "saged-distances", DistanceOptions(cluster_of="Oz"))


@pytest.mark.slow
def test_that_a_round_that_is_clustered_tells_how_far_it_is(tmp_path: Path) -> None:
    with Headless(quiet=True) as headless:
        import_tables(headless, [_table(tmp_path)], "saged", {}, tmp_path / "study.gpf")
    heard: list[Event] = []
    with Headless(quiet=True) as headless:
        audit = headless.engine.open(tmp_path / "study.gpf")
        encoder = str(write_encoder(tmp_path / "encoder"))
        with headless.listening(heard.append):
            _scored(audit, "saged-encoded-distances", EncodedDistanceOptions(model=encoder))
    far = [event.done for event in heard if isinstance(event, TaskProgressed) and event.task == RESCORE_TASK]
    assert far == sorted(set(far))
    assert (far[0], far[-1]) == (0, 4)
    assert len(far) > 2


def test_that_clusters_made_start_by_start_are_those_of_all_starts_at_once() -> None:
    rows = csr_array(np.random.default_rng(3).random((200, 6)))
    starts: list[int] = []
    found = clustered(rows, seed=7, k=4, metric=Metric.L2, told=starts.append)
    whole = KMeans(n_clusters=4, n_init=10, random_state=7).fit(rows)
    assert np.sort(found.distances.min(axis=1)) == pytest.approx(np.sort(whole.transform(rows).min(axis=1)))
    assert starts == list(range(1, 11))


def test_that_a_text_longer_than_a_window_is_read_whole(tmp_path: Path) -> None:
    model = load(str(write_encoder(tmp_path / "encoder")), "", "", 4)
    texts = ["good good good good news news", "good good good good", "news news", " "]
    vectors = unit_vectors(model, texts)
    assert sorted(vectors) == [0, 1, 2]
    whole = 4 * vectors[1] + 2 * vectors[2]
    assert vectors[0] == pytest.approx(whole / np.linalg.norm(whole))
