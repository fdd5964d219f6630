"""Tells a model's reasoning from its answer: reasoning is kept apart and never scored (method, "Validity")."""

import re
from collections.abc import Iterator

_NAMES = ("think", "thinking")
_OPENING = {name: re.compile(f"<({name})>", re.IGNORECASE) for name in _NAMES}
_CLOSING = {name: re.compile(f"</{name}>", re.IGNORECASE) for name in _NAMES}
_OPEN = re.compile(r"<(think|thinking)>", re.IGNORECASE)
_CLOSE = re.compile(r"</(?:think|thinking)>", re.IGNORECASE)
_FENCED = re.compile(r"^```\w*\s*\n(.*?)\n?```$", re.DOTALL)


def split_thinking(text: str) -> tuple[str, str]:
    """The answer and the reasoning in *text*: ``<think>`` blocks, one that was cut off, one whose opening is missing.

    Chat templates of reasoning models often write the opening tag themselves, so that only the closing one arrives.
    Takes time that grows no faster than the text.
    """
    if "<" not in text:
        return text, ""
    thoughts: list[str] = []
    kept: list[str] = []
    at = 0
    for opening, closing in _blocks(text):
        kept.append(text[at : opening.start()])
        thoughts.append(text[opening.end() : closing.start()])
        at = closing.end()
    rest = "".join((*kept, text[at:]))
    # Only when whole blocks are out: what is closed now and was never opened began with the text.
    if (closing_alone := _CLOSE.search(rest)) is not None:
        thoughts.insert(0, rest[: closing_alone.start()])
        rest = rest[closing_alone.end() :]
    if (opening_alone := _OPEN.search(rest)) is not None:
        thoughts.append(rest[opening_alone.end() :])
        rest = rest[: opening_alone.start()]
    if not thoughts:
        return text, ""
    return rest.strip(), "\n\n".join(thought.strip() for thought in thoughts if thought.strip())


def unfenced(answer: str) -> str:
    """*answer* without the fence of a code block that holds all of it."""
    fenced = _FENCED.match(answer.strip())
    return fenced[1] if fenced else answer.strip()


def _blocks(text: str) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Opening and closing tags of whole blocks. One pattern for both would try every opening against all the rest."""
    wanted = _OPEN
    at = 0
    while (opening := wanted.search(text, at)) is not None:
        name = opening[1].lower()
        closing = _CLOSING[name].search(text, opening.end())
        if closing is not None:
            yield opening, closing
            at = closing.end()
        elif wanted is _OPEN:
            # It is closed nowhere from here on: only the other name may be.
            wanted = _OPENING[_NAMES[1 - _NAMES.index(name)]]
            at = opening.end()
        else:
            return
