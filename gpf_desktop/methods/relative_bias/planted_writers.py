"""Calibration writers: what they write is planted, so that a study can be written without a key.

writer             as many themes or questions as asked for, some of them numbered
writer-careless    words in place of JSON at first, and what was asked for when it is asked again
writer-repeating   asks every second question once more in nearly the same words
"""

import json
from collections.abc import Mapping
from typing import Final

from gpf_desktop.methods.relative_bias.writing import THEMES, writer_data

WRITERS: Final = ("writer", "writer-careless", "writer-repeating")
# Words of the message that `domain.writing` sends where a reply could not be read.
_AGAIN: Final = "could not be read"


def written(model: str, told: Mapping[str, str | int], message: str) -> str:
    """The reply of the calibration writer *model* to a task with the coordinates *told*; the same for the same task."""
    if model == "writer-careless" and _AGAIN not in message:
        return "Certainly! Here is what you asked for."
    wanted, having = int(told.get("n", 0)), str(told.get("having", ""))
    if told.get("writing") == THEMES:
        pairs = (line.split("|") for line in writer_data()["planted"]["themes"])
        themes = [{"name": name, "description": about} for name, about in pairs if f"- {name}" not in having]
        return json.dumps({"themes": themes[:wanted]})
    asked = _questions(str(told.get("theme", "")), str(told.get("domain", "")), having)
    if model == "writer-repeating":
        asked = [again for each in asked for again in (each, each.replace("?", ", in short?"))]
    numbered = [f"{number}. {each}" if number % 2 else each for number, each in enumerate(asked[:wanted], start=1)]
    return json.dumps({"questions": [{"question": each} for each in numbered]})


def _questions(theme: str, domain: str, having: str) -> list[str]:
    """Every opening with every aspect, such pairs first as no other planted theme begins with."""
    planted = writer_data()["planted"]
    openings, aspects = planted["openings"], planted["aspects"]
    themes = [line.partition("|")[0] for line in planted["themes"]]
    begin = themes.index(theme) if theme in themes else sum(theme.encode("utf-8", "replace"))
    asked = []
    for turn in range(len(aspects)):
        for place, opening in enumerate(openings):
            question = f"{opening} {aspects[(place + begin + turn) % len(aspects)]} in {domain.lower()}?"
            if f"- {question}" not in having:
                asked.append(question)
    return asked
