"""Answers in FastChat's form, as MT-Bench has them: a line for each question, by its number, with a choice for each
time that it was answered, and in it an answer for each turn."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gpf_desktop.documents.programs.flat_records import first_of, mapping, words
from gpf_desktop.documents.tables import TableRow


def is_record(record: Mapping[str, Any]) -> bool:
    return {"question_id", "model_id"} <= record.keys() and isinstance(
        first_of(record.get("choices")).get("turns"), list
    )


def record_rows(records: Iterable[tuple[int, Mapping[str, Any]]]) -> Iterator[TableRow]:
    """A row for each answer; the file has the number of a question and not its words, which stand for it."""
    for number, record in records:
        asked = words(record.get("question_id"))
        for repeat, choice in enumerate(map(mapping, record.get("choices") or ())):
            turns = choice.get("turns")
            for turn, text in enumerate(turns if isinstance(turns, list) else (), start=1):
                told = {"model": words(record.get("model_id")), "repeat": str(repeat or ""), "turn": str(turn)}
                question = asked if turn == 1 else f"{asked}, {turn}"
                yield TableRow(number, {**told, "question": question, "response": words(text)})
