"""Pages of Wikipedia, in any language, through its public API; fetching is the caller's.

search   titles by words              hits    the same with extract and licence, to choose from
page     the text of one, with revision and licence
links    titles that a page links     linking titles that link to a page
languages  the same page elsewhere    walk    a page and what it links, breadth first
"""

import json
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from gpf_desktop.documents.programs.flat_records import mapping
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.saged.texts import SourceText

Fetch = Callable[[str], Awaitable[bytes]]
"""The body at an address. Raises `SourceError`."""
_LANGUAGE_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz-")


_LISTED: Final = 500
"""Links that one answer of the API lists at most."""
_PARTS: Final = 20
"""Answers at most that one list is put together of: a server may say without end that there is more."""
EXTRACT: Final = 200
"""Characters of a page that are shown where one chooses."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that a search found."""

    title: str
    extract: str
    language: str
    licence: str


class NoPageError(SourceError):
    """There is no page of this title."""


@dataclass(frozen=True, slots=True)
class Wikipedia:
    """The Wikipedia of one language. Every method raises `SourceError`."""

    fetch: Fetch
    language: str = "en"
    address: str = ""
    """Of the API; empty: the language's own."""

    async def search(self, words: str, most: int = 10) -> list[str]:
        """Titles of pages about *words*, the likeliest first."""
        found = await self._ask(list="search", srsearch=words, srlimit=most, srnamespace=0)
        return [str(each["title"]) for each in _titled(found.get("query", {}).get("search"))]

    async def hits(self, words: str, most: int = 10) -> list[Hit]:
        """Pages about *words* to choose from, the likeliest first."""
        found = await self._ask(
            generator="search",
            gsrsearch=words,
            gsrlimit=most,
            gsrnamespace=0,
            prop="extracts",
            exintro=1,
            explaintext=1,
            exchars=EXTRACT,
            exlimit="max",
            meta="siteinfo",
            siprop="rightsinfo",
        )
        query = found.get("query", {})
        rights = mapping(query.get("rightsinfo"))
        # Pages come by their number; *index* is the place among the hits.
        pages = sorted(_titled(query.get("pages")), key=_place)
        return [
            Hit(
                title=str(each["title"]),
                extract=" ".join(str(each.get("extract") or "").split()),
                language=self.language,
                licence=str(rights.get("text") or rights.get("url") or ""),
            )
            for each in pages
        ]

    async def page(self, title: str) -> SourceText:
        """The text of a page, headings left out; redirects are followed."""
        found = await self._ask(
            titles=title,
            redirects=1,
            prop="extracts|revisions|info",
            explaintext=1,
            exsectionformat="plain",
            rvprop="ids|timestamp",
            inprop="url",
            meta="siteinfo",
            siprop="rightsinfo",
        )
        query = found.get("query", {})
        page = _first(query.get("pages"))
        if page is None or page.get("missing") or page.get("invalid"):
            raise NoPageError(
                tr("{site} has no page “{title}”.", site=self._site, title=title),
                tr("Search for it, and copy its title."),
            )
        revision = _first(page.get("revisions")) or {}
        rights = mapping(query.get("rightsinfo"))
        return SourceText(
            name=str(page.get("title", title)),
            text=str(page.get("extract") or ""),
            source_tag=f"wikipedia:{self.language}",
            address=str(page.get("fullurl", "")),
            revision=str(revision.get("revid", "")),
            licence=str(rights.get("text") or rights.get("url") or ""),
        )

    async def links(self, title: str, most: int = 100) -> list[str]:
        """Titles of pages that a page links to."""
        return await self._listed(most, "links", titles=title, redirects=1, prop="links", plnamespace=0, pllimit="max")

    async def linking(self, title: str, most: int = 100) -> list[str]:
        """Titles of pages that link to a page."""
        asked = {"titles": title, "redirects": 1, "prop": "linkshere", "lhnamespace": 0, "lhlimit": "max"}
        return await self._listed(most, "linkshere", **asked)

    async def languages(self, title: str) -> Mapping[str, str]:
        """The page's title by other language."""
        found = await self._ask(titles=title, redirects=1, prop="langlinks", lllimit="max")
        page = _first(found.get("query", {}).get("pages")) or {}
        return {str(each["lang"]): str(each["title"]) for each in _titled(page.get("langlinks")) if each.get("lang")}

    async def walk(
        self, title: str, *, depth: int = 0, most: int = 20, backlinks: bool = False
    ) -> AsyncIterator[SourceText]:
        """The page, those it links to (or, *backlinks*, that link to it) up to *depth* links away; *most* in all."""
        waiting, seen = deque([(title, 0)]), {title}
        given: set[str] = set()
        while waiting and len(given) < most:
            name, far = waiting.popleft()
            try:
                page = await self.page(name)
            except NoPageError:
                if not far:
                    raise
                continue  # a link to a page that is not written yet
            if page.name in given:
                continue  # under another title, which is moved to it
            given.add(page.name)
            seen.add(page.name)
            yield page
            if far < depth:
                # More than are wanted: some are not written yet, or lead to one and the same page.
                nexts = await (self.linking if backlinks else self.links)(page.name, max(most, _LISTED))
                waiting.extend((each, far + 1) for each in nexts if each not in seen)
                seen.update(nexts)

    @property
    def _site(self) -> str:
        return f"{self.language}.wikipedia.org"

    async def _listed(self, most: int, key: str, **asked: object) -> list[str]:
        titles: list[str] = []
        further: Mapping[str, object] = {}
        for _ in range(_PARTS):
            found = await self._ask(**{**asked, **further})
            page = _first(found.get("query", {}).get("pages")) or {}
            titles += [str(each["title"]) for each in _titled(page.get(key))]
            # What MediaWiki wants said in the request for the next part, as it came.
            further = mapping(found.get("continue"))
            if not further or len(titles) >= most:
                break
        return titles[:most]

    async def _ask(self, **asked: object) -> dict[str, Any]:
        # It becomes part of a host's name: nothing that could lead elsewhere may stand in it.
        if not self.language or set(self.language) - _LANGUAGE_LETTERS:
            raise SourceError(
                tr("“{language}” is no language of Wikipedia.", language=self.language), tr("Write en, de, sw …")
            )
        # With maxlag, servers that are more than five seconds behind refuse, as is asked of programs that can wait.
        parameters = {"action": "query", "format": "json", "formatversion": 2, "maxlag": 5, **asked}
        address = self.address or f"https://{self._site}/w/api.php"
        try:
            body = await self.fetch(f"{address}?{urlencode(parameters)}")
        except SourceError as error:
            # What feeds are told of the next time that they are fetched is not so here.
            raise SourceError(error.what, tr("Try again later.")) from error
        try:
            found = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise SourceError(
                tr("{site} answered with something that is not JSON.", site=self._site), tr("Try again later.")
            ) from error
        if not isinstance(found, dict) or not isinstance(found.get("query", {}), dict):
            raise SourceError(tr("{site} answered with something unexpected.", site=self._site), tr("Try again later."))
        if "error" in found:
            told = found["error"] if isinstance(found["error"], dict) else {}
            raise SourceError(
                tr("{site} refused: {why}", site=self._site, why=str(told.get("info", ""))[:300]),
                tr("Try again later."),
            )
        return found


def _titled(listed: Any) -> list[dict[str, Any]]:
    """The pages of a list; what has no title is none."""
    return [each for each in listed if mapping(each).get("title")] if isinstance(listed, list) else []


def _place(hit: Mapping[str, Any]) -> int:
    place = hit.get("index")
    return place if isinstance(place, int) else 0


def _first(listed: Any) -> dict[str, Any] | None:
    return listed[0] if isinstance(listed, list) and listed and isinstance(listed[0], dict) else None
