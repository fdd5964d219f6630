"""A small Wikipedia on loopback, strict about what it is asked: a parameter that its API has not is answered so."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tests.support.http_server import LoopbackServer, Reply, Request

PATH: Final = "/w/api.php"
_KNOWN: Final = frozenset(
    (
        *("action", "format", "formatversion", "maxlag", "continue", "titles", "redirects", "prop", "list", "meta"),
        *("srsearch", "srlimit", "srnamespace", "explaintext", "exsectionformat", "rvprop", "inprop", "siprop"),
        *("generator", "gsrsearch", "gsrlimit", "gsrnamespace", "exintro", "exchars", "exlimit"),
        *("plnamespace", "pllimit", "plcontinue", "lhnamespace", "lhlimit", "lhcontinue", "lllimit"),
    )
)
_RIGHTS: Final = {"rightsinfo": {"text": "CC BY-SA 4.0", "url": "https://licence.example"}}
_AT_ONCE: Final = 2
"""Links in one answer, so that a reader has to continue."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WikiPage:
    text: str
    links: Sequence[str] = ()
    elsewhere: Mapping[str, str] = field(default_factory=dict)


class WikipediaServer:
    """Serves *pages* by title; *moved* are redirects."""

    def __init__(
        self, server: LoopbackServer, pages: Mapping[str, WikiPage], moved: Mapping[str, str] | None = None
    ) -> None:
        self._pages, self._moved = pages, moved or {}
        server.route(PATH, self._answer)
        self.address = server.url(PATH)

    def _answer(self, request: Request) -> Reply:
        asked = {name: values[0] for name, values in request.query.items()}
        unknown = set(asked) - _KNOWN
        wrong = unknown or asked.get("action") != "query" or asked.get("formatversion") != "2" or "maxlag" not in asked
        if wrong:
            return _json({"error": {"code": "badvalue", "info": f"Unrecognised: {sorted(unknown) or asked}"}})
        if asked.get("list") == "search":
            found = [title for title, page in self._pages.items() if asked["srsearch"].lower() in page.text.lower()]
            return _json({"query": {"search": [{"title": title} for title in found[: int(asked["srlimit"])]]}})
        if asked.get("generator") == "search":
            return _json({"query": {**self._hits(asked), **_RIGHTS}})
        title = self._moved.get(asked["titles"], asked["titles"]) if asked.get("redirects") else asked["titles"]
        page = self._pages.get(title)
        if page is None:
            return _json({"query": {"pages": [{"title": title, "missing": True}]}})
        return _json(self._page(title, page, asked))

    def _hits(self, asked: Mapping[str, str]) -> dict[str, Any]:
        """Pages that hold the words, the last one first: by number, as the API has them, and not by place."""
        assert (asked["prop"], asked["exintro"], asked["explaintext"]) == ("extracts", "1", "1")
        titles = [title for title, page in self._pages.items() if asked["gsrsearch"].lower() in page.text.lower()]
        if not titles:
            return {}
        hits = [
            {"title": title, "index": place, "extract": self._pages[title].text[: int(asked["exchars"])]}
            for place, title in enumerate(titles[: int(asked["gsrlimit"])], start=1)
        ]
        return {"pages": hits[::-1]}

    def _page(self, title: str, page: WikiPage, asked: Mapping[str, str]) -> dict[str, Any]:
        made: dict[str, Any] = {"title": title}
        further: dict[str, str] = {}
        for prop in asked["prop"].split("|"):
            if prop == "extracts":
                assert asked["explaintext"] == "1"
                made["extract"] = page.text
            elif prop == "revisions":
                made["revisions"] = [{"revid": 1000 + list(self._pages).index(title)}]
            elif prop == "info":
                made["fullurl"] = f"https://wiki.example/{title}"
            elif prop in {"links", "linkshere"}:
                own = prop == "links"
                titles = (
                    list(page.links) if own else [name for name, each in self._pages.items() if title in each.links]
                )
                key = "plcontinue" if own else "lhcontinue"
                begin = int(asked.get(key, 0))
                made[prop] = [{"title": name} for name in titles[begin : begin + _AT_ONCE]]
                if begin + _AT_ONCE < len(titles):
                    further = {key: str(begin + _AT_ONCE), "continue": "||"}
            elif prop == "langlinks":
                made["langlinks"] = [{"lang": lang, "title": name} for lang, name in page.elsewhere.items()]
        return {"query": {"pages": [made], **_RIGHTS}, **({"continue": further} if further else {})}


def _json(data: object) -> Reply:
    return Reply(body=json.dumps(data), headers={"Content-Type": "application/json"})
