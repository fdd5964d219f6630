"""Contextual StereoSet at its largest: 4,229 items in 74 contexts, beside the plain way.

    python -m tests.benchmarks.bench_contextual_stereoset

The bootstrap draws items whole 2,000 times and has intervals of the rate in every context, at every level and of every
contrast; the plain way is a loop over draws. Reading dev.json and all measures of one model are timed beside.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

import numpy as np

from gpf_desktop.methods.contextual_stereoset.choices import Choices
from gpf_desktop.methods.contextual_stereoset.contrasts import contrasts_of, differences
from gpf_desktop.methods.contextual_stereoset.dev_json import read_dev_json
from gpf_desktop.methods.contextual_stereoset.measures import measures
from gpf_desktop.stats.cluster_bootstrap import REPLICATES, percentile_interval, resampled_sums
from tests.benchmarks.processes import peaks
from tests.methods.contextual_stereoset.studies import BUDGETED, FACTORS, TYPES

ITEMS = 4229


def choices(items: int, seed: int = 1) -> Choices:
    """Choices at random, one in a hundred missing."""
    draw = np.random.default_rng(seed)
    shape = (items, len(BUDGETED))
    codes = np.where(draw.random(shape) < 0.01, -2, draw.integers(0, 3, shape)).astype(np.int8)
    places = draw.permuted(np.tile(np.arange(3, dtype=np.int8), (*shape, 1)), axis=2)
    return Choices(
        model="m",
        items=tuple(map(str, range(items))),
        groups=tuple(TYPES[row % 4] for row in range(items)),
        factors=FACTORS,
        contexts=tuple(BUDGETED),
        codes=codes,
        places=places,
    )


def columns(study: Choices) -> np.ndarray:
    """What is drawn again: choices of S in each context, and what each contrast adds up to."""
    found = differences(study, contrasts_of(study), study.chose("S"), study.valid)
    return np.hstack([study.chose("S"), np.nan_to_num(found.means)]).astype(np.float64)


def plainly(values: np.ndarray, draws: int) -> np.ndarray:
    """Means of items drawn with replacement, one draw after the other."""
    draw = np.random.default_rng(2)
    return np.array([values[draw.integers(0, len(values), len(values))].mean(axis=0) for _ in range(draws)])


def dev_json(folder: Path, items: int) -> Path:
    """A file of the authors' form."""
    gold = ("stereotype", "anti-stereotype", "unrelated")
    entries = [
        {
            "id": f"{number:032x}",
            "target": "piper",
            "bias_type": TYPES[number % 4],
            "context": f"The piper of house {number} came to the town in the evening.",
            "sentences": [
                {"id": f"{number}{label}", "sentence": f"It was {label} {number}.", "gold_label": label, "labels": []}
                for label in gold
            ],
        }
        for number in range(items)
    ]
    path = folder / "dev.json"
    path.write_text(json.dumps({"version": "1.1", "data": {"intersentence": entries}}), encoding="utf-8")
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=ITEMS)
    asked = parser.parse_args()
    study = choices(asked.items)
    values = columns(study)
    begun = time.perf_counter()
    ours = percentile_interval(resampled_sums(values, seed=1) / len(values))
    seconds = time.perf_counter() - begun
    begun = time.perf_counter()
    few = REPLICATES // 20
    plain = plainly(values, few)
    loop = (time.perf_counter() - begun) * REPLICATES / few
    apart = np.abs(ours[0] - np.quantile(plain, 0.025, axis=0)).max()
    print(f"{asked.items} items in {len(BUDGETED)} contexts, {REPLICATES} draws")
    print(f"  bootstrap {seconds:6.2f} s; a plain loop {loop:6.2f} s ({loop / seconds:.1f} times as long)")
    print(f"  lower ends apart by at most {apart:.4f} (the loop drew {few} times)")
    begun = time.perf_counter()
    measures(study, seed=3)
    print(f"  all measures of one model {time.perf_counter() - begun:6.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        path = dev_json(Path(folder), asked.items)
        begun = time.perf_counter()
        read = read_dev_json(path)
        seconds, size = time.perf_counter() - begun, path.stat().st_size / 1e6
        print(f"  reading {len(read.items)} items of {size:.1f} MB {seconds:6.2f} s")
    print(f"  peak memory {max(peaks()):.0f} MB")


if __name__ == "__main__":
    main()
