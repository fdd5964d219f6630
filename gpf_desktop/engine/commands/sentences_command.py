"""Gathers sentences for a method's benchmark, and writes it as a protocol: ``gpf-desktop sentences``, ``benchmark``."""

import asyncio
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from gpf_desktop.documents.whole_files import temporary_folder
from gpf_desktop.domain.errors import SourceError, UserError
from gpf_desktop.domain.events import TaskProgressed
from gpf_desktop.domain.ports.benchmark_maker import BenchmarkMaker
from gpf_desktop.domain.tables import MadeBenchmark
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.fetching import fetch
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import write_protocol
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.scoring.method_tables import write_table
from gpf_desktop.storage.files import written_whole

GATHER_TASK: Final = "gather"
_NAME: Final = 60
_CONTACT: Final = 120
_MARKUP: Final = re.compile(r"</(?:p|div|body|html|article|section|li|td|h[1-6])\s*>", re.IGNORECASE)


def gather_into(
    maker: BenchmarkMaker, places: Sequence[str], given: Mapping[str, str], target: Path, contact: str
) -> MadeBenchmark:
    """Sentences of *places*, written whole to *target*. Raises `UserError`, `SourceError` and `StorageError`."""
    made = asyncio.run(maker.gather(places, given, partial(body_at, contact=checked_contact(contact))))
    write_table(made.table, target)
    return made


def write_study(made: MadeBenchmark, method: str, target: Path) -> None:
    """The protocol of *made*, for rounds. Raises `UserError` where it is none, `StorageError` for the disk."""
    if made.protocol is None:
        raise UserError(" ".join(made.said), tr("Write it as CSV, mend it there, and make the protocol of that."))
    text = write_protocol(made.protocol, method)
    with written_whole(target) as beside:
        beside.write_text(text, encoding="utf-8")


def write_words(data: Mapping[str, Any], target: Path) -> None:
    """Replacements as plain data, as `BenchmarkMaker.words_in` reads them. Raises `StorageError`."""
    import yaml

    with written_whole(target) as beside:
        beside.write_text(yaml.safe_dump(dict(data), allow_unicode=True, sort_keys=False), encoding="utf-8")


@dataclass(frozen=True, slots=True, kw_only=True)
class GatherWish:
    """Arguments of a search for sentences: the places, and the options of `BenchmarkMaker.gathers`."""

    method: str
    places: tuple[str, ...]
    given: Mapping[str, str]
    pasted: str = ""
    """A text of its own, under the source tag “pasted”."""
    contact: str = ""
    """Whom a site may write to about these requests."""
    news: bool = False
    """The articles of the open audit too, under the source tag “news”."""
    finder: str = ""
    """One of `BenchmarkMaker.keyword_finders`: keywords are looked for and no sentences."""
    search: str = ""
    """Words: pages about them are looked for, and nothing else."""


class SentenceGathering:
    """Gathers on a thread beside whatever is open, place by place, told as the task `GATHER_TASK`; one at a time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._cancel: Callable[[], object] = lambda: None
        self._stopped = threading.Event()

    def start(self, wish: GatherWish) -> Future[MadeBenchmark]:
        """The future holds the sentences, or `UserError` and `SourceError`. Ended early by `cancel`."""
        # Here and not on the worker's thread, where it would undo a Stop that was pressed before the work began.
        self._stopped.clear()
        return self._engine.run_beside(partial(self._work, wish), self.cancel)

    def cancel(self) -> None:
        self._stopped.set()
        self._cancel()

    def _work(self, wish: GatherWish) -> MadeBenchmark:
        try:
            with temporary_folder() as folder:
                return asyncio.run(self._gather(wish, self._places(wish, folder)))
        except asyncio.CancelledError:
            raise UserError(tr("Stopped: no sentence was taken.")) from None

    async def _gather(self, wish: GatherWish, places: Sequence[str]) -> MadeBenchmark:
        task = asyncio.current_task()
        assert task is not None
        loop = asyncio.get_running_loop()
        # Cancelled from the window's thread, and a task may be touched on its own loop only.
        self._cancel = lambda: loop.call_soon_threadsafe(task.cancel)
        maker = catalogue.benchmark_maker(wish.method)
        get = partial(body_at, contact=checked_contact(wish.contact))
        try:
            # Stop may have been pressed before there was a task to cancel.
            if self._stopped.is_set():
                raise asyncio.CancelledError
            if wish.search:
                return await maker.find_pages(wish.search, wish.given, get)
            if wish.finder:
                return await maker.find_keywords(wish.finder, places, wish.given, get)
            return await maker.gather(places, wish.given, get, partial(self._tell, len(places)))
        finally:
            self._cancel = lambda: None

    def _tell(self, of: int, done: int) -> None:
        self._engine.announce(TaskProgressed(task=GATHER_TASK, done=done, of=of))

    def _places(self, wish: GatherWish, folder: Path) -> list[str]:
        """The places of *wish*, and files made in *folder* for pasted text and news, which are no files yet."""
        places = list(wish.places)
        if wish.pasted.strip():
            # What is copied as the source of a page would else be left out: tags stand where sentences end.
            pasted = folder / ("pasted.html" if _MARKUP.search(wish.pasted) else "pasted.txt")
            pasted.write_text(wish.pasted, encoding="utf-8", errors="replace")
            places.append(str(pasted))
        if wish.news:
            news = folder / "news"
            news.mkdir()
            for number, each in enumerate(self._engine.open_audit.sources.articles(), start=1):
                name = "".join(sign if sign.isalnum() else " " for sign in each.headline)[:_NAME].strip()
                text = f"{each.headline}\n\n{each.description}"
                (news / f"{number:05} {name}.txt").write_text(text, encoding="utf-8", errors="replace")
            places.append(str(news))
        if not places and not wish.search and not (wish.finder and wish.given.get("encoder")):
            raise UserError(tr("No text is chosen."), tr("Add a file, a folder, a page of Wikipedia, or paste a text."))
        return places


def checked_contact(contact: str) -> str:
    """*contact* as it may stand in a request's head. Raises `UserError`."""
    text = contact.strip()
    if len(text) > _CONTACT or not text.isascii() or not text.isprintable():
        raise UserError(tr("The contact can stand in no request."), tr("Give a mail address or the address of a page."))
    return text


async def body_at(address: str, contact: str = "") -> bytes:
    """The bytes at *address*, fetched as sources are, with the same caps and manners. Raises `SourceError`."""
    document = (await fetch(address, typed=False, contact=contact)).document
    if document is None:
        raise SourceError(tr("{address} has nothing to read any more.", address=address))
    return document.body
