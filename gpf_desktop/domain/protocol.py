"""The common parts of several methods' protocols: how models are sampled, on what an encoder is fitted, files."""

from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Final

from annotated_types import Gt, Interval, Le

from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.text import tr

LATER: Final = MappingProxyType({"later": True})
"""Marks a field that earlier versions do not have: at its default it is no part of a protocol's hash, or of a seal."""


Temperature = Annotated[float, Interval(ge=0, le=2)]
TopP = Annotated[float, Gt(0), Le(1)]
MostTokens = Annotated[int, Interval(ge=1, le=1_000_000)]


class FitScope(StrEnum):
    """The answers on which the text encoder is fitted (method, "Scores of a bundle")."""

    MAIN = "main"
    """The main cells of repeat 0 of a (model, article): neither controls nor repeats can move a score."""
    ARTICLE = "article"
    """Every answer of a (model, article)."""
    BUNDLE = "bundle"
    RUN = "run"

    @property
    def words(self) -> str:
        """The scope in words, to stand after "weighed over"."""
        match self:
            case FitScope.MAIN:
                return tr("each article's main answers")
            case FitScope.ARTICLE:
                return tr("each article")
            case FitScope.BUNDLE:
                return tr("each set of answers")
            case FitScope.RUN:
                return tr("each round")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoding:
    """Sampling settings; None means "not sent", so the provider's own default holds."""

    temperature: Annotated[Temperature | None, Shown(label="Temperature", none="send", decimals=2)] = 0.2
    top_p: Annotated[TopP | None, Shown(label="Top-p", none="send", decimals=2, step=0.05)] = 1.0
    max_tokens: Annotated[
        MostTokens | None,
        Shown(
            label="Most tokens of an answer",
            none="send",
            help="Without its tick a setting is not sent, and the provider's default holds.",
        ),
    ] = 3000
    seed: Annotated[bool, Shown(label="Send a seed where the API takes one")] = True
    """Send a seed where the provider takes one."""
