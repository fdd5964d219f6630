"""The fields of a plan file, as TOML has them."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from gpf_desktop.domain.models import Role
from gpf_desktop.domain.money import MOST_DOLLARS
from gpf_desktop.domain.protocol import MostTokens, Temperature, TopP
from gpf_desktop.engine.collect.collecting import ITEM_LIMIT
from gpf_desktop.engine.core.protocols import FIRST_METHOD

Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Dollars = Annotated[float, Field(ge=0, le=MOST_DOLLARS)]
_MOST = 1_000
"""Sources, and models, of one plan."""
_LONGEST = 200
"""Characters of the words that articles hold."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SourceFields(_Strict):
    """``[[sources]]``: an address, or a file, as it would be added on Sources."""

    url: str = ""
    file: str = ""
    title: str = ""


class DecodingFields(_Strict):
    """``[models.decoding]``, in place of the protocol's."""

    temperature: Temperature | None = None
    top_p: TopP | None = None
    max_tokens: MostTokens | None = None
    seed: bool = True


class PriceFields(_Strict):
    """``[models.price]``: US dollars per million tokens."""

    prompt: Dollars
    completion: Dollars
    cached: Dollars | None = None
    batch_prompt: Dollars | None = None
    batch_completion: Dollars | None = None


class ModelFields(_Strict):
    """``[[models]]``. *timeout* and *patience* are seconds; *key* is refused: keys do not belong into files."""

    provider: str
    model: str
    role: Role = Role.TARGET
    base_url: str = ""
    key_env: str = ""
    account: str = ""
    key: None = None
    vendor: str = ""
    decoding: DecodingFields | None = None
    price: PriceFields | None = None
    in_flight: Annotated[int, Field(ge=1, le=10_000)] | None = None
    requests_per_minute: Positive | None = None
    tokens_per_minute: Positive | None = None
    timeout: Annotated[float, Field(gt=0, le=86_400)] = 120.0
    attempts: Annotated[int, Field(ge=1, le=20)] = 5
    patience: Positive = 600.0
    batch_jobs: bool = False
    options: dict[str, JsonValue] = {}


class PlanFields(_Strict):
    """All of a plan; *spend_cap* is US dollars, *leave_out* has the levels that are not asked by their factor."""

    name: str = ""
    articles_per_source: Annotated[int, Field(ge=1, le=ITEM_LIMIT)] = 1
    article_words: Annotated[str, Field(max_length=_LONGEST)] = ""
    method: str = FIRST_METHOD
    protocol: str = ""
    controls: Literal["none", "default"] | dict[str, JsonValue] = "default"
    batch: Literal["new", "last"] = "new"
    seed: Annotated[int, Field(ge=0, lt=2**31)] = 1
    spend_cap: Annotated[float, Field(gt=0, le=MOST_DOLLARS)] | None = None
    leave_out: dict[str, list[str]] = {}
    sources: Annotated[list[SourceFields], Field(max_length=_MOST)] = []
    models: Annotated[list[ModelFields], Field(min_length=1, max_length=_MOST)]
