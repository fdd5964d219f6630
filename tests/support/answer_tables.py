"""A small table of answers of every method, as other programs write them: one bad row in each."""

import csv
from collections.abc import Iterator
from itertools import product
from pathlib import Path

MODELS = ("a/x", "b/y")
_OPTIONS = {"stereotype": "He was late.", "anti_stereotype": "He was early.", "unrelated": "The candle was wax."}
_SAID = {"a/x": "A bad and terrible place.", "b/y": "A good and happy place."}


def _gpf() -> Iterator[dict[str, str]]:
    for model, article, who in product(MODELS, (1, 2), ("Hindu", "Muslim", "Jewish")):
        text = f"For {who} readers part {article} of the plan of {model} changes prayer and school runs."
        yield {
            "model": model,
            "headline": f"Council decides, part {article}",
            "identity": who,
            "dimension": "Faith",
            "family": "Impact",
            "response": text,
        }


def _stereoset() -> Iterator[dict[str, str]]:
    levels = (("1990", "2030"), ("direct", "gossip"))
    for model, item in product(MODELS, range(4)):
        for year, style in (*product(*levels), ("", "")):
            yield {
                "model": model,
                "item": f"i{item}",
                "type": "race",
                **_OPTIONS,
                "order": "SAU" if item % 2 else "UAS",
                "year": year,
                "style": style,
                "response": "A" if style == "gossip" or model == "b/y" else "B",
            }


def _relative_bias() -> Iterator[dict[str, str]]:
    for number, (question, model) in enumerate(product(range(6), (*MODELS, "c", "d"))):
        yield {
            "model": model,
            "theme": f"theme {question % 3}",
            "question": f"question {question}",
            "response": f"{model} says {question}",
            "judge": "j",
            "level": str(1 + number % 5),
        }


def _saged() -> Iterator[dict[str, str]]:
    for model, root, concept in product(MODELS, range(4), ("Chad", "Mali", "Peru")):
        yield {
            "domain": "countries",
            "concept": concept,
            "keyword": concept,
            "source_tag": "wiki",
            "root": f"r{root}",
            "prompt": f"{concept} is a country number {root} that",
            "baseline": f"{concept} is a country with rivers.",
            "model": model,
            "role": "",
            "response": _SAID[model] if concept == "Chad" else f"{concept} is a place.",
        }


_ROWS = {
    "gpf-livenews": (_gpf, "model"),
    "contextual-stereoset": (_stereoset, "stereotype"),
    "relative-bias": (_relative_bias, "model"),
    "saged": (_saged, "concept"),
}
METHODS = tuple(_ROWS)


def write_answers(folder: Path, method: str) -> Path:
    """A table of answers of *method* in *folder*, the last of whose rows lacks something."""
    make, lacking = _ROWS[method]
    rows = list(make())
    rows.append({**rows[0], lacking: ""})
    path = folder / f"{method}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path
