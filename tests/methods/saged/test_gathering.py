"""Sentences from an auditor's files, and from a Wikipedia that a local server plays."""

import asyncio
import json
import zlib
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import docx
import pytest
from pypdf.filters import ZLIB_MAX_OUTPUT_LENGTH

from gpf_desktop.domain.errors import SourceError, UserError
from gpf_desktop.engine.collect.fetching import Caps, fetch
from gpf_desktop.methods.saged import texts
from gpf_desktop.methods.saged.benchmark import Sentence, read_sentences
from gpf_desktop.methods.saged.gathering import GatheredSentences, gather, proposed, wanted_of
from gpf_desktop.methods.saged.texts import SourceText, UnreadFile, html_text, read_place
from gpf_desktop.methods.saged.wikipedia import Wikipedia
from tests.methods.saged.test_benchmark import run
from tests.support.http_server import LoopbackServer, Reply
from tests.support.wikipedia_server import PATH, WikiPage, WikipediaServer

T = TypeVar("T")
SENTENCE = "The long coast of Velmora has drawn painters for many years on end."
PAGES = {
    "Velmora": WikiPage(
        text=f"{SENTENCE}\n\nHistory\nIn 1911 a railway reached the old harbour.",
        links=("Arden Bay", "Wool", "Unwritten", "Lighthouse"),
        elsewhere={"de": "Velmora (Land)", "fr": "Velmore"},
    ),
    "Arden Bay": WikiPage(text="The harbour of Arden Bay lies on the coast of Velmora.", links=("Velmora",)),
    "Wool": WikiPage(text="Wool is what sheep wear all winter.", links=("Arden Bay",)),
    "Lighthouse": WikiPage(text="A lighthouse shows ships where the land of Velmora begins at night."),
}


def waited(task: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(task)


async def get(address: str, caps: Caps | None = None) -> bytes:
    document = (await fetch(address, caps=caps)).document
    assert document is not None
    return document.body


@pytest.fixture
def wikipedia(http_server: LoopbackServer) -> Wikipedia:
    served = WikipediaServer(http_server, PAGES, moved={"Velmora (country)": "Velmora"})
    return Wikipedia(get, "en", served.address)


def test_that_a_page_comes_with_its_revision_licence_and_address(wikipedia: Wikipedia) -> None:
    page = waited(wikipedia.page("Velmora (country)"))
    assert page == SourceText(
        name="Velmora",
        text=PAGES["Velmora"].text,
        source_tag="wikipedia:en",
        address="https://wiki.example/Velmora",
        revision="1000",
        licence="CC BY-SA 4.0",
    )


def test_that_pages_are_found_by_words_links_and_languages(wikipedia: Wikipedia) -> None:
    assert waited(wikipedia.search("coast", 1)) == ["Velmora"]
    assert waited(wikipedia.links("Velmora")) == ["Arden Bay", "Wool", "Unwritten", "Lighthouse"]
    assert waited(wikipedia.links("Velmora", 3)) == ["Arden Bay", "Wool", "Unwritten"]
    assert waited(wikipedia.linking("Arden Bay")) == ["Velmora", "Wool"]
    assert waited(wikipedia.languages("Velmora")) == {"de": "Velmora (Land)", "fr": "Velmore"}


@pytest.mark.parametrize(
    ("how", "titles"),
    [
        ({}, ["Velmora"]),
        ({"depth": 1}, ["Velmora", "Arden Bay", "Wool", "Lighthouse"]),
        ({"depth": 1, "most": 2}, ["Velmora", "Arden Bay"]),
        ({"depth": 2, "backlinks": True}, ["Velmora", "Arden Bay", "Wool"]),
    ],
)
def test_that_links_are_followed_as_far_and_as_many_as_said(
    wikipedia: Wikipedia, how: dict[str, Any], titles: list[str]
) -> None:
    async def walk() -> list[str]:
        return [page.name async for page in wikipedia.walk("Velmora", **how)]

    assert waited(walk()) == titles


def test_that_a_page_under_two_titles_is_read_once_and_unwritten_ones_take_no_place(
    http_server: LoopbackServer,
) -> None:
    pages = {
        "Velmora": WikiPage(text=SENTENCE, links=("Bay", "Lost 1", "Lost 2", "Arden Bay", "Wool")),
        "Arden Bay": WikiPage(text=SENTENCE, links=("Velmora (country)",)),
        "Wool": WikiPage(text=SENTENCE),
    }
    served = WikipediaServer(http_server, pages, moved={"Velmora (country)": "Velmora", "Bay": "Arden Bay"})
    wikipedia = Wikipedia(get, "en", served.address)

    async def walk() -> list[str]:
        return [page.name async for page in wikipedia.walk("Velmora (country)", depth=2, most=3)]

    assert waited(walk()) == ["Velmora", "Arden Bay", "Wool"]


def test_that_what_the_api_says_no_to_is_told(wikipedia: Wikipedia, http_server: LoopbackServer) -> None:
    with pytest.raises(SourceError, match="has no page “Atlantis”"):
        waited(wikipedia.page("Atlantis"))
    with pytest.raises(SourceError, match="no language of Wikipedia"):
        waited(Wikipedia(get, "en/../x").page("Velmora"))
    http_server.route(PATH, Reply(body='{"error": {"code": "maxlag", "info": "Waiting for a server"}}'))
    with pytest.raises(SourceError, match="refused: Waiting for a server"):
        waited(wikipedia.page("Velmora"))
    http_server.route(PATH, Reply(body='{"query": []}'))
    with pytest.raises(SourceError, match="something unexpected"):
        waited(wikipedia.page("Velmora"))
    http_server.route(PATH, Reply(body="<html>"))
    with pytest.raises(SourceError, match="not JSON"):
        waited(wikipedia.page("Velmora"))


ODD_PAGES = {
    "rights as a list": ({"rightsinfo": []}, {}, {}),
    "links without a title": ({}, {"links": [{"ns": 0}, "Wool"]}, {}),
    "links that are none": ({}, {"links": None}, {}),
    "a continuation as a list": ({}, {"links": []}, {"continue": ["||"]}),
    "a continuation without end": ({}, {"links": []}, {"continue": {"plcontinue": "1"}}),
}


@pytest.mark.parametrize(("query", "page", "beside"), ODD_PAGES.values(), ids=ODD_PAGES)
def test_that_an_odd_answer_of_the_api_gives_the_page_and_no_links(
    wikipedia: Wikipedia,
    http_server: LoopbackServer,
    query: dict[str, Any],
    page: dict[str, Any],
    beside: dict[str, Any],
) -> None:
    told = {"query": {"pages": [{"title": "Velmora", "extract": SENTENCE, **page}], **query}, **beside}
    http_server.route(PATH, Reply(body=json.dumps(told)))

    async def walk() -> list[str]:
        return [page.text async for page in wikipedia.walk("Velmora", depth=1)]

    assert waited(walk()) == [SENTENCE]
    assert waited(wikipedia.languages("Velmora")) == {}


def test_that_a_page_without_a_text_has_none(wikipedia: Wikipedia, http_server: LoopbackServer) -> None:
    http_server.route(PATH, Reply(body='{"query": {"pages": [{"title": "Velmora", "extract": null}]}}'))
    assert waited(wikipedia.page("Velmora")).text == ""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "papers"
    (place / "more").mkdir(parents=True)
    (place / "a.txt").write_text(SENTENCE, encoding="utf-16")
    (place / "b.md").write_text(
        f"# Velmora\n\n- The [wool](x) of **Velmora** is sold at the harbour.\n\n```\n{SENTENCE}\n```\n"
    )
    (place / "c.html").write_text(f"<title>Velmora</title><script>{SENTENCE}</script><p>{SENTENCE}</p><p>Read on")
    document = docx.Document()
    document.add_paragraph(SENTENCE)
    document.add_paragraph("The winters of Velmora are said to be mild along the coast.")
    document.save(str(place / "more" / "d.docx"))
    (place / "e.docx").write_bytes(b"no zip")
    (place / "f.txt").write_text(" ")
    (place / ".hidden.txt").write_text(SENTENCE)
    (place / "g.png").write_bytes(b"\x89PNG")
    return place


def test_that_a_folder_of_files_gives_its_texts_and_says_what_was_not_read(folder: Path) -> None:
    found = list(read_place(folder))
    read = {each.name: each.text for each in found if isinstance(each, SourceText)}
    assert list(read) == ["a.txt", "b.md", "c.html", "more/d.docx"]
    assert SENTENCE not in read["b.md"]
    assert "The wool of Velmora is sold at the harbour." in read["b.md"]
    assert read["c.html"].split("\n\n") == ["Velmora", SENTENCE, "Read on"]
    assert [each.name for each in found if isinstance(each, UnreadFile)] == ["e.docx", "f.txt"]
    with pytest.raises(UserError, match="no file or folder"):
        list(read_place(folder / "none"))
    (folder / "empty").mkdir()
    with pytest.raises(UserError, match="holds no file that can be read"):
        list(read_place(folder / "empty"))


def test_that_tables_of_a_document_are_read_and_one_that_unpacks_to_too_much_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = docx.Document()
    document.add_paragraph("First.")
    table = document.add_table(1, 2)
    table.cell(0, 0).merge(table.cell(0, 1)).text = SENTENCE
    document.save(str(tmp_path / "t.docx"))
    (tmp_path / "n.txt").write_bytes(b"\0A\0 text.")
    read = {each.name: each for each in read_place(tmp_path)}
    assert read["t.docx"] == SourceText(
        name="t.docx", text=f"First.\n\n{SENTENCE}", source_tag=tmp_path.name, address=str(tmp_path / "t.docx")
    )
    assert isinstance(read["n.txt"], SourceText)
    assert read["n.txt"].text == "A  text."
    monkeypatch.setattr(texts, "LARGEST_UNPACKED", 1024)
    assert isinstance(big := next(read_place(tmp_path / "t.docx")), UnreadFile)
    assert "would unpack to more than" in big.why


def test_that_of_a_pdf_that_unpacks_to_too_much_the_cause_is_said(tmp_path: Path) -> None:
    packed = zlib.compress(bytes(ZLIB_MAX_OUTPUT_LENGTH + 2**24), 1)
    parts = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << >> >> >>",
        b"<< /Length %d /Filter /FlateDecode >> stream\n%s\nendstream" % (len(packed), packed),
    ]
    body, places = b"%PDF-1.4\n", b""
    for number, part in enumerate(parts, start=1):
        places += b"%010d 00000 n \n" % len(body)
        body += b"%d 0 obj\n%s\nendobj\n" % (number, part)
    table = b"xref\n0 5\n0000000000 65535 f \n%strailer << /Size 5 /Root 1 0 R >>\n" % places
    (tmp_path / "bomb.pdf").write_bytes(b"%s%sstartxref\n%d\n%%%%EOF" % (body, table, len(body)))
    assert list(read_place(tmp_path)) == [UnreadFile("bomb.pdf", "a part of it would unpack to more than is read")]


def test_that_a_pdf_is_read(tmp_path: Path) -> None:
    import typst

    source = tmp_path / "p.typ"
    source.write_text(SENTENCE)
    typst.compile(str(source), output=str(tmp_path / "p.pdf"))
    (page,) = read_place(tmp_path / "p.pdf")
    assert isinstance(page, SourceText)
    assert " ".join(page.text.split()) == SENTENCE


def test_that_markup_that_never_ends_is_read_in_time() -> None:
    assert html_text("<script>" + "<p " * 20_000) == ""
    assert html_text("<p>a</p>" * 3) == "a\n\na\n\na"


def gathered(places: list[str], fetched: Any = get, **given: str) -> GatheredSentences:
    return waited(gather(places, wanted_of({"concept": "Velmora", **given}), fetched))


def test_that_sentences_keep_where_they_are_from(folder: Path, http_server: LoopbackServer) -> None:
    server = WikipediaServer(http_server, PAGES)

    async def by_server(address: str) -> bytes:
        assert address.startswith("https://en.wikipedia.org/w/api.php?")
        return await get(server.address + "?" + address.partition("?")[2])

    found = gathered([str(folder), "wikipedia:Velmora"], by_server, domain="countries", depth="1")
    assert found.texts == 8
    assert [each.page for each in found.sentences if each.text == SENTENCE] == ["a.txt"]
    assert found.again == 3
    assert "3 sentences were left out: found before, word for word." in found.said()
    last = found.sentences[-1]
    assert last == Sentence(
        domain="countries",
        concept="Velmora",
        keyword="Velmora",
        source_tag="wikipedia:en",
        text=PAGES["Lighthouse"].text,
        root=last.root,
        page="Lighthouse",
        revision="1003",
        licence="CC BY-SA 4.0",
        place=f"0-{len(PAGES['Lighthouse'].text)}",
    )
    assert len({each.root for each in found.sentences}) == len(found.sentences)
    assert any("e.docx was not read: damaged" in words for words in found.said())


def test_that_a_site_that_refuses_takes_nothing_away_that_was_read(folder: Path, http_server: LoopbackServer) -> None:
    server = WikipediaServer(http_server, PAGES)
    http_server.route("/busy", Reply(status=429, headers={"Retry-After": "60"}))

    async def busy_at_wool(address: str) -> bytes:
        asked = address.partition("?")[2]
        return await get(http_server.url("/busy") if "titles=Wool" in asked else f"{server.address}?{asked}")

    begun: list[int] = []
    wanted = wanted_of({"concept": "Velmora", "depth": "1"})
    places = ["wikipedia:Velmora", str(folder), "wikipedia:Wool"]
    found = waited(gather(places, wanted, busy_at_wool, begun.append))
    assert begun == [0, 1, 2]
    assert {"Velmora", "Arden Bay", "b.md", "more/d.docx"} == {each.page for each in found.sentences}
    names = [each.name for each in found.unread]
    assert (names[0], names[-1]) == ("The rest of wikipedia:Velmora", "wikipedia:Wool")
    assert any("wikipedia:Wool was not read: " in words and "429" in words for words in found.said())
    with pytest.raises(SourceError, match="429"):
        gathered(["wikipedia:Wool"], busy_at_wool)


def test_that_a_page_that_does_not_finish_answering_takes_nothing_away_that_was_read(
    http_server: LoopbackServer,
) -> None:
    server = WikipediaServer(http_server, PAGES)
    http_server.route("/never", Reply(gate=http_server.gate()))

    async def slow_at_wool(address: str) -> bytes:
        asked = address.partition("?")[2]
        if "titles=Wool" not in asked:
            return await get(f"{server.address}?{asked}")
        # Behind a gate that is never opened: however short it is, it is waited to its end.
        return await get(http_server.url("/never"), Caps(seconds=0.05))

    too_slow = "127.0.0.1 did not finish answering within 0 seconds. Try again later"
    wanted = wanted_of({"concept": "Velmora", "depth": "1"})
    places = ["wikipedia:Velmora", "wikipedia:Lighthouse"]
    found = waited(gather(places, wanted, slow_at_wool))
    assert {each.page for each in found.sentences} == {"Velmora", "Arden Bay", "Lighthouse"}
    assert found.unread == [UnreadFile("The rest of wikipedia:Velmora", too_slow)]
    words, read = waited(proposed("nearest", places, wanted, slow_at_wool))
    assert words
    assert (read.texts, read.unread) == (3, found.unread)
    for refused in (gather, lambda *given: proposed("nearest", *given)):
        with pytest.raises(SourceError, match="did not finish answering"):
            waited(refused(["wikipedia:Wool"], wanted, slow_at_wool))


def test_that_other_languages_are_read_too_and_likely_titles_are_named(http_server: LoopbackServer) -> None:
    server = WikipediaServer(
        http_server, {**PAGES, "Velmore": WikiPage(text="La côte du sud de Velmora a attiré des peintres.")}
    )

    async def by_server(address: str) -> bytes:
        return await get(server.address + "?" + address.partition("?")[2])

    found = gathered(["wikipedia:Velmora"], by_server, also="fr,sw")
    assert [(each.source_tag, each.page) for each in found.sentences] == [
        ("wikipedia:en", "Velmora"),
        ("wikipedia:fr", "Velmore"),
    ]
    assert [each.name for each in found.unread] == ["wikipedia:sw"]
    with pytest.raises(SourceError, match="no page “Lighthouses”"):
        gathered(["wikipedia:Lighthouses"], by_server)
    with pytest.raises(SourceError, match="Pages about it: Velmora, Arden Bay"):
        gathered(["wikipedia:harbour"], by_server)


def test_that_the_command_goes_from_a_folder_to_a_benchmark(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "s.csv"
    assert run("sentences", folder, "--concept", "Velmora", "--keywords", "Velmora,harbour", "-o", out) == 0
    assert {each.page for each in read_sentences(out)} == {"a.txt", "b.md", "more/d.docx"}
    (tmp_path / "r.yaml").write_text("Velmora: {Chad: {Velmora: Chad}}")
    made = tmp_path / "b.csv"
    assert run("benchmark", out, "--branch", tmp_path / "r.yaml", "-o", made) == 0
    assert "The long coast of Chad has drawn painters for many" in made.read_text()
    assert run("sentences", folder, "--concept", "Nowhere", "-o", out) == 2, "the file of before stays"
    none = tmp_path / "none.csv"
    assert run("sentences", folder, "--concept", "Nowhere", "-o", none) == 1
    assert run("sentences", folder, "--concept", "Nowhere", "--depth", "9", "-o", none) == 2
    assert run("sentences", folder, "--concept", "Nowhere", "--contact", "a\r\nKey: b", "-o", none) == 2
