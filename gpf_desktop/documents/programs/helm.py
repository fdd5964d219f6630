"""HELM's scenario states: every request of a run with its completions."""

from collections.abc import Iterator, Mapping
from typing import Any

from gpf_desktop.documents.programs.flat_records import flat, mapping, words
from gpf_desktop.documents.tables import TableRow


def is_scenario_state(document: Any) -> bool:
    return isinstance(mapping(document).get("request_states"), list)


def is_display(document: Any) -> bool:
    """Whether it is what HELM's web page shows of the answers."""
    first = document[0] if isinstance(document, list) and document else None
    return {"instance_id", "predicted_text"} <= mapping(first).keys()


def state_rows(document: Mapping[str, Any]) -> Iterator[TableRow]:
    """A row for each completion of each request."""
    adapter = mapping(document.get("adapter_spec"))
    for number, state in enumerate(document["request_states"], start=1):
        instance, request, result = (mapping(mapping(state).get(name)) for name in ("instance", "request", "result"))
        told = flat({"extra_data": mapping(instance.get("extra_data"))}) | {
            "model": words(request.get("model") or adapter.get("model") or adapter.get("model_deployment")),
            "id": words(instance.get("id")),
            "question": words(mapping(instance.get("input")).get("text")),
            "split": words(instance.get("sub_split") or instance.get("split")),
            "prompt": words(request.get("prompt")),
            "error": "" if result.get("success", True) else words(result.get("error")) or "the request failed",
        }
        completions = result.get("completions")
        given = [mapping(each) for each in completions] if isinstance(completions, list) else []
        for repeat, each in enumerate(given or [{}]):
            told["repeat"] = str(repeat) if repeat else ""
            finish = words(mapping(each.get("finish_reason")).get("reason") or each.get("finish_reason"))
            yield TableRow(number, {**told, "response": words(each.get("text")), "finish": finish})
