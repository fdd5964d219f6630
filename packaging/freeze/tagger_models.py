"""The Hanover Tagger's models with each of their equal parts once: of its Dutch one, nine tenths are repetitions."""

import gzip
import pickle
from pathlib import Path
from typing import Any


def shared(model: tuple[Any, ...]) -> tuple[Any, ...]:
    """*model* with one object for entries that are equal, which pickle writes once. Taggers only read them."""
    known: dict[bytes, Any] = {}
    return tuple(
        {key: known.setdefault(pickle.dumps(each), each) for key, each in part.items()}
        if isinstance(part, dict)
        else part
        for part in model
    )


def write_again(file: Path) -> None:
    """Put *file*, a model as the tagger's package holds it, there anew. Reading it runs code: only of that package."""
    with gzip.open(file) as packed:
        model = pickle.load(packed)  # noqa: S301
    file.write_bytes(gzip.compress(pickle.dumps(shared(model), protocol=5), 9, mtime=0))
