"""Audit files on the command line: hostile ones, ones that are only read, and one deleted in mid-round."""

import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.domain.resources import resources
from tests.support.http_server import LoopbackServer, Reply
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import calibration, scene, small_protocol
from tests.support.warm_program import Program, run_program


def report(audit: Path) -> "subprocess.CompletedProcess[str]":
    return run_program("report", audit, "-o", audit.with_name("r.html"))


@pytest.fixture
def audit(tmp_path: Path) -> Path:
    """A finished round of ten answers."""
    with scene(tmp_path) as stage:
        stage.open_audit.rounds.start(stage.plan([calibration()], protocol=small_protocol())).result(timeout=250)
    return tmp_path / "audit.gpf"


def test_that_a_report_changes_no_byte_of_the_audit(audit: Path) -> None:
    before = audit.read_bytes()
    made = report(audit)
    assert made.returncode == 0, made.stderr
    assert audit.with_name("r.html").exists()
    assert audit.read_bytes() == before


def test_that_a_trigger_hidden_behind_sqlite_s_name_erases_nothing(audit: Path) -> None:
    trigger = "CREATE TRIGGER sqlite_evil AFTER INSERT ON setting BEGIN DELETE FROM response; END"
    with closing(sqlite3.connect(audit, isolation_level=None)) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("INSERT INTO sqlite_schema VALUES ('trigger', 'sqlite_evil', 'setting', 0, ?)", (trigger,))
    refused = report(audit)
    assert refused.returncode == 2
    assert "holds a trigger of another program: sqlite_evil" in refused.stderr
    with closing(sqlite3.connect(audit)) as connection:
        assert connection.execute("SELECT count(*) FROM response").fetchone() == (10,)


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


@pytest.mark.skipif(sys.platform == "win32", reason="Windows refuses to delete a file that is open")
def test_that_a_round_whose_folder_is_deleted_is_saved_elsewhere_and_never_called_finished(
    tmp_path: Path, http_server: LoopbackServer
) -> None:
    news = (resources() / "news" / "sample.rss").read_bytes()
    http_server.route("/feed.xml", Reply(body=news, headers={"Content-Type": "application/rss+xml"}))
    feed = http_server.url("/feed.xml")
    folder, plan = tmp_path / "audits", tmp_path / "plan.toml"
    folder.mkdir()
    with OpenAIServer(gate=True) as server:
        plan.write_text(PLAN.format(server=server.base_url, feed=feed))
        command = ("run", plan, "--audit", folder / "a.gpf")
        with Program(command) as process:
            server.http.wait_for_requests(1, timeout=250)
            shutil.rmtree(folder)
            assert server.gate is not None
            server.gate.open()
            said, errors = process.communicate(timeout=250)
        assert process.returncode == 3, said
        received = server.answered
    assert "deleted, moved or replaced" in errors
    (copy,) = tmp_path.glob("a rescued *.gpf")
    assert str(copy) in errors
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("SELECT count(*) FROM response").fetchone() == (received,)
