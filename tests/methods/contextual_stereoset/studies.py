"""Studies of planted models, as arrays and as tables of answers."""

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from gpf_desktop.domain.cells import seed_text
from gpf_desktop.methods.contextual_stereoset.choices import Choices, code_of
from gpf_desktop.methods.contextual_stereoset.decoding import decode
from gpf_desktop.methods.contextual_stereoset.grid import budgeted_places
from gpf_desktop.methods.contextual_stereoset.planted import answer
from gpf_desktop.methods.contextual_stereoset.prompts import orders_of

FACTORS: Final = ("location", "year", "style", "observer")
LEVELS: Final = (
    [f"place {number}" for number in range(12)],
    ["1990", "2000", "2010", "2020", "2030"],
    ["direct", "gossip", "formal"],
    ["similar", "dissimilar"],
)
BUDGETED: Final = [tuple(LEVELS[f][place] for f, place in enumerate(each)) for each in budgeted_places()]
OPTIONS: Final = {"S": "one thing", "A": "another", "U": "a third"}
HEADER: Final = ("model", "item", "type", *FACTORS, "stereotype", "anti_stereotype", "unrelated", "order", "response")
TYPES: Final = ("gender", "profession", "race", "religion")

Responses = Callable[[str, tuple[str, ...], str], str]
"""(item, context, order) → answer."""


def planted(model: str, seed: int) -> Responses:
    return lambda item, context, order: answer(
        model, item, item, dict(zip(FACTORS, context, strict=True)) if context else {}, order, seed
    )


def study(
    responses: Responses, *, items: int = 40, contexts: Sequence[tuple[str, ...]] = BUDGETED, model: str = "m"
) -> Choices:
    """Asked of items of four types, with the cell without context."""
    cells = (*contexts, ())
    codes = np.zeros((items, len(cells)), dtype=np.int8)
    places = np.zeros((items, len(cells), 3), dtype=np.int8)
    for row in range(items):
        for column, context in enumerate(cells):
            order = orders_of("SAU", 1, f"i{row}")(seed_text(*context))
            codes[row, column] = code_of(decode(responses(f"i{row}", context, order), order, OPTIONS).choice)
            places[row, column] = [order.index(label) for label in "SAU"]
    return Choices(
        model=model,
        items=tuple(f"i{row}" for row in range(items)),
        groups=tuple(TYPES[row % 4] for row in range(items)),
        factors=FACTORS,
        contexts=cells,
        codes=codes,
        places=places,
    )


def rows(responses: Responses, *, items: int, contexts: Iterable[tuple[str, ...]], model: str = "m") -> list[list[str]]:
    """The same study as rows of a table with `HEADER`."""
    found = []
    for row in range(items):
        for context in (*contexts, ()):
            order = orders_of("SAU", 1, f"i{row}")(seed_text(*context))
            levels = context or ("",) * len(FACTORS)
            keys = [model, f"i{row}", TYPES[row % 4], *levels, *OPTIONS.values(), order]
            found.append([*keys, responses(f"i{row}", context, order)])
    return found


def write(path: Path, table: Iterable[Sequence[str]], header: Sequence[str] = HEADER) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *table])
    return path
