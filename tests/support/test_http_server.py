"""The loopback server keeps its promises, good and bad, to a real client."""

import asyncio
import gc
import gzip
import socket
import threading

import httpx
import pytest

from tests.support.http_server import LoopbackServer, Mode, Reply, Request, is_accepting


def test_that_a_route_answers_with_its_status_headers_and_body(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(status=201, headers={"ETag": '"1"'}, body="<rss/>"))
    answer = httpx.get(http_server.url("/feed.xml?a=1&a=2"), headers={"If-None-Match": "x"})
    assert (answer.status_code, answer.headers["etag"], answer.text) == (201, '"1"', "<rss/>")
    (request,) = http_server.requests
    assert (request.method, request.path, request.query) == ("GET", "/feed.xml", {"a": ["1", "2"]})
    assert request.headers["if-none-match"] == "x"


def test_that_replies_come_in_turn_and_the_last_one_stays(http_server: LoopbackServer) -> None:
    http_server.route("/flaky", [Reply(status=503), Reply(body="ok")])
    with httpx.Client() as client:
        assert [client.get(http_server.url("/flaky")).status_code for _ in range(3)] == [503, 200, 200]


def test_that_a_handler_sees_the_body_and_the_longest_wildcard_wins(http_server: LoopbackServer) -> None:
    http_server.route("/files/*", Reply(body="any"))
    http_server.route("/files/deep/*", lambda request: Reply.of_json({"got": request.json()["x"]}))
    assert httpx.post(http_server.url("/files/deep/1"), json={"x": 5}).json() == {"got": 5}
    assert httpx.get(http_server.url("/files/1")).text == "any"
    assert httpx.get(http_server.url("/elsewhere")).status_code == 404


@pytest.mark.parametrize("mode", [Mode.PLAIN, Mode.CHUNKED, Mode.SLOW])
def test_that_a_compressed_body_arrives_whole_in_every_good_mode(http_server: LoopbackServer, mode: Mode) -> None:
    http_server.route("/", Reply(body="word " * 500, gzip=True, mode=mode, piece=10, pace=0))
    answer = httpx.get(http_server.url())
    assert answer.text == "word " * 500
    assert answer.headers["content-encoding"] == "gzip"


@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (Reply(body="x" * 1000, mode=Mode.TRUNCATED), httpx.RemoteProtocolError),
        (Reply(body="x" * 1000, mode=Mode.RESET), httpx.ReadError),
        (Reply(mode=Mode.RESET), httpx.ReadError),
        (Reply(mode=Mode.HANG), httpx.ReadTimeout),
        (Reply(body="x" * 1000, mode=Mode.SLOW, piece=1, pace=30), httpx.ReadTimeout),
        (Reply(body=b"not http at all\r\n\r\n", mode=Mode.RAW), httpx.RemoteProtocolError),
    ],
)
def test_that_bad_manners_reach_the_client_as_what_they_are(
    http_server: LoopbackServer, reply: Reply, error: type[Exception]
) -> None:
    http_server.route("/", reply)
    with pytest.raises(error):
        httpx.get(http_server.url(), timeout=0.3)


def test_that_an_endless_body_goes_on_until_the_client_stops_reading(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body="x" * 65536, mode=Mode.ENDLESS))
    seen = 0
    with httpx.stream("GET", http_server.url()) as answer:
        for piece in answer.iter_bytes():
            seen += len(piece)
            if seen > 5_000_000:
                break
    assert seen > 5_000_000


def test_that_a_gate_holds_the_reply_until_it_is_opened(http_server: LoopbackServer) -> None:
    gate = http_server.gate()
    http_server.route("/", Reply(body="through", gate=gate))
    answers: list[str] = []
    client = threading.Thread(target=lambda: answers.append(httpx.get(http_server.url()).text))
    client.start()
    http_server.wait_for_requests(1)
    assert answers == []
    gate.open()
    client.join()
    assert answers == ["through"]


def test_that_an_error_in_a_handler_is_not_lost() -> None:
    def broken(request: Request) -> Reply:
        raise KeyError(request.path)

    server = LoopbackServer()
    server.route("/", broken)
    assert httpx.get(server.url()).status_code == 500
    with pytest.raises(ExceptionGroup) as caught:
        server.close()
    assert caught.group_contains(KeyError)


def test_that_head_and_not_modified_carry_no_body(http_server: LoopbackServer) -> None:
    packed = gzip.compress(b"x")
    http_server.route("/", Reply(body=packed))
    http_server.route("/same", Reply(status=304, headers={"ETag": '"1"'}))
    with httpx.Client() as client:
        assert client.head(http_server.url()).content == b""
        assert client.get(http_server.url("/same")).content == b""
        assert client.get(http_server.url()).content == packed


def test_that_a_connection_in_the_midst_of_being_accepted_is_closed_with_the_server() -> None:
    server = LoopbackServer()

    async def close_while_accepting() -> None:
        with socket.create_connection(("127.0.0.1", server.port)):
            while not any(map(is_accepting, asyncio.all_tasks())):  # noqa: ASYNC110 — a state of the loop itself
                await asyncio.sleep(0)
            await server.cut()

    asyncio.run_coroutine_threadsafe(close_while_accepting(), server.loop).result()
    server.close()
    gc.collect()  # what was left open is a warning now, and so a failure


def test_that_a_handler_that_hangs_does_not_hold_up_the_close() -> None:
    server, reached, let_go = LoopbackServer(), threading.Event(), threading.Event()

    def hang(_request: Request) -> Reply:
        reached.set()
        let_go.wait()
        return Reply()

    server.route("/hangs", hang)
    with socket.create_connection(("127.0.0.1", server.port)) as caller:
        caller.sendall(b"GET /hangs HTTP/1.1\r\n\r\n")
        assert reached.wait(100)
        with pytest.raises(AssertionError, match="/hangs"):
            server.close(timeout=0.01)
        let_go.set()
    server.close()
