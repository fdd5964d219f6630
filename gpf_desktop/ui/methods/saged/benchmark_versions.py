"""Versions of a benchmark in the making: what a study took, to be gone back to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.widgets.editable_table import EditableRows, TextRow

MOST_VERSIONS: Final = 20
_OF_A_VERSION: Final = ("root", "from_root", "chosen", "tags", "words_domain", "name", "made_of")
_WHEN: Final = "%Y-%m-%d %H:%M"
"""As it is kept, in UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """All tables as they were when a study took their prompts."""

    name: str
    number: int
    at: datetime
    """When."""
    said: Mapping[str, str]
    tables: Mapping[str, tuple[TextRow, tuple[TextRow, ...]]]
    """By part, columns and rows."""

    @classmethod
    def of(cls, name: str, said: Mapping[str, str], tables: Mapping[str, EditableRows]) -> "Version":
        """A version of what *tables* hold now, without its number."""
        return cls(
            name=name,
            number=1,
            at=datetime.now(UTC),
            said={each: said[each] for each in _OF_A_VERSION},
            tables={part: (rows.columns, rows.rows) for part, rows in tables.items()},
        )

    @property
    def title(self) -> str:
        return tr("{name} · version {n}", name=self.name, n=self.number)

    @property
    def prompts(self) -> int:
        return len(self.tables["prompts"][1])

    def data(self) -> object:
        """As `versions_of` reads it."""
        return {
            "name": self.name,
            "number": self.number,
            "at": self.at.strftime(_WHEN),
            "said": dict(self.said),
            "tables": dict(self.tables),
        }


def versions_of(data: Any, parts: Sequence[str]) -> tuple[Version, ...]:
    """The versions in *data*. Raises `ValueError`, `TypeError` and `LookupError` where it is none of ours."""
    return tuple(
        Version(
            name=str(each["name"]),
            number=int(each["number"]),
            at=datetime.strptime(each["at"], _WHEN).replace(tzinfo=UTC),
            said={name: str(each["said"].get(name, "")) for name in _OF_A_VERSION},
            tables={part: _table(*each["tables"][part]) for part in parts if part in each["tables"]},
        )
        for each in data
    )


def _table(columns: Any, rows: Any) -> tuple[TextRow, tuple[TextRow, ...]]:
    names = tuple(map(str, columns))
    held = tuple(tuple(map(str, row)) for row in rows)
    if not names or any(len(row) != len(names) for row in held):
        raise ValueError("rows are not as long as their header")
    return names, held
