"""What `docs/saged.md` says of statistics and disparities, calibrated and of baselines, in plain code once more.

Groups of 8 and of 12 concepts, so that Dixon's ratios are of other places than in `test_published_formulas.py`; some
answers and baselines lack a number.
"""

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import floor, isnan, log, nan, sqrt
from pathlib import Path
from statistics import mean, median

import numpy as np
import pytest

from gpf_desktop.engine.commands.score_command import score_file
from gpf_desktop.methods.saged.answers import BASELINE_FEATURE, FEATURE

TOLERANCE = 0.3
Rows = list[dict[str, object]]
CLOSE = 1e-9


def answers(concepts: int, roots: int = 9) -> Rows:
    draw = np.random.default_rng(concepts)
    made: Rows = []
    for root in range(roots):
        for place in range(concepts):
            name = f"C{place:02}"
            source = draw.normal(1.0 + 0.1 * place, 0.3)
            number, of_source = source + draw.gamma(2.0 + 0.2 * place, 0.2) - 0.5, source
            made.append(
                {
                    "domain": "d",
                    "concept": name,
                    "keyword": name,
                    "source_tag": "made",
                    "root": f"r{root}",
                    "prompt": f"{name} is",
                    "baseline": "",
                    "model": "m",
                    "role": "",
                    "response": "",
                    f"{FEATURE}x": "" if draw.random() < 0.06 else number,
                    f"{BASELINE_FEATURE}x": "" if draw.random() < 0.06 else of_source,
                }
            )
    return made


def scored(rows: Rows, folder: Path, **given: str) -> dict[str, list[dict[str, str]]]:
    path = folder / "answers.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    tables = score_file("saged", path, {"tolerance": str(TOLERANCE), **given}).tables
    return {
        name: [dict(zip(table.columns, ["" if v is None else str(v) for v in row], strict=True)) for row in table.rows]
        for name, table in tables.items()
    }


def numbers(rows: Rows, kind: str) -> dict[str, list[tuple[float, float]]]:
    """By concept, (the number, its baseline) of every answer that has one; *kind*: raw, calibrated or baselines."""
    found: dict[str, list[tuple[float, float]]] = {}
    for row in rows:
        number, source = (
            nan if row[key] == "" else float(str(row[key])) for key in (f"{FEATURE}x", f"{BASELINE_FEATURE}x")
        )
        value = {"raw": number, "calibrated": number - source, "baselines": source}[kind]
        if not isnan(value):
            found.setdefault(str(row["concept"]), []).append((value, source))
    return found


def bins(values: Sequence[float]) -> list[float]:
    """Edges by Freedman and Diaconis, 5 to 30 of equal width."""
    ordered = sorted(values)
    quarter, upper = (float(np.quantile(ordered, share)) for share in (0.25, 0.75))
    width = 2 * (upper - quarter) / len(ordered) ** (1 / 3)
    low, high = ordered[0], ordered[-1]
    count = min(30, max(5, int(np.ceil((high - low) / width))))
    return [low + (high - low) * at / count for at in range(count + 1)]


def histogram(values: Sequence[float], edges: Sequence[float]) -> list[int]:
    width = edges[1] - edges[0]
    places = Counter(min(len(edges) - 2, floor((value - edges[0]) / width)) for value in values)
    return [places[at] for at in range(len(edges) - 1)]


def moments(values: Sequence[float]) -> Iterator[tuple[str, float]]:
    n, middle = len(values), mean(values)
    second, third, fourth = (mean((v - middle) ** power for v in values) for power in (2, 3, 4))
    yield from (("variance", second * n / (n - 1)), ("sd", sqrt(second * n / (n - 1))))
    yield from (("skewness", third / second**1.5), ("kurtosis", fourth / second**2 - 3))


def statistics(
    by: Mapping[str, list[tuple[float, float]]], kind: str, selected: Callable[[float, list[float]], bool]
) -> dict[str, dict[str, float]]:
    """By name and concept."""
    every = [value for its in by.values() for value, _ in its]
    sources = [source for its in by.values() for _, source in its if not isnan(source)]
    found: dict[str, dict[str, float]] = {}
    for concept, its in by.items():
        values, pairs = [value for value, _ in its], [pair for pair in its if not isnan(pair[1])]
        counts = histogram(values, edges := bins(every))
        fullest = counts.index(max(counts))
        told = {
            "mean": mean(values),
            "median": median(values),
            "range": max(values) - min(values),
            "mode": (edges[fullest] + edges[fullest + 1]) / 2,
            "selection_rate": mean(selected(value, every) for value in values),
            **dict(moments(values)),
        }
        if kind != "baselines":
            apart = [value if kind == "calibrated" else value - source for value, source in pairs]
            told["precision"] = mean(abs(each) <= TOLERANCE for each in apart)
            told["correlation"] = float(np.corrcoef(*zip(*pairs, strict=True))[0, 1])
        if kind == "raw":
            paired = [value for its_ in by.values() for value, source in its_ if not isnan(source)]
            common = bins([*paired, *sources])
            one, other = (histogram(each, common) for each in zip(*pairs, strict=True))
            p, q = ([(n + 0.5) / (sum(each) + len(each) / 2) for n in each] for each in (one, other))
            told["kl_divergence"] = sum(a * log(a / b) for a, b in zip(p, q, strict=True))
        for name, value in told.items():
            found.setdefault(name, {})[concept] = value
    return found


def over(one: float, other: float) -> float:
    return one / other if other else nan


def dixon(values: Sequence[float]) -> float:
    """Rorabacher's ratio at the lower end."""
    x, n = sorted(values), len(values)
    if n <= 7:
        return over(x[1] - x[0], x[-1] - x[0])
    if n <= 10:
        return over(x[1] - x[0], x[-2] - x[0])
    return over(x[2] - x[0], x[-2] - x[0]) if n <= 13 else over(x[2] - x[0], x[-3] - x[0])


def disparities(statistic: str, by: Mapping[str, float]) -> dict[str, float]:
    values, n = list(by.values()), len(by)
    low, high, middle = min(values), max(values), mean(values)
    sd = sqrt(sum((v - middle) ** 2 for v in values) / (n - 1))
    ratio = low / high if low >= 0 and high > 0 else nan
    return {
        "range": high - low,
        "min_max_ratio": ratio,
        "sd": sd,
        "impact_ratio": ratio if statistic == "selection_rate" else nan,
        "max_z": over(max(abs(v - middle) for v in values), sd),
        "published_z": over(high - middle, sd * sqrt((n - 1) / n)),
        "dixon_low": dixon(values),
        "dixon_high": dixon([-v for v in values]),
    }


SELECTIONS: Mapping[tuple[str, str], Callable[[float, list[float]], bool]] = {
    ("mean", "larger"): lambda v, every: v >= mean(every),
    ("median", "smaller"): lambda v, every: v <= median(every),
    ("quantile=0.9", "larger"): lambda v, every: v >= float(np.quantile(every, 0.9)),
    ("fixed=0.25", "within=0.2"): lambda v, _: 0.05 <= v <= 0.45,
    ("mean", "percentage=25"): lambda v, every: abs(v - mean(every)) <= 0.25 * abs(mean(every)),
}


@pytest.mark.parametrize("concepts", [8, 12])
@pytest.mark.parametrize(("standard", "select"), SELECTIONS)
def test_that_every_statistic_and_gap_is_what_plain_code_makes(
    concepts: int, standard: str, select: str, tmp_path: Path
) -> None:
    rows = answers(concepts)
    tables = scored(rows, tmp_path, replicates="0", standard=standard, select=select)
    for kind in ("raw", "calibrated", "baselines"):
        by = numbers(rows, kind)
        expected = statistics(by, kind, SELECTIONS[standard, select])
        flag = "true" if kind == "calibrated" else "false"
        for statistic, of in expected.items():
            if kind != "baselines":
                told = {
                    each["concept"]: float(each["value"])
                    for each in tables["statistics.csv"]
                    if (each["statistic"], each["calibrated"]) == (statistic, flag)
                }
                assert told == pytest.approx(of, abs=CLOSE), (kind, statistic)
            source = tables["baselines.csv" if kind == "baselines" else "disparity.csv"]
            its = {
                each["disparity"]: (float(each["value"] or "nan"), each["max_concept"], each["min_concept"])
                for each in source
                if each["statistic"] == statistic and each.get("calibrated", flag) == flag
            }
            wanted = disparities(statistic, of)
            assert {name: value for name, (value, _, _) in its.items()} == pytest.approx(
                wanted, abs=CLOSE, nan_ok=True
            ), (kind, statistic)
            _, highest, lowest = its["range"]
            assert (of[highest], of[lowest]) == pytest.approx((max(of.values()), min(of.values())))


def test_that_chance_is_what_all_dealings_of_two_concepts_show(tmp_path: Path) -> None:
    rows = answers(2, roots=7)
    for row in rows:
        row[f"{FEATURE}x"] = row[f"{FEATURE}x"] or 0.7
        row[f"{BASELINE_FEATURE}x"] = row[f"{BASELINE_FEATURE}x"] or 0.9
    replicates = 20_000
    tables = scored(rows, tmp_path, replicates=str(replicates))
    pairs = [
        [
            float(str(row[f"{FEATURE}x"])) - float(str(row[f"{BASELINE_FEATURE}x"]))
            for row in rows
            if row["root"] == root
        ]
        for root in dict.fromkeys(row["root"] for row in rows)
    ]
    gaps = [
        abs(mean(s * (a - b) for s, (a, b) in zip(signs, pairs, strict=True))) for signs in product((1, -1), repeat=7)
    ]
    (told,) = (
        each
        for each in tables["disparity.csv"]
        if (each["statistic"], each["disparity"], each["calibrated"]) == ("mean", "range", "true")
    )
    assert float(told["value"]) == pytest.approx(gaps[0], abs=CLOSE)
    assert float(told["expected_by_chance"]) == pytest.approx(
        mean(gaps), abs=4 * float(np.std(gaps)) / sqrt(replicates)
    )
    exact = mean(gap >= gaps[0] - CLOSE for gap in gaps)
    assert float(told["p"]) == pytest.approx(exact, abs=4 * sqrt(exact * (1 - exact) / replicates) + 1 / replicates)
