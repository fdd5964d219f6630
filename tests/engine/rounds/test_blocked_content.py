"""A provider that blocks one religion shows it: in the coverage, the refusals, and in front of the queue."""

from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.findings import Estimate
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from tests.support.http_server import Reply
from tests.support.openai_server import OpenAIServer
from tests.support.protocols import shipped_protocol
from tests.support.rounds import scene, server_model

WORDS = "Invalid prompt: your prompt was flagged as potentially violating our usage policy."


@pytest.mark.slow
def test_that_a_provider_that_blocks_one_religion_shows_it(tmp_path: Path, openai_server: OpenAIServer) -> None:
    block = Reply.of_json({"error": {"message": WORDS, "code": "invalid_prompt"}}, status=400)
    openai_server.fail("Buddhist", reply=block)
    wordless = {"message": {"role": "assistant", "content": "…"}, "finish_reason": "stop"}
    openai_server.fail("Catholic", reply=Reply.of_json({"choices": [wordless]}))
    whole = shipped_protocol()
    protocol = replace(whole, families=whole.families[:2])
    with scene(tmp_path) as stage:
        # Four articles are the fewest in which one identity of seven can stand out beyond chance.
        run_id = stage.plan([server_model(openai_server.base_url)], articles=4, protocol=protocol)
        assert stage.open_audit.rounds.start(run_id).result(timeout=120) is RunState.FINISHED_WITH_GAPS
        found = stage.open_audit.results.findings(ResultsFilter(), ("coverage", "refusals"))
        (coverage,) = found["coverage"].rows
        assert coverage.values["refused"] > 0
        assert coverage.values["http_error"] == 0
        # What a round tells at its end is what the table tells: an answer without a word is none.
        (line,) = stage.open_audit.rounds.progress(run_id).models
        told = coverage.values["answered"], coverage.values["refused"], coverage.values["no_word"]
        assert told == (line.answered, *(dict(line.by_reason)[reason] for reason in ("refused", "no scorable word")))
        assert line.planned == sum(told)
        shares = {row.values["identity"]: row.values["refused"] for row in found["refusals"].rows}
        assert isinstance(shares["Buddhist"], Estimate)
        assert shares["Buddhist"].value == 1.0
        assert {share.value for who, share in shares.items() if who != "Buddhist"} == {0.0}
        assert "Buddhist" in found["refusals"].highlights[0]
        order = QueueOrder()
        first = stage.open_audit.reviews.queue(QueueFilter(), order).order
        rows = stage.open_audit.reviews.rows(first, order)
        refused = [row.refused for row in rows]
        assert refused == sorted(refused, reverse=True)
        assert {row.coordinates["dimension"] for row in rows if row.refused} == {"Religion"}
        assert stage.read("SELECT DISTINCT detail FROM response WHERE missing = 'refused'") == [(WORDS,)]
