"""One document over real HTTP: manners, redirects, answers."""

import asyncio
import socket
import threading
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import SourceError
from gpf_desktop.engine.collect.fetching import USER_AGENT, Caps, Fetched, fetch
from tests.support.http_server import LoopbackServer, Reply, Request

FEED = b"<rss><channel><title>Courier</title></channel></rss>"


def get(address: str, **more: object) -> Fetched:
    return asyncio.run(fetch(address, **more))  # type: ignore[arg-type]


def body_of(fetched: Fetched) -> bytes:
    assert fetched.document is not None
    return fetched.document.body


def test_that_a_feed_is_fetched_with_its_validators(http_server: LoopbackServer) -> None:
    headers = {"ETag": '"v1"', "Last-Modified": "Fri, 20 Nov 2026 07:00:00 GMT", "Content-Type": "Application/RSS+xml"}
    http_server.route("/feed.xml", Reply(body=FEED, headers=headers))
    fetched = get(http_server.url("/feed.xml"))
    assert body_of(fetched) == FEED
    assert fetched.document is not None
    assert fetched.document.content_type == "application/rss+xml"
    assert fetched.document.address == http_server.url("/feed.xml")
    assert fetched.document.retrieved is not None
    assert (fetched.etag, fetched.last_modified) == ('"v1"', "Fri, 20 Nov 2026 07:00:00 GMT")
    assert not fetched.moved_to


def test_that_the_program_names_itself_and_keeps_no_cookie_after_a_fetch(http_server: LoopbackServer) -> None:
    http_server.route("/b", Reply(body=FEED, headers={"Set-Cookie": "who=you; Path=/"}))
    get(http_server.url("/b"))
    get(http_server.url("/b"))
    assert len(http_server.requests) == 2
    assert all(request.headers["user-agent"] == USER_AGENT for request in http_server.requests)
    assert all("cookie" not in request.headers for request in http_server.requests)


def test_that_a_site_that_sets_a_cookie_while_redirecting_gets_it_back(http_server: LoopbackServer) -> None:
    def gate(request: Request) -> Reply:
        if "seen=1" in request.headers.get("cookie", ""):
            return Reply(body=FEED)
        return Reply(status=302, headers={"Location": "/feed.xml", "Set-Cookie": "seen=1; Path=/"})

    http_server.route("/feed.xml", gate)
    assert get(http_server.url("/feed.xml")).document is not None
    http_server.route("/moved.xml", Reply(status=302, headers={"Location": "/check"}))
    http_server.route("/check", Reply(status=302, headers={"Location": "/feed.xml", "Set-Cookie": "seen=1; Path=/"}))
    assert get(http_server.url("/moved.xml")).document is not None


@pytest.mark.parametrize(
    "cookie", ["seen=yes", 'seen="a b, c"', "seen=caf\xe9", "s\xe9en=1; Expires=whenever", "seen=1; Domain=127.0.0.1"]
)
def test_that_a_cookie_of_any_form_comes_back_to_its_own_site_alone(http_server: LoopbackServer, cookie: str) -> None:
    def gate(request: Request) -> Reply:
        known = "cookie" in request.headers
        headers = {"Location": f"http://localhost:{other.port}/consent", "Set-Cookie": f"{cookie}; Path=/"}
        return Reply(body=FEED) if known else Reply(status=302, headers=headers)

    http_server.route("/feed.xml", gate)
    with LoopbackServer() as other:
        other.route("/consent", Reply(status=302, headers={"Location": http_server.url("/feed.xml")}))
        assert body_of(get(http_server.url("/feed.xml"))) == FEED
        assert [request.headers.get("cookie") for request in other.requests] == [None]


def test_that_a_circle_that_sets_the_same_cookie_again_and_again_is_one(http_server: LoopbackServer) -> None:
    http_server.route("/a", Reply(status=302, headers={"Location": "/a", "Set-Cookie": "n=1; Path=/"}))
    with pytest.raises(SourceError, match="circle"):
        get(http_server.url("/a"))
    assert len(http_server.requests) == 2


def test_that_an_unchanged_feed_is_not_sent_again(http_server: LoopbackServer) -> None:
    def answer(request: Request) -> Reply:
        known = request.headers.get("if-none-match") == '"v1"'
        return Reply(status=304) if known else Reply(body=FEED, headers={"ETag": '"v1"'})

    http_server.route("/feed.xml", answer)
    first = get(http_server.url("/feed.xml"))
    again = get(http_server.url("/feed.xml"), etag=first.etag, last_modified="Fri, 20 Nov 2026 07:00:00 GMT")
    assert again.unchanged
    assert again.document is None
    assert http_server.requests[1].headers["if-modified-since"] == "Fri, 20 Nov 2026 07:00:00 GMT"


def test_that_304_without_being_asked_is_a_fault_of_the_server(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(status=304))
    with pytest.raises(SourceError, match="304"):
        get(http_server.url("/feed.xml"))


@pytest.mark.parametrize(("status", "remembered"), [(301, True), (308, True), (302, False), (303, False), (307, False)])
def test_that_only_permanent_redirects_are_remembered(
    http_server: LoopbackServer, status: int, remembered: bool
) -> None:
    http_server.route("/old", Reply(status=status, headers={"Location": "/new"}))
    http_server.route("/new", Reply(body=FEED))
    fetched = get(http_server.url("/old"))
    assert body_of(fetched) == FEED
    assert fetched.moved_to == (http_server.url("/new") if remembered else "")


def test_that_a_move_is_remembered_up_to_the_first_temporary_redirect(http_server: LoopbackServer) -> None:
    http_server.route("/1", Reply(status=301, headers={"Location": "/2"}))
    http_server.route("/2", Reply(status=302, headers={"Location": "/3"}))
    http_server.route("/3", Reply(status=301, headers={"Location": "/4"}))
    http_server.route("/4", Reply(body=FEED))
    assert get(http_server.url("/1")).moved_to == http_server.url("/2")


def test_that_410_says_gone(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(status=410))
    fetched = get(http_server.url("/feed.xml"))
    assert fetched.gone
    assert fetched.document is None


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (401, "turns this program away"),
        (403, "turns this program away"),
        (404, "has nothing at this address"),
        (418, "answered HTTP 418"),
        (429, "asked too often"),
        (500, "a fault of its own"),
        (503, "a fault of its own"),
    ],
)
def test_that_each_refusal_has_its_sentence(http_server: LoopbackServer, status: int, words: str) -> None:
    http_server.route("/feed.xml", Reply(status=status, headers={"Retry-After": "120"}))
    with pytest.raises(SourceError, match=words) as caught:
        get(http_server.url("/feed.xml"))
    assert str(status) in caught.value.what
    assert caught.value.remedy


def test_that_a_server_that_is_not_there_is_told_from_a_name_that_is_not() -> None:
    with LoopbackServer() as server:
        address = server.url("/feed.xml")
    with pytest.raises(SourceError, match="takes no connections"):
        get(address)
    with pytest.raises(SourceError, match="no server called"):
        get("http://no-such-host.invalid/feed.xml")


def test_that_a_failed_handshake_is_a_sentence_about_tls() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer_in_the_clear() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(100)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        answering = threading.Thread(target=answer_in_the_clear)
        answering.start()
        with pytest.raises(SourceError, match="secure connection"):
            get(f"https://127.0.0.1:{listener.getsockname()[1]}/feed.xml")
        answering.join()


def test_that_a_handshake_that_never_ends_runs_into_the_total_time(http_server: LoopbackServer) -> None:
    with pytest.raises(SourceError, match="did not finish answering"):
        get(http_server.url("/").replace("http:", "https:"), caps=Caps(seconds=0.5))


def test_that_certificates_that_cannot_be_read_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "bad.pem").write_text("no certificate")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "bad.pem"))
    with pytest.raises(SourceError, match="certificates"):
        get("http://127.0.0.1:9/feed.xml")


def test_that_a_file_is_read_by_path_and_by_file_address(tmp_path: Path) -> None:
    file = tmp_path / "my news.xml"
    file.write_bytes(FEED)
    for address in (str(file), file.as_uri()):
        fetched = get(address)
        assert body_of(fetched) == FEED
        assert fetched.inside
        assert fetched.document is not None
        assert fetched.document.address == "my news.xml"


def test_that_a_file_larger_than_the_cap_is_cut_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "feed.xml").write_bytes(b"x" * 2000)
    fetched = get(str(tmp_path / "feed.xml"), caps=Caps(size=1000))
    assert fetched.document is not None
    assert (len(fetched.document.body), fetched.document.cut) == (1000, True)


@pytest.mark.parametrize(
    "address", ["ftp://news.example/x", "gopher://x.example", "nothing-here", "/no/such/file.xml", "/dev/zero"]
)
def test_that_what_is_neither_address_nor_file_is_refused(address: str) -> None:
    with pytest.raises(SourceError, match="neither a web address nor a file"):
        get(address)
