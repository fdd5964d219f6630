"""Gathers sentences for a method's benchmark, and writes it as a protocol: ``gpf-desktop sentences``, ``benchmark``."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from gpf_desktop.domain.errors import SourceError, UserError
from gpf_desktop.domain.tables import BenchmarkMaker, MadeBenchmark
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.fetching import fetch
from gpf_desktop.engine.core.protocols import write_protocol
from gpf_desktop.engine.scoring.method_tables import write_table
from gpf_desktop.storage.faults import translated


def gather_into(maker: BenchmarkMaker, places: Sequence[str], given: Mapping[str, str], target: Path) -> MadeBenchmark:
    """Sentences of *places*, written whole to *target*. Raises `UserError`, `SourceError` and `StorageError`."""
    made = asyncio.run(maker.gather(places, given, body_at))
    write_table(made.table, target)
    return made


def write_study(made: MadeBenchmark, method: str, target: Path) -> None:
    """The protocol of *made*, for rounds. Raises `UserError` where it is none, `StorageError` for the disk."""
    if made.protocol is None:
        raise UserError(" ".join(made.said), tr("Write it as CSV, mend it there, and make the protocol of that."))
    text = write_protocol(made.protocol, method)
    with translated(target):
        target.write_text(text, encoding="utf-8")


async def body_at(address: str) -> bytes:
    """What stands at *address*, fetched as sources are: with the same caps and manners. Raises `SourceError`."""
    document = (await fetch(address, typed=False)).document
    if document is None:
        raise SourceError(tr("{address} has nothing to read any more.", address=address))
    return document.body
