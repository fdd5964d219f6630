"""The answers of each round and model as a log of Inspect (UK AISI), in its JSON form."""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any, Final

from gpf_desktop import __version__
from gpf_desktop.documents.programs.inspect_logs import TOP
from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.judging import JudgeReply, generation_name
from gpf_desktop.domain.models import ANSWERING, IMPORTED, Role
from gpf_desktop.domain.ports.method_abilities import Baselines, ChoosesOptions
from gpf_desktop.domain.ports.rates_answers import RatesAnswers
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import frozen_protocol
from gpf_desktop.engine.exchange.audit_relations import AuditRelations
from gpf_desktop.storage import protocols, stored
from gpf_desktop.storage.asked_messages import AskedMessage, study_item
from gpf_desktop.storage.writer import Connection

FORMAT: Final = "inspect"
FOLDER: Final = "inspect"
_VERSION: Final = 2
"""Of Inspect's log format."""
_DONE: Final = (RunState.FINISHED, RunState.FINISHED_WITH_GAPS)
_Row = dict[str, Any]


def logs(connection: Connection, relations: AuditRelations) -> Iterator[tuple[str, str]]:
    """(name of the file, its text) for each model that was asked in each round; judges' marks stand as scores of the
    answers, and encoders have no log."""
    runs = {row["run_id"]: row for row in _rows(relations, "runs")}
    models = {(row["run_id"], row["model_id"]): row for row in _rows(relations, "models")}
    answers: dict[tuple[int, int], list[_Row]] = defaultdict(list)
    marks: dict[int, dict[str, _Row]] = defaultdict(dict)
    for row in _rows(relations, "answers"):
        model = models[row["run_id"], row["model_id"]]
        if model["role"] in ANSWERING:
            answers[row["run_id"], row["model_id"]].append(row)
        elif model["role"] == Role.JUDGE and row["parent_cell_id"] and row["answer"] and not row["missing"]:
            marks[row["parent_cell_id"]] |= _mark(connection, runs[row["run_id"]], model, row)
    for (run, number), its in answers.items():
        log = _log(connection, relations, runs[run], models[run, number], its, marks)
        yield f"round-{run}-model-{number}.json", json.dumps(log, ensure_ascii=False, indent=1) + "\n"


def _rows(relations: AuditRelations, name: str) -> Iterator[_Row]:
    relation = relations.relation(name)
    names = [field.name for field in relation.fields]
    return (dict(zip(names, row, strict=True)) for row in relation.rows)


def _log(
    connection: Connection,
    relations: AuditRelations,
    run: _Row,
    model: _Row,
    answers: list[_Row],
    marks: Mapping[int, Mapping[str, _Row]],
) -> dict[str, Any]:
    begun = run["started_at"] or run["created_at"]
    ended = run["finished_at"] or begun
    called = _called(model)
    samples = [
        _sample(connection, relations, run, called, row) | {"scores": marks.get(row["cell_id"], {})}
        for row in answers
        if row["state"] != "open"
    ]
    return {
        "version": _VERSION,
        "status": "success" if run["state"] in _DONE else "cancelled",
        "eval": {
            "run_id": f"{run['plan_hash'][:16]}-{run['run_id']}",
            "created": begun,
            "task": run["name"],
            "task_id": f"{run['plan_hash'][:16]}-{run['run_id']}-{model['model_id']}",
            "task_version": 0,
            "dataset": {"name": run["method"], "samples": len(samples), "shuffled": True},
            "model": called,
            "model_base_url": model["base_url"] or None,
            "config": {"epochs": 1 + max((row["repeat"] for row in answers), default=0)},
            "packages": {"gpf-desktop": __version__},
            "metadata": {
                "method": run["method"],
                "method_version": run["method_version"],
                "synthetic": bool(model["synthetic"]),
            },
        },
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {"total_samples": len(samples), "completed_samples": len(samples), "scores": []},
        "stats": {"started_at": begun, "completed_at": ended, "model_usage": {}},
        "samples": samples,
    }


def _called(model: _Row) -> str:
    return str(model["model"]) if model["provider"] == IMPORTED else f"{model['provider']}/{model['model']}"


def _mark(connection: Connection, run: _Row, judge: _Row, row: _Row) -> dict[str, _Row]:
    """The mark that *judge* gave an answer, as a score by its name, followed by the marking guide if there is one."""
    method = catalogue.method(run["method"])
    if not isinstance(method, RatesAnswers):
        return {}
    kept = protocols.get(connection, row["protocol_id"])
    coordinates = stored.coordinates(row["fixed"]).joined(stored.coordinates(row["varying"]))
    form = method.mark_form(frozen_protocol(kept.method, kept.text), coordinates)
    found = None if form is None else form.read(row["answer"])
    if form is None or not isinstance(found, JudgeReply):
        return {}
    by = " · ".join(filter(None, (_called(judge), coordinates.get("rubric"))))
    told = {"value": found.level, "explanation": found.explanation, "metadata": {TOP: form.top}}
    return {generation_name(by, row["repeat"]): told}


def _sample(connection: Connection, relations: AuditRelations, run: _Row, model: str, row: _Row) -> dict[str, Any]:
    prompt = relations.composed(
        AskedMessage(
            protocol_id=row["protocol_id"],
            batch_id=row["batch_id"],
            item_id=row["item_id"],
            fixed=row["fixed"],
            varying=row["varying"],
            parent_cell_id=row["parent_cell_id"] or 0,
        )
    )
    asked, answer = _turns(prompt), {"role": "assistant", "content": row["answer"] or ""}
    tokens = {"input_tokens": row["prompt_tokens"] or 0, "output_tokens": row["completion_tokens"] or 0}
    failed = row["missing"] and not row["answer"]
    return {
        "id": str(row["cell_id"]),
        "epoch": row["repeat"] + 1,
        "input": asked,
        "target": "",
        "messages": [*asked, answer],
        "output": {
            "model": row["served_model"] or model,
            "choices": [{"message": answer, "stop_reason": _stop_reason(row)}],
            "usage": {**tokens, "total_tokens": sum(tokens.values())},
        },
        "metadata": _told(connection, run, row),
        **({"total_time": row["seconds"]} if row["seconds"] is not None else {}),
        **({"error": _error(row)} if failed else {}),
    }


def _turns(prompt: Prompt) -> list[dict[str, str]]:
    system = [("system", prompt.system)] if prompt.system else []
    earlier = [turn for asked, said in prompt.earlier for turn in (("user", asked), ("assistant", said))]
    return [{"role": role, "content": text} for role, text in (*system, *earlier, ("user", prompt.user))]


def _stop_reason(row: _Row) -> str:
    if row["missing"] == Missing.REFUSED:
        return "content_filter"
    return "max_tokens" if row["truncated"] else "unknown" if row["missing"] else "stop"


def _error(row: _Row) -> dict[str, str]:
    words = f"{row['missing']}: {row['detail']}" if row["detail"] else str(row["missing"])
    return {"message": words, "traceback": "", "traceback_ansi": ""}


def _told(connection: Connection, run: _Row, row: _Row) -> dict[str, Any]:
    """Facts beside the message: the item, and the levels on all factors, by the names that an import reads."""
    item = study_item(connection, row["batch_id"], row["item_id"])
    coordinates = stored.coordinates(row["fixed"]).joined(stored.coordinates(row["varying"]))
    told: dict[str, Any] = {
        **{factor: level for factor, level in coordinates if level},
        "item": item.key,
        "headline": item.title,
        "text": item.text,
        "topic": item.stratum,
        "stage": row["stage"],
        "missing": row["missing"] or "",
    }
    method = catalogue.method(run["method"])
    if isinstance(method, Baselines):
        kept = protocols.get(connection, row["protocol_id"])
        told["root_id"] = item.key
        told["baseline"] = method.baseline(frozen_protocol(kept.method, kept.text), coordinates, item)
    if isinstance(method, ChoosesOptions):
        told |= {f"option_{each.category}": each.text for each in method.options(item) if each.text}
    return told
