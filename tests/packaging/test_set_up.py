"""The bootstrap on a real machine: real processes, real venv, real pip, on a project that needs no download."""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.packaging.tiny_project import TinyProject, kill
from tests.support.http_server import LoopbackServer, Mode, Reply

pytestmark = pytest.mark.slow

MAKING = "Making .venv with Python"
STARTED = "started with ['hello', 'you']"


@pytest.fixture
def project(tmp_path: Path) -> TinyProject:
    return TinyProject(tmp_path / "a folder, with Ünicode")


@pytest.fixture
def dead_port() -> Iterator[int]:
    """A port that refuses: bound, so that nobody else gets it, and not listening."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


@dataclass(frozen=True)
class Settled:
    """A project that was set up by its first start."""

    project: TinyProject
    first: "subprocess.CompletedProcess[str]"


@pytest.fixture(scope="module")
def settled(tmp_path_factory: pytest.TempPathFactory) -> Settled:
    """One for all tests that begin where a set-up has ended; whatever they start leaves it set up."""
    project = TinyProject(tmp_path_factory.mktemp("settled") / "a folder, with Ünicode")
    return Settled(project, project.start("run", "--", "hello", "you"))


def test_that_the_first_start_sets_up_and_the_second_has_nothing_to_do(settled: Settled) -> None:
    first, project = settled.first, settled.project
    assert (first.returncode, first.stdout.count(STARTED)) == (0, 1), first.stderr
    assert MAKING in first.stderr
    assert str(project.folder.parent) in first.stdout
    left = project.stamp.stat().st_mtime_ns
    second = project.start("run", "--", "fail")
    assert (second.returncode, second.stderr) == (7, "")
    assert project.stamp.stat().st_mtime_ns == left


def test_that_an_environment_from_another_folder_is_made_anew(settled: Settled) -> None:
    moved = TinyProject(settled.project.folder.with_name("moved"))
    shutil.copytree(settled.project.stamp.parent, moved.stamp.parent, symlinks=True)
    outcome = moved.start("run", "--", "hello", "you")
    assert STARTED in outcome.stdout
    assert MAKING in outcome.stderr


def test_that_a_changed_project_is_installed_again_without_making_everything_anew(settled: Settled) -> None:
    pyproject = settled.project.folder / "pyproject.toml"
    pyproject.write_text(pyproject.read_text("utf-8") + "# one more line\n", "utf-8")
    again = settled.project.start("run", "--", "hello", "you")
    assert STARTED in again.stdout
    assert again.stderr == "Bringing the libraries in .venv up to date\n"


def test_that_a_set_up_that_was_killed_half_way_is_done_anew(project: TinyProject, http_server: LoopbackServer) -> None:
    http_server.route("/wait", Reply(mode=Mode.HANG))
    process = project.begin("run", "--", "hello", TINY_ASK=http_server.url("/wait"))
    http_server.wait_for_requests(1, timeout=250)
    kill(process)
    assert not project.stamp.exists()
    again = project.start("run", "--", "hello", "you")
    assert (again.returncode, again.stdout.count(STARTED)) == (0, 1), again.stderr
    assert MAKING in again.stderr


def test_that_two_at_once_set_up_once_and_both_start(project: TinyProject, http_server: LoopbackServer) -> None:
    gate = http_server.gate()
    http_server.route("/wait", Reply(gate=gate))
    with project.begin("run", "--", "hello", "you", TINY_ASK=http_server.url("/wait")) as first:
        http_server.wait_for_requests(1, timeout=250)
        with project.begin("run", "--", "hello", "you") as second:
            assert second.stderr is not None
            waiting = second.stderr.readline()
            gate.open()
            out, err = second.communicate()
        first_out, first_err = first.communicate()
    assert waiting == "Waiting for another set-up in this folder\n"
    assert (MAKING in first_err, err) == (True, "")
    assert STARTED in out
    assert STARTED in first_out


def test_that_an_index_that_does_not_answer_is_named_in_one_sentence_and_the_rest_kept(
    project: TinyProject, dead_port: int
) -> None:
    offline = {"PIP_INDEX_URL": f"http://127.0.0.1:{dead_port}/simple", "PIP_RETRIES": "1", "NO_PROXY": "*"}
    failed = project.start("run", "--", "hello", TINY_REQUIRES="gpf-needs-this-and-it-is-nowhere", **offline)
    assert failed.returncode == 3
    assert failed.stderr.splitlines()[-1].startswith("The libraries could not be downloaded: the package index")
    again = project.start("run", "--", "hello", "you")
    assert STARTED in again.stdout
    assert MAKING not in again.stderr


def test_that_a_folder_that_cannot_be_written_to_is_named_in_one_sentence(project: TinyProject) -> None:
    # Root may write into any folder; a folder in the lock file's place stops everybody.
    (project.folder / ".venv.lock").mkdir()
    outcome = project.start("demo")
    assert outcome.returncode == 3
    assert outcome.stderr.startswith("This folder cannot be written to")
    assert outcome.stderr.count("\n") == 1


def test_that_without_a_display_the_sample_audit_runs_without_its_window_and_says_so(settled: Settled) -> None:
    outcome = settled.project.start("demo", "a.gpf")
    assert "started with ['demo', 'a.gpf', '--no-window']" in outcome.stdout
    assert outcome.stderr.splitlines()[-1] == "There is no display, so the sample audit runs without a window."
