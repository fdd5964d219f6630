"""promptfoo's results: JSON, JSON lines, and its tables, in which each prompt of a provider has a column."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from gpf_desktop.documents.programs.chat_messages import parsed, served
from gpf_desktop.documents.programs.flat_records import flat, mapping, words
from gpf_desktop.documents.programs.whole_replies import said_in
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.text import tr

_COLUMN: Final = re.compile(r"\[([^\]]+)\] (.*)", re.DOTALL)
"""``[openai:gpt-4o] the prompt``."""
_VARIABLE: Final = re.compile(r"\s*\{\{\s*([^{}|]+?)\s*\}\}\s*")
"""A prompt that is a variable and nothing else: ``{{question}}``."""
_CELL: Final = re.compile(
    r"\[(PASS|FAIL|ERROR)\](?: \([^()\n]*\))?\s*\n\n(.*?)(?:\n\n(?:Pass|Fail) Reason: .*)?", re.DOTALL
)
"""``[PASS] (1.00)``, the answer, ``Pass Reason: …``, as its tables had it until they got a column for each."""
_OLDEST: Final = re.compile(r"\[(PASS|ERROR)\] (.*)|\[(FAIL)\] (?:.*?\n---\n)?(.*)", re.DOTALL)
"""``[PASS] the answer``, ``[FAIL] why``, a line of hyphens, the answer: before there were marks of tests."""
_FILTERED: Final = "Content filtered by provider"
"""Its own words where a provider's filter left nothing of an answer, the same in tables and in results."""
_THINKING: Final = "Thinking: "
_SIGNED: Final = re.compile(r"(?:(?:Thinking: .*?\nSignature: \S*|Redacted Thinking: \S*)(?:\n\n|\s*\Z))+", re.DOTALL)
"""What a model of Anthropic thought, as it stands before its answer."""
_ESCAPED: Final = re.compile(r"'(?=[\s\u200b-\u200d]*[=@+-])")
"""What newer tables put before a text that a spreadsheet would take for a formula, as of an answer that is a list."""
_ANSWERS: Final = ("answer", "response", "output", "text", "content", "completion", "choice", "result")
"""What the answer is called in an object that a model was told to answer by."""
_OF_A_COLUMN: Final = re.compile(r"(?:status|score|named scores|grader reason|comment|metric: .*)(?: #\d+)?", re.DOTALL)


def result_row(result: Any) -> dict[str, str]:
    """One result of ``promptfoo eval --output results.json``."""
    if not isinstance(result, dict):
        return {}
    row = flat({name: result[name] for name in ("vars", "namedScores") if name in result})
    # Beside what a test says of itself stand the reply's headers.
    row |= flat({"metadata": {name: told for name, told in mapping(result.get("metadata")).items() if name != "http"}})
    provider, prompt, response = (result.get(name) for name in ("provider", "prompt", "response"))
    if isinstance(provider, dict):
        row["model"] = words(provider.get("label") or provider.get("id"))
    else:
        row["model"] = words(provider)
    row["prompt"] = words(prompt.get("raw")) if isinstance(prompt, dict) else words(prompt)
    row["prompt_label"] = words(mapping(prompt).get("label"))
    called = mapping(response)
    if called:
        row["finish"] = words(called.get("finishReason"))
        row |= _said(_text_in(called.get("output")))
        row["refused"] = "yes" if called.get("isRefusal") else ""
        # What the provider answered, word for word, where promptfoo kept it.
        row |= served(_raw(called.get("raw")))
    else:
        row["response"] = _text_in(response if response is not None else result.get("output"))
    # Of an answer that failed a test promptfoo tells an error too, and it is an answer all the same.
    error = words(called.get("error")) or ("" if "output" in called else words(result.get("error")))
    row["error"] = error or row.get("error", "")
    row["repeat"] = words(result.get("repeatIndex"))
    return row


def _said(text: str) -> dict[str, str]:
    """The answer in an output: before it stands what the model thought, unless ``showThinking: false`` was asked.

    An empty line is all that parts the two, and both may have more: what cannot be parted is no answer.
    """
    if text.strip() == _FILTERED:
        return {"response": "", "finish": "content_filter"}
    if (signed := _SIGNED.match(text)) is not None:
        return {"response": f"<think>{signed[0].strip()}</think>{text[signed.end() :]}"}
    if not text.startswith(_THINKING):
        return {"response": text}
    thought, *behind = text.removeprefix(_THINKING).split("\n\n")
    if len(behind) == 1:
        return {"response": f"<think>{thought}</think>{behind[0]}"}
    why = tr("what the model thought stands before the answer, and nothing tells where it ends (showThinking: false)")
    return {"response": "", "missing": Missing.UNREADABLE, "error": why} if behind else {"response": text}


def _raw(told: Any) -> Mapping[str, Any]:
    try:
        return mapping(json.loads(told) if isinstance(told, str) else told)
    except (ValueError, RecursionError):
        return {}


def is_result(record: Mapping[str, Any]) -> bool:
    """Whether *record* is a line of ``--output results.jsonl``."""
    return {"promptIdx", "testIdx", "provider"} <= record.keys()


def is_table(names: Iterable[str]) -> bool:
    """Whether a table has a column for each prompt of a provider, beside those of its variables."""
    return any(_COLUMN.fullmatch(name) for name in names)


def table_rows(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """A row for each answer of such a table."""
    for row in map(_unescaped, rows):
        asked = {name: text for name, text in row.values.items() if not _COLUMN.fullmatch(name)}
        variables = {name: text for name, text in asked.items() if not _OF_A_COLUMN.fullmatch(name)}
        names = list(row.values)
        for place, name in enumerate(names):
            if not (column := _COLUMN.fullmatch(name)):
                continue
            # A newer table has the state of each answer in the column behind it.
            behind = names[place + 1] if place + 1 < len(names) else ""
            state = row.values[behind] if behind.startswith("status") else ""
            asked_of = _asked(column, variables)
            yield TableRow(row.line, {**variables, **_answer(row.values[name], state), **asked_of})


def _unescaped(row: TableRow) -> TableRow:
    if "status" not in row.values:
        return row
    return replace(
        row,
        values={
            name: _ESCAPED.sub("", text, count=1) if _ESCAPED.match(text) else text for name, text in row.values.items()
        },
    )


def _asked(column: re.Match[str], variables: Mapping[str, str]) -> dict[str, str]:
    # Tables name columns in small letters and number those that are called alike.
    label = re.sub(r" #\d+$", "", column[2])
    told = {"model": column[1], "prompt_label": label}
    # Of a prompt with words of its own only small letters are told: what was asked is not known from these.
    alone = _VARIABLE.fullmatch(label)
    return told | {"prompt": variables[alone[1]]} if alone and alone[1] in variables else told


def _answer(cell: str, state: str) -> dict[str, str]:
    if wrapped := _CELL.fullmatch(cell.strip()):
        state, cell = wrapped[1], wrapped[2].strip()
    elif not state and (oldest := _OLDEST.fullmatch(cell)):
        state, cell = oldest[1] or oldest[3], oldest[2] or oldest[4] or ""
    if state == "ERROR":
        return {"response": "", "error": cell or state}
    # Tables have the objects that results hold as JSON.
    told = parsed(cell) if cell.lstrip()[:1] in ("{", "[") else None
    return _said(_text_in(told)) if isinstance(told, dict | list) else _said(cell)


def _text_in(output: Any) -> str:
    """The text of an *output*: of an object or a list that an answer was made into, the one in it that says it."""
    if isinstance(output, str) or not output:
        return words(output)
    named = [output[name] for name in _ANSWERS if isinstance(output, dict) and isinstance(output.get(name), str)]
    texts = named if len(named) == 1 else list(_texts(output))
    return texts[0] if len(texts) == 1 and not said_in(mapping(output)) else words(output)


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict() | list():
            for each in value.values() if isinstance(value, dict) else value:
                yield from _texts(each)
