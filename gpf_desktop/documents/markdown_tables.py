"""Tables in Markdown, as chats and notes have them: cells between bars, a line of hyphens below the head."""

import re
from collections.abc import Iterator
from typing import Final

from gpf_desktop.documents.table_reading import ANYWHERE
from gpf_desktop.documents.tables import Columns, TableRow
from gpf_desktop.documents.wide_heads import rows_below

_RULE: Final = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*")
_BAR: Final = re.compile(r"(?<!\\)\|")
_BREAK: Final = re.compile(r"<br[ \t]*/?>", re.IGNORECASE)


def table_rows(text: str) -> Iterator[TableRow]:
    """The rows of the first table in *text*; nothing where it has none."""
    lines = text.splitlines()
    ruled = next((at for at in range(1, len(lines)) if "|" in lines[at - 1] and _RULE.fullmatch(lines[at])), 0)
    if not ruled:
        return iter(())
    return rows_below(_lines(lines, ruled), Columns(()), ANYWHERE)


def is_table(text: str) -> bool:
    return next(table_rows(text), None) is not None


def _lines(lines: list[str], ruled: int) -> Iterator[tuple[int, list[str]]]:
    head = _cells(lines[ruled - 1])
    yield ruled, head
    for at in range(ruled + 1, len(lines)):
        if "|" not in lines[at]:
            return
        cells = _cells(lines[at])
        yield at + 1, cells + [""] * (len(head) - len(cells))


def _cells(line: str) -> list[str]:
    bare = line.strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    return [_BREAK.sub("\n", cell.strip().replace("\\|", "|")) for cell in _BAR.split(bare)]
