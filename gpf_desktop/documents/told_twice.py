"""Answers that several rows tell word for word, as where several people rated each: nobody asked these again."""

from collections.abc import Iterable, Mapping

from gpf_desktop.domain.text import trn


def answers_told_twice(rows: Iterable[Mapping[str, str]]) -> list[str]:
    """The sentence on *rows*, by what was asked for, that mostly repeat the answer of another to the same question;
    none where what came again is mostly another text."""
    seen: dict[tuple[tuple[str, str], ...], set[str]] = {}
    again = same = 0
    for row in rows:
        if text := row.get("response", "").strip():
            key = tuple(sorted((name, value) for name, value in row.items() if name != "response"))
            texts = seen.setdefault(key, set())
            again += bool(texts)
            same += text in texts
            texts.add(text)
    if not same or 2 * same < again:
        return []
    return [
        trn(
            "{n:,} row has the answer of another word for word, and counts as asked again. If several people rated"
            " it, keep one row of each answer.",
            "{n:,} rows have the answers of others word for word, and count as asked again. If several people rated"
            " them, keep one row of each answer.",
            same,
        )
    ]
