"""A canary key is looked for everywhere that a key must never be, while it is used and afterwards."""

import base64
import html
import json
import logging
import os
import re
import sqlite3
import traceback
import urllib.parse
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from gpf_desktop.__main__ import main
from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.core import catalogue
from gpf_desktop.storage import archived_texts, exchanges
from tests.support.http_server import Reply
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import Scene, scene, server_model, small_protocol
from tests.support.warm_program import run_program

CANARY = "sk-canary-7391-juniper-cove"
VARIABLE = "GPF_TEST_CANARY"


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(key=CANARY) as opened:
        yield opened


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    monkeypatch.setenv(VARIABLE, CANARY)
    with scene(tmp_path) as opened:
        yield opened


def run_round(stage: Scene, server: OpenAIServer) -> RunState:
    endpoint = replace(server_model(server.base_url), key_env=VARIABLE)
    run_id = stage.plan([endpoint], protocol=small_protocol())
    return stage.open_audit.rounds.start(run_id).result(timeout=250)


def files_with_the_key(folder: Path, key: str = CANARY) -> list[Path]:
    """Files in *folder* that hold *key*, in whatever spelling, also packed in an audit or a zip."""
    return [path for path in folder.rglob("*") if path.is_file() and any(_holds(part, key) for part in _parts(path))]


def _parts(path: Path) -> Iterator[bytes]:
    """The bytes of the file at *path*, and all that is packed in it."""
    data = path.read_bytes()
    yield data
    if data.startswith(b"SQLite format 3") and not path.name.endswith(("-wal", "-shm")):
        with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as connection:
            archived_texts.let_read(connection, path)
            rows = connection.execute("SELECT cell_id, attempt FROM exchange").fetchall()
            for cell, attempt in rows:
                kept = exchanges.get(connection, cell, attempt)
                assert kept is not None
                yield json.dumps(asdict(kept), ensure_ascii=False).encode()
    if data.startswith(b"PK"):
        with zipfile.ZipFile(path) as archive:
            yield from map(archive.read, archive.namelist())


def _holds(data: bytes, key: str) -> bool:
    """Whether *key* is in *data* once every escape is taken off it, a few times over."""
    text = data.decode("utf-8", "replace")
    for _ in range(4):
        if key in text:
            return True
        text = re.sub(r"\\\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), text)
        text = html.unescape(urllib.parse.unquote(text.replace(r"\/", "/").replace("\\\\", "\\")))
    packed = re.findall(r"[A-Za-z0-9+/_-]{8,}={0,2}", data.decode("utf-8", "replace"))
    return any(key.encode() in _unpacked(each) for each in packed)


def _unpacked(text: str) -> bytes:
    plain = text.rstrip("=").translate({45: "+", 95: "/"})
    return base64.b64decode(plain + "=" * (-len(plain) % 4)) if len(plain) % 4 != 1 else b""


def test_that_the_key_is_used_and_written_nowhere(
    stage: Scene, server: OpenAIServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server.fail("I am Socialist", status=400, code=f"you sent {CANARY}")
    with caplog.at_level(logging.DEBUG):
        assert run_round(stage, server) is RunState.FINISHED_WITH_GAPS
    assert server.answered == 8
    assert all(CANARY not in f"{request.path} {request.query}" for request in server.http.requests)
    assert CANARY not in caplog.text
    assert CANARY not in repr(stage.events)
    stage.open_audit.context.audit.save_copy(tmp_path / "copy.gpf")
    assert files_with_the_key(tmp_path) == [], "neither in the audit, nor in its -wal file, nor in a copy"


def test_that_a_key_that_the_server_sends_back_is_kept_in_no_string(
    stage: Scene, server: OpenAIServer, tmp_path: Path
) -> None:
    message = {"role": "assistant", "content": f"Your key is {CANARY}.", "reasoning_content": CANARY}
    echo = {"id": CANARY, "choices": [{"message": message, "finish_reason": CANARY}]}
    server.fail("I am Socialist", reply=Reply.of_json(echo, headers={"x-request-id": CANARY}))
    # A key in place of the reason to stop is no known reason: the answer is asked again, and stays a gap.
    assert run_round(stage, server) is RunState.FINISHED_WITH_GAPS
    assert stage.read("SELECT DISTINCT text FROM response WHERE text LIKE 'Your key%'") == [("Your key is ….",)]
    assert CANARY not in repr(stage.events)
    stage.open_audit.context.audit.save_copy(tmp_path / "copy.gpf")
    assert files_with_the_key(tmp_path) == []


def _packed(text: str) -> str:
    return base64.b64encode(f"user:{text}".encode()).decode()


def _units(text: str) -> str:
    return "".join(f"\\u{ord(sign):04x}" for sign in text)


@pytest.mark.parametrize("key", ["sk-canary/7391+juniper=cove", "k3y-19", "s/k9"])
@pytest.mark.parametrize(
    ("spelling", "in_json"),
    [
        (str, True),
        (_units, False),
        (lambda key: key.replace("/", r"\/"), False),
        (lambda key: _units(key).replace("\\", "\\\\"), False),
        (lambda key: "".join(f"%{byte:02X}" for byte in key.encode()), True),
        (lambda key: "".join(f"&#{ord(sign)};" for sign in key), True),
        (_packed, True),
    ],
)
@pytest.mark.parametrize("status", [200, 401])
def test_that_a_key_that_comes_back_in_any_spelling_is_kept_nowhere(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    key: str,
    spelling: Callable[[str], str],
    *,
    in_json: bool,
    status: int,
) -> None:
    if len(key) < 8 and spelling is _packed:
        pytest.skip("so short a key stands in the Base64 of ordinary words")
    said = spelling(key)
    # What stands in the body as escapes of JSON must be written there by hand.
    raw = json.dumps(said)[1:-1] if in_json else said
    message = f'{{"role": "assistant", "content": "Yours is {raw}.", "reasoning_content": "{raw}"}}'
    bodies = {
        200: f'{{"id": "{raw}", "model": "{raw}", "choices": [{{"message": {message}, "finish_reason": "stop"}}]}}',
        401: f'{{"error": {{"message": "Wrong key: {raw}", "code": "{raw}"}}}}',
    }
    headers = {"content-type": "application/json", "x-request-id": said, "x-ratelimit-limit": said, "server": said}
    monkeypatch.setenv(VARIABLE, key)
    with OpenAIServer(key=key) as server, scene(tmp_path) as stage:
        server.fail("I am Socialist", reply=Reply(status=status, body=bodies[status].encode(), headers=headers))
        run_round(stage, server)
        assert stage.read("SELECT count(*) FROM exchange")[0][0] > 0
        assert not _holds(repr(stage.events).encode(), key)
        stage.open_audit.context.audit.save_copy(tmp_path / "copy.gpf")
    assert files_with_the_key(tmp_path, key) == []


def test_that_every_export_is_without_the_key(
    stage: Scene, server: OpenAIServer, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run_round(stage, server) is RunState.FINISHED
    stage.engine.close_audit()
    suffixes = sorted({exporter.suffix for exporter in catalogue.exporters().values()})
    assert suffixes
    for suffix in suffixes:
        target = tmp_path / f"report{suffix if suffix.startswith('.') else '.' + suffix}"
        assert main(["report", str(tmp_path / "audit.gpf"), "-o", str(target)]) == 0
    assert CANARY not in "".join(capfd.readouterr())
    assert sum(path.stem == "report" for path in tmp_path.iterdir()) == len(suffixes)
    assert files_with_the_key(tmp_path) == []


def test_that_a_traceback_with_the_key_in_its_frames_does_not_show_it() -> None:
    key = Secret(CANARY)
    try:
        raise ValueError(f"{key} {key!r} {[key]}")
    except ValueError as error:
        lines = traceback.TracebackException.from_exception(error, capture_locals=True).format()
    assert CANARY not in "".join(line for line in lines if "CANARY" not in line)


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="there is no /proc")
def test_that_no_process_of_the_program_is_started_with_the_key(stage: Scene) -> None:
    with OpenAIServer(key=CANARY, gate=True) as server:
        endpoint = replace(server_model(server.base_url), key_env=VARIABLE)
        run_id = stage.plan([endpoint], protocol=small_protocol())
        resting = stage.open_audit.rounds.start(run_id)
        server.http.wait_for_requests(1)
        pids = [future.result(timeout=250) for future in stage.open_audit.context.scoring.warm()]
        lines = [Path(f"/proc/{pid}/cmdline").read_bytes() for pid in (os.getpid(), *pids)]
        assert server.gate is not None
        server.gate.open()
        assert resting.result(timeout=250) is RunState.FINISHED
    assert len(lines) >= 2
    assert not any(CANARY.encode() in line for line in lines)


def test_that_a_headless_run_says_nothing_of_its_key(server: OpenAIServer, tmp_path: Path) -> None:
    from gpf_desktop.domain.resources import resources

    news = resources() / "news" / "sample.rss"
    plan = tmp_path / "plan.toml"
    plan.write_text(
        f'articles_per_source = 1\nprotocol = "GPF-LiveNews-v1"\ncontrols = "none"\n[[sources]]\nurl = "{news}"\n'
        f'[[models]]\nprovider = "openai-compatible"\nmodel = "some-model"\nbase_url = "{server.base_url}"\n'
        f'key_env = "{VARIABLE}"\n'
    )
    environment = {**os.environ, VARIABLE: CANARY}
    done = run_program("run", plan, "--audit", tmp_path / "a.gpf", "--json", env=environment)
    assert done.returncode == 0, done.stderr.replace(CANARY, "the key")
    assert CANARY not in done.stdout + done.stderr
    assert files_with_the_key(tmp_path) == []
