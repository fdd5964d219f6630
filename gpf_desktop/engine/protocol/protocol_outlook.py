"""Outlook on the cost of a protocol with the models of an audit, told while it is edited."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.runs import Spread
from gpf_desktop.engine.rounds.forecast import forecast
from gpf_desktop.storage import articles, models
from gpf_desktop.storage.writer import Connection

_LOOKED_AT = 3
"""Articles whose prompts are really written to measure them; their mean stands for the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """Cost of asking every model of the audit about a number of articles."""

    models: int
    calls: int
    cost: Spread | None
    """US dollars; None where no model has a price."""
    unpriced: tuple[str, ...]
    """Models whose price nobody knows."""
    synthetic: bool
    """Every model is a calibration model, which costs nothing."""
    assumed: bool
    """At least one model has not answered in this audit yet, so the length of its answers is assumed."""


def outlook(
    connection: Connection, method: Method, protocol: StudyProtocol, articles_in: int, example: Anchor
) -> Outlook:
    """The outlook by the prompts of the newest articles, or of *example* if there is none."""
    chosen = models.every(connection)
    seen = {model.id: models.answers_seen(connection, model.id) for model in chosen}
    found: Sequence[Anchor] = [each.anchor for each in articles.newest(connection, limit=_LOOKED_AT)] or [example]
    # Round and round where there are fewer: what counts is how long they are.
    looked_at = [found[n % len(found)] for n in range(min(_LOOKED_AT, articles_in))]
    items = [
        StudyItem(key=f"example {n}", title=anchor.headline, text=anchor.description)
        for n, anchor in enumerate(looked_at)
    ]
    told = forecast(method, items, chosen, protocol, method.controls_of(protocol), 1, seen)
    scale = articles_in / len(items)
    return Outlook(
        models=len(chosen),
        calls=round(told.calls.total * scale),
        cost=None if told.cost is None else Spread(low=told.cost.low * scale, high=told.cost.high * scale),
        unpriced=told.unpriced,
        synthetic=bool(chosen) and all(model.synthetic for model in chosen),
        assumed=told.assumed,
    )
