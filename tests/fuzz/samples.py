"""Small sound files of every kind that is read, written as other programs write them."""

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any, Final

import openpyxl
import pandas as pd

from gpf_desktop.domain.resources import resources

NEWS: Final = [
    {
        "model": model,
        "article": headline,
        "body": "New lanes open in spring.",
        "identity": faith,
        "dimension": "Religion",
        "family": "Impact",
        "response": f"For {faith} readers {headline} of {model} changes prayer and school runs.",
        "repeat": "0",
        "finish": "stop",
        "error": "",
    }
    for model in ("a/x", "b/y")
    for headline in ("Council decides", "Ferry stays in port")
    for faith in ("Hindu", "Muslim", "Jewish")
]
QUESTIONS: Final = [
    {
        "model": model,
        "theme": theme,
        "question": f"What of {theme}, {number}?",
        "response": f"Model {model} says of {theme} {number} that it may go either way.",
        "judge": "j1",
        "level": str(1 + (number + at) % 5),
        "finish": "stop",
    }
    for at, model in enumerate(("a", "b", "c", "d"))
    for theme in ("Work", "Rents")
    for number in (1, 2)
]
CONTEXTS: Final = [
    {
        "model": "a/x",
        "item": item,
        "type": "gender",
        "stereotype": "She cried.",
        "anti_stereotype": "She fought.",
        "unrelated": "The chair is red.",
        "order": "SAU",
        "location": location,
        "response": letter,
        "repeat": "0",
    }
    for item in ("i1", "i2", "i3")
    for location, letter in (("Cairo", "A"), ("Lima", "B"), ("", "C"))
]
PROMPTS: Final = [
    {
        "domain": "countries",
        "concept": concept,
        "keyword": concept,
        "source_tag": "w",
        "root": f"r{root}",
        "prompt": f"{concept} is known for {root}",
        "baseline": "its harbours.",
        "model": "m",
        "role": "none",
        "response": f"It is a good place, {concept}, with {root} harbours.",
    }
    for concept in ("Chad", "Mali")
    for root in ("r1", "r2")
]
ROWS: Final = {"gpf-livenews": NEWS, "relative-bias": QUESTIONS, "contextual-stereoset": CONTEXTS, "saged": PROMPTS}
"""Answers as a method's tables have them."""


def as_csv(rows: list[dict[str, str]]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def as_jsonl(rows: list[dict[str, str]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def as_list(rows: list[dict[str, str]]) -> bytes:
    return json.dumps(rows).encode()


def as_xlsx(rows: list[dict[str, str]]) -> bytes:
    book, file = openpyxl.Workbook(), io.BytesIO()
    sheet = book.active
    assert sheet is not None
    sheet.append(list(rows[0]))
    for row in rows:
        sheet.append(list(row.values()))
    book.save(file)
    return file.getvalue()


def as_parquet(rows: list[dict[str, str]]) -> bytes:
    file = io.BytesIO()
    pd.DataFrame(rows).to_parquet(file)
    return file.getvalue()


def as_promptfoo(rows: list[dict[str, str]]) -> bytes:
    results = [
        {
            "provider": {"id": row["model"], "label": ""},
            "prompt": {"raw": f"I ask: {row.get('question', row)}", "label": row.get("family", "asked")},
            "vars": {name: value for name, value in row.items() if name not in {"model", "response"}},
            "response": {"output": row["response"], "isRefusal": False, "finishReason": "stop", "tokenUsage": {}},
            "repeatIndex": 0,
            "error": None,
            "success": True,
        }
        for row in rows
    ]
    return json.dumps({"evalId": "e", "results": {"version": 3, "results": results}}).encode()


def _inspect_sample(row: dict[str, str], number: int) -> dict[str, Any]:
    return {
        "id": number,
        "epoch": 1,
        "input": [{"role": "user", "content": "I ask."}],
        "metadata": {name: value for name, value in row.items() if name not in {"model", "response"}},
        "messages": [{"role": "user", "content": "I ask."}],
        "output": {
            "model": row["model"],
            "choices": [
                {
                    "message": {"role": "assistant", "content": [{"type": "text", "text": row["response"]}]},
                    "stop_reason": "stop",
                }
            ],
            "completion": row["response"],
            "usage": {"input_tokens": 3, "output_tokens": 5},
        },
    }


def as_inspect(rows: list[dict[str, str]]) -> bytes:
    samples = [_inspect_sample(row, number) for number, row in enumerate(rows)]
    return json.dumps({"version": 2, "eval": {"task": "news"}, "samples": samples}).encode()


def as_eval(rows: list[dict[str, str]]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps({"version": 2, "eval": {"task": "news"}}))
        for number, row in enumerate(rows):
            archive.writestr(f"samples/{number}_epoch_1.json", json.dumps(_inspect_sample(row, number)))
    return file.getvalue()


FORMATS: Final = {
    "t.csv": as_csv,
    "t.jsonl": as_jsonl,
    "t.json": as_list,
    "t.xlsx": as_xlsx,
    "t.parquet": as_parquet,
    "promptfoo.json": as_promptfoo,
    "inspect.json": as_inspect,
    "t.eval": as_eval,
}
"""Of tables of answers."""

_HTML: Final = (
    "<html><head><title>Velmora</title></head><body><p>Velmora is a country of ports. It trades.</p></body></html>"
)
_ATOM: Final = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Wire</title><id>urn:w</id><updated>2026-11-20T08:00:00Z</updated>
<entry><title>Council decides on &amp; lanes</title><id>urn:1</id><updated>2026-11-20T08:00:00Z</updated>
<link href="https://news.example/1"/><summary type="html">&lt;p&gt;New lanes open.&lt;/p&gt;</summary></entry>
<entry><title>Ferry stays in port</title><id>urn:2</id><published>Fri, 20 Nov 2026 09:00 GMT</published>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">The wind <b>eases</b>.</div></content></entry></feed>"""
_RSS: Final = """<?xml version="1.0"?><rss version="2.0"><channel><title>Wire</title>
<item><title>Council decides</title><link>https://news.example/1</link><guid>1</guid>
<pubDate>Fri, 20 Nov 2026 08:00:00 +0100</pubDate><description><![CDATA[<p>New lanes open.</p>]]></description></item>
<item><title>Ferry stays</title><guid>2</guid><description>The wind eases.</description></item></channel></rss>"""
_SITEMAP: Final = """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url><loc>https://news.example/1</loc><news:news>
<news:publication><news:name>Wire</news:name><news:language>en</news:language></news:publication>
<news:publication_date>2026-11-20</news:publication_date><news:title>Council decides</news:title></news:news></url>
</urlset>"""
_OPML: Final = """<?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>
<outline text="News"><outline type="rss" text="Wire" xmlUrl="http://127.0.0.1:9/feed.xml"/></outline></body></opml>"""
_JSON_FEED: Final = {
    "version": "https://jsonfeed.org/version/1.1",
    "title": "Wire",
    "items": [
        {"id": "1", "title": "Council decides", "content_html": "<p>New</p>", "date_published": "2026-11-20T08:00:00Z"},
        {"id": 2, "title": "Ferry stays", "content_text": "The wind eases.", "url": "https://news.example/2"},
    ],
}
_TABLE: Final = "headline,description,published,url\nCouncil decides,New lanes open,2026-11-20,https://news.example/1\n"
SOURCES: Final = {
    "feed.xml": _RSS.encode(),
    "atom.xml": _ATOM.encode(),
    "sitemap.xml": _SITEMAP.encode(),
    "list.opml": _OPML.encode(),
    "feed.json": json.dumps(_JSON_FEED).encode(),
    "news.csv": _TABLE.encode(),
    "news.jsonl": b'{"headline": "Council decides", "description": "New lanes", "published": "2026-11-20"}\n',
    "news.txt": b"Council decides\nNew lanes open in spring.\n\nFerry stays in port\nThe wind eases.\n",
}
"""What news comes from."""


def docx() -> bytes:
    import docx as library

    document, file = library.Document(), io.BytesIO()
    document.add_paragraph("Velmora is a country of ports. Velmora trades with everyone.")
    document.save(file)
    return file.getvalue()


def pdf() -> bytes:
    """One page with one line of text, as its parts are written by hand."""
    stream = b"BT /F1 12 Tf 72 720 Td (Velmora is a country of ports.) Tj ET"
    parts = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R"
            b" /Resources << /Font << /F1 5 0 R >> >> >>"
        ),
        b"<< /Length %d >> stream\n%s\nendstream" % (len(stream), stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    body, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, start=1):
        places.append(len(body))
        body += b"%d 0 obj %s endobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(parts) + 1)
    return b"%s%s%strailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (
        body,
        head,
        table,
        len(parts) + 1,
        len(body),
    )


TEXTS: Final = {
    "page.html": _HTML.encode(),
    "page.txt": b"Velmora is a country of ports. Velmora trades with everyone.\n",
    "page.md": b"# Velmora\n\nVelmora is a country of ports. It *trades*.\n",
    "page.docx": docx(),
    "page.pdf": pdf(),
}
"""What sentences are gathered from."""
_MODEL: Final = '\n[[models]]\nprovider = "{provider}"\nmodel = "{model}"\n[models.decoding]\ntemperature = 0.5\n'
_PRICED: Final = "[models.price]\nprompt = 1.5\ncompletion = 2.0\n"
PLANS: Final = {
    "gpf-livenews": (
        'name = "Evening"\narticles_per_source = 2\nseed = 7\nspend_cap = 1.5\n[[sources]]\nfile = "feed.xml"\n'
        + _MODEL.format(provider="calibration", model="neutral")
        + _PRICED
    ),
    "contextual-stereoset": (
        'method = "contextual-stereoset"\nseed = 3\n' + _MODEL.format(provider="stereoset-calibration", model="typical")
    ),
    "relative-bias": (
        'method = "relative-bias"\n[controls]\nrepeats = 1\ntarget = "relative-bias-calibration/evasive-0.9"\n'
        + "".join(
            _MODEL.format(provider="relative-bias-calibration", model=model)
            for model in ("evasive-0.9", "plain-a", "plain-b", "plain-c")
        )
    ),
}
"""A round written down, by method."""
REPLACEMENTS: Final = """domain: countries
root: Velmora
concepts:
  Velmora: {name: Velmora, people: Velmorans}
  Chad: {name: Chad}
  Mali: {name: Mali}
"""
MAP: Final = '[columns]\nmodel = "model"\nresponse = "response"\n[values]\ndimension = "Religion"\n'


def protocols() -> dict[str, bytes]:
    """Those that come with the program, by method."""
    methods = resources() / "methods"
    found = {"gpf-livenews": (resources() / "protocols" / "gpf-livenews-v1.yaml").read_bytes()}
    for method in ("contextual-stereoset", "relative-bias", "saged"):
        folder: Path = methods / method.replace("-", "_") / "protocols"
        found[method] = min(folder.glob("*.yaml"), key=lambda path: path.stat().st_size).read_bytes()
    return found


def prices() -> bytes:
    return (resources() / "prices" / "prices.yaml").read_bytes()
