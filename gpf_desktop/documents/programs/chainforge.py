"""ChainForge's tables of responses."""

import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from gpf_desktop.documents.tables import TableRow

_MARKS: Final = frozenset({"prompt", "response", "batch id"})
_VARIABLE: Final = re.compile(r"(?:meta)?var: ", re.IGNORECASE)


def is_table(names: Collection[str]) -> bool:
    return set(names) >= _MARKS and ("method" in names or "llm" in names)


def table_rows(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """The same rows with the names that tables have elsewhere: its “Method” is the model."""
    for row in rows:
        yield TableRow(row.line, {_renamed(name): text for name, text in row.values.items()})


def _renamed(name: str) -> str:
    return "model" if name in {"method", "llm"} else _VARIABLE.sub("vars.", name)
