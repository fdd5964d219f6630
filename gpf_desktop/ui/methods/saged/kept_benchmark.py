"""A benchmark in the making as an audit holds it, read from what may be anybody's."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gpf_desktop.ui.methods.saged.benchmark_rows import with_keywords
from gpf_desktop.ui.methods.saged.benchmark_versions import Version, versions_of
from gpf_desktop.ui.methods.saged.kept_tables import HeldRows
from gpf_desktop.ui.methods.saged.prompt_origins import noted_before
from gpf_desktop.ui.widgets.editable_table import EditableRows, TextRow

SAID: Final = {
    **dict.fromkeys(("concept", "domain"), ""),
    "language": "en",
    **dict.fromkeys(("any_case", "inflected", "places", "pasted", "news"), ""),
    **dict.fromkeys(("root", "from_root", "words_domain", "name", "gathered", "made", "made_of"), ""),
    **dict.fromkeys(("chosen", "tags", "also", "backlinks", "encoder", "found"), ""),
    "depth": "0",
    "pages": "20",
}
"""What forms say before anybody wrote in them; “yes” or nothing of what is ticked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptBenchmark:
    """The stored benchmark, which is shown again when its audit is opened."""

    tables: Mapping[str, HeldRows]
    """By part; one that was never filled is not there."""
    said: Mapping[str, str]
    """What forms said, by name."""
    versions: tuple[Version, ...]

    @classmethod
    def of(cls, parts: Mapping[str, Any], tables: Sequence[str]) -> "KeptBenchmark":
        """The benchmark in *parts* with its *tables*. Raises `ValueError`, `TypeError` or `LookupError` where it is
        none of ours.
        """
        return cls(
            tables={part: HeldRows.of(parts[part]) for part in tables if part in parts},
            said={name: str(each) for name, each in parts.get("form", {}).items()},
            versions=versions_of(parts.get("versions", []), tables),
        )

    def show_in(self, tables: Mapping[str, EditableRows], blank: Mapping[str, TextRow]) -> None:
        """Let *tables* hold what was kept of each; one that was never filled has the columns of *blank*."""
        for part, rows in tables.items():
            if part in self.tables:
                held = self.tables[part]
                note = held.note or (noted_before(self.said) if part == "prompts" else ())
                rows.hold(held.columns, held.rows, held.steps, held.index, note)
            else:
                rows.hold(blank.get(part, rows.columns), (), (), 0)
        if self.said.get("keywords") and "keywords" not in self.tables:  # a line of them came before the table
            words = [[word, "typed", "", ""] for word in self.said["keywords"].split(",")]
            rows = tables["keywords"]
            rows.hold(rows.columns, with_keywords((), self.said["concept"], words), (), 0)
