"""`gpf-desktop watch`: each change once, by a webhook or a mail that was taken."""

import json
import socketserver
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from gpf_desktop.cli import main
from tests.support.http_server import LoopbackServer, Reply

pytestmark = pytest.mark.slow


def gpf(*arguments: object) -> int:
    return main(["watch", *map(str, arguments)], show_window=lambda _: 99, show_demo=lambda _: 99)


def told(audit: Path) -> str:
    with closing(sqlite3.connect(audit)) as connection:
        return str(connection.execute("SELECT value FROM setting WHERE name = 'watch.told'").fetchone()[0])


def as_if_told(audit: Path, outcome: str) -> str:
    """Has the first conclusion be one that was told as *outcome*."""
    kept = json.loads(told(audit))
    kept[next(iter(kept))] = outcome
    text = json.dumps(kept, ensure_ascii=False)
    with closing(sqlite3.connect(audit)) as connection, connection:
        connection.execute("UPDATE setting SET value = ? WHERE name = 'watch.told'", (text,))
    return text


@contextmanager
def smtp_server() -> Iterator[tuple[int, list[str]]]:
    """Takes every mail."""
    taken: list[str] = []

    class Talk(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 ready\r\n")
            while line := self.rfile.readline().upper():
                if line.startswith(b"DATA"):
                    self.wfile.write(b"354 go on\r\n")
                    taken.append(b"".join(iter(self.rfile.readline, b".\r\n")).decode())
                self.wfile.write(b"221 bye\r\n" if line.startswith(b"QUIT") else b"250 yes\r\n")
                if line.startswith(b"QUIT"):
                    return

    with socketserver.TCPServer(("127.0.0.1", 0), Talk) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server.server_address[1], taken
        finally:
            server.shutdown()
            thread.join()


def test_that_a_change_is_told_once_and_again_where_nobody_took_it(
    small_audit: Path, http_server: LoopbackServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    http_server.route("/hook/secret-token", [Reply(status=503), Reply(body="ok")])
    monkeypatch.setenv("OUR_HOOK", http_server.url("/hook/secret-token"))
    assert gpf(small_audit, "--webhook", "OUR_HOOK") == 0
    assert "Watched from now on." in capsys.readouterr().out
    now = told(small_audit)

    before = as_if_told(small_audit, "was something else")
    assert gpf(small_audit, "--webhook", "OUR_HOOK") == 3
    said = capsys.readouterr().err
    assert "127.0.0.1 did not take the message (status 503)" in said
    assert "secret-token" not in said
    assert told(small_audit) == before

    assert gpf(small_audit, "--webhook", "OUR_HOOK", "--json") == 0
    assert told(small_audit) == now
    sent = http_server.requests[-1].json()
    assert sent == json.loads(capsys.readouterr().out)
    (one,) = sent["changed"]
    assert (one["before"], one["now"]) == ("was something else", next(iter(json.loads(now).values())))
    assert any("by chance" in each or "of 100 audits" in each for each in sent["chance"])
    assert one["sentence"] in sent["text"]

    assert gpf(small_audit, "--webhook", "OUR_HOOK") == 0
    assert "No conclusion changed." in capsys.readouterr().out
    assert len(http_server.requests) == 2

    as_if_told(small_audit, "was something else")
    with smtp_server() as (port, mails):
        assert gpf(small_audit, "--mail", "who@example.org", "--smtp", f"127.0.0.1:{port}") == 0
    (mail,) = mails
    assert "To: who@example.org" in mail
    assert "1 conclusion changed" in mail
    assert told(small_audit) == now


@pytest.mark.parametrize(
    "typed",
    [
        ("--webhook", "http://example.org/hook"),
        ("--webhook", "NO_SUCH_VARIABLE"),
        ("--mail", "who@example.org"),
        ("--mail", "nobody", "--smtp", "mail.example:25"),
    ],
)
def test_that_what_cannot_be_told_by_is_refused_before_anything_is_read(typed: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "a.gpf").touch()
    assert gpf(tmp_path / "a.gpf", *typed) == 2
    assert (tmp_path / "a.gpf").read_bytes() == b""
