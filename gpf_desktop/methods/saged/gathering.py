"""S of SAGED: sentences that hold a concept's keywords, from files and from Wikipedia."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gpf_desktop.domain.errors import SourceError, UserError
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.methods.saged.benchmark import Sentence
from gpf_desktop.methods.saged.keywords import Proposed, names, near_in_meaning, nearest
from gpf_desktop.methods.saged.sentences import SPLITTER, Keyword, Passed, with_keywords
from gpf_desktop.methods.saged.texts import SourceText, UnreadFile, read_place
from gpf_desktop.methods.saged.wikipedia import Fetch, Hit, NoPageError, Wikipedia

WIKIPEDIA = "wikipedia:"
"""Before a page's title, it is no path: ``wikipedia:France``; ``wikipedia:de:Frankreich`` in another language."""

NEAREST, MEANING, NAMES = "nearest", "meaning", "names"
"""Finders of keywords."""
_LIKELY = 5
_MOST_SAID = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceSearch:
    """The search for sentences: the concept with its keywords, and where to look."""

    domain: str
    concept: str
    keywords: tuple[Keyword, ...]
    language: str = "en"
    depth: int = 0
    """Links away from a page of Wikipedia."""
    most_pages: int = 20
    backlinks: bool = False
    also: tuple[str, ...] = ()
    """Languages of Wikipedia in which the same page is read too."""
    encoder: str = ""
    """By which `MEANING` goes."""


@dataclass(slots=True, kw_only=True)
class GatheredSentences:
    """Sentences, and what gave none."""

    sentences: list[Sentence] = field(default_factory=list)
    texts: int = 0
    unread: list[UnreadFile] = field(default_factory=list)
    again: int = 0
    """Sentences that stood in a text before; a second root of the same words would be no further evidence."""
    passed: Passed = field(default_factory=Passed)

    def said(self) -> list[str]:
        """Sentences for people on what was gathered."""
        words = [
            trn(
                "{n} sentence with a keyword, of {texts}.",
                "{n} sentences with a keyword, of {texts}.",
                len(self.sentences),
                texts=trn("{n} text", "{n} texts", self.texts),
            ),
            tr("Sentences were split by {splitter}.", splitter=SPLITTER),
        ]
        left = {
            tr("shorter than 6 words"): self.passed.too_short,
            tr("longer than 60 words"): self.passed.too_long,
            tr("not ending as sentences do"): self.passed.no_end,
            tr("without a keyword"): self.passed.no_keyword,
            tr("found before, word for word"): self.again,
        }
        words += [
            trn("{n} sentence was left out: {why}.", "{n} sentences were left out: {why}.", n, why=why)
            for why, n in left.items()
            if n
        ]
        return words + self.said_of_unread()

    def said_of_unread(self) -> list[str]:
        """Sentences for people on files and pages that were not read."""
        return [tr("{name} was not read: {why}.", name=each.name, why=each.why) for each in self.unread]


async def gather(
    places: Sequence[str], wanted: SentenceSearch, fetch: Fetch, told: Callable[[int], object] = lambda _: None
) -> GatheredSentences:
    """Sentences of *places*, paths and ``wikipedia:TITLE``; *told* is given how many are behind it as each begins.

    What cannot be read takes nothing away that was read by then. Where that is nothing, raises `SourceError` for a site
    that refused, else `UserError`.
    """
    if not wanted.keywords:
        raise UserError(tr("There is no keyword."), tr("Name the words by which the concept is found."))
    found = GatheredSentences()
    refused: SourceError | None = None
    known: set[str] = set()
    for number, place in enumerate(places):
        told(number)
        before = found.texts
        try:
            async for each in _texts(place, wanted, fetch):
                await asyncio.sleep(0)  # files wait for nothing: who cancels comes in here
                if isinstance(each, UnreadFile):
                    found.unread.append(each)
                else:
                    found.texts += 1
                    _add_sentences(each, wanted, found, known)
        except SourceError as error:
            refused = error
            found.unread.append(_unread(place, error, begun=found.texts > before))
    if not found.texts and found.unread:
        raise refused or UserError(" ".join(found.said_of_unread()[:_MOST_SAID]))
    return found


def _unread(place: str, error: SourceError, *, begun: bool) -> UnreadFile:
    name = tr("The rest of {place}", place=place) if begun else place
    return UnreadFile(name, f"{error.what} {error.remedy}".rstrip(". "))


async def hits(words: str, language: str, fetch: Fetch) -> list[Hit]:
    """Pages of Wikipedia about *words*, to choose from. Raises `UserError` and `SourceError`."""
    if not words.strip():
        raise UserError(tr("There is nothing to search for."), tr("Write a title, or words of it."))
    return await Wikipedia(fetch, language.strip() or "en").hits(words.strip())


async def proposed(
    finder: str, places: Sequence[str], wanted: SentenceSearch, fetch: Fetch
) -> tuple[list[Proposed], GatheredSentences]:
    """Keywords that the texts of *places* propose by *finder*, and what was read for them, without sentences.

    A site that refuses, or is too slow, takes nothing away that was read by then. Raises `UserError`, and `SourceError`
    where that is nothing.
    """
    texts: list[SourceText] = []
    links: list[str] = []
    found = GatheredSentences()
    refused: SourceError | None = None
    for place in places:
        before = len(texts)
        try:
            async for each in _texts(place, wanted, fetch):
                await asyncio.sleep(0)
                if isinstance(each, UnreadFile):
                    found.unread.append(each)
                    continue
                texts.append(each)
                if finder == NAMES and place.startswith(WIKIPEDIA):
                    site = Wikipedia(fetch, each.source_tag.partition(":")[2])
                    # Without what tells pages of one name apart: Mercury (planet) stands in texts as Mercury.
                    links += [title.partition(" (")[0] for title in await site.links(each.name)]
        except SourceError as error:
            refused = error
            found.unread.append(_unread(place, error, begun=len(texts) > before))
    if refused is not None and not texts:
        raise refused
    found.texts = len(texts)
    if finder == MEANING:
        given = [each.text for each in wanted.keywords if each.text != wanted.concept]
        return near_in_meaning(texts, wanted.concept, given, wanted.language, wanted.encoder), found
    if finder == NAMES:
        return names(texts, wanted.concept, links), found
    return nearest(texts, wanted.concept, wanted.language), found


def _add_sentences(text: SourceText, wanted: SentenceSearch, found: GatheredSentences, known: set[str]) -> None:
    language = text.source_tag.partition(":")[2] or wanted.language
    for each in with_keywords(text.text, wanted.keywords, language=language, passed=found.passed):
        words = " ".join(each.text.split())
        if words in known:
            found.again += 1
            continue
        known.add(words)
        found.sentences.append(
            Sentence(
                domain=wanted.domain,
                concept=wanted.concept,
                keyword=each.keyword,
                source_tag=text.source_tag,
                text=each.text,
                root=f"{wanted.concept}-{len(found.sentences) + 1}",
                page=text.name,
                revision=text.revision,
                licence=text.licence,
                place=f"{each.start}-{each.end}",
            )
        )


async def _texts(place: str, wanted: SentenceSearch, fetch: Fetch) -> AsyncIterator[SourceText | UnreadFile]:
    if not place.startswith(WIKIPEDIA):
        for each in read_place(Path(place)):
            yield each
        return
    first, mark, rest = place.removeprefix(WIKIPEDIA).partition(":")
    # A title may hold a colon itself: only up to three small letters in front of one are a language.
    known = bool(mark) and first.isalpha() and first.islower() and len(first) <= 3
    language, title = (first, rest) if known else (wanted.language, place.removeprefix(WIKIPEDIA))
    site = Wikipedia(fetch, language)
    try:
        async for page in site.walk(
            title.strip(), depth=wanted.depth, most=wanted.most_pages, backlinks=wanted.backlinks
        ):
            yield page
    except NoPageError as error:
        likely = ", ".join(await site.search(title.strip(), _LIKELY))
        raise NoPageError(
            error.what, tr("Pages about it: {titles}.", titles=likely) if likely else error.remedy
        ) from error
    elsewhere = await site.languages(title.strip()) if wanted.also else {}
    for other in wanted.also:
        if other in elsewhere:
            yield await Wikipedia(fetch, other).page(elsewhere[other])
        else:
            yield UnreadFile(f"{WIKIPEDIA}{other}", tr("“{title}” has no page in this language", title=title.strip()))


def wanted_of(given: Mapping[str, str]) -> SentenceSearch:
    """The search that the options of a command name. Raises `UserError`."""
    concept = given.get("concept", "").strip()
    if not concept:
        raise UserError(tr("No concept is named."), tr("Say which concept the texts are about."))
    words = [word.strip() for word in (given.get("keywords") or concept).split(",") if word.strip()]
    case, inflected = (given.get(name) == "yes" for name in ("any-case", "inflected"))
    return SentenceSearch(
        domain=given.get("domain", "").strip(),
        concept=concept,
        keywords=tuple(Keyword(text=word, any_case=case, inflected=inflected) for word in words),
        language=given.get("language") or "en",
        depth=_whole("depth", given.get("depth") or "0", 3),
        most_pages=_whole("pages", given.get("pages") or "20", 1000),
        backlinks=given.get("backlinks") == "yes",
        also=tuple(each.strip() for each in given.get("also", "").split(",") if each.strip()),
        encoder=given.get("encoder", "").strip(),
    )


def _whole(name: str, text: str, most: int) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) <= most):
        raise UserError(
            tr("--{name} is “{text}”.", name=name, text=text[:40]),
            tr("It may be: {allowed}.", allowed=tr("a whole number from 0 to {most}", most=most)),
        )
    return int(text)
