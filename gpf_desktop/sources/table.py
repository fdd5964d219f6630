"""Tables of news items: CSV, XLSX, ODS, JSON and JSONL files."""

import csv
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from gpf_desktop.documents.encodings import text
from gpf_desktop.documents.harvesting import RawEntry, harvest
from gpf_desktop.documents.sniffing import ZIP, head, is_binary
from gpf_desktop.documents.tables import DELIMITERS
from gpf_desktop.documents.workbooks import workbook_rows
from gpf_desktop.domain.articles import Document, Dropped, Harvest
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.source import Source
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.sources._json_text import read_json, strings

_UNPACKED_LIMIT = 96 * 1024 * 1024
_PARTS_LIMIT = 2_000
_ROW_LIMIT = 200_000
_COLUMN_LIMIT = 60

_LONGEST_FIELD = 131_072
_HEADLINE = ("headline", "title", "news_title", "article_title", "name")
_DESCRIPTION = (
    "description",
    "summary",
    "abstract",
    "standfirst",
    "subtitle",
    "lead",
    "excerpt",
    "text",
    "content",
    "body",
)
_URL = ("url", "link", "address", "href", "web_url", "article_url", "source_url")
_PUBLISHED = (
    "published",
    "pubdate",
    "published_at",
    "publication_date",
    "publishedat",
    "date_published",
    "date",
    "time",
)
_ID = ("id", "guid", "uuid", "key")
_PUBLISHER = ("source", "publisher", "site", "outlet", "source_name")
_LISTS = ("items", "articles", "data", "results", "news", "entries", "stories", "rows", "posts")


class TableSource(Source):
    """Reads rows by the names of their columns: a headline is needed, the rest is optional."""

    name = "table"
    version = "1"
    title = Translated("Table (CSV, XLSX, ODS, JSON or JSONL)")

    def sniff(self, document: Document) -> float:
        if document.body.startswith(ZIP):
            # The names of a zip's parts stand in it unpacked, so that a workbook is known without being opened.
            return 0.9 if b"xl/" in document.body else 0.0
        start = head(document)
        if is_binary(document) or start.startswith(b"<"):
            return 0.0
        if start.startswith((b"{", b"[{")) or (start.startswith(b"[") and start[1:].lstrip().startswith((b"{", b"]"))):
            return 0.8
        if document.address.lower().endswith((".csv", ".tsv")) or document.content_type.startswith("text/csv"):
            return 0.9
        header = _columns(start.split(b"\n", 1)[0].decode("utf-8", "replace").strip())
        return 0.7 if len(header) > 1 and set(header) & set(_HEADLINE) else 0.0

    def parse(self, document: Document, options: NoOptions, *, limit: int) -> Harvest:  # noqa: ARG002 - the port's
        dropped: list[Dropped] = []
        records: Iterable[Any]
        if document.body.startswith(ZIP):
            records = _by_header(_first_sheet(document.body))
        elif head(document).startswith((b"{", b"[")):
            records = _json_records(document, dropped)
        else:
            records = _by_header(_csv_rows(document, dropped))
        return harvest(document, "", map(_raw, records), limit=limit, dropped=dropped)


def _raw(record: Any) -> RawEntry:
    if isinstance(record, dict):
        record = {_column(str(name)): value for name, value in record.items()}
    return RawEntry(
        headline=strings(record, _HEADLINE),
        description=strings(record, _DESCRIPTION),
        url=strings(record, _URL),
        guid=strings(record, _ID),
        published=strings(record, _PUBLISHED),
        publishers=(strings(record, _PUBLISHER),),
    )


def _column(name: str) -> str:
    return name.strip().strip("\ufeff\"'").lower().replace(" ", "_").replace("-", "_")


def _columns(line: str) -> list[str]:
    return [_column(name) for name in line.split(_delimiter(line))]


def _delimiter(line: str) -> str:
    return max(DELIMITERS, key=line.count)


def _by_header(rows: Iterator[Sequence[str]]) -> Iterator[dict[str, str]]:
    """Rows as records, named by the first row that is not empty. Raises `SourceError` without a headline column."""
    header: list[str] | None = None
    for row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if header is None:
            header = [_column(name) for name in row]
            if not set(header) & set(_HEADLINE):
                found = ", ".join(name for name in header if name)[:200]
                raise SourceError(
                    tr("The table has no column named headline or title (its first row: {found}).", found=found),
                    tr("Name the columns headline, description, url and published in the first row."),
                )
            continue
        # Rows of other lengths are common in tables of news; what is behind the last column has no name.
        yield dict(zip(header, row, strict=False))
    if header is None:
        raise SourceError(tr("The table is empty."))


def _csv_rows(document: Document, dropped: list[Dropped]) -> Iterator[list[str]]:
    whole = text(document)
    delimiter = _delimiter(whole.lstrip().split("\n", 1)[0])
    # A stray carriage return would make the reader give up on the whole file.
    lines = io.StringIO(whole.replace("\r\n", "\n").replace("\r", "\n").replace("\0", ""), newline="\n")
    # The limit is the whole process's, and tables of answers raise it for themselves.
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(lines, delimiter=delimiter)
    while True:
        try:
            yield next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            reason = tr("line {line} cannot be read: {why}", line=reader.line_num, why=str(error))
            dropped.append(Dropped(headline="", url="", reason=reason))


def _json_records(document: Document, dropped: list[Dropped]) -> Iterable[Any]:
    """Records of a list, of a list inside an object, or one per line."""
    lines = io.StringIO(text(document))
    first, second = lines.readline(), lines.readline()
    # An object that is whole on the first of several lines is one of many; of one that is spread over lines the first
    # line holds a part.
    if second.strip() and _is_object(first):
        lines.seek(0)
        return _json_lines(lines, dropped)
    value = read_json(document)
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        for name in _LISTS:
            if isinstance(value.get(name), list):
                return list(value[name])
        if strings({_column(str(key)): item for key, item in value.items()}, _HEADLINE):
            return [value]
    raise SourceError(
        tr("The JSON holds no list of news items."),
        tr("Give a list of objects with headline, description, url and published, or one such object per line."),
    )


def _json_lines(lines: Iterable[str], dropped: list[Dropped]) -> Iterator[Any]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            yield json.loads(line)
        except (ValueError, RecursionError):
            dropped.append(Dropped(headline="", url="", reason=tr("line {line} is not JSON", line=number)))


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _first_sheet(body: bytes) -> Iterator[list[str]]:
    """Rows from the top, cells as text. Raises `SourceError` in a user's words."""
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            _refuse_traps(archive.infolist())
            for _, cells in islice(workbook_rows(archive), _ROW_LIMIT):
                yield cells[:_COLUMN_LIMIT]
    except SourceError:
        raise
    except Exception as error:
        # What is no workbook comes as BadZipFile, CalamineError, XmlError, ValueError, zlib's errors and more.
        raise SourceError(
            tr("The workbook cannot be read."),
            tr("Save it again as XLSX or CSV and try once more."),
            details=repr(error),
        ) from error


def _refuse_traps(parts: list[zipfile.ZipInfo]) -> None:
    """Raises `SourceError` for archives that unpack to too much."""
    # What the archive declares bounds what is read: zipfile hands out no more of a part than that.
    if len(parts) > _PARTS_LIMIT or sum(part.file_size for part in parts) > _UNPACKED_LIMIT:
        size = _UNPACKED_LIMIT // (1024 * 1024)
        raise SourceError(
            tr("The workbook unpacks to more than {size} MB.", size=size),
            tr("Save the rows that you need as CSV."),
        )


SOURCE = TableSource()
