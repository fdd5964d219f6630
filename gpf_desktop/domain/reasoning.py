"""Tells a model's reasoning from its answer: reasoning is kept apart and never scored (method, "Validity")."""

import re

_THINK = re.compile(r"<(think|thinking)>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
_OPEN = re.compile(r"<(?:think|thinking)>", re.IGNORECASE)
_CLOSE = re.compile(r"</(?:think|thinking)>", re.IGNORECASE)


def split_thinking(text: str) -> tuple[str, str]:
    """The answer and the reasoning in *text*: ``<think>`` blocks, one that was cut off, one whose opening is missing.

    Chat templates of reasoning models often write the opening tag themselves, so that only the closing one arrives.
    """
    if "<" not in text:
        return text, ""
    thoughts = [match.group(2) for match in _THINK.finditer(text)]
    rest = _THINK.sub("", text)
    if (closing := _CLOSE.search(rest)) is not None:
        thoughts.insert(0, rest[: closing.start()])
        rest = rest[closing.end() :]
    if (opening := _OPEN.search(rest)) is not None:
        thoughts.append(rest[opening.end() :])
        rest = rest[: opening.start()]
    if not thoughts:
        return text, ""
    return rest.strip(), "\n\n".join(thought.strip() for thought in thoughts if thought.strip())
