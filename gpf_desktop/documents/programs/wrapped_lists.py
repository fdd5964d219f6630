"""A list of objects that stands within others, as many programs save what they have: ``{"run": {…, "items": […]}}``."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from gpf_desktop.documents.column_names import RESPONSE
from gpf_desktop.documents.programs.flat_records import mapping
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

_DEEPEST: Final = 4
_ANSWERS: Final = frozenset({"response", *RESPONSE})
_QUESTIONS: Final = frozenset({"question", "prompt", "query", "input", "instruction"})


def records_in(found: Any) -> list[dict[str, Any]]:
    """The entries of the list that *found* is, or of the one list of objects in it, each with what is said of all of
    them: texts and numbers that stand beside the list or above it. Nothing where there is no such list, or more than
    one. Raises `UserError` for a list with anything else in it."""
    if isinstance(found, list):
        for number, record in enumerate(found, start=1):
            if not isinstance(record, dict):
                raise UserError(tr("Entry {n} is not an object.", n=number))
        return found
    lists = list(_lists(mapping(found), {}, _DEEPEST))
    if len(lists) != 1:
        return []
    entries, beside = lists[0]
    return [{**beside, **entry} for entry in entries]


def answers_apart(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """*records*, each once for every answer of a list in it; texts of one question are numbered from the second on."""
    for number, outer in records:
        for record in _each_within(outer):
            yield from _texts_apart(number, record)


def _each_within(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """*record*, or each entry of the one list in it whose objects are answers, with what is said of all of them."""
    lists = [
        (name, value)
        for name, value in record.items()
        if isinstance(value, list) and value and all(_is_answer(each, record) for each in value)
    ]
    if len(lists) != 1:
        return [record]
    name, entries = lists[0]
    beside = {key: value for key, value in record.items() if key != name}
    return [{**beside, **entry} for entry in entries]


def _is_answer(entry: Any, of: Mapping[str, Any]) -> bool:
    """Whether *entry* says who answered, or stands with the question it answers under who did."""
    names, above = _names(mapping(entry)), _names(of)
    if "model" in names:
        return bool(names & _ANSWERS)
    names |= {name for each in mapping(entry).values() for name in _names(mapping(each))}
    return "model" in above and not above & _ANSWERS and bool(names & _ANSWERS) and bool(names & _QUESTIONS)


def _names(told: Mapping[str, Any]) -> set[str]:
    return {name.strip().lower() for name in told}


def _texts_apart(number: int, record: Mapping[str, Any]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    answers = [name for name in record if name.strip().lower() in _ANSWERS]
    lists = [name for name in answers if isinstance(record[name], list)]
    texts = list(map(_text, record[lists[0]])) if lists else []
    # Where an answer stands as a text, a list beside it is another thing.
    if not texts or len(lists) < len(answers) or not all(isinstance(text, str) for text in texts):
        yield number, record
        return
    for place, text in enumerate(texts):
        repeat = {"repeat": place} if place and "repeat" not in record else {}
        yield number, {**record, lists[0]: text, **repeat}


def _text(entry: Any) -> Any:
    """The words of an *entry* that is a text, or an object of nothing else; itself where it is another."""
    if isinstance(entry, dict) and len(entry) == 1:
        return entry.get("text", entry.get("generated_text"))
    return entry


def _lists(
    within: Mapping[str, Any], above: Mapping[str, Any], deep: int
) -> Iterator[tuple[list[dict[str, Any]], dict[str, Any]]]:
    said = {**above, **{name: value for name, value in within.items() if isinstance(value, str | int | float)}}
    for value in within.values():
        if isinstance(value, dict) and deep:
            yield from _lists(value, said, deep - 1)
        # Messages of one chat are no rows.
        elif isinstance(value, list) and value and all(isinstance(each, dict) and "role" not in each for each in value):
            yield value, said
