"""`gpf-desktop score`: the tables of a file of answers, made of an audit that stands as long as they are made."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, Final

from gpf_desktop.documents.answer_files import READABLE, WORKBOOKS
from gpf_desktop.documents.tables import OtherColumnsError
from gpf_desktop.documents.targets import check_folder
from gpf_desktop.documents.whole_files import temporary_folder, together
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import OWN, RowProblem, problem_words
from gpf_desktop.domain.ports.file_tables import FileTables
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.tables import ScoredAnswers
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import ImportedAudit, make_audit
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.gc_pause import gc_paused
from gpf_desktop.engine.core.thread_pool import ThreadPool
from gpf_desktop.engine.reporting.stored_tables import StoredTables
from gpf_desktop.engine.scoring.method_tables import write_table
from gpf_desktop.engine.scoring.stored_scoring import score_again
from gpf_desktop.storage import fit_groups, scores
from gpf_desktop.storage.faults import translated
from gpf_desktop.storage.writer import Connection

POOL_FROM: Final = 20_000
"""Answers; below, starting worker processes costs more than scoring."""
_TABLES: Final = frozenset({".csv", ".tsv", ".jsonl", ".ndjson", *WORKBOOKS})
"""Kinds of file of which it is said which columns are lacking, rather than that their shape is not known."""


def score_into(
    method: str, answers: Path, given: Mapping[str, str], folder: Path, told: HowFar, *, replaces: bool = False
) -> ScoredAnswers:
    """Score *answers* by *method* and write each table whole into *folder*, which is made if it is missing.

    *told* of texts that language models read; files of the same names there stay unless it *replaces* them. Raises
    `UserError` for the input, `StorageError` for the output.
    """
    reads = [answers, *map(Path, given.values())]
    # Scoring may take minutes: what is sure to be written is looked at before, the rest once it is known.
    check_folder(folder, reads=reads, names=catalogue.file_tables_of(method).writes, replaces=replaces)
    scored = score_file(method, answers, given, told)
    check_folder(folder, reads=reads, names=scored.tables, replaces=replaces)
    with translated(folder):
        folder.mkdir(exist_ok=True)
    with translated(folder), together():
        for name, table in scored.tables.items():
            write_table(table, folder / name)
    return scored


def score_file(
    method: str, answers: Path, given: Mapping[str, str], told: HowFar = lambda _done, _of: None
) -> ScoredAnswers:
    """The tables that *method* makes of *answers*; *told* as by `score_into`. Raises `UserError`."""
    maker = catalogue.file_tables_of(method)
    with gc_paused(), temporary_folder() as folder, Headless(quiet=True) as headless:
        made, own = _imported(maker, answers, given, folder / "scored.gpf")
        settings = maker.settings(given)
        opened = headless.engine.open(made.path, read_only=not settings)
        for scorer, options in settings:
            _score(opened.context, method, scorer, options, len(made.study.answers))
        scored = maker.tables(_tables(opened.context, method), given, told)
    if own:
        return scored
    said = (*made.study.said, *problem_words(made.study.problems), *scored.said)
    return replace(scored, said=said, gaps=scored.gaps or bool(made.study.problems))


def _imported(maker: FileTables, answers: Path, given: Mapping[str, str], target: Path) -> tuple[ImportedAudit, bool]:
    """The audit of *answers*, and whether they stand in the method's own columns, where a row that cannot be used is
    refused. Raises `UserError`."""
    other: OtherColumnsError | None = None
    try:
        wished = {**maker.check(answers, given), OWN: "yes"}
    except OtherColumnsError as error:
        if answers.suffix.lower() not in READABLE:
            raise
        other, wished = error, {}
    try:
        made = make_audit([answers], maker.name, wished, target, lambda *_: None)
    except UserError:
        if other is not None and answers.suffix.lower() in _TABLES:
            raise other from None
        raise
    if other is None and made.study.problems:
        raise _refused(made.study.problems[0])
    return made, other is None


def _refused(problem: RowProblem) -> UserError:
    return UserError(tr("Line {line}: {why}.", line=problem.line, why=problem.why), tr("Correct it, or take it out."))


def _tables(context: EngineContext, method: str) -> ScoreTables:
    stored = StoredTables(context)
    return stored.tables(stored.setting(None, method), method)


def _score(context: EngineContext, method: str, scorer: str, options: Any, answers: int) -> None:
    """Score what is stored by *scorer*, as the setting after those that are there."""

    def begin(connection: Connection) -> int:
        found = catalogue.scorers()[scorer]
        return scores.setting(
            connection, scorer, found.version, asdict(options), method=method, measures=found.measures
        )

    def score(context: EngineContext) -> None:
        groups = context.audit.read(fit_groups.groups)
        setting = context.audit.write(begin).result()
        context.loop.submit(score_again(context, setting, scorer, options, groups, lambda _: None)).result()

    if answers >= POOL_FROM:
        score(context)
        return
    with ThreadPool() as pool:
        score(replace(context, scoring=pool))
