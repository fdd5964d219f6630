"""Whatever the network does comes back as a value, in words that tell one failure from another."""

import asyncio
import datetime
import gzip
import ipaddress
import logging
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import pytest

from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.retries import NoRetry, Transient
from gpf_desktop.domain.wire import ANSWER_CAP, WireReply, WireRequest
from gpf_desktop.engine.models.sending import KEPT_OF_CUT, Sender
from tests.support.http_server import LoopbackServer, Mode, Reply

SECRET = "sk-canary-2342-plum"


def get(url: str, **headers: str) -> WireRequest:
    return WireRequest(method="GET", url=url, headers=headers)


def with_sender(use: Callable[[Sender], Awaitable[WireReply | Miss]]) -> WireReply | Miss:
    async def once() -> WireReply | Miss:
        sender = Sender()
        try:
            return await use(sender)
        finally:
            await sender.aclose()

    return asyncio.run(once())


def exchange(request: WireRequest, seconds: float = 20.0) -> WireReply | Miss:
    return with_sender(lambda sender: sender.send(request, seconds))


def missed(request: WireRequest, seconds: float = 20.0) -> Miss:
    outcome = exchange(request, seconds)
    assert isinstance(outcome, Miss), outcome
    return outcome


def replied(request: WireRequest) -> WireReply:
    outcome = exchange(request)
    assert isinstance(outcome, WireReply), outcome
    return outcome


def test_that_a_request_goes_out_as_given(http_server: LoopbackServer) -> None:
    http_server.route("/v1/x", Reply(status=418, body="short and stout", headers={"X-Request-Id": "r1"}))
    url = http_server.url("/v1/x?q=1")
    reply = replied(WireRequest(method="POST", url=url, headers={"x-api-key": SECRET}, json={"ü": [1, 0.2]}))
    assert (reply.status, reply.body, reply.headers["x-request-id"]) == (418, b"short and stout", "r1")
    request = http_server.requests[0]
    assert request.json() == {"ü": [1, 0.2]}
    assert request.headers["content-type"] == "application/json"
    assert request.headers["x-api-key"] == SECRET
    assert request.headers["user-agent"] == "gpf-desktop"


def test_that_a_prompt_with_lone_surrogates_is_sent(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body="ok"))
    replied(WireRequest(method="POST", url=http_server.url(), json={"text": "a\ud800b"}))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_that_redirects_are_not_followed(status: int, http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(status=status, headers={"Location": "/elsewhere"}))
    assert replied(get(http_server.url())).status == status
    assert len(http_server.requests) == 1


def test_that_compressed_replies_are_unpacked(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body="rain " * 1000, gzip=True))
    assert replied(get(http_server.url())).body == b"rain " * 1000


def test_that_a_bomb_is_cut_at_the_cap(http_server: LoopbackServer) -> None:
    bomb = gzip.compress(b"\0" * (4 * ANSWER_CAP))
    assert len(bomb) < 100_000
    http_server.route("/", Reply(body=bomb, headers={"Content-Encoding": "gzip"}))
    reply = replied(get(http_server.url()))
    assert reply.cut
    assert len(reply.body) == KEPT_OF_CUT


def test_that_compressed_nothing_without_end_is_cut(http_server: LoopbackServer) -> None:
    nothing = gzip.compress(b"")[:10] + b"\0\0\0\xff\xff" * (ANSWER_CAP // 5 + 1)
    http_server.route("/", Reply(body=nothing, headers={"Content-Encoding": "gzip"}))
    reply = replied(get(http_server.url()))
    assert (reply.body, reply.cut) == (b"", True)


def test_that_what_follows_a_compressed_answer_is_not_kept(http_server: LoopbackServer) -> None:
    padded = gzip.compress(b"Yes.") + bytes(500_000)
    http_server.route("/", Reply(body=padded, headers={"Content-Encoding": "gzip"}))
    reply = replied(get(http_server.url()))
    assert (reply.body, reply.cut) == (b"Yes.", False)


def test_that_an_endless_reply_is_cut_at_the_cap(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body=b"x" * 1_000_000, mode=Mode.ENDLESS))
    reply = replied(get(http_server.url()))
    assert reply.cut
    assert len(reply.body) == KEPT_OF_CUT


@pytest.mark.parametrize("mode", [Mode.TRUNCATED, Mode.RESET])
def test_that_a_broken_reply_keeps_what_came(mode: Mode, http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body=b"x" * 100_000, mode=mode))
    outcome = exchange(get(http_server.url()))
    match outcome:
        case WireReply():
            assert outcome.broken
            assert set(outcome.body) == {ord("x")}
        case Miss():
            # A reset may overtake what was sent before it.
            assert mode is Mode.RESET
            assert outcome.reason is Missing.UNKNOWN


def test_that_a_reset_before_an_answer_is_an_unknown_outcome(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(mode=Mode.RESET))
    miss = missed(get(http_server.url()))
    assert miss.reason is Missing.UNKNOWN
    assert isinstance(miss.retry, Transient)
    assert "before an answer came" in miss.detail


def test_that_a_silent_server_is_timed_out(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(mode=Mode.HANG))
    miss = missed(get(http_server.url()), 0.2)
    assert miss.reason is Missing.TIMED_OUT
    assert isinstance(miss.retry, Transient)
    assert "0.2 s" in miss.detail


def test_that_a_dripping_server_is_timed_out_as_a_whole(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body=b"x" * 10_000, mode=Mode.SLOW, piece=1, pace=0.02))
    assert missed(get(http_server.url()), 0.3).reason is Missing.TIMED_OUT


def test_that_a_refused_connection_says_so(http_server: LoopbackServer) -> None:
    url = http_server.url()
    http_server.close()
    miss = missed(get(url))
    assert miss.reason is Missing.UNREACHABLE
    assert isinstance(miss.retry, Transient)
    assert "refuses connections" in miss.detail


def test_that_an_unknown_name_says_so() -> None:
    miss = missed(get("http://no-such-host.invalid/"))
    assert miss.reason is Missing.UNREACHABLE
    assert "no-such-host.invalid" in miss.detail
    assert "not known" in miss.detail


def test_that_tls_with_a_server_that_has_none_says_so() -> None:
    async def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    miss = _at_server(greet, None, "https")
    assert miss.reason is Missing.UNREACHABLE
    assert isinstance(miss.retry, NoRetry)
    assert "TLS" in miss.detail


def test_that_an_untrusted_certificate_says_so_and_gets_no_key(tmp_path: Path) -> None:
    heard: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(100))
        writer.close()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_self_signed(tmp_path))
    miss = _at_server(listen, context, "https")
    assert miss.reason is Missing.UNREACHABLE
    assert isinstance(miss.retry, NoRetry)
    assert "certificate" in miss.detail
    assert heard == []


@pytest.mark.parametrize("content", [None, "not a certificate"])
def test_that_a_bad_certificate_file_says_so(
    content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "certificates.pem"
    if content is not None:
        path.write_text(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(path))
    miss = missed(get("https://example.invalid/"))
    assert miss.reason is Missing.UNREACHABLE
    assert isinstance(miss.retry, NoRetry)
    assert "SSL_CERT_FILE" in miss.detail


def test_that_a_bad_certificate_file_does_not_matter_without_tls(
    http_server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "no-such-file.pem")
    http_server.route("/", Reply(body="ok"))
    assert replied(get(http_server.url())).body == b"ok"


def test_that_the_environment_s_proxy_is_used_and_its_refusal_said(
    http_server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", http_server.url())
    monkeypatch.setenv("HTTPS_PROXY", http_server.url())
    http_server.route("/*", Reply(body="through the proxy"))
    assert replied(get("http://provider.invalid/v1")).body == b"through the proxy"
    miss = missed(get("https://provider.invalid/v1", Authorization=SECRET))
    assert miss.reason is Missing.UNREACHABLE
    assert "proxy" in miss.detail
    assert not any(SECRET in str(request.headers) for request in http_server.requests)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_that_a_dead_proxy_is_named_and_not_the_provider(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"{scheme.upper()}_PROXY", f"http://auditor:{SECRET}@127.0.0.1:1")
    miss = missed(get(f"{scheme}://provider.invalid/v1"))
    assert miss.reason is Missing.UNREACHABLE
    assert miss.detail.startswith("The proxy 127.0.0.1:")
    assert SECRET not in miss.detail


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "[::1]", "127.8.8.8", "model.localhost"])
def test_that_loopback_is_reached_without_the_proxy(
    host: str, http_server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", http_server.url())
    http_server.route("/*", Reply(body="direct"))
    exchange(get(f"http://{host}:{http_server.port}/v1"), 5.0)
    assert all(request.path == "/v1" for request in http_server.requests)


def test_that_nonsense_proxy_settings_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "gopher://proxy:70")
    miss = missed(get("http://provider.invalid/"))
    assert "proxy settings" in miss.detail


@pytest.mark.parametrize("url", ["", "ftp://host/x", "http://", "http://[bad", "file:///etc/passwd", "host/v1"])
def test_that_an_address_that_is_none_says_so(url: str) -> None:
    miss = missed(get(url))
    assert miss.reason is Missing.UNREACHABLE
    assert isinstance(miss.retry, NoRetry)
    assert "no address" in miss.detail


@pytest.mark.parametrize("key", ["two\nlines", "schl\u0434üssel"])
def test_that_a_key_that_http_cannot_carry_says_so_without_showing_it(key: str, http_server: LoopbackServer) -> None:
    miss = missed(get(http_server.url(), Authorization=f"Bearer {key}"))
    assert miss.reason is Missing.UNREACHABLE
    assert isinstance(miss.retry, NoRetry)
    assert key not in miss.detail
    assert http_server.requests == []


def test_that_a_body_that_is_not_compressed_as_declared_is_unreadable(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body="plain", headers={"Content-Encoding": "gzip"}))
    assert missed(get(http_server.url())).reason is Missing.UNREADABLE


def test_that_each_call_in_flight_has_a_connection_that_the_next_one_takes_over(http_server: LoopbackServer) -> None:
    gate = http_server.gate()
    http_server.route("/", Reply(body="ok", gate=gate))
    wanted = 31

    async def main() -> tuple[int, int]:
        sender = Sender()
        try:
            tasks = [asyncio.create_task(sender.send(get(http_server.url()), 100.0)) for _ in range(wanted)]
            await asyncio.to_thread(http_server.wait_for_requests, wanted)
            gate.open()
            replies = await asyncio.gather(*tasks)
            replies += [await sender.send(get(http_server.url()), 100.0) for _ in range(3)]
            return sum(isinstance(reply, WireReply) for reply in replies), sender.lines
        finally:
            await sender.aclose()

    assert asyncio.run(main()) == (wanted + 3, wanted)


def test_that_a_cancelled_call_frees_its_place(http_server: LoopbackServer) -> None:
    http_server.route("/hang", Reply(mode=Mode.HANG))
    http_server.route("/", Reply(body="ok"))

    async def main() -> tuple[WireReply | Miss, int]:
        sender = Sender()
        try:
            doomed = [asyncio.create_task(sender.send(get(http_server.url("/hang")), 100.0)) for _ in range(10)]
            await asyncio.to_thread(http_server.wait_for_requests, 10)
            for task in doomed:
                task.cancel()
            await asyncio.gather(*doomed, return_exceptions=True)
            return await sender.send(get(http_server.url()), 100.0), sender.lines
        finally:
            await sender.aclose()

    reply, lines = asyncio.run(main())
    assert isinstance(reply, WireReply)
    assert lines == 10


def test_that_a_request_shows_no_header_values() -> None:
    assert SECRET not in repr(get("http://127.0.0.1/", Authorization=SECRET))


def test_that_no_log_shows_a_key(http_server: LoopbackServer, caplog: pytest.LogCaptureFixture) -> None:
    http_server.route("/", Reply(body="ok"))
    with caplog.at_level(logging.DEBUG):
        replied(get(http_server.url(), Authorization=f"Bearer {SECRET}"))
    assert "127.0.0.1" in caplog.text
    assert SECRET not in caplog.text


def _at_server(
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
    context: ssl.SSLContext | None,
    scheme: str,
) -> Miss:
    """What a call with a key meets at a server that treats its connections as *serve* does."""

    async def once() -> WireReply | Miss:
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
        port = server.sockets[0].getsockname()[1]
        sender = Sender()
        try:
            return await sender.send(get(f"{scheme}://127.0.0.1:{port}/", Authorization=SECRET), 100.0)
        finally:
            await sender.aclose()
            server.close()
            await server.wait_closed()
            # Before Python 3.12 that does not wait for connections, whose ends would be left to the collector.
            while getattr(server, "_active_count", 0):  # noqa: ASYNC110 — it has no event
                await asyncio.sleep(0.001)

    outcome = asyncio.run(once())
    assert isinstance(outcome, Miss), outcome
    return outcome


def _self_signed(folder: Path) -> Path:
    """A certificate for 127.0.0.1 that nobody vouches for, with its key, in one file."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName(
                [x509.IPAddress(ipaddress.ip_address("127.0.0.1")), x509.DNSName("provider.invalid")]
            ),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    path = folder / "server.pem"
    path.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path


@pytest.mark.parametrize("proxied", [False, True])
def test_that_large_messages_go_over_tls_and_a_closed_connection_is_made_anew(
    proxied: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = _self_signed(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    open_now: set[asyncio.Task[object]] = set()
    connections = tunnels = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        open_now.add(_here())
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                length = int(head.split(b"content-length: ")[1].split(b"\r\n")[0])
                said = b"%d" % len(await reader.readexactly(length)) + b" " * 2_000_000
                last = b"connection: close\r\n" if b"/last" in head else b""
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n%b\r\n%b" % (len(said), last, said))
                await writer.drain()
                if last:
                    break
        writer.close()

    async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal tunnels
        tunnels += 1
        open_now.add(_here())
        asked = await reader.readuntil(b"\r\n\r\n")
        assert asked.startswith(b"CONNECT provider.invalid:443 ")
        further, onward = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await asyncio.gather(_pass_on(reader, onward), _pass_on(further, writer))

    async def once() -> list[int]:
        nonlocal port
        server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)
        proxy = await asyncio.start_server(tunnel, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        host = f"127.0.0.1:{port}"
        if proxied:
            monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
            host = "provider.invalid"
        sender = Sender()
        lengths = []
        try:
            for path in ("/first", "/last", "/again"):
                request = WireRequest(method="POST", url=f"https://{host}{path}", headers={}, content=b"x" * 3_000_000)
                reply = await sender.send(request, 100.0)
                assert isinstance(reply, WireReply), reply
                lengths.append(int(reply.body))
        finally:
            await sender.aclose()
            await asyncio.gather(*open_now)
            for each in (proxy, server):
                each.close()
                await each.wait_closed()
        return lengths

    port = 0
    assert asyncio.run(once()) == [3_000_000] * 3
    assert connections == 2
    assert tunnels == (2 if proxied else 0)


def _here() -> "asyncio.Task[object]":
    task = asyncio.current_task()
    assert task is not None
    return task


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while piece := await reader.read(65_536):
            writer.write(piece)
            await writer.drain()
    writer.close()
