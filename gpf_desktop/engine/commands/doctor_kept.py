"""Checks of an audit's kept tables, and of the marks on its answers, against both made anew in a copy."""

import io
import json
import math
import zlib
from collections.abc import Mapping
from typing import Any, Final
from zipfile import BadZipFile

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.storage import kept_findings, run_tables
from gpf_desktop.storage.cell_counts import counts_of
from gpf_desktop.storage.score_comparison import TOLERANCE
from gpf_desktop.storage.writer import Connection

Kept = Mapping[tuple[int, str], bytes]
"""By run and content."""
_SHOWN: Final = 5


def forget_kept(connection: Connection) -> None:
    """Have all that is kept made anew."""
    connection.execute("DELETE FROM run_table")


def made_anew(opened: OpenAudit) -> Kept:
    """The tables kept once all of them were asked for."""
    opened.results.keep_tables()
    opened.results.keep_answers()
    for method in opened.results.methods():
        tables = opened.results.tables(ResultsFilter(method=method))
        _ = tables.cells, tables.decided, tables.said
    # Behind what the tables had written.
    return opened.context.audit.write(_every).result()


def in_force(connection: Connection) -> Kept:
    """The kept tables that would be read: those with the rows' present stamps, and findings, which say what they are
    of."""
    every = connection.execute("SELECT DISTINCT content FROM run_table").fetchall()
    return {
        (run_id, content): data
        for (content,) in every
        if not content.startswith(kept_findings.CONTENT)
        for run_id, data in run_tables.kept(connection, content, run_tables.stamps(connection, content)).items()
    } | {key: data for key, data in _every(connection).items() if key[1].startswith(kept_findings.CONTENT)}


def kept_apart(stored: Kept, anew: Kept) -> str:
    """A sentence that names the kept tables that say something else than *anew*; empty if none does."""
    apart = [
        content
        for (run_id, content), data in stored.items()
        if (other := anew.get((run_id, content))) is not None and not _alike(content, data, other)
    ]
    if not apart:
        return ""
    shown = ", ".join(dict.fromkeys(apart))
    return tr("what is kept to be read at once is not what the answers and scores give: {names}", names=shown)


def flags_apart(stored: Connection, anew: Connection) -> str:
    """A sentence on the answers that are marked otherwise than their words are; empty if none is."""
    mine, others = _flags(stored), _flags(anew)
    cells = sorted({cell for cell, *_ in mine ^ others})
    if not cells:
        return ""
    shown = ", ".join(map(str, cells[:_SHOWN])) + (" …" if len(cells) > _SHOWN else "")
    return trn(
        "{n:,} answer is marked otherwise than its words give: {cells}",
        "{n:,} answers are marked otherwise than their words give: {cells}",
        len(cells),
        cells=shown,
    )


def _flags(connection: Connection) -> set[tuple[int, str, str]]:
    return set(connection.execute("SELECT cell_id, name, detail FROM flag"))


def _every(connection: Connection) -> dict[tuple[int, str], bytes]:
    rows = connection.execute("SELECT run_id, content, data FROM run_table")
    return {(run_id, content): data for run_id, content, data in rows}


def _alike(content: str, one: bytes, other: bytes) -> bool:
    if one == other:
        return True
    if content.startswith(kept_findings.CONTENT):
        same_basis = kept_findings.split(one)[0] == kept_findings.split(other)[0]
        # Of another day's rows they are passed over, and made anew.
        return not same_basis or _same(_json(one), _json(other))
    if content in (run_tables.CELLS, run_tables.DECIDED, run_tables.SAID):
        mine, theirs = counts_of(one), counts_of(other)
        # What cannot be read, or is by other rules, is passed over and counted again.
        return mine is None or theirs is None or mine[0] != theirs[0] or mine[1] == theirs[1]
    return _same(_arrays(one), _arrays(other))


def _json(data: bytes) -> Any:
    try:
        return json.loads(zlib.decompress(kept_findings.split(data)[1]))
    except (ValueError, RecursionError, zlib.error):
        return None


def _arrays(data: bytes) -> dict[str, list[Any]] | None:
    import numpy as np

    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            return {name: value.tolist() for name, value in file.items()}
    except (OSError, ValueError, KeyError, EOFError, IndexError, RuntimeError, BadZipFile, zlib.error):
        return None


def _same(one: Any, other: Any) -> bool:
    """But for the last digits of numbers."""
    if isinstance(one, float) and isinstance(other, float):
        both_lack = math.isnan(one) and math.isnan(other)
        return both_lack or math.isclose(one, other, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)
