"""Whose certificates are trusted, at a server on loopback whose authority is the test's own."""

import asyncio
import json
import ssl
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import SourceError, UserError
from gpf_desktop.domain.responses import Miss
from gpf_desktop.domain.wire import WireReply
from gpf_desktop.engine.collect.fetching import fetch
from gpf_desktop.engine.core import trust
from gpf_desktop.engine.core.trust import trusted
from gpf_desktop.engine.models.sending import Sender
from gpf_desktop.engine.scoring.model_download import ModelDownload
from gpf_desktop.settings.preferences import HERE, Preferences
from tests.engine.models.sends import exchange, get, missed, replied
from tests.support.http_server import LoopbackServer, Reply
from tests.support.open_context import OpenBench
from tests.support.own_certificates import Authority, serving

SYSTEM = "system"
VARIABLE = "variable"


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path)


@pytest.fixture(params=[SYSTEM, VARIABLE])
def told(request: pytest.FixtureRequest, authority: Authority, monkeypatch: pytest.MonkeyPatch) -> Authority:
    """The authority is trusted: by the system's list, or by the file that the environment names."""
    if request.param == VARIABLE:
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    else:
        be_the_system_s(authority, monkeypatch)
    return authority


def be_the_system_s(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a computer with another distribution than the one that the program's OpenSSL was built on."""
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    nowhere = ssl.DefaultVerifyPaths(None, None, "SSL_CERT_FILE", "/nowhere", "SSL_CERT_DIR", "/nowhere")
    monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: nowhere)
    monkeypatch.setattr(trust, "_FILES", ("no-such-file.pem", str(authority.file)))
    monkeypatch.setattr(trust, "_made", trust._made.__wrapped__)


def test_that_what_openssl_finds_on_this_computer_is_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    of_the_system = ssl.create_default_context()
    assert sorted(map(str, trusted().get_ca_certs())) == sorted(map(str, of_the_system.get_ca_certs()))
    assert trusted().verify_mode is ssl.CERT_REQUIRED
    assert trusted().check_hostname
    assert trusted() is trusted()


def test_that_a_provider_whose_authority_is_trusted_is_asked(told: Authority) -> None:
    with serving(told.certificate(), b"an answer") as address:
        assert replied(get(f"{address}/v1")).body == b"an answer"


def test_that_news_of_a_site_whose_authority_is_trusted_is_fetched(told: Authority) -> None:
    with serving(told.certificate(), b"<rss/>") as address:
        fetched = asyncio.run(fetch(f"{address}/feed.xml"))
    assert fetched.document is not None
    assert fetched.document.body == b"<rss/>"


def test_that_a_model_is_found_at_a_hub_whose_authority_is_trusted(told: Authority, tmp_path: Path) -> None:
    pytest.importorskip("huggingface_hub")
    files = [{"rfilename": "model.onnx", "size": 7}, {"rfilename": "tokenizer.json", "size": 2}]
    told_of_it = json.dumps({"id": "a/b", "sha": "c0ffee", "siblings": files})
    with serving(told.certificate(), told_of_it.encode()) as address, OpenBench(tmp_path) as opened:
        assert ModelDownload(opened.context, address).offer("a/b").bytes == 9


@pytest.mark.parametrize(
    ("days", "host", "advice"),
    [
        ((-1, 1), "127.0.0.1", "SSL_CERT_FILE"),
        ((-9, -2), "127.0.0.1", "clock"),
        ((-1, 1), "127.0.0.2", "made out to another"),
    ],
)
def test_that_what_to_do_is_said_where_a_certificate_is_not_trusted(
    days: tuple[int, int], host: str, advice: str, authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if advice != "SSL_CERT_FILE":
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with serving(authority.certificate(days=days, host=host), b"never read") as address:
        miss = missed(get(f"{address}/v1"))
        with pytest.raises(SourceError) as of_feed:
            asyncio.run(fetch(f"{address}/feed.xml"))
        pytest.importorskip("huggingface_hub")
        with OpenBench(tmp_path) as opened, pytest.raises(UserError) as of_hub:
            ModelDownload(opened.context, address).offer("a/b")
    for words in (miss.detail, str(of_feed.value), str(of_hub.value)):
        assert "is not trusted" in words
        assert advice in words


def test_that_the_variable_wins_over_the_system(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    be_the_system_s(authority, monkeypatch)
    (tmp_path / "other").mkdir()
    monkeypatch.setenv("SSL_CERT_FILE", str(Authority(tmp_path / "other").file))
    with serving(authority.certificate(), b"never read") as address:
        assert "is not trusted" in missed(get(f"{address}/v1")).detail


@pytest.mark.parametrize(
    "ask", [lambda url: exchange(get(url)), lambda url: asyncio.run(fetch(url))], ids=["provider", "feed"]
)
def test_that_loopback_is_reached_without_a_proxy_by_all(
    ask: Callable[[str], object], http_server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    http_server.route("/*", Reply(body="direct"))
    assert not isinstance(ask(http_server.url("/feed.xml")), Miss)


@pytest.fixture
def preferences(monkeypatch: pytest.MonkeyPatch) -> Iterator[Preferences]:
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        monkeypatch.delenv(name, raising=False)
    yield HERE
    HERE.reset("network.proxy", "network.certificates")


def test_that_a_file_of_one_s_own_is_trusted_at_once(authority: Authority, preferences: Preferences) -> None:
    async def twice(address: str) -> list[WireReply | Miss]:
        sender = Sender()
        first = await sender.send(get(address))
        await asyncio.to_thread(preferences.set, "network.certificates", str(authority.file))
        second = await sender.send(get(address))
        await sender.aclose()
        return [first, second]

    with serving(authority.certificate(), b"an answer") as address:
        refused, answered = asyncio.run(twice(f"{address}/v1"))
        assert asyncio.run(fetch(f"{address}/feed.xml")).document is not None
    assert isinstance(refused, Miss)
    assert isinstance(answered, WireReply)


def test_that_certificates_that_are_gone_are_told_before_a_model_is_downloaded(
    authority: Authority, preferences: Preferences, tmp_path: Path
) -> None:
    pytest.importorskip("huggingface_hub")
    preferences.set("network.certificates", str(authority.file))
    authority.file.unlink()
    with OpenBench(tmp_path) as opened, pytest.raises(UserError, match="certificates"):
        ModelDownload(opened.context, "https://127.0.0.1:1").offer("a/b")


def test_that_the_proxy_of_the_preferences_wins_and_direct_means_none(
    http_server: LoopbackServer, preferences: Preferences, monkeypatch: pytest.MonkeyPatch
) -> None:
    http_server.route("/*", Reply(body="through the proxy"))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    preferences.set("network.proxy", http_server.url())
    assert replied(get("http://provider.invalid/v1")).body == b"through the proxy"
    assert asyncio.run(fetch("http://news.example/feed.xml")).document is not None
    preferences.set("network.proxy", "direct")
    assert "not known to the network" in missed(get("http://provider.invalid/v1")).detail
