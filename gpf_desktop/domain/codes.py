"""The code book: names for what recurs in answers, and what each of them means.

A code is known by its *id*, which stays when it is renamed; passages name ids. What becomes of codes is told by sealed
entries (`domain.study_entries`), each of which holds the whole code as it is from then on.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from gpf_desktop.domain.reviews import canonical

LONGEST_NAME: Final = 80
LONGEST_TEXT: Final = 4000
"""Characters of a definition or of one example."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One code of the book."""

    id: str
    """A UUID; the same on every machine."""
    name: str
    definition: str = ""
    """When to use it and when not, in a reviewer's words."""
    examples: tuple[str, ...] = ()
    """Words of answers, or made-up ones, that show it."""
    retired: bool = False
    """Not offered any more; what was coded by it stays coded."""
    merged_into: str = ""
    """The id of the code that stands in its place; empty: it stands for itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeBook:
    """The codes that there ever were, in the order in which they came."""

    codes: tuple[Code, ...] = ()

    @property
    def offered(self) -> tuple[Code, ...]:
        """The codes on offer to code by, in the order of their names."""
        return tuple(sorted((each for each in self.codes if _is_offered(each)), key=lambda each: each.name.casefold()))

    def get(self, code_id: str) -> Code | None:
        """The code called *code_id* itself, whatever became of it."""
        return next((each for each in self.codes if each.id == code_id), None)

    def standing(self, code_id: str) -> Code | None:
        """The code that stands for *code_id* today: itself, or what it was merged into."""
        seen: set[str] = set()
        found = self.get(code_id)
        while found is not None and found.merged_into and found.id not in seen:
            seen.add(found.id)
            found = self.get(found.merged_into) or replace(found, merged_into="")
        return found

    def standing_of(self, code_ids: Iterable[str]) -> tuple[Code, ...]:
        """The codes that stand for *code_ids*, each once, in the order of their names."""
        found = {each.id: each for code_id in code_ids if (each := self.standing(code_id)) is not None}
        return tuple(sorted(found.values(), key=lambda each: each.name.casefold()))

    def called(self, name: str) -> Code | None:
        """The code on offer that is called *name*, however that is capitalised."""
        wanted = plain_name(name).casefold()
        return next((each for each in self.offered if each.name.casefold() == wanted), None)


def _is_offered(code: Code) -> bool:
    return not code.retired and not code.merged_into


def plain_name(name: str) -> str:
    """*name* with single spaces, as codes are called."""
    return " ".join(name.split())


def book_of(codes: Iterable[Code]) -> CodeBook:
    """The book that *codes*, oldest first, add up to: of each id the last holds."""
    found: dict[str, Code] = {}
    for each in codes:
        found[each.id] = each
    return CodeBook(codes=tuple(found.values()))


def code_to_json(code: Code) -> str:
    """The code as JSON, as it is sealed."""
    return canonical(code)


def code_from_json(text: str) -> Code:
    """Raises `ValueError`, `KeyError` or `TypeError` where *text* is none of ours."""
    data: Mapping[str, Any] = json.loads(text)
    code = Code(
        **{name: _text(data[name]) for name in ("id", "name", "definition", "merged_into")},
        examples=tuple(_text(each) for each in _list(data["examples"])),
        retired=data["retired"] is True,
    )
    if not code.id or not code.name or code.name != plain_name(code.name) or len(code.name) > LONGEST_NAME:
        raise ValueError(f"code {code.name!r}")
    return code


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value


def _list(value: object) -> Sequence[object]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is no list")
    return value
