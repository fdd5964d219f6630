"""The dated list of prices: what ships, what the auditor loads, and what nobody knows."""

import subprocess
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Endpoint, Price
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.models import price_list
from gpf_desktop.engine.models.price_list import is_stale, load, own_file, price_of
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import scene, server_model, small_protocol
from tests.support.warm_program import run_program

TODAY = date(2026, 11, 22)
NEWER = """
version: 1
as_of: 2027-02-01
source: a colleague's list
vendors:
  - provider: openai
    models: {gpt-4o: {in: 9, out: 99}, "gpt-4o-*": {in: 8, out: 88}}
"""


@pytest.fixture(autouse=True)
def nothing_loaded() -> Iterator[None]:
    yield
    own_file().unlink(missing_ok=True)


def write(folder: Path, text: str) -> Path:
    path = folder / "list.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_that_what_ships_names_its_source_and_day_and_only_providers_that_exist() -> None:
    shipped = price_list.price_list()
    assert shipped.source
    assert shipped.as_of <= TODAY
    assert shipped.prices >= 40
    assert {vendor.provider for vendor in shipped.vendors} <= set(catalogue.providers())
    assert all(price.completion >= price.prompt for vendor in shipped.vendors for price in vendor.models.values())


def test_that_a_listed_model_has_a_price_at_its_vendors_address_alone() -> None:
    own = Endpoint(provider="openai", model="gpt-4o")
    price = price_of(own, TODAY)
    assert price is not None
    assert (price.prompt, price.completion) == (2.5, 10.0)
    assert price.source
    related = Endpoint(provider="openai", model="gpt-4o", base_url="https://gateway.example/v1")
    assert price_of(related, TODAY) is None
    mistral = Endpoint(provider="openai-compatible", model="ministral-8b-2512", base_url="https://api.mistral.ai/v1")
    assert price_of(mistral, TODAY) is not None
    assert price_of(Endpoint(provider="openai", model="gpt-unheard-of"), TODAY) is None


def test_that_the_auditors_own_price_is_used_before_the_lists() -> None:
    own = Price(prompt=1.0, completion=2.0, entered=TODAY)
    assert price_of(Endpoint(provider="openai", model="gpt-4o", price=own), TODAY) is own


def test_that_a_price_of_limited_time_ends() -> None:
    promoted = Endpoint(provider="gemini", model="gemini-3.8-flash")
    assert price_of(promoted, date(2026, 12, 31)) is not None
    assert price_of(promoted, date(2027, 1, 1)) is None


def test_that_ollama_on_this_computer_is_free_and_a_gateway_on_it_is_not_known_to_be() -> None:
    here = price_of(Endpoint(provider="ollama", model="llama"), TODAY)
    assert here is not None
    assert here.free
    assert price_of(Endpoint(provider="ollama", model="llama", base_url="https://ollama.example"), TODAY) is None
    assert price_of(Endpoint(provider="openai-compatible", model="m", base_url="http://127.0.0.1:4000/v1")) is None


def test_that_a_price_older_than_90_days_is_stale() -> None:
    price = Price(prompt=1.0, completion=2.0, entered=TODAY)
    assert not is_stale(price, TODAY + timedelta(days=90))
    assert is_stale(price, TODAY + timedelta(days=91))


def test_that_a_newer_list_is_used_once_it_is_loaded_and_an_older_one_is_refused(tmp_path: Path) -> None:
    before = price_list.price_list()
    assert load(write(tmp_path, NEWER)).prices == 2
    price = price_of(Endpoint(provider="openai", model="gpt-4o"), TODAY)
    assert price is not None
    assert (price.prompt, price.entered, price.source) == (9.0, date(2027, 2, 1), "a colleague's list")
    dated = price_of(Endpoint(provider="openai", model="gpt-4o-2030-01-01"), TODAY)
    assert dated is not None
    assert dated.prompt == 8.0
    with pytest.raises(UserError, match="2020-01-01"):
        load(write(tmp_path, NEWER.replace("2027-02-01", "2020-01-01")))
    own_file().write_text("no list at all", encoding="utf-8")
    assert price_list.price_list() == before


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("in: -9", "greater than or equal to 0"),
        ("in: .inf", "less than or equal to 1000000000"),
        ("price: 9", "vendors.0.models.gpt-4o"),
        ("in: [9", "not valid YAML"),
    ],
)
def test_that_a_wrong_list_is_refused_with_the_place_and_changes_nothing(tmp_path: Path, wrong: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        load(write(tmp_path, NEWER.replace("in: 9", wrong, 1)))
    assert not own_file().exists()


@pytest.mark.slow
def test_that_the_command_prints_the_list_and_takes_a_newer_one(tmp_path: Path) -> None:
    def prices(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return run_program("prices", *arguments)

    assert "gpt-4o at api.openai.com: $2.5 in, $10 out" in prices().stdout
    taken = prices(str(write(tmp_path, NEWER)))
    assert (taken.returncode, "2 prices as of 2027-02-01" in taken.stdout) == (0, True)
    refused = prices(str(write(tmp_path, "version: 1")))
    assert refused.returncode == 2
    assert "is no price list" in refused.stderr


@pytest.mark.slow
def test_that_a_round_whose_price_nobody_knows_is_never_called_cheap(tmp_path: Path) -> None:
    with OpenAIServer() as server, scene(tmp_path) as stage:
        run_id = stage.plan([server_model(server.base_url)], protocol=small_protocol())
        stage.open_audit.rounds.start(run_id).result()
        assert stage.open_audit.rounds.run(run_id).unpriced
        progress = stage.open_audit.rounds.progress(run_id)
        assert progress.unpriced
        assert progress.spent == 0.0


def test_that_a_listed_price_is_frozen_with_the_round(tmp_path: Path) -> None:
    with scene(tmp_path) as stage:
        run_id = stage.plan([Endpoint(provider="openai", model="gpt-4o")], protocol=small_protocol())
        assert not stage.open_audit.rounds.run(run_id).unpriced
        load(write(tmp_path, NEWER))
        (stored,) = stage.read("SELECT endpoint FROM run_model WHERE run_id = ?", run_id)
        assert '"prompt": 2.5' in str(stored)
