"""Log-probabilities from the server to the table of contrasts, and a model that has none."""

import re
from collections.abc import Iterator, Mapping
from math import log
from pathlib import Path

import pytest

from gpf_desktop.domain.findings import Estimate
from gpf_desktop.domain.responses import LetterToken
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.run_command import RunSummary, run_plan
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.review.choice_grid import choice_grid
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.methods.contextual_stereoset.letter_chances import label_chances
from gpf_desktop.methods.contextual_stereoset.method import METHOD
from gpf_desktop.ui.review.choice_detail import chances_words
from tests.support.http_server import LoopbackServer, Reply, Request
from tests.support.provider_servers import DIALECTS

AT_1990, ELSEWHERE = 0.7, 0.4
"""Planted P of the first option shown."""
GRID = """
design: own
own_contexts: [[Kenya, "1990", direct, similar], [Kenya, "2030", direct, similar], [Japan, "1990", gossip, similar]]
most_items: 6
top_logprobs: 5
"""
PLAN = """
method = "contextual-stereoset"
protocol = "{protocol}"
[[models]]
provider = "openai-compatible"
model = "tells"
base_url = "{told}"
price = {{ prompt = 1.0, completion = 2.0 }}
[[models]]
provider = "ollama"
model = "silent"
base_url = "{silent}"
[[models]]
provider = "stereoset-calibration"
model = "typical"
"""


def chances_of(prompt: str) -> dict[str, float]:
    first = AT_1990 if "1990" in prompt else ELSEWHERE
    return {"A": first, "B": 0.9 - first, "C": 0.1}


def telling(request: Request) -> Reply:
    """Answers A, and how likely each letter was."""
    chances = chances_of(request.json()["messages"][-1]["content"])
    body = DIALECTS["openai-compatible"].answer("A")
    top = [{"token": letter, "logprob": log(chance)} for letter, chance in chances.items()]
    body["choices"][0]["logprobs"] = {"content": [{**top[0], "top_logprobs": top}]}
    return Reply.of_json(body)


def ask(folder: Path, server: LoopbackServer) -> tuple[RunSummary, OpenAudit, Headless]:
    text = METHOD.protocol_files()[METHOD.default_protocol].read_text(encoding="utf-8")
    text = re.sub(r"^(design|most_items|top_logprobs|own_contexts):.*\n", "", text, flags=re.MULTILINE)
    (folder / "small.yaml").write_text(text + GRID, encoding="utf-8")
    plan = PLAN.format(protocol=folder / "small.yaml", told=server.url("/v1"), silent=server.url())
    headless = Headless(quiet=True)
    audit = headless.engine.create(folder / "audit.gpf", title="Chances")
    return run_plan(headless, audit, read_plan(plan, where="plan"), beside=folder), audit, headless


@pytest.fixture
def asked(tmp_path: Path, http_server: LoopbackServer) -> Iterator[tuple[RunSummary, OpenAudit]]:
    http_server.route("/v1/chat/completions", telling)
    http_server.route("/api/chat", Reply.of_json(DIALECTS["ollama"].answer("B")))
    summary, audit, headless = ask(tmp_path, http_server)
    yield summary, audit
    headless.engine.close()


@pytest.mark.slow
def test_that_a_round_keeps_them_and_says_once_which_model_gives_none(asked: tuple[RunSummary, OpenAudit]) -> None:
    summary, audit = asked
    assert summary.progress is not None
    assert summary.progress.answered == 3 * 6 * 4
    assert summary.progress.spent == pytest.approx(6 * 4 * (11 * 1.0 + 22 * 2.0) / 1e6)
    without = [line for line in summary.happened if "gives no log-probabilities" in line]
    assert sorted(line.split(" ")[0] for line in without) == ["ollama/silent", "stereoset-calibration/typical"]
    finding = audit.results.findings(ResultsFilter(), ["stereoset_probabilities"])["stereoset_probabilities"]
    assert {row.values["model"] for row in finding.rows} == {"openai-compatible/tells"}
    rows = {row.values["option"]: row.values["difference"] for row in finding.rows if "1990" in str(row.values)}
    assert list(rows) == ["stereotype", "anti-stereotype", "unrelated"]
    assert sum(each.value or 0.0 for each in rows.values() if isinstance(each, Estimate)) == pytest.approx(0)
    assert "24 of 24 answers" in finding.notes[0]
    planted = expected(audit)
    moved = rows["stereotype"]
    assert isinstance(moved, Estimate)
    assert moved.value == pytest.approx(planted)
    assert moved.n == 6


def expected(audit: OpenAudit) -> float:
    """What was planted comes to for the stereotype, by the order in which each message showed it."""
    apart = []
    for bundle in audit.reviews.queue(QueueFilter(method=METHOD.name), QueueOrder()).order:
        grid = choice_grid(audit.reviews.bundle(bundle))
        if grid is None or not (squares := [each for each in grid.squares.values() if each.chances]):
            continue
        assert chances_words(squares[0]).startswith("Log-probabilities: P(S) ")
        years: Mapping[str, float] = {
            dict(each.place)["year"]: each.chances["S"] for each in squares if "Kenya" in str(each.place)
        }
        orders = {
            dict(each.place)["year"]: each.answer.coordinates["order"] for each in squares if "Kenya" in str(each.place)
        }
        planted = {year: chances_of(year)["ABC"[order.index("S")]] for year, order in orders.items()}
        assert years == pytest.approx(planted)
        apart.append(planted["1990"] - planted["2030"])
    return sum(apart) / len(apart)


def token(at: int, letter: str, **top: float) -> LetterToken:
    return LetterToken(
        at=at, token=letter, top=top or {letter: log(0.5), " A": log(0.2), "a": log(0.05), "C": log(0.25)}
    )


@pytest.mark.parametrize(
    ("text", "tokens", "choice", "found"),
    [
        ("B", [token(0, "B")], "S", {"U": 0.25, "S": 0.5, "A": 0.25}),
        ("B. Group B came.", [token(0, "B"), token(3, " B", B=-9.0)], "S", {"U": 0.25, "S": 0.5, "A": 0.25}),
        (
            "B may be, yet A. So: B",
            [token(0, "B", B=-9.0), token(5, "A"), token(9, " B")],
            "S",
            {"U": 0.25, "S": 0.5, "A": 0.25},
        ),
        ("Not B. B it is.", [token(1, " B"), token(3, " B")], "S", None),
        ("B", [token(0, "B")], "unparsed", None),
        ("B", [], "S", None),
        ("B", [token(0, "B", B=-0.1)], "S", {"U": 0.0, "S": 1.0, "A": 0.0}),
    ],
)
def test_that_probabilities_are_read_at_the_answer_s_own_letter_or_not_at_all(
    text: str, tokens: list[LetterToken], choice: str, found: Mapping[str, float] | None
) -> None:
    told = label_chances(tokens, text, "USA", choice)
    assert told == (None if found is None else pytest.approx(found))
    assert told is None or sum(told.values()) == pytest.approx(1)
