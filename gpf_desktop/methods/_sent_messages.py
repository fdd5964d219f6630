"""Messages that were sent by hand, in a chat app or by another program: of which question of a protocol each is."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import APPS
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.protocol_problems import WrongFieldError
from gpf_desktop.domain.tables import TableOption
from gpf_desktop.domain.text import tr

PROTOCOL: Final = "protocol"
_SENT: Final = ("prompt", "question", "input")
Find = Callable[[str, str], Mapping[str, str]]
"""What a message and its system prompt say, by the names of columns; nothing where the protocol makes no such one."""


def protocol_option() -> TableOption:
    """The option that names the protocol by which messages are placed."""
    return TableOption(PROTOCOL, "NAME|FILE", tr("the protocol that was asked with"))


def given_protocol(method: Method, given: Mapping[str, str]) -> Any:
    """The shipped one that *given* names, or that in the file; the method's own where none is. Raises `UserError`."""
    import yaml

    files = method.protocol_files()
    name = given.get(PROTOCOL, "") or method.default_protocol
    try:
        # With a byte-order mark or without: editors on Windows put one in front.
        return method.protocol(yaml.safe_load(files.get(name, Path(name)).read_text(encoding="utf-8-sig")))
    except (OSError, ValueError, TypeError, yaml.YAMLError, RecursionError, WrongFieldError) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise UserError(
            tr("The protocol {name} cannot be read: {why}.", name=name, why=why[:200]),
            tr("Use one of {names}, or the path of a protocol file.", names=", ".join(files)),
        ) from error


@dataclass
class SentMessages:
    """Says of rows without columns that say what was asked, from the message that was sent, what it was."""

    tells: Collection[str]
    """A table with one of these columns says itself what was asked."""
    load: Callable[[], Any]
    places: Callable[[Any], Find]
    """Of a protocol."""
    placed: int = 0
    """Rows so far that a message was found for."""

    @cached_property
    def protocol(self) -> Any:
        """The one by which messages are placed; a table that needs none does not read it. Raises `UserError`."""
        return self.load()

    def __call__(self, rows: Iterable[TableRow]) -> Iterator[TableRow]:
        """*rows*, each with what its message says; a message that no question makes stays as it is.

        Raises `UserError` for chats of an app of which none asks a question.
        """
        rows = iter(rows)
        first = next(rows, None)
        if first is None:
            return
        column = next((name for name in _SENT if first.values.get(name)), "")
        if not column or not {name.rpartition(".")[2] for name in first.values}.isdisjoint(self.tells):
            yield from chain([first], rows)
            return
        find, before = lru_cache(maxsize=4096)(self.places(self.protocol)), self.placed
        for row in chain([first], rows):
            told = find(row.values.get(column, ""), row.values.get("system", ""))
            self.placed += bool(told)
            yield replace(row, values={**row.values, **told}) if told else row
        if self.placed == before and first.values.get("served_host") in APPS:
            raise UserError(
                tr("No message of the chats is a question of the protocol."),
                tr("Name the one that was asked with as “protocol”, or choose another method."),
            )


def plain(words: str) -> str:
    """*words* as they are compared: apps and people change line breaks and spaces."""
    return " ".join(words.split())
