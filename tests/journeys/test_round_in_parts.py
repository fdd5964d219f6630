"""A round that several machines ask, each a process with a file of its own, and one audit of it."""

import shutil
import signal
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.round_parts import RoundPart
from tests.journeys.test_command_line import gpf
from tests.support.http_server import LoopbackServer, Reply
from tests.support.openai_server import OpenAIServer
from tests.support.warm_program import Program

LEFT_OUT = """
[leave_out]
dimension = ["Religion", "Gender / Sexuality", "Geography", "Socioeconomic", "Political"]
"""
PLAN = (
    """
articles_per_source = 1
controls = "none"
spend_cap = 4.0
[[sources]]
url = "{feed}"
"""
    + "".join(
        f"""
[[models]]
provider = "openai-compatible"
model = "{model}"
base_url = "{{server}}"
price = {{{{prompt = 1.0, completion = 4.0}}}}
"""
        for model in ("some-model", "other-model")
    )
    + LEFT_OUT
)
STAGED = (
    """
articles_per_source = 2
protocol = "GPF-LiveNews-with-second-turns"
controls = "none"
[[sources]]
url = "sample:news"
[[models]]
provider = "calibration"
model = "neutral"
[[models]]
provider = "calibration"
model = "yielding"
"""
    + LEFT_OUT
)
SCORES = "SELECT unit_id, name, value, unavailable FROM score WHERE provisional = 0 ORDER BY 1, 2"
CELLS = "SELECT stage, state, count(*) FROM cell GROUP BY 1, 2 ORDER BY 1, 2"


def rows(audit: Path, question: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(audit)) as connection:
        return connection.execute(question).fetchall()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no SIGKILL")
def test_that_parts_asked_apart_make_the_round_that_one_machine_asks(
    tmp_path: Path, http_server: LoopbackServer
) -> None:
    body = (resources() / "news" / "sample.rss").read_bytes()
    http_server.route("/feed.xml", Reply(body=body, headers={"Content-Type": "application/rss+xml"}))
    plan = tmp_path / "plan.toml"
    planned, one, two, alone = (tmp_path / f"{name}.gpf" for name in ("planned", "one", "two", "alone"))
    with OpenAIServer(models=("some-model", "other-model")) as server:
        plan.write_text(PLAN.format(feed=http_server.url("/feed.xml"), server=server.base_url))

        refused = gpf("run", plan, "--part", "1/2", "--audit", one)
        assert refused.returncode == 2
        assert "--only-plan" in refused.stderr
        one.unlink(missing_ok=True)
        assert gpf("run", plan, "--only-plan", "--audit", planned).returncode == 0
        assert server.answered == 0
        for copy in (one, two, alone):
            shutil.copy(planned, copy)

        server.latency = 0.02
        with (
            Program(
                ("run", plan, "--part", "2/2", "--audit", two), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            ) as killed,
            Program(("run", plan, "--part", "1/2", "--audit", one)) as first,
        ):
            server.http.wait_for_requests(40, timeout=250)
            killed.send_signal(signal.SIGKILL)
            said, _ = first.communicate(timeout=250)
            assert first.wait() == 0
        assert "Part 1/2 is asked" in said
        server.latency = 0.0

        whole = tmp_path / "half.gpf"
        half = gpf("merge", one, "-o", whole)
        assert half.returncode == 1
        assert "not asked yet" in half.stdout
        elsewhere = tmp_path / "elsewhere.gpf"
        for suffix in ("", "-wal"):
            if (left := two.with_name(two.name + suffix)).exists():
                shutil.copy(left, elsewhere.with_name(elsewhere.name + suffix))
        assert gpf("run", plan, "--part", "2/2", "--audit", elsewhere).returncode == 0
        assert rows(one, "SELECT spend_cap FROM run") == rows(elsewhere, "SELECT spend_cap FROM run") == [(2.0,)]
        assert gpf("run", plan, "--audit", alone).returncode == 0

    whole = tmp_path / "whole.gpf"
    merged = gpf("merge", one, elsewhere, "-o", whole)
    assert merged.returncode == 0, merged.stderr
    assert rows(whole, CELLS) == rows(alone, CELLS)
    assert rows(whole, SCORES) == rows(alone, SCORES)
    assert rows(whole, "SELECT state, spend_cap FROM run") == [("finished", 4.0)]
    calls = "SELECT count(*) FROM call"
    assert rows(whole, calls)[0][0] == rows(one, calls)[0][0] + rows(elsewhere, calls)[0][0]  # type: ignore[operator]
    times = "SELECT received_at FROM response ORDER BY 1"
    assert sorted(rows(one, times) + rows(elsewhere, times)) == rows(whole, times)

    twice = gpf("merge", one, alone, "-o", tmp_path / "never.gpf")
    assert twice.returncode == 2
    assert "The same questions were asked twice" in twice.stderr
    assert "one.gpf" in twice.stderr
    assert "alone.gpf" in twice.stderr
    assert not (tmp_path / "never.gpf").exists()


def test_that_later_stages_of_parts_come_together(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(STAGED)
    one, two, alone, whole = (tmp_path / f"{name}.gpf" for name in ("one", "two", "alone", "whole"))
    assert gpf("run", plan, "--audit", alone).returncode == 0
    for number, part in enumerate((one, two), start=1):
        assert gpf("run", plan, "--part", f"{number}/2", "--audit", part).returncode == 0
    assert gpf("merge", two, one, "-o", whole).returncode == 0
    assert rows(whole, CELLS) == rows(alone, CELLS)
    scores = (
        "SELECT b.arm, b.model_id, b.item_id, x.text, s.name, s.value FROM score s JOIN bundle b ON b.id = s.unit_id"
        " JOIN coordinate_set x ON x.id = b.coordinates_id ORDER BY 1, 2, 3, 4, 5"
    )
    assert rows(whole, scores) == rows(alone, scores)
    assert gpf("doctor", whole).returncode == 0
    plan.write_text(STAGED.replace("articles_per_source = 2", "articles_per_source = 1"))
    other = tmp_path / "other.gpf"
    assert gpf("run", plan, "--part", "1/2", "--audit", other).returncode == 0
    refused = gpf("merge", one, other, "-o", tmp_path / "never.gpf")
    assert refused.returncode == 2
    assert "are not of the same plan" in refused.stderr


@pytest.mark.parametrize("part", ["2", "0/2", "3/2", "1/0", "a/b", "-1/2"])
def test_that_what_is_no_part_is_refused(part: str) -> None:
    with pytest.raises(UserError, match="is no part of a round"):
        RoundPart.read(part)
