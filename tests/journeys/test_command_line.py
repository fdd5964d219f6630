"""The command line as a scheduler uses it: a real feed, a real server, a real kill."""

import json
import os
import signal
import sqlite3
import subprocess
import xml.etree.ElementTree as ET
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.domain.resources import resources
from gpf_desktop.engine.commands import sample
from gpf_desktop.storage.audit_file import AuditFile
from tests.support.http_server import LoopbackServer, Reply
from tests.support.openai_server import OpenAIServer
from tests.support.protocols import shipped_protocol
from tests.support.warm_program import Program, run_program

PLAN = """
articles_per_source = 1
protocol = "GPF-LiveNews-v1"
controls = "none"

[[sources]]
url = "{feed}"

[[models]]
provider = "openai-compatible"
model = "some-model"
base_url = "{server}"
"""
ONE_FAMILY = '[leave_out]\ndimension = ["Religion", "Gender / Sexuality", "Geography", "Socioeconomic", "Political"]\n'


def gpf(*arguments: object, environment: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
    return run_program(*arguments, env={**os.environ, **(environment or {})})


@pytest.fixture
def feed(http_server: LoopbackServer) -> str:
    body = (resources() / "news" / "sample.rss").read_bytes()
    http_server.route("/feed.xml", Reply(body=body, headers={"Content-Type": "application/rss+xml", "ETag": '"1"'}))
    return http_server.url("/feed.xml")


@pytest.fixture
def plan(tmp_path: Path, feed: str, openai_server: OpenAIServer) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN.format(feed=feed, server=openai_server.base_url))
    return path


def test_that_a_round_runs_from_a_feed_to_scores(plan: Path, tmp_path: Path, openai_server: OpenAIServer) -> None:
    done = gpf("run", plan, "--audit", tmp_path / "a.gpf", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["planned"], summary["answered"], summary["bundles_scored"]) == (294, 294, 42)
    assert openai_server.answered == 294
    assert summary["why"] == ""


def test_that_a_cap_which_cannot_count_a_model_says_so_before_it_is_asked(plan: Path, tmp_path: Path) -> None:
    plan.write_text(f"spend_cap = 0.5\n{plan.read_text()}{ONE_FAMILY}")
    done = gpf("run", plan, "--audit", tmp_path / "a.gpf")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith(
        "The spend cap does not count openai-compatible/some-model, whose price is not known."
    )


def test_that_a_round_whose_articles_are_used_up_says_so(plan: Path, tmp_path: Path, feed: str) -> None:
    news = resources() / "news" / "sample.rss"
    count = len(ET.fromstring(news.read_text(encoding="utf-8")).findall("./channel/item"))
    plan.write_text(
        plan.read_text()
        .replace("articles_per_source = 1", f"articles_per_source = {count}")
        .replace("openai-compatible", "calibration")
        .replace("some-model", "neutral")
        + ONE_FAMILY
    )
    assert gpf("run", plan, "--audit", tmp_path / "a.gpf").returncode == 0
    again = gpf("run", plan, "--audit", tmp_path / "a.gpf")
    assert again.returncode == 0
    assert "no new articles" in again.stdout


def test_that_a_round_cut_off_by_a_kill_resumes_and_asks_nothing_stored_again(
    plan: Path, tmp_path: Path, openai_server: OpenAIServer
) -> None:
    audit = tmp_path / "a.gpf"
    openai_server.latency = 0.02
    with Program(("run", plan, "--audit", audit), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        openai_server.http.wait_for_requests(90, timeout=250)
        process.send_signal(signal.SIGKILL)
    stored = stored_messages(audit)
    assert 0 < len(stored) < 294
    resumed = gpf("run", plan, "--audit", audit, "--json")
    assert resumed.returncode == 0, resumed.stderr
    summary = json.loads(resumed.stdout)
    assert summary["resumed"] is True
    assert summary["answered"] == 294
    assert any(note.startswith("At most ") and "may have been billed" in note for note in summary["notes"])
    asked = Counter(chat["messages"][-1]["content"].splitlines()[0] for chat in openai_server.chats)
    assert len(asked) == 294
    assert all(asked[question] == 1 for question in stored)
    twice = sum(times > 1 for times in asked.values())
    with closing(sqlite3.connect(audit)) as connection:
        unknown = connection.execute("SELECT count(*) FROM call WHERE outcome = 'outcome unknown'").fetchone()[0]
    assert unknown >= twice


def stored_messages(audit: Path) -> set[str]:
    """The questions whose answers were in the file when the program was killed."""

    protocol = shipped_protocol()
    with closing(sqlite3.connect(audit)) as connection:
        rows = connection.execute(
            "SELECT f.level, i.level FROM cell c JOIN response p ON p.cell_id = c.id"
            " JOIN bundle b ON b.id = c.bundle_id"
            " JOIN coordinate f ON f.set_id = b.coordinates_id AND f.factor = 'family'"
            " JOIN coordinate i ON i.set_id = c.coordinates_id AND i.factor = 'identity'"
        )
        return {protocol.family(family).templates[0].replace("{identity}", identity) for family, identity in rows}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
def test_that_a_finished_round_whose_summary_was_lost_is_told_and_not_repeated(
    plan: Path, tmp_path: Path, openai_server: OpenAIServer
) -> None:
    audit = tmp_path / "a.gpf"
    plan.write_text(plan.read_text() + ONE_FAMILY)
    with Path("/dev/full").open("w") as full:
        lost = run_program("run", plan, "--audit", audit, stdout=full)
    assert lost.returncode == 3
    assert "The summary cannot be written" in lost.stderr
    told = gpf("run", plan, "--audit", audit, "--json")
    assert told.returncode == 0, told.stderr
    summary = json.loads(told.stdout)
    assert (summary["state"], summary["answered"], summary["resumed"]) == ("finished", 49, True)
    assert "Nothing was asked now" in summary["notes"][0]
    assert openai_server.answered == 49
    following = gpf("run", plan, "--audit", audit, "--json")
    assert json.loads(following.stdout)["resumed"] is False
    assert openai_server.answered == 98


@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_that_an_interrupted_round_pauses_says_so_and_how_to_go_on(
    plan: Path, tmp_path: Path, openai_server: OpenAIServer, by: signal.Signals
) -> None:
    audit = tmp_path / "a.gpf"
    openai_server.latency = 0.05
    with Program(("run", plan, "--audit", audit)) as process:
        openai_server.http.wait_for_requests(20, timeout=250)
        process.send_signal(by)
        _, errors = process.communicate(timeout=250)
    assert process.returncode == 3
    assert "Run the same command again to go on" in errors
    with closing(sqlite3.connect(audit)) as connection:
        told = [row[0] for row in connection.execute("SELECT sentence FROM run_note ORDER BY id")]
    assert told.count(f"Paused from outside, by the signal {by.name}.") == 1
    assert gpf("run", plan, "--audit", audit).returncode == 0
    assert openai_server.answered == 294


def test_that_the_same_command_asks_all_that_a_wrong_key_left_open(plan: Path, tmp_path: Path) -> None:
    audit = tmp_path / "a.gpf"
    with OpenAIServer(key="right") as server:
        lines = [
            f'base_url = "{server.base_url}"' if "base_url" in line else line for line in plan.read_text().split("\n")
        ]
        plan.write_text("\n".join([*lines, 'key_env = "GPF_TEST_KEY"', ONE_FAMILY]))
        refused = gpf("run", plan, "--audit", audit, "--json", environment={"GPF_TEST_KEY": "canary-wrong"})
        assert refused.returncode == 3
        summary = json.loads(refused.stdout)
        assert (summary["state"], summary["answered"], summary["missing"]) == ("paused", 0, 0)
        assert summary["bundles_scored"] == 0
        assert refused.stderr.count("Incorrect API key") == 1
        assert "GPF_TEST_KEY" in refused.stderr
        assert "run the same command" in refused.stderr
        done = gpf("run", plan, "--audit", audit, "--json", environment={"GPF_TEST_KEY": "right"})
        assert done.returncode == 0, done.stderr
        summary = json.loads(done.stdout)
        assert (summary["state"], summary["answered"], summary["bundles_scored"]) == ("finished", 49, 7)
        assert server.answered == 49


def test_that_an_account_that_answers_nothing_pauses_with_a_sentence(
    plan: Path, tmp_path: Path, openai_server: OpenAIServer
) -> None:
    openai_server.fail(".", status=429, retry_after=0.1)
    plan.write_text(f"{plan.read_text()}attempts = 20\npatience = 1\n")
    refused = gpf("run", plan, "--audit", tmp_path / "a.gpf", "--json")
    assert refused.returncode == 3, refused.stderr
    summary = json.loads(refused.stdout)
    assert (summary["state"], summary["answered"], summary["missing"]) == ("paused", 0, 0)
    assert "openai-compatible/some-model" in summary["why"]
    assert "run the same command" in refused.stderr


def test_that_gaps_are_told_by_the_exit_code(plan: Path, tmp_path: Path, openai_server: OpenAIServer) -> None:
    plan.write_text(plan.read_text() + ONE_FAMILY)
    openai_server.fail(r"I am White", status=400)
    done = gpf("run", plan, "--audit", tmp_path / "a.gpf", "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["models"][0]["missing"] == {"HTTP error": 7}


def test_that_the_last_batch_can_be_asked_of_another_model(plan: Path, tmp_path: Path) -> None:
    audit = tmp_path / "a.gpf"
    plan.write_text(plan.read_text() + ONE_FAMILY)
    assert gpf("run", plan, "--audit", audit).returncode == 0
    text = plan.read_text().replace("articles_per_source = 1", 'batch = "last"')
    plan.write_text(text.replace("openai-compatible", "calibration").replace("some-model", "neutral"))
    assert gpf("run", plan, "--audit", audit).returncode == 0
    with closing(sqlite3.connect(audit)) as connection:
        assert connection.execute("SELECT count(*), count(DISTINCT batch_id) FROM run").fetchone() == (2, 1)


@pytest.mark.parametrize(
    ("old", "new", "code", "says"),
    [
        ('provider = "openai-compatible"', 'provider = "nobody"', 2, "There is no provider called “nobody”"),
        ('model = "some-model"\n', "", 2, "models › 1 › model: this field is missing"),
        ("GPF-LiveNews-v1", "missing.yaml", 2, "There is no protocol called"),
        ("[[models]]", "[[models", 2, "is not valid TOML"),
    ],
)
def test_that_a_bad_plan_is_one_sentence_and_exit_2(
    plan: Path, tmp_path: Path, old: str, new: str, code: int, says: str
) -> None:
    assert old in plan.read_text()
    plan.write_text(plan.read_text().replace(old, new))
    done = gpf("run", plan, "--audit", tmp_path / "a.gpf")
    assert done.returncode == code
    assert says in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr


def test_that_a_file_that_is_no_audit_is_refused_untouched(plan: Path, tmp_path: Path) -> None:
    other = tmp_path / "letter.gpf"
    other.write_text("Dear reader")
    done = gpf("run", plan, "--audit", other)
    assert done.returncode == 2
    assert "is not an audit file" in done.stderr
    assert other.read_text() == "Dear reader"


def test_that_a_feed_that_is_not_xml_is_said(plan: Path, tmp_path: Path, http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(body=b"\x00\x01 nothing like a feed", headers={"Content-Type": "text/xml"}))
    done = gpf("run", plan, "--audit", tmp_path / "a.gpf")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert http_server.url("/feed.xml") in done.stderr


def test_that_a_server_that_refuses_is_said(plan: Path, tmp_path: Path) -> None:
    plan.write_text(plan.read_text().replace("[[models]]", "[[models]]\nattempts = 1"))
    text = plan.read_text()
    start = text.index("base_url = ")
    plan.write_text(text[:start] + 'base_url = "http://127.0.0.1:9/v1"\n')
    done = gpf("run", plan, "--audit", tmp_path / "a.gpf")
    assert done.returncode == 3
    assert "some-model was not asked further" in done.stderr


def test_that_a_missing_key_variable_is_named(plan: Path, tmp_path: Path) -> None:
    plan.write_text(plan.read_text() + 'key_env = "GPF_TEST_NO_SUCH_KEY"\n')
    done = gpf("run", plan, "--audit", tmp_path / "a.gpf")
    assert done.returncode == 2
    assert "GPF_TEST_NO_SUCH_KEY" in done.stderr


def test_that_the_shipped_sample_is_opened_and_its_results_are_printed(tmp_path: Path) -> None:
    copy = tmp_path / "sample.gpf"
    for_programs = gpf("demo", copy, "--json")
    assert for_programs.returncode == 0, for_programs.stderr
    summary = json.loads(for_programs.stdout)
    assert summary["bundles_scored"] == summary["bundles"] > 0
    with closing(sqlite3.connect(copy)) as connection:
        (newest,) = connection.execute("SELECT max(created_at) FROM run").fetchone()
    shipped = sample.unpack_sample(tmp_path / "shipped.gpf")
    with closing(sqlite3.connect(shipped)) as connection:
        assert connection.execute("SELECT max(created_at) FROM run").fetchone() == (newest,), "nothing is asked anew"
    for_people = gpf("demo", copy, "--no-window")
    assert for_people.returncode == 0, for_people.stderr
    assert "missing on purpose (calibration/faulty)" in for_people.stdout
    assert "with gaps" not in for_people.stdout
    assert "The set of answers to read first is of the model tailoring-0.7" in for_people.stdout


def test_that_demo_leaves_an_audit_of_ones_own_alone(tmp_path: Path) -> None:
    own, practice = tmp_path / "own.gpf", tmp_path / "practice.gpf"
    AuditFile.create(own, title="Mine").close()
    AuditFile.create(practice, title="Practice rounds", sample=True).close()
    for each in (own, practice):
        refused = gpf("demo", each, "--no-window")
        assert refused.returncode == 2, refused.stderr
        assert "an audit of your own, not the sample" in refused.stderr
    with closing(sqlite3.connect(own)) as connection:
        assert connection.execute("SELECT title, (SELECT count(*) FROM run) FROM audit").fetchall() == [("Mine", 0)]


def test_that_fetch_lists_what_is_kept_and_what_is_dropped(feed: str) -> None:
    listed = gpf("fetch", feed, "--json", "--limit", "5")
    assert listed.returncode == 0, listed.stderr
    rows = json.loads(listed.stdout)
    kept = [row for row in rows if row["kept"]]
    assert len(kept) == 5
    assert set(rows[0]) == {"headline", "description", "url", "published", "kept", "reason"}


def test_that_answers_from_elsewhere_are_scored(tmp_path: Path) -> None:
    rows = json.loads((Path(__file__).parents[1] / "conformance" / "bundles.json").read_text(encoding="utf-8"))["rows"]
    source = tmp_path / "answers.jsonl"
    source.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    scored = gpf("score", source, "-o", tmp_path / "scores.csv")
    assert scored.returncode == 0, scored.stderr
    header = (tmp_path / "scores.csv").read_text().splitlines()[0]
    assert header.startswith("model,article,condition,dimension,family,paraphrase,planned,valid,semantic_dispersion")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["rnu"], "Did you mean run?"),
        (["nothere.gpf"], "There is no file nothere.gpf"),
        (["fetch", "nothing"], "it is no web address"),
        (["fetch", "nothere.xml"], "Write https:// in front if you mean a site"),
        (["score", "answers.csv", "-o", "o.xlsx"], "written as CSV, not as .xlsx"),
        (["score", "answers.csv", "-o", "nodir/o.csv"], "There is no folder nodir"),
        (["report", "nothere.gpf", "-o", "r.html"], "Check its name."),
    ],
)
def test_that_a_slip_on_the_command_line_is_named(arguments: list[str], says: str) -> None:
    done = gpf(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("old", ['protocol = "GPF-LiveNews-v1"', 'base_url = "'])
def test_that_a_plan_that_cannot_be_asked_leaves_no_empty_audit(old: str, plan: Path, tmp_path: Path) -> None:
    new = 'protocol = "nonsense"' if "protocol" in old else f'key_env = "GPF_TEST_UNSET"\n{old}'
    plan.write_text(plan.read_text().replace(old, new))
    done = gpf("run", plan, "--audit", tmp_path / "a.gpf")
    assert done.returncode == 2
    assert not (tmp_path / "a.gpf").exists()


def test_that_answers_without_a_score_are_told_by_the_exit_code(tmp_path: Path) -> None:
    table = tmp_path / "answers.csv"
    table.write_text("model,article,dimension,identity,family,response\nm,a,Wealth,wealthy,advice,\n")
    assert gpf("score", table, "-o", tmp_path / "o.csv").returncode == 1


def test_that_advice_on_the_command_line_is_for_the_command_line(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(status=503, body="busy"))
    done = gpf("fetch", http_server.url("/feed.xml"))
    assert done.returncode == 3
    assert "Run the same command again later." in done.stderr
    assert "next fetch" not in done.stderr
