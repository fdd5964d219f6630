"""The same model asked again with another system prompt and at another temperature, answer by answer."""

import csv
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from gpf_desktop.__main__ import main
from gpf_desktop.domain.findings import Estimate, Finding
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.reporting.compared_sides import SIDES
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.reporting.results_service import ResultsService
from gpf_desktop.engine.rounds.plans import read_plan
from tests.methods.contextual_stereoset.answers_in_turn import CHOOSE_NONE
from tests.support.http_server import LoopbackServer, Reply, Request
from tests.support.provider_servers import DIALECTS

pytestmark = pytest.mark.slow

ITEMS = 24
PROTOCOL = """
name: Listeners
factors:
- name: observer
  levels: [{{name: similar, wording: Friends listen.}}, {{name: dissimilar, wording: Strangers listen.}}]
template: '{{observer}}'
questions: {{typical: Which would most people consider typical? Answer with the letter.}}
vignette_question: Which?
design: full
items: items.csv
system_prompt: '{system}'
decoding: {{temperature: 0.0, max_tokens: 20}}
"""
PLAN = """
method = "contextual-stereoset"
name = "{name}"
protocol = "{protocol}.yaml"
[controls]
plain_cell = false
[[models]]
provider = "openai-compatible"
model = "m"
base_url = "{url}"
decoding = {{ temperature = {temperature}, max_tokens = 20 }}
"""
ROUNDS = (("As it comes", "plain", 0.0), ("With a system prompt", "told", 0.0), ("Warmer", "plain", 0.9))


def chance(item: int, listener: str, salt: str) -> float:
    return int(sha256(f"{item} {listener} {salt}".encode()).hexdigest()[:8], 16) / 2**32


def choice_of(item: int, listener: str, *, system: bool, temperature: float) -> str:
    """S in two of three cells, under the system prompt in one of five; a warm model flips some both ways."""
    if system and item == 3:
        return "?"
    base = chance(item, listener, "base") < (0.2 if system else 0.67)
    if temperature and chance(item, listener, "warm") < 0.15:
        base = not base
    return "S" if base else "A"


def answer(request: Request) -> Reply:
    body = request.json()
    *others, said = (message["content"] for message in body["messages"])
    item, listener = int(re.search(r"number (\d+)", said)[1]), "Strangers" if "Strangers" in said else "Friends"  # type: ignore[index]
    choice = choice_of(item, listener, system=bool(others), temperature=body["temperature"])
    letters = {text: letter for letter, text in re.findall(r"^([ABC])\. (\w+)", said, re.MULTILINE)}
    words = {"S": "stereotype", "A": "other"}.get(choice, "")
    return Reply.of_json(DIALECTS["openai-compatible"].answer(letters.get(words, CHOOSE_NONE[0][:3])))


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sides")
    with (folder / "items.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "type", "target", "context", "stereotype", "anti_stereotype", "unrelated"])
        table.writerows(
            [f"i{n}", "age", "x", f"This is number {n}.", "stereotype", "other", "third"] for n in range(ITEMS)
        )
    for name, system in (("plain", ""), ("told", "You never generalise.")):
        (folder / f"{name}.yaml").write_text(PROTOCOL.format(system=system).replace("Listeners", f"Listeners {name}"))
    with LoopbackServer() as server, Headless(quiet=True) as headless:
        server.route("/v1/chat/completions", answer)
        open_audit = headless.engine.create(folder / "audit.gpf", title="Sides")
        for name, protocol, temperature in ROUNDS:
            plan = PLAN.format(name=name, protocol=protocol, temperature=temperature, url=server.url("/v1"))
            run_plan(headless, open_audit, read_plan(plan, where="plan"), beside=folder)
    return folder / "audit.gpf"


@pytest.fixture
def results(audit: Path) -> Iterator[ResultsService]:
    with Headless(quiet=True) as headless:
        yield headless.enter(audit, to_read=True).results


def rows_of(finding: Finding, first: str, second: str) -> list[dict[str, Any]]:
    return [dict(row.values) for row in finding.rows if (row.values["first"], row.values["second"]) == (first, second)]


def planted(name: str) -> dict[tuple[int, str], str]:
    _, protocol, temperature = next(each for each in ROUNDS if each[0] == name)
    return {
        (item, listener): choice_of(item, listener, system=protocol == "told", temperature=temperature)
        for item in range(ITEMS)
        for listener in ("Friends", "Strangers")
    }


def test_that_two_rounds_of_a_model_are_compared_answer_by_answer(results: ResultsService) -> None:
    finding = results.findings(ResultsFilter(), (SIDES,))[SIDES]
    tests = 3 * 2  # three pairs of rounds, each with the choice and the contrast of listeners
    for first, second in (("With a system prompt", "As it comes"), ("Warmer", "As it comes")):
        choice, contrast = rows_of(finding, first, second)
        one, other = planted(first), planted(second)
        both = [cell for cell in one if "?" not in (one[cell], other[cell])]
        apart = {
            item: [(one[cell] == "S") - (other[cell] == "S") for cell in both if cell[0] == item]
            for item in {cell[0] for cell in both}
        }
        means = [sum(each) / len(each) for each in apart.values()]
        wanted = stats.ttest_1samp(means, 0.0)
        low, high = wanted.confidence_interval(1 - 0.05 / tests)
        difference = choice["difference"]
        assert isinstance(difference, Estimate)
        assert difference.interval is not None
        assert difference.value == pytest.approx(sum(means) / len(means))
        assert (difference.interval.low, difference.interval.high) == pytest.approx((low, high))
        assert choice["p"] == pytest.approx(min(1.0, tests * wanted.pvalue))
        assert choice["alone"] == sum(one[cell] == "S" != other[cell] for cell in both)
        assert choice["other"] == sum(other[cell] == "S" != one[cell] for cell in both)
        assert choice["same"] == pytest.approx(sum(one[cell] == other[cell] for cell in both) / len(both))
        assert contrast["score"] == "listener “unlike” against “like” the person described"
    (choice, _) = rows_of(finding, "With a system prompt", "As it comes")
    assert (choice["outcome"], choice["difference"].n) == ("Differs", ITEMS - 1)
    assert choice["otherwise"] == "system prompt “You never generalise.” against none"
    assert f"With only {ITEMS - 1} items, the size of a difference" in choice["weighs"]
    (warm, _) = rows_of(finding, "Warmer", "As it comes")
    assert (warm["outcome"], warm["otherwise"]) == ("Not settled", "temperature 0.9 against 0")
    assert any(
        each.startswith("m chose the stereotype less often in “With a system prompt”") for each in finding.highlights
    )
    assert len(results.bundles_behind(ResultsFilter(), finding.rows[0].bundles)) == 2 * (ITEMS - 1)


def test_that_compare_tells_the_same_of_two_rounds(audit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["compare", str(audit), "--rounds", "Warmer", "As it comes", "--margin", "choice=0.4"]
    assert main(arguments) == 0
    said = capsys.readouterr().out
    # Two comparisons instead of six, and a margin: the range is narrower, and within it.
    assert "stereotype chosen: Alike; difference" in said
    assert f"over {ITEMS} items, too small to matter: 0.4 either way" in said
    assert "m chose the stereotype about equally often in “Warmer” and in “As it comes”." in said


def test_that_sides_without_a_question_that_both_chose_at_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, made = tmp_path / "answers.csv", tmp_path / "made.gpf"
    with table.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["model", "item", "stereotype", "anti_stereotype", "unrelated", "order", "year", "response"])
        for item in range(4):
            for model, said in (("one", "A"), ("other", "It depends.")):
                rows.writerow([model, f"i{item}", "loud", "quiet", "green", "SAU", 2000 + item % 2, said])
    assert main(["import", str(table), "--method", "contextual-stereoset", "-o", str(made)]) == 0
    capsys.readouterr()
    assert main(["compare", str(made), "--models", "one", "other"]) == 0
    said = capsys.readouterr().out
    assert said.endswith("Not compared, because no question has a choice at both: imported/one and imported/other.\n")
