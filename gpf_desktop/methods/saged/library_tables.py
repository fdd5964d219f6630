"""Tables of SAGED's own library: a row for each prompt, a column for each generation, features beside them.

``keyword, concept, domain (or category), prompts, baseline, source_tag, <generation>, <generation>_sentiment_score``
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from gpf_desktop.documents.column_names import INDEX
from gpf_desktop.documents.tables import TableRow

_MARKS: Final = frozenset({"keyword", "concept", "prompts", "baseline"})
_BASE: Final = _MARKS | {"domain", "category", "source_tag", "root", "branch", "role", "repeat", "page", "revision"}
_KEPT: Final = _BASE - {"prompts", "category"}
_FEATURE: Final = re.compile(r"(.+?)_(\w+?_score(?:_cbr_\w+)?|temp)")
_NUMBER: Final = re.compile(r"\s*-?\d+(?:\.\d+)?\s*")
_BRANCHED: Final = re.compile(r"br_(.*)_cat_(.+)", re.DOTALL)
"""Of a source tag: the tag and the concept of the prompt that this one is a branch of."""
_BASELINE, _TAG = "baseline", "source_tag"


def is_table(names: Collection[str]) -> bool:
    return set(names) >= _MARKS and not {"model", "response"} & set(names)


def in_heads(heads: Sequence[Sequence[str]]) -> dict[str, str]:
    """The facts that the names of columns tell in tables of the library, by field, where none names the answers'
    column."""
    names = [[name.lower() for name in head] for head in heads]
    found = list(
        dict.fromkeys(each for head in names if is_table(head) for each in _generations(dict.fromkeys(head, "text")))
    )
    return {"model": ", ".join(found), "response": ", ".join(found), "root": _TAG} if found else {}


def columns_read(heads: Sequence[Sequence[str]]) -> set[str]:
    """The columns of tables of the library: what tells prompts apart, answers, and features of answers and sources."""
    found: set[str] = set()
    for head in ([name.lower() for name in each] for each in heads):
        generations = _generations(dict.fromkeys(head, "text")) if is_table(head) else []
        if generations:
            of = {*generations, _BASELINE}
            told = ((name, _feature(name, head)) for name in head)
            scores = (name for name, (whose, feature) in told if feature and whose in of and _is_kept(feature))
            found |= {*of, *scores, *(_BASE & {*head})}
    return found


def _feature(name: str, columns: Collection[str]) -> tuple[str, str]:
    """The column that *name* tells a feature of, by the longest name among *columns* that it begins with, and the
    feature; empty where it is none: names of models have the sign between both too (``gpt_4o_sentiment_score``)."""
    if "_score" not in name and not name.endswith("_temp"):
        return "", ""
    for at in range(len(name) - 1, 0, -1):
        if name[at] == "_" and name[:at] in columns and _FEATURE.fullmatch(f"x{name[at:]}"):
            return name[:at], name[at + 1 :]
    found = _FEATURE.fullmatch(name)
    return (found[1], found[2]) if found else ("", "")


def _is_kept(feature: str) -> bool:
    """Calibrated ones are left out: they are differences of the others."""
    return feature != "temp" and "_cbr_" not in feature


def unfolded(rows: Iterable[TableRow], roles: Sequence[str] = ("role",)) -> Iterator[TableRow]:
    """A row for each generation's answer to each prompt; any other table, and one without a generation, as it is.
    *roles*: columns that tell what the model was asked as; each asks the same prompts again."""
    every = iter(rows)
    first = next(every, None)
    if first is None:
        return
    every = chain([first], every)
    generations = _generations(first.values) if is_table(first.values) else []
    if not generations:
        yield from every
        return
    roots = _Roots(roles)
    for row in every:
        if row.left_out:
            yield row
            continue
        told = {name: text for name, text in row.values.items() if name in _KEPT or _is_own(name, generations)}
        told |= {"prompt": row.values["prompts"], "domain": row.values.get("domain") or row.values.get("category", "")}
        told.setdefault("source_tag", "")
        told |= roots.of(told)
        of_source = _features(row.values, _BASELINE, "baseline_feature:")
        for name in generations:
            features = _features(row.values, name, "feature:")
            yield TableRow(
                row.line, {**told, "model": name, "response": row.values.get(name, ""), **features, **of_source}
            )


def _generations(values: Mapping[str, str]) -> list[str]:
    """Columns that hold answers: those that have features, else all whose first cell is text."""
    scored = {_feature(name, values)[0] for name in values} - _BASE - {""}
    named = [name for name in values if name in scored]
    if named:
        return named
    return [
        name
        for name, text in values.items()
        if name not in _BASE and not _feature(name, values)[1] and not INDEX.fullmatch(name)
        if text.strip() and not _NUMBER.fullmatch(text)
    ]


def _is_own(name: str, generations: Collection[str]) -> bool:
    """Whether it is a column of whoever made the table, which the library has not."""
    return not (name in _BASE or name in generations or _feature(name, generations)[1] or INDEX.fullmatch(name))


def _features(values: Mapping[str, str], of: str, prefix: str) -> dict[str, str]:
    """The library's own features of one column."""
    told = ((text, _feature(name, values)) for name, text in values.items())
    return {
        f"{prefix}{feature}": text for text, (whose, feature) in told if feature and whose == of and _is_kept(feature)
    }


class _Roots:
    """Names what matched prompts share. The library writes the prompts of a branch in the order of those that they are
    branches of, and keeps their source tag and concept in the tag."""

    def __init__(self, roles: Sequence[str]) -> None:
        self._roles = roles
        self._seen: Counter[tuple[str, ...]] = Counter()

    def of(self, told: Mapping[str, str]) -> dict[str, str]:
        if told.get("root"):
            return {}
        concept, tag = told["concept"], told["source_tag"]
        branched = _BRANCHED.fullmatch(tag)
        own_tag, own_concept = (branched[1], branched[2]) if branched else (tag, concept)
        place = (own_tag, own_concept, concept, *(told.get(role, "") for role in self._roles))
        self._seen[place] += 1
        root = " ".join(filter(None, (own_concept, own_tag, str(self._seen[place]))))
        return {"root": root, "branch": concept if branched else "", "source_tag": own_tag}
