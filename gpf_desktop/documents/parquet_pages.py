"""How much the pages of a Parquet file unpack to, before a reader unpacks one: pyarrow takes three times that.

A page begins with a header in Thrift's compact protocol, and the sizes are the first things in it (parquet-format,
"PageHeader"); it is read here alone because no reader tells it.
"""

from collections.abc import Iterator
from typing import IO, Any, Final

_HEADER: Final = 1 << 16
"""Bytes of the longest header that is looked at; those that are written are some hundred long."""
_UNPACKED, _PACKED = 2, 3
"""Which fields of a header say how large the page is, unpacked and as it lies there."""
_DEEPEST: Final = 8


class NotParquetPageError(ValueError):
    """There is no header of a page."""


def largest_page(file: IO[bytes], start: int, end: int) -> int:
    """Bytes that the largest page between *start* and *end* unpacks to, by its own word.

    Raises `NotParquetPageError`.
    """
    return max((unpacked for unpacked, _ in _pages(file, start, end)), default=0)


def column_bounds(column: Any) -> tuple[int, int]:
    """The bytes at which the pages of *column*, a `pyarrow.parquet.ColumnChunkMetaData`, begin and end."""
    start = column.data_page_offset
    if column.dictionary_page_offset:
        start = min(start, column.dictionary_page_offset)
    return start, start + column.total_compressed_size


def _pages(file: IO[bytes], start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        file.seek(start)
        header = _Header(file.read(_HEADER))
        said = header.numbers()
        unpacked, packed = said.get(_UNPACKED, -1), said.get(_PACKED, -1)
        if unpacked < 0 or packed < 0:
            raise NotParquetPageError
        yield unpacked, packed
        start += header.at + packed


class _Header:
    """One struct of Thrift's compact protocol, and how far it was read."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.at = 0

    def numbers(self) -> dict[int, int]:
        """Its whole numbers by their fields; all else is passed over. Raises `NotParquetPageError`."""
        return self._struct(0)

    def _struct(self, depth: int) -> dict[int, int]:
        if depth > _DEEPEST:
            raise NotParquetPageError
        found: dict[int, int] = {}
        field = 0
        while told := self._byte():
            kind, further = told & 15, told >> 4
            field = field + further if further else self._zigzag()
            if kind in (4, 5, 6):
                found[field] = self._zigzag()
            else:
                self._skip(kind, depth)
        return found

    def _skip(self, kind: int, depth: int) -> None:
        match kind:
            case 1 | 2:
                return
            case 3:
                self.at += 1
            case 4 | 5 | 6:
                self._varint()
            case 7:
                self.at += 8
            case 8:
                length = self._varint()
                self.at += length
            case 9 | 10:
                told = self._byte()
                number = told >> 4
                for _ in range(self._varint() if number == 15 else number):
                    self._skip(3 if told & 15 in (1, 2) else told & 15, depth)
            case 12:
                self._struct(depth + 1)
            case _:
                # A map, which no header has, or nothing at all.
                raise NotParquetPageError

    def _byte(self) -> int:
        if self.at >= len(self._data):
            raise NotParquetPageError
        self.at += 1
        return self._data[self.at - 1]

    def _varint(self) -> int:
        number = shift = 0
        while True:
            told = self._byte()
            number |= (told & 127) << shift
            shift += 7
            if not told & 128:
                return number
            if shift > 70:
                raise NotParquetPageError

    def _zigzag(self) -> int:
        number = self._varint()
        return (number >> 1) ^ -(number & 1)
