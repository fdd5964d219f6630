"""A phrase grammar small enough to expand thousands of answers a second.

A rule's line mixes words with ``{name}``, a further rule or a slot that the caller fills, and ``[a|b]``, a choice.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

_PIECE = re.compile(r"\{(\w+)\}|\[([^\[\]]*)\]")


class Draw(Protocol):
    """Where a line's open choices are made: between alternatives, and what fills a slot."""

    def choose(self, count: int) -> int:
        """A number in [0, *count*)."""
        ...

    def slot(self, name: str) -> str:
        """What stands in a slot that no rule fills."""
        ...


@dataclass(frozen=True, slots=True)
class _Rule:
    lines: tuple["Line", ...]


Piece = str | _Rule | tuple[str]
Line = tuple[Piece, ...]
"""Words, a rule to choose a line from, or the name of a slot in a tuple of one."""


def compile_lines(lines: Sequence[str], rules: Mapping[str, Sequence[str]]) -> tuple[Line, ...]:
    """*lines* ready to expand; *rules* are the named lists that they may use."""
    return tuple(_compile(line, rules, {}) for line in lines)


def _compile(line: str, rules: Mapping[str, Sequence[str]], known: dict[str, _Rule]) -> Line:
    pieces: list[Piece] = []
    end = 0
    for found in _PIECE.finditer(line):
        pieces.append(line[end : found.start()])
        end = found.end()
        name, choices = found.groups()
        if name is None:
            pieces.append(_Rule(tuple(_compile(choice, rules, known) for choice in choices.split("|"))))
        elif name not in rules:
            pieces.append((name,))
        else:
            if name not in known:
                known[name] = _Rule(tuple(_compile(choice, rules, known) for choice in rules[name]))
            pieces.append(known[name])
    pieces.append(line[end:])
    return tuple(piece for piece in pieces if piece != "")


def expand(line: Line, draw: Draw) -> str:
    """One sentence of *line*, beginning with a capital."""
    words: list[str] = []
    _expand(line, draw, words)
    sentence = "".join(words)
    return sentence[:1].upper() + sentence[1:]


def _expand(line: Line, draw: Draw, words: list[str]) -> None:
    for piece in line:
        if isinstance(piece, str):
            words.append(piece)
        elif isinstance(piece, tuple):
            words.append(draw.slot(piece[0]))
        else:
            lines = piece.lines
            _expand(lines[draw.choose(len(lines))], draw, words)
