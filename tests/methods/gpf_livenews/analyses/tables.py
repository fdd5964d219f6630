"""Score tables by hand, for the tests of the analyses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.findings import Estimate, Finding, Row
from gpf_desktop.domain.score_tables import OtherScores, RunTerms
from gpf_desktop.domain.scores import ALL_SCORES, READABILITY, VALID
from gpf_desktop.engine.reporting.score_frame import (
    FrameTables,
    Orders,
    bundle_frame,
    counted_frame,
    in_order,
    tested_frame,
)
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.level_tests import LEVEL_TEST_SCORES
from gpf_desktop.storage.answer_counts import SAID_COUNTS
from gpf_desktop.storage.cell_counts import CELL_COUNTS, DECIDED_COUNTS, CountedCells
from gpf_desktop.storage.replies import StoredReply
from gpf_desktop.storage.score_columns import ScoredBundles
from gpf_desktop.storage.scores import TEST_COLUMNS, LevelTestRows

ORDERS = Orders(
    levels={
        "condition": (),
        "dimension": ("Race / Ethnicity", "Religion", "Political"),
        "identity": (),
        "family": ("Impact", "Policy / Action"),
        "paraphrase": (),
    },
    batches=((1, "Morning"), (2, "Evening")),
)

_BUNDLE: Mapping[str, object] = {
    "run_id": 1,
    "batch_id": 1,
    "model_id": 1,
    "model": "openai/gpt-x",
    "vendor": "openai",
    "synthetic": 0,
    "article_id": 1,
    "headline": "Council approves new bus lanes",
    "stratum": "identity-neutral",
    "condition": "identity",
    "dimension": "Religion",
    "family": "Impact",
    "paraphrase": 0,
    "planned": 7,
    "provisional": 0,
    "valid": 7.0,
    **dict.fromkeys((*ALL_SCORES, *READABILITY)),
}
SHORT = {
    "s": "semantic_dispersion",
    "n": "noise",
    "cfs": "counterfactual_framing",
    "r": "sentiment_range",
    "r_star": "sentiment_range_rarefied",
}
_FACTORS = ("condition", "dimension", "identity", "family", "paraphrase")
_PLACE = ("run_id", "batch_id", "model", "vendor", "synthetic", "stratum")
_CELL: Mapping[str, object] = {
    **{name: _BUNDLE[name] for name in (*_PLACE, *_FACTORS) if name in _BUNDLE},
    "identity": "Hindu",
    "repeated": 0,
    "reason": "",
    "n": 1,
    "worded_refusals": 0,
    "truncated": 0,
}
_DECIDED: Mapping[str, object] = {
    **{name: _BUNDLE[name] for name in (*_PLACE, "article_id", *_FACTORS) if name in _BUNDLE},
    "identity": "Hindu",
    "decided": 7,
    "refused": 0,
    "worded_refusals": 0,
}
_SAID: Mapping[str, object] = {
    **{name: value for name, value in _DECIDED.items() if name != "decided"},
    **dict.fromkeys(SAID_COUNTS, 0),
    "decided": 7,
    "words": 700,
}
_ANSWER: Mapping[str, object] = {
    "bundle_id": 1,
    "model": "openai/gpt-x",
    "synthetic": False,
    "article_id": 1,
    "dimension": "Religion",
    "identity": "Hindu",
    "family": "Impact",
    "tone_shift": 0.0,
    "to_others": 0.0,
    "to_identity_free": 0.0,
}

_TEST: Mapping[str, object] = {
    **{name: _BUNDLE[name] for name in (*TEST_COLUMNS, *_FACTORS) if name in _BUNDLE},
    "identity": "",
    "newer": 0,
    **dict.fromkeys(LEVEL_TEST_SCORES, 0.04),
}


def tables(
    bundles: Iterable[Mapping[str, object]] = (),
    cells: Iterable[Mapping[str, object]] = (),
    answers: Iterable[Mapping[str, object]] = (),
    *,
    decided: Iterable[Mapping[str, object]] = (),
    others: Iterable[OtherScores] = (),
    tests: Iterable[Mapping[str, object]] = (),
    said: Iterable[Mapping[str, object]] = (),
    terms: Mapping[int, RunTerms] | None = None,
    replies: Sequence[StoredReply] = (),
    orders: Orders = ORDERS,
) -> FrameTables:
    """Tables of what is given; what is left out is as in one complete bundle of one model."""
    rows = [
        {**_BUNDLE, "bundle_id": number, **{SHORT.get(key, key): value for key, value in given.items()}}
        for number, given in enumerate(bundles, start=1)
    ]
    facts = [{**_CELL, **given} for given in cells]
    facts = [{**each, "arm": _factors(each).arm} for each in facts]
    told = pd.DataFrame([{**_ANSWER, **given} for given in answers], columns=list(_ANSWER))
    for name in ("model", "dimension", "identity", "family"):
        told[name] = in_order(told[name], ())
    for name in ("tone_shift", "to_others", "to_identity_free"):
        told[name] = told[name].astype(float)
    told["synthetic"] = told["synthetic"].astype(bool)
    ended = [{**_DECIDED, **given} for given in decided]
    spoken = [{**_SAID, **given} for given in said]
    tested = [
        tuple(
            {**each, "arm": _factors(each).arm, "coordinates": _factors(each).coordinates.text()}[name]
            for name in (*TEST_COLUMNS, *LEVEL_TEST_SCORES)
        )
        for each in ({**_TEST, "bundle_id": number, **given} for number, given in enumerate(tests, start=1))
    ]
    return FrameTables(
        bundle_frame(_scored(rows), orders),
        lambda: counted_frame(_counted(facts, ("repeated",), CELL_COUNTS, ("stratum", "arm", "reason")), orders),
        lambda: told,
        read_others=lambda: tuple(others),
        read_tests=lambda: tested_frame(LevelTestRows(scores=LEVEL_TEST_SCORES, rows=tested), orders),
        read_decided=lambda: counted_frame(_counted(ended, ("article_id",), DECIDED_COUNTS), orders),
        read_said=lambda: counted_frame(_counted(spoken, ("article_id",), SAID_COUNTS), orders),
        read_terms=lambda _method: terms or {},
        read_replies=lambda _method: replies,
    )


def _counted(
    rows: Sequence[Mapping[str, Any]],
    apart: Sequence[str],
    counts: tuple[str, ...],
    words: Sequence[str] = ("stratum",),
) -> CountedCells:
    """Each row has a model and coordinates of its own number."""
    numbers = ("run_id", "batch_id", *apart, *counts)
    own = np.arange(len(rows))
    return CountedCells(
        numbers={
            **{name: np.array([row[name] for row in rows], np.int64) for name in numbers},
            **dict.fromkeys(("model_id", "fixed"), own),
            "varying": np.full(len(rows), -1),
        },
        words={name: (tuple(str(row[name]) for row in rows), own) for name in words},
        counts=counts,
        models={at: (row["model"], row["vendor"], bool(row["synthetic"])) for at, row in enumerate(rows)},
        sets={-1: Coordinates(), **{at: _factors(row).coordinates for at, row in enumerate(rows)}},
    )


def answered_twice(bundle: int, given: Mapping[str, Any], reader: str, repeat: int) -> Iterator[StoredReply]:
    """A first answer, and the second one of *bundle*, whose row has *given*."""
    for condition, text in (
        (Condition.IDENTITY, "Rents rise and tenants pay more."),
        (given["condition"], "I am sure."),
    ):
        asked = Factors(condition=Condition(condition), dimension="Religion", identity=reader, family="Impact")
        yield StoredReply(
            cell_id=0,
            run_id=1,
            batch_id=given["batch_id"],
            bundle_id=0 if condition is Condition.IDENTITY else bundle,
            model=given["model"],
            synthetic=bool(given["synthetic"]),
            item_id=given["article_id"],
            kind="article",
            key="",
            title="",
            stratum="",
            data={},
            arm=asked.arm,
            coordinates=asked.coordinates,
            repeat=repeat,
            stage=int(condition is not Condition.IDENTITY),
            missing="",
            text=f"{text} {'News' * (repeat + 1)}",
        )


def _scored(rows: Sequence[Mapping[str, Any]]) -> ScoredBundles:
    """Rows as the store would give them, every model, batch and headline numbered."""
    models = {(row["model"], row["vendor"], bool(row["synthetic"])): number for number, row in enumerate(rows)}
    of_model = [models[row["model"], row["vendor"], bool(row["synthetic"])] for row in rows]
    names = ("bundle_id", "article_id", "planned", "provisional")
    factors = [_factors({**row, "identity": ""}) for row in rows]
    return ScoredBundles(
        columns={
            **{name: np.array([row[name] for row in rows], np.int64) for name in names},
            "run_id": np.array([row["batch_id"] for row in rows], np.int64),
            "model_id": np.array(of_model, np.int64),
            "fit_group_id": np.zeros(len(rows), np.int64),
        },
        words={
            "arm": _words([each.arm for each in factors]),
            **{name: _words([each.coordinates[name] for each in factors]) for name in _FACTORS if name != "identity"},
        },
        values={name: np.array([row[name] for row in rows], np.float64) for name in (*ALL_SCORES, *READABILITY, VALID)},
        models={number: facts for facts, number in models.items()},
        batches={row["batch_id"]: row["batch_id"] for row in rows},
        articles={(row["batch_id"], row["article_id"]): (row["headline"], row["stratum"]) for row in rows},
    )


def _factors(row: Mapping[str, Any]) -> Factors:
    return Factors(
        condition=Condition(row["condition"]), **{name: row[name] for name in _FACTORS if name != "condition"}
    )


def _words(column: Sequence[str]) -> tuple[tuple[str, ...], Any]:
    every = tuple(dict.fromkeys(column))
    return every, np.array([every.index(word) for word in column], np.int64)


def other(title: str, scores: Iterable[Mapping[str, object]], *, masked: bool = False, behind: int = 0) -> OtherScores:
    """The same bundles, numbered from 1, under another setting."""
    rows = [
        {"bundle_id": number, **{SHORT.get(key, key): value for key, value in given.items()}}
        for number, given in enumerate(scores, start=1)
    ]
    values: dict[str, list[Any]] = {name: [row.get(name) for row in rows] for name in ALL_SCORES}
    frame = pd.DataFrame({"bundle_id": [row["bundle_id"] for row in rows], **values, "newer": 0})
    frame = frame.astype({"bundle_id": int, **dict.fromkeys(ALL_SCORES, float)})
    return OtherScores(title=title, masked=masked, frame=frame, behind=behind)


def value(row: Row, key: str) -> Any:
    """The value under *key*, an estimate's without its interval."""
    found = row.values[key]
    return found.value if isinstance(found, Estimate) else found


def column(finding: Finding, key: str) -> list[Any]:
    return [value(row, key) for row in finding.rows]


def row_of(finding: Finding, **wanted: object) -> Row:
    """The only row with these values."""
    (found,) = [row for row in finding.rows if all(value(row, key) == each for key, each in wanted.items())]
    return found
