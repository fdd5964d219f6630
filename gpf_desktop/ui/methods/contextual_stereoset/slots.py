"""What becomes of a template's words when one of its slots is taken out."""

import re
from typing import Final

_BETWEEN_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+|(?<=\})\s+(?=[A-Z{])")
"""Or after a slot whose words are a sentence themselves, as in ``{style} It is {year}.``"""
_SLOT: Final = re.compile(r"\{\w+\}")


def without_slot(template: str, factor: str) -> tuple[str, str]:
    """*template* without the slot of *factor* and the words that spoke of it alone, and a sentence to be read over.

    Those words are its sentence, or what stands between commas. Where another slot stands among them they are left
    as they are, and are the sentence to be read over; otherwise that is empty.
    """
    slot, kept, torn = f"{{{factor}}}", [], ""
    for sentence in _BETWEEN_SENTENCES.split(template.strip()):
        if slot not in sentence:
            kept.append(sentence)
        elif len(_SLOT.findall(sentence)) > 1:
            left = _without_clause(sentence, slot)
            if left is None:
                left = torn = " ".join(sentence.replace(slot, "").split())
            kept.append(left)
    return " ".join(kept), torn


def _without_clause(sentence: str, slot: str) -> str | None:
    """Without what stands between commas around *slot*; None where another slot stands there too."""
    words = sentence.rstrip(".!?")
    clauses = words.split(", ")
    left = [clause for clause in clauses if slot not in clause]
    if any(_SLOT.findall(clause) != [slot] for clause in clauses if slot in clause):
        return None
    joined = ", ".join(left)
    return joined[:1].upper() + joined[1:] + sentence[len(words) :]
