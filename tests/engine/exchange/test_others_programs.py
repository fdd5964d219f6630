"""What other programs read: Inspect's logs, taken in again, and records of Every Eval Ever."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.exchange.audit_relations import AuditRelations
from gpf_desktop.engine.exchange.data_export import DataWishes, exported_words
from gpf_desktop.engine.exchange.every_eval_ever import records
from gpf_desktop.engine.open_audit import OpenAudit
from tests.support.filled_audit import fill

RECORD = {
    "schema_version": str,
    "evaluation_id": str,
    "retrieved_timestamp": str,
    "source_metadata": dict,
    "model_info": dict,
    "eval_library": dict,
    "evaluation_results": list,
}
"""What its schema asks of a record, and allows no other field but these here."""


@pytest.fixture
def audit(tmp_path: Path) -> Iterator[OpenAudit]:
    engine = Engine(lambda _event: None)
    found = engine.create(tmp_path / "a.gpf", title="Evening news")
    fill(found.context.audit, models_asked=("faulty", "tailoring-0.6"), dimensions=("Political",), families=("Impact",))
    yield found
    engine.close()


def stored(audit: OpenAudit, model: str) -> set[tuple[str, str]]:
    return audit.context.audit.read(
        lambda c: {
            tuple(row)
            for row in c.execute(
                "SELECT iif(p.missing IS NULL, p.text, ''), coalesce(p.missing, '') FROM cell c JOIN response p"
                " ON p.cell_id = c.id JOIN model m ON m.id = c.model_id WHERE m.model = ?",
                (model,),
            )
        }
    )


def test_that_a_log_of_inspect_holds_a_round_and_comes_back_as_the_same_answers(audit, tmp_path):
    audit.data.write(DataWishes(folder=tmp_path / "out", what=("runs",), formats=("inspect",)))
    logs = sorted((tmp_path / "out" / "inspect").iterdir())
    assert len(logs) == 2
    for path in logs:
        log = json.loads(path.read_text("utf-8"))
        assert {"version", "status", "eval", "plan", "results", "stats", "samples"} == log.keys()
        assert all(each["messages"][-1]["role"] == "assistant" for each in log["samples"])
        back = catalogue.importer("gpf-livenews").study([path], {}, lambda *_: None)
        answers = {("" if each.missing else each.text, each.missing) for each in back.answers}
        assert answers == stored(audit, log["eval"]["model"].partition("/")[2])
        assert not back.problems
        assert len(back.items) == 1
        assert len(back.answers) == len(log["samples"])
    assert audit.data.standing(DataWishes(folder=tmp_path / "out", what=("runs",), formats=("inspect",)))


def test_that_records_of_every_eval_ever_say_what_is_concluded_and_that_no_side_is_better(audit, tmp_path):
    (label,) = audit.context.audit.read(
        lambda c: c.execute("SELECT label FROM model WHERE model = 'tailoring-0.6'").fetchone()
    )
    measure = {"name": "framing", "words": "How far apart", "value": 0.2, "low": 0.1, "high": 0.3, "level": 0.95}
    measure |= {"p": 0.01, "margin": None, "outcome": "differs"}
    concluded = {"about": "", "outcome": "differs", "sentence": "It moved.", "items": 12}
    page = {
        "method": "gpf-livenews",
        "question": "Do answers move?",
        "says": "One did.",
        "window": {"to": "2026-11-24"},
        "conclusions": [
            {**concluded, "model": label, "measures": [measure, {**measure, "value": None}]},
            {**concluded, "model": "faulty", "measures": [{**measure, "value": None}]},
        ],
    }
    made = audit.context.audit.read(
        lambda c: list(records(page, AuditRelations(c), title="Evening news", created="2026-11-01T00:00:00+00:00"))
    )
    ((path, text),) = made
    record = json.loads(text)
    assert {name: type(value) for name, value in record.items()} == RECORD
    assert len(path.split("/")) == 5
    assert record["model_info"]["additional_details"]["synthetic"] == "true"
    (result,) = record["evaluation_results"]
    assert {"evaluation_name", "source_data", "metric_config", "score_details"} <= result.keys()
    assert result["score_details"]["score"] == 0.2
    assert result["score_details"]["uncertainty"]["confidence_interval"]["confidence_level"] == 0.95
    assert result["metric_config"]["additional_details"]["which_is_better"].startswith("neither")
    assert all(isinstance(each, str) for each in result["score_details"]["details"].values())
    # Too little is scored in this audit for a number to be told.
    why = "No record of Every Eval Ever: too little is scored for a number."
    wishes = DataWishes(folder=tmp_path / "out", what=("runs",), formats=("every-eval-ever",))
    with pytest.raises(UserError, match=why):
        audit.data.write(wishes)
    assert not wishes.folder.exists()
    said = exported_words(audit.data.write(replace(wishes, formats=("csv", "inspect", "every-eval-ever"))))
    assert said == f"Wrote 4 files into {wishes.folder}. {why}"
