"""Conclusions about each model as records of Every Eval Ever's schema (version 0.3.0): aggregates alone.

Records of single answers are left out: the schema wants each to be right or wrong, which no answer here is.
"""

import hashlib
import json
import math
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from gpf_desktop import __version__
from gpf_desktop.domain.models import IMPORTED
from gpf_desktop.engine.exchange.audit_relations import AuditRelations

FORMAT: Final = "every-eval-ever"
FOLDER: Final = "every_eval_ever"
_SCHEMA: Final = "0.3.0"
_NO_BETTER: Final = "neither: a number shows how far answers moved, not whether a model is better or worse"


def records(
    pages: Mapping[str, Any], relations: AuditRelations, *, title: str, created: str
) -> Iterator[tuple[str, str]]:
    """(path, text) of a record for each model of which something is concluded; *pages* as in `conclusions.json`."""
    models = _models(relations)
    for page in (pages, *pages.get("others", [])):
        by_model: dict[str, list[Mapping[str, Any]]] = {}
        for each in page["conclusions"]:
            by_model.setdefault(each["model"], []).append(each)
        for name, its in by_model.items():
            record = _record(page, name, its, models.get(name, {}), title, created)
            if record["evaluation_results"]:
                text = json.dumps(record, ensure_ascii=False, indent=1) + "\n"
                yield _path(page["method"], record), text


def _models(relations: AuditRelations) -> dict[str, Mapping[str, Any]]:
    relation = relations.relation("models")
    names = [field.name for field in relation.fields]
    rows = (dict(zip(names, row, strict=True)) for row in relation.rows)
    return {str(row["label"]): row for row in rows}


def _record(
    page: Mapping[str, Any],
    name: str,
    its: Sequence[Mapping[str, Any]],
    model: Mapping[str, Any],
    title: str,
    created: str,
) -> dict[str, Any]:
    provider, asked = model.get("provider", ""), model.get("model", name)
    # An imported answer's model is known by the table's name for it alone.
    asked_as = asked if provider in ("", IMPORTED) else f"{provider}/{asked}"
    moment = _epoch(page["window"]["to"] or created)
    source = {"dataset_name": title, "source_type": "other"}
    return {
        "schema_version": _SCHEMA,
        "evaluation_id": f"{page['method']}/{asked_as}/{moment}",
        "retrieved_timestamp": moment,
        "source_metadata": {
            "source_name": title,
            "source_type": "evaluation_run",
            "source_organization_name": "not stated",
            "evaluator_relationship": "other",
            "additional_details": {"question": page["question"] or "", "says": page["says"] or ""},
        },
        "eval_library": {"name": "gpf-desktop", "version": __version__},
        "model_info": {
            "name": name,
            "id": asked_as,
            **({"inference_platform": provider} if provider and provider != IMPORTED else {}),
            "additional_details": {
                "deployment_type": "unknown",
                "model_availability": "unknown",
                "synthetic": str(bool(model.get("synthetic"))).lower(),
            },
        },
        "evaluation_results": [
            _result(page, each, one, source) for each in its for one in each["measures"] if _is_number(one["value"])
        ],
    }


def _result(
    page: Mapping[str, Any], each: Mapping[str, Any], one: Mapping[str, Any], source: Mapping[str, str]
) -> dict[str, Any]:
    about = f" · {each['about']}" if each["about"] else ""
    details = {
        "outcome": one["outcome"],
        "conclusion": each["outcome"],
        "sentence": each["sentence"],
        "items": str(each["items"]),
        **({"p": repr(one["p"])} if _is_number(one["p"]) else {}),
        **({"margin": repr(one["margin"])} if _is_number(one["margin"]) else {}),
    }
    bounds = {"lower": one["low"], "upper": one["high"]}
    known = all(map(_is_number, bounds.values()))
    level = {"confidence_level": one["level"]} if _is_number(one["level"]) and 0 <= one["level"] <= 1 else {}
    uncertainty = {"uncertainty": {"confidence_interval": {**bounds, **level}}} if known else {}
    return {
        "evaluation_result_id": f"{page['method']}.{one['name']}{about}",
        "evaluation_name": f"{page['method']}{about}",
        "source_data": dict(source),
        "metric_config": {
            "evaluation_description": one["words"],
            "metric_id": f"{page['method']}.{one['name']}",
            "metric_name": one["words"],
            # The schema wants a side; no score here has one.
            "lower_is_better": False,
            "additional_details": {"which_is_better": _NO_BETTER},
        },
        "score_details": {"score": one["value"], "details": details, **uncertainty},
    }


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _epoch(moment: str) -> str:
    found = datetime.fromisoformat(moment)
    return f"{(found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp():.0f}"


def _path(method: str, record: Mapping[str, Any]) -> str:
    """The path of *record* as Every Eval Ever's store names files: the same record has the same name in every
    export."""
    developer, _, model = record["model_info"]["id"].rpartition("/")
    digest = hashlib.sha256(record["evaluation_id"].encode()).digest()
    number = uuid.UUID(bytes=digest[:16], version=4)
    parts = (method, developer or "unknown", model)
    return "/".join(("data", *(re.sub(r"[^\w.-]+", "_", part).strip(".") or "_" for part in parts), f"{number}.json"))
