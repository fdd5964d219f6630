"""Rows of answers from objects and tables that other programs wrote, by the program whose shape they have."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat
from pathlib import Path
from typing import Any, Final

from gpf_desktop.documents.json_names import RepeatedNameError, once
from gpf_desktop.documents.level_names import MODEL, QUESTION
from gpf_desktop.documents.long_json import GoOn
from gpf_desktop.documents.programs import (
    arena,
    batch_outputs,
    batch_requests,
    chainforge,
    chat_apps,
    deepeval,
    evaluation_samples,
    frames,
    garak,
    helm,
    inspect_logs,
    keyed_texts,
    lighteval,
    llm_logs,
    lm_evaluation_harness,
    message_lists,
    message_tables,
    mlflow_traces,
    mt_bench,
    observed_calls,
    openai_evals,
    phoenix,
    promptfoo,
    pyrit,
    trulens,
    wrapped_lists,
)
from gpf_desktop.documents.programs.flat_records import flat, flat_pairs, words
from gpf_desktop.documents.programs.whole_replies import each_choice, whole_reply, with_whole_replies
from gpf_desktop.documents.programs.wrapped_lists import answers_apart
from gpf_desktop.documents.table_reading import TableReading
from gpf_desktop.documents.tables import TableRow, names_model
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

Records = Iterable[tuple[int, Mapping[str, Any]]]
"""Objects, each with its line or its number, from 1."""
_SHAPES: Final[Sequence[tuple[Callable[[Any], bool], Callable[[Records], Iterator[TableRow]]]]] = (
    (chat_apps.is_conversation, chat_apps.conversation_rows),
    (
        llm_logs.is_record,
        lambda records: (TableRow(number, flat(llm_logs.answered(record))) for number, record in records),
    ),
    (chainforge.is_record, chainforge.record_rows),
    (
        promptfoo.is_result,
        lambda records: (TableRow(number, promptfoo.result_row(record)) for number, record in records),
    ),
    (garak.is_record, garak.record_rows),
    (openai_evals.is_record, openai_evals.record_rows),
    (evaluation_samples.is_record, evaluation_samples.record_rows),
    (pyrit.is_record, pyrit.record_rows),
    (phoenix.is_record, phoenix.record_rows),
    (mlflow_traces.is_record, mlflow_traces.record_rows),
    (mt_bench.is_record, mt_bench.record_rows),
    # Last: records of others hold messages too.
    (message_lists.is_record, message_lists.record_rows),
)
"""How a program's records are told, and their rows made of them."""


def as_rows_of_answers(rows: Iterator[TableRow]) -> Iterator[TableRow]:
    """*rows*, where they are another program's table in the form that others have."""
    first = next(rows, None)
    if first is None:
        return iter(())
    rows = chain([first], rows)
    tables: Sequence[tuple[Callable[[Any], bool], Callable[[Iterable[TableRow]], Iterator[TableRow]]]] = (
        (promptfoo.is_table, promptfoo.table_rows),
        (chainforge.is_table, chainforge.table_rows),
        (arena.is_table, arena.table_rows),
        (pyrit.is_record, pyrit.table_rows),
        (trulens.is_table, trulens.table_rows),
        (observed_calls.is_weave, observed_calls.weave_rows),
        (observed_calls.is_braintrust, observed_calls.braintrust_rows),
        (observed_calls.is_langsmith, observed_calls.langsmith_rows),
        (phoenix.is_record, phoenix.table_rows),
        (observed_calls.is_gateway, observed_calls.gateway_rows),
        (message_tables.is_table, message_tables.table_rows),
        (observed_calls.has_metadata, observed_calls.metadata_rows),
    )
    return _each_reply(next((rows_of(rows) for is_its, rows_of in tables if is_its(first.values)), rows))


def _each_reply(rows: Iterable[TableRow]) -> Iterator[TableRow]:
    """*rows*, each once for every answer in a whole reply that it holds; where no column says who answered, and the
    first row holds such a reply, replies do."""
    unsaid: bool | None = None
    for row in rows:
        column, body = whole_reply(row.values)
        if unsaid is None:
            unsaid = bool(column) and not names_model(row.values)
        if not column and not unsaid:
            yield row
            continue
        values = {**row.values, "model": words(body.get("model") or body.get("modelVersion"))} if unsaid else row.values
        each = each_choice(body)
        for place, answer in enumerate(each):
            repeat = {"repeat": str(place)} if place and "repeat" not in values else {}
            told = {**values, column: words(answer), **repeat} if len(each) > 1 else values
            yield replace(row, values=told)


def document_rows(found: Any, path: Path, rows_of: Callable[[Records], Iterator[TableRow]]) -> Iterator[TableRow]:
    """Rows of a JSON text that was read whole, by the program that writes its shape; *rows_of* are of records."""
    match found:
        case {"samples": [*samples], "eval": {**header}}:
            for number, sample in enumerate(samples, start=1):
                yield TableRow(number, inspect_logs.sample_row(sample, header), inspect_logs.DIALECT)
        case {"results": {"results": [*results]}} | {"results": {"outputs": [*results]}} | {"results": [*results]}:
            for number, result in enumerate(results, start=1):
                yield TableRow(number, promptfoo.result_row(result))
        case _ if chat_apps.is_conversation(found):
            yield from chat_apps.conversation_rows([(1, found)])
        case _ if helm.is_scenario_state(found):
            yield from helm.state_rows(found)
        case {"columns": [*names], "data": [*rows]} if rows and all(isinstance(row, list) for row in rows):
            # Tables as MLflow and Weights & Biases keep them.
            yield from rows_of(enumerate((dict(zip(map(str, names), row, strict=False)) for row in rows), 1))
        case {"testCases": [*cases], **run} | {"testRunData": {"testCases": [*cases], **run}} if cases:
            yield from rows_of(enumerate(map(deepeval.case_record, cases, repeat(run)), start=1))
        case {"testCases": [], "conversationalTestCases": [*cases], **run} if cases:
            yield from rows_of(enumerate(map(deepeval.case_record, cases, repeat(run)), start=1))
        case _ if helm.is_display(found):
            raise UserError(
                tr("{path} holds answers without their questions.", path=str(path)),
                tr("Import scenario_state.json, which HELM writes beside it."),
            )
        case _ if records := _records_in(found):
            yield from rows_of(enumerate(records, start=1))
        case _:
            raise UserError(
                tr("{path} is JSON of a shape that is not known here.", path=str(path)),
                tr(
                    "Lists of objects are read, answers by model and question, tables with columns and data, and"
                    " chats. So are results of promptfoo, DeepEval, Inspect and HELM."
                ),
            )


def _records_in(found: Any) -> Sequence[Mapping[str, Any]]:
    if chainforge.is_flow(found):
        return chainforge.flow_records(found)
    records = frames.records_of(found) or wrapped_lists.records_in(found)
    if isinstance(found, list):
        return records
    # One list below a name is a list in a wrapper too: what the name says must not be lost.
    named = keyed_texts.keyed_records(found)
    return named if not records or _told(named) > _told(records) else records


def _told(records: Sequence[Mapping[str, Any]]) -> int:
    return len({MODEL, QUESTION} & {name for record in records for name in record})


def record_rows(records: Records, path: Path, go_on: GoOn, start: TableReading) -> Iterator[TableRow]:
    """Rows of objects that stand one after the other, by the program that the first of them is from."""
    records = iter(records)
    first = next(records, None)
    if first is None:
        return
    records = chain([first], records)
    if lm_evaluation_harness.is_sample(first[1]):
        yield from lm_evaluation_harness.sample_rows(records, path, start.beside)
    elif batch_outputs.is_output(first[1]):
        yield from batch_outputs.output_rows(records, batch_requests.asked_beside(start.beside, go_on))
    elif batch_requests.is_request(first[1]):
        asked = batch_requests.asked_beside(start.beside, go_on)
        replies = batch_outputs.replies_in(start.beside, go_on)
        yield from batch_requests.unanswered_rows(records, path, asked, replies)
    else:
        yield from _of_program(first[1], records, path) or _as_they_are(records, start)


def rows_of_columns(records: Records, path: Path, start: TableReading) -> Iterator[TableRow]:
    """The rows, like those of `record_rows`, of a file whose rows all have the same columns."""
    records = iter(records)
    first = next(records, None)
    if first is None:
        return
    records = chain([first], records)
    yield from _of_program(first[1], records, path) or (
        TableRow(number, flat(record)) for number, record in _each_answer(records, start)
    )


def _of_program(first: Mapping[str, Any], records: Records, path: Path) -> Iterator[TableRow] | None:
    """Rows of the program that *first* is from; None where it is nobody's in particular."""
    if lighteval.is_record(first):
        return lighteval.record_rows(records, path)
    return next((rows_of(records) for is_its, rows_of in _SHAPES if is_its(first)), None)


def _each_answer(records: Records, start: TableReading) -> Records:
    for number, record in answers_apart(records):
        for each in [record] if start.apart else keyed_texts.models_apart(record):
            yield number, each


def _as_they_are(records: Records, start: TableReading) -> Iterator[TableRow]:
    for number, record in _each_answer(records, start):
        try:
            yield TableRow(number, once(list(flat_pairs(with_whole_replies(record)))))
        except RepeatedNameError as error:
            raise UserError(
                tr("Entry {n}: {why}.", n=number, why=str(error)), tr("Take one of them out, or name it otherwise.")
            ) from error
