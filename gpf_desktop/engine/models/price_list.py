"""The dated list of prices: shipped as data, replaced by a newer file that the auditor loads, never by the program.

The auditor's own price of a model is used before the list's. A model that neither prices has no price: its cost is
unknown, which is not nothing.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from fnmatch import fnmatchcase
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import platformdirs
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gpf_desktop.documents.targets import of_the_disk
from gpf_desktop.documents.whole_files import whole_file
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Endpoint, Price, TargetModel
from gpf_desktop.domain.money import MOST_DOLLARS
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.capped_files import read_bytes, yaml_tree

STALE_AFTER: Final = timedelta(days=90)
"""Prices change about every quarter."""
_NO_KEY_MEANS_FREE: Final = frozenset({"ollama", "local-encoder"})
"""Providers whose own computer bills nothing; elsewhere a local address may be a gateway to one that does."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ListedPrice(_Strict):
    """US dollars per million tokens of one model."""

    prompt: float = Field(alias="in", ge=0, le=MOST_DOLLARS)
    completion: float = Field(alias="out", ge=0, le=MOST_DOLLARS)
    cached: float | None = Field(None, ge=0, le=MOST_DOLLARS)
    """Input that the vendor reads from its cache."""
    batch_in: float | None = Field(None, ge=0, le=MOST_DOLLARS)
    batch_out: float | None = Field(None, ge=0, le=MOST_DOLLARS)
    until: date | None = None
    """The first day on which this price is known to hold no longer."""


class Vendor(_Strict):
    """The prices of one vendor's own address."""

    provider: str
    host: str = ""
    """Empty: the provider's own."""
    models: dict[str, ListedPrice]
    """By the model's name, in which * and ? stand for any text; the first that fits is taken."""

    @cached_property
    def reached_at(self) -> str:
        provider = catalogue.providers().get(self.provider)
        return self.host or _host("" if provider is None else provider.default_base_url)


class PriceList(_Strict):
    """The contents of a price list file."""

    version: int = Field(ge=1, le=1)
    as_of: date
    source: str
    vendors: tuple[Vendor, ...]

    @property
    def prices(self) -> int:
        return sum(len(vendor.models) for vendor in self.vendors)

    def listed(self, endpoint: Endpoint, today: date) -> ListedPrice | None:
        """The price of *endpoint* at its vendor's own address; None if the list does not say."""
        provider = catalogue.providers().get(endpoint.provider)
        host = _host(endpoint.base_url or ("" if provider is None else provider.default_base_url))
        for vendor in self.vendors:
            if vendor.provider != endpoint.provider or not host or vendor.reached_at != host:
                continue
            for pattern, price in vendor.models.items():
                if fnmatchcase(endpoint.model, pattern):
                    # The first that fits decides: behind one that has run out, a wider pattern would be a guess.
                    return price if price.until is None or today < price.until else None
        return None


def own_file() -> Path:
    """The path of the price list that the auditor loaded."""
    return platformdirs.user_config_path("gpf-desktop", appauthor=False) / "prices.yaml"


def price_list() -> PriceList:
    """The list in force: the auditor's where it can be read and is not older, else the shipped one."""
    shipped = _read(resources() / "prices" / "prices.yaml", 0)
    path = own_file()
    try:
        # With the time of the change as a part of the cache's key, a file that was replaced is read again.
        own = _read(path, path.stat().st_mtime_ns)
    except (OSError, UserError):
        return shipped
    return own if own.as_of >= shipped.as_of else shipped


def load(path: Path) -> PriceList:
    """Use the list in the file at *path* from now on. Raises `UserError` for one that is wrong or older."""
    body = read_bytes(path)
    fresh, now = _parsed(body, path.name), price_list()
    if fresh.as_of < now.as_of:
        raise UserError(
            tr("{name} is of {day}, the list in use of {now}.", name=path.name, day=fresh.as_of, now=now.as_of),
            tr("An older list is not taken; enter single prices in a model's form."),
        )
    kept = own_file()
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(kept) as beside:
            beside.write_bytes(body)
    except OSError as error:
        raise of_the_disk(error, kept) from error
    return fresh


def price_of(endpoint: Endpoint, today: date | None = None) -> Price | None:
    """The auditor's own price of *endpoint*, else the list's, else None: not known."""
    if endpoint.price is not None:
        return endpoint.price
    today = today or _today()
    if endpoint.provider in _NO_KEY_MEANS_FREE and _is_here(endpoint):
        return Price(prompt=0.0, completion=0.0, entered=today, source=tr("this computer"))
    prices = price_list()
    found = prices.listed(endpoint, today)
    if found is None:
        return None
    return Price(
        prompt=found.prompt,
        completion=found.completion,
        cached=found.cached,
        batch_prompt=found.batch_in,
        batch_completion=found.batch_out,
        entered=prices.as_of,
        source=prices.source,
    )


def is_stale(price: Price, today: date | None = None) -> bool:
    """Older than 90 days, so that it may have changed."""
    return not price.free and (today or _today()) - price.entered > STALE_AFTER


def with_prices(models: Iterable[TargetModel]) -> tuple[TargetModel, ...]:
    """*models*, each with the price that it is asked at."""
    return tuple(
        model if model.synthetic else replace(model, endpoint=replace(model.endpoint, price=price_of(model.endpoint)))
        for model in models
    )


@lru_cache(maxsize=4)
def _read(path: Path, _changed: int) -> PriceList:
    return _parsed(read_bytes(path), path.name)


def _parsed(body: bytes, name: str) -> PriceList:
    remedy = tr("A price list has version, as_of, source and vendors, as the one that ships with the program has.")
    try:
        data, _ = yaml_tree(body.decode(), name)
        return PriceList.model_validate(data)
    except UnicodeDecodeError as error:
        raise UserError(tr("{name} is no text in UTF-8.", name=name), remedy) from error
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or name
        raise UserError(
            tr("{name} is no price list: {where}: {why}.", name=name, where=where, why=first["msg"]), remedy
        ) from error


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _is_here(endpoint: Endpoint) -> bool:
    return not endpoint.base_url or _host(endpoint.base_url) in {"localhost", "127.0.0.1", "::1"}


def _today() -> date:
    return datetime.now(UTC).astimezone().date()
