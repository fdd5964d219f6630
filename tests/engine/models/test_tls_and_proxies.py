"""Certificates and proxies: who is trusted, who gets the key, and who is said to be at fault."""

import asyncio
import datetime
import ipaddress
import socket
import ssl
import struct
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.retries import NoRetry, Transient
from gpf_desktop.domain.wire import WireReply, WireRequest
from gpf_desktop.engine.collect.fetching import fetch
from gpf_desktop.engine.models.network_failures import failed
from gpf_desktop.engine.models.sending import Sender
from tests.engine.models.sends import SECRET, exchange, get, missed, replied
from tests.support.http_server import LoopbackServer, Reply


def test_that_tls_with_a_server_that_has_none_says_so() -> None:
    async def greet(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        await writer.drain()
        writer.close()

    miss = _at_server(greet, None, "https")
    assert miss.reason is Missing.UNREACHABLE
    assert isinstance(miss.retry, NoRetry)
    assert "TLS" in miss.detail


@pytest.mark.parametrize("abruptly", [False, True])
def test_that_a_server_which_hangs_up_while_tls_is_agreed_on_is_asked_again(abruptly: bool) -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        if abruptly:
            linger = struct.pack("ii", 1, 0)
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        writer.close()

    miss = _at_server(hang_up, None, "https")
    assert (miss.reason, miss.retry) == (Missing.UNREACHABLE, Transient())


def test_that_tls_which_breaks_after_the_request_went_out_is_an_unknown_outcome() -> None:
    error = httpx.ReadError("broken")
    cause = ssl.SSLError(1, "decryption failed")
    cause.reason = "DECRYPTION_FAILED_OR_BAD_RECORD_MAC"
    error.__cause__ = cause
    assert failed(error, "provider.invalid", answering=False).reason is Missing.UNKNOWN


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
def test_that_a_proxy_that_wants_a_password_is_named_and_not_the_site(
    scheme: str, http_server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{scheme.upper()}_PROXY", http_server.url())
    http_server.route("*", Reply(status=407, headers={"Proxy-Authenticate": "Basic"}))
    miss = missed(get(f"{scheme}://provider.invalid/v1"))
    assert miss.reason is Missing.UNREACHABLE
    with pytest.raises(SourceError) as refused:
        asyncio.run(fetch(f"{scheme}://site.example/feed.xml"))
    for said in (miss.detail, f"{refused.value.what} {refused.value.remedy}"):
        assert said.startswith("The proxy takes no call without the right name and password")
        assert "name:password@" in said


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
