"""Maps of columns as they were chosen before, for tables of the same columns."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Final

from PySide6.QtCore import QSettings

from gpf_desktop.documents.table_reading import TableReading

_KEY: Final = "import/maps"
_MOST: Final = 40
"""Shapes of tables that are remembered, the latest of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RememberedMap:
    """The choices for one shape of table."""

    method: str
    columns: Mapping[str, str]
    """By what is asked for, the table's column."""
    sheet: str = ""
    head: int = 0
    shape: Sequence[str] = field(default_factory=tuple)
    """The columns that the table was read with."""


class RememberedMaps:
    """In the user's settings: names of columns and of methods, nothing of what stands in the tables."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    def of(self, columns: Sequence[str]) -> RememberedMap | None:
        """The choices for a table of these *columns*, in whatever order; None where there were none."""
        shape = sorted(columns)
        return next((each for each in self._read() if sorted(each.shape) == shape), None)

    def keep(self, columns: Sequence[str], method: str, chosen: Mapping[str, str], start: TableReading) -> None:
        """Remember what was *chosen*, in place of what stood there for the same columns."""
        shape = sorted(columns)
        made = RememberedMap(method=method, columns=dict(chosen), sheet=start.sheet, head=start.head, shape=shape)
        others = [each for each in self._read() if sorted(each.shape) != shape]
        kept = [asdict(each) for each in (made, *others)[:_MOST]]
        self._settings.setValue(_KEY, json.dumps(kept, ensure_ascii=False))

    def _read(self) -> list[RememberedMap]:
        """Nothing where the settings hold something else than `keep` writes."""
        try:
            return [RememberedMap(**each) for each in json.loads(str(self._settings.value(_KEY, "[]")))]
        except (ValueError, TypeError):
            return []
