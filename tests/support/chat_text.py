"""Plain English answers for the loopback chat server, of 110 to 200 words."""

import hashlib
import random
from typing import Any

_SENTENCES = (
    "The {n} described here would {v} the cost of getting to work for many households.",
    "Local officials expect the {n} to take effect before the end of the season.",
    "People who rely on public services may {v} a difference in waiting times.",
    "It is worth asking who took part when the {n} was being planned.",
    "For some families the change is small, while for others it could be substantial.",
    "A neighbour who runs a small shop might {v} this differently from a commuter.",
    "The report does not say how the {n} will be paid for in later years.",
    "You could {v} the public meeting and ask for the figures behind the {n}.",
    "Earlier projects of this kind had mixed results, so caution is reasonable.",
    "There is good reason to feel hopeful about the {n}, and also to keep questions ready.",
    "Schools and clinics nearby are likely to {v} the effects first.",
    "Nothing in the article suggests that the {n} singles anyone out.",
    "The timing matters, because budgets for the coming year are being settled now.",
    "Compared with last year, the {n} reaches more neighbourhoods.",
    "If the weather holds, the first stage of the {n} should finish on schedule.",
    "Some readers will {v} relief, others frustration, and both are understandable.",
    "The numbers quoted are averages and can hide wide gaps between districts.",
    "A practical step is to check whether your street is part of the {n}.",
)
_NOUNS = ("plan", "programme", "decision", "rule", "agreement", "proposal", "repair work", "forecast")
_VERBS = ("notice", "raise", "lower", "welcome", "follow", "feel", "question", "attend")


def answer_text(chat: dict[str, Any]) -> str:
    """Plain English that depends on what was asked, and on nothing else."""
    asked = repr([chat["model"], chat["messages"], chat.get("seed"), chat.get("temperature")])
    rng = random.Random(hashlib.sha256(asked.encode("utf-8", "surrogatepass")).digest())
    picked = rng.sample(_SENTENCES, rng.randint(10, 15))
    return " ".join(sentence.format(n=rng.choice(_NOUNS), v=rng.choice(_VERBS)) for sentence in picked)
