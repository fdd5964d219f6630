"""Which addresses lie inside the user's own network."""

import asyncio

import pytest

from gpf_desktop.domain.errors import SourceError
from gpf_desktop.engine.collect.private_addresses import is_private, leads_inside


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "64:ff9b::7f00:1", "2002:7f00:1::", "not an address",
    ],
)  # fmt: skip
def test_that_addresses_of_ones_own_network_are_private(address: str) -> None:
    assert is_private(address)


@pytest.mark.parametrize(
    "address", ["8.8.8.8", "151.101.0.81", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_that_addresses_of_the_open_internet_are_not(address: str) -> None:
    assert not is_private(address)


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST.", "2130706433", "0x7f.1", "127.1", "::1"])
def test_that_every_notation_of_loopback_leads_inside(host: str) -> None:
    assert asyncio.run(leads_inside(host, 80))


def test_that_a_proxy_for_https_says_nothing_of_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert not asyncio.run(leads_inside("news.invalid", 443))
    with pytest.raises(SourceError, match=r"no server called news\.invalid"):
        asyncio.run(leads_inside("news.invalid", 80, secure=False))
