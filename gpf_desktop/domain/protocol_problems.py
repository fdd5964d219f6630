"""The problems of a protocol, and their places in its file."""

import re
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.text import tr

Path = tuple[str | int, ...]
"""Where a field stands in a protocol: names of fields and places in lists, from 0."""


_PLACE: Final = re.compile(r"\{\s*\w+(?:[-.]\w+|\[\w*\]|![rsa]|:[^{}\s]*)*\s*\}")
"""With what Python and other languages of templates write behind a name, which nothing here fills in either."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldProblem:
    """One thing wrong with a protocol."""

    path: Path
    words: str

    @property
    def field(self) -> str:
        """The place in words, counted from 1: ``parts › 1 › wordings › 3``."""
        return " › ".join(str(part + 1) if isinstance(part, int) else part for part in self.path)


class WrongFieldError(Exception):
    """The data is no protocol; carries the first thing wrong."""

    def __init__(self, problem: FieldProblem) -> None:
        super().__init__(f"{problem.field}: {problem.words}")
        self.problem = problem


def repeated(values: Iterable[Hashable]) -> Iterator[int]:
    """The places of those among *values* that an earlier one is equal to."""
    seen: set[Hashable] = set()
    for place, value in enumerate(values):
        if value in seen:
            yield place
        seen.add(value)


def unknown_places(template: str, known: Sequence[str], path: Path) -> Iterator[FieldProblem]:
    """A problem for each word in braces in *template* that is none of *known* (braces and all): it would be sent as it
    stands."""
    for place in dict.fromkeys(_PLACE.findall(template)):
        if place not in known:
            words = tr("{place} is not known here; known: {known}", place=place, known=", ".join(known))
            literal = tr("{place} would be sent as it stands: nothing is filled in here", place=place)
            words = words if known else literal
            yield FieldProblem(path=path, words=words)
        elif f"{{{place}}}" in template:
            words = tr("{place} stands in braces twice, and one pair would be sent: write {place}", place=place)
            yield FieldProblem(path=path, words=words)
