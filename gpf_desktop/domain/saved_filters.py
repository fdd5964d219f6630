"""Filters kept under a name, with the order that goes with them."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import Drawing, SampleKind
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.reviews import canonical

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedFilter:
    """A filter and an order of bundles, under a name that is its own in this audit."""

    name: str
    wanted: QueueFilter
    order: QueueOrder


def tidy_name(text: str) -> str:
    """*text* as a name: single spaces, not too long; empty where nothing is left."""
    return " ".join(text.split())[:LONGEST_NAME].rstrip()


def filter_to_json(wanted: QueueFilter, order: QueueOrder | None = None) -> str:
    told = asdict(wanted)
    if not wanted.answers:
        # As earlier programs wrote it, and what they sealed.
        del told["answers"]
    if wanted.drawn is not None and not wanted.drawn.carrying:
        del told["drawn"]["carrying"]
    return canonical({"filter": told, "order": None if order is None else asdict(order)})


def filter_from_json(text: str) -> tuple[QueueFilter, QueueOrder]:
    """Raises `ValueError`, `KeyError` or `TypeError` where *text* is none of ours."""
    data: Mapping[str, Any] = json.loads(text)
    wanted = dict(data["filter"])
    ids, drawn, levels = wanted.pop("bundle_ids"), wanted.pop("drawn"), wanted.pop("levels")
    # Filters that an earlier program kept have none.
    categories, answers = wanted.pop("categories", ()), wanted.pop("answers", ())
    return (
        QueueFilter(
            **wanted,
            levels=tuple((factor, level) for factor, level in levels),
            categories=tuple((measure, category) for measure, category in categories),
            bundle_ids=None if ids is None else tuple(BundleId(int(each)) for each in ids),
            drawn=None if drawn is None else _drawing(drawn),
            answers=tuple(map(int, answers)),
        ),
        QueueOrder(**(data["order"] or {})),
    )


def _drawing(data: Mapping[str, Any]) -> Drawing:
    carrying = tuple(int(each) for each in data.get("carrying", ()))
    read = {"kind": SampleKind(data["kind"]), "strata": tuple(data["strata"]), "carrying": carrying}
    return Drawing(**{**data, **read})
