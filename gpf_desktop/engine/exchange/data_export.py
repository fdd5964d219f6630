"""All data of an audit as files in a folder, from the tables of Results to every answer."""

import shutil
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from gpf_desktop.documents.targets import check_folder
from gpf_desktop.documents.unfinished import take_places
from gpf_desktop.documents.whole_files import working_folder
from gpf_desktop.domain import checkpoints
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.relations import FieldKind, Relation, RelationField
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.followed_task import Tell
from gpf_desktop.engine.core.threaded_task import ThreadedTask
from gpf_desktop.engine.exchange import coded_relations, every_eval_ever, inspect_log, preference_pairs, qda_project
from gpf_desktop.engine.exchange.artifact.contents import GROUPS, NAMES, ArtifactChoices
from gpf_desktop.engine.exchange.artifact.member_names import AUDIT, PLANNED
from gpf_desktop.engine.exchange.artifact.packing import audit_text
from gpf_desktop.engine.exchange.artifact.planned import planned_text
from gpf_desktop.engine.exchange.audit_relations import AuditRelations
from gpf_desktop.engine.exchange.finding_rows import finding_relation, notes_relation
from gpf_desktop.engine.reporting.conclusions_file import CONCLUSIONS, conclusions_document, conclusions_text
from gpf_desktop.engine.reporting.report_codes import code_table
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.reporting.results_service import ResultsService
from gpf_desktop.exporters.data_files import (
    FORMATS,
    DataFile,
    check_parquet,
    has_parquet,
    parquet_remedy,
    write_text,
)
from gpf_desktop.exporters.partitioned_files import PartitionedFiles
from gpf_desktop.exporters.qda_projects import SUFFIX
from gpf_desktop.storage import audits, faults
from gpf_desktop.storage.run_tables import one_moment
from gpf_desktop.storage.writer import Connection

EXPORT_TASK: Final = "data export"
TABLES: Final = "tables"
DICTIONARY: Final = "dictionary"
_CODED: Final = f"{qda_project.NAME}.{SUFFIX}"
OTHERS: Final = {inspect_log.FORMAT: inspect_log.FOLDER, every_eval_ever.FORMAT: every_eval_ever.FOLDER}
"""Formats of other programs, which are written where they are asked for, and their folders."""
EVERY_FORMAT: Final = (*FORMATS, SUFFIX, *OTHERS)
PARTED: Final = ("bundles", "answers", "scores")
BY: Final = ("run_id", "model")
_STEP: Final = 2000
"""Rows between two words on how far it is, and so between pressing Stop and the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataWishes:
    """Arguments of an export: the folder, the tables and relations, and the formats."""

    folder: Path
    """Made where it is missing."""
    what: tuple[str, ...] | None = None
    """Of `exported_names`; None: everything."""
    formats: tuple[str, ...] | None = None
    """Of `EVERY_FORMAT`; None: every one that can be written here, but `OTHERS`."""
    wanted: ResultsFilter = field(default_factory=ResultsFilter)
    """What the tables are about."""
    tables_within: bool = True
    """Tables go into a folder of their own."""
    parted: bool = False
    """Parquet of `PARTED` is a folder of files by round and model."""
    replaces: bool = False
    """Files of the same names in the folder are replaced; else nothing is written where there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """The result of an export."""

    folder: Path
    files: tuple[str, ...]
    """Relative to the folder."""
    rows: tuple[tuple[str, int], ...]
    """Rows of each relation."""
    left_out: str = ""
    """Why a format is not among them, and what to do; empty where nothing is left out."""


def exported_names() -> tuple[str, ...]:
    """The names to choose from: the tables of Results, then the relations."""
    return (TABLES, *(name for name in NAMES if name != GROUPS), *coded_relations.NAMES, preference_pairs.NAME)


class DataExport:
    """The export of one open audit."""

    def __init__(self, context: EngineContext, results: ResultsService) -> None:
        self._context = context
        self._results = results
        self._task = ThreadedTask(context, EXPORT_TASK)

    def start(self, wishes: DataWishes) -> "Future[Exported]":
        """Write in the background, told as the task `EXPORT_TASK`. Raises `UserError` while one is under way."""

        def work(tell: Tell) -> tuple[Exported, str]:
            done = self.write(wishes, tell)
            return done, exported_words(done)

        return self._task.start(
            work, busy=tr("Data is being exported already."), trouble=tr("The data could not be written.")
        )

    def standing(self, wishes: DataWishes) -> list[Path]:
        """Files in the folder that *wishes* may replace: those of a former export. Blocks for some milliseconds."""
        names, formats, _ = _understood(wishes)
        kinds = {f".{each}" for each in formats}
        named = [wishes.folder / f"{name}{kind}" for name in names for kind in kinds]
        found = [*(wishes.folder / each for each in (f"{DICTIONARY}.csv", AUDIT, PLANNED, _CODED)), *named]
        if TABLES in names and wishes.tables_within and (wishes.folder / TABLES).is_dir():
            found += [each for each in (wishes.folder / TABLES).iterdir() if each.suffix in kinds]
        if wishes.parted:
            found += [file for name in PARTED for file in (wishes.folder / name).rglob("*.parquet")]
        if TABLES in names:
            found.append(wishes.folder / (TABLES if wishes.tables_within else "") / CONCLUSIONS)
        for name in formats:
            if name in OTHERS:
                found += (wishes.folder / OTHERS[name]).rglob("*.json")
        return [each for each in found if each.is_file()]

    def cancel(self) -> None:
        """Stop; the folder is left as it was."""
        self._task.cancel()

    def close(self) -> None:
        self._task.close()

    def write(self, wishes: DataWishes, tell: Tell = lambda _done, _of: None) -> Exported:
        """Blocks. Nothing is put into the folder before everything is written.

        Raises `UserError` for a wish that cannot be met, `StorageError` for what the disk says, and what *tell* raises.
        """
        names, formats, left_out = _understood(wishes)
        if wishes.parted and "parquet" not in formats:
            raise UserError(tr("Only Parquet is parted by round and model."), tr("Add it with --format parquet."))
        coded, others = SUFFIX in formats, [each for each in formats if each in OTHERS]
        formats = tuple(each for each in formats if each in FORMATS)
        # Every export has a dictionary: a former one is told before all of it is computed.
        check_folder(wishes.folder, names=[f"{DICTIONARY}.csv"] if formats else [], replaces=wishes.replaces)
        names = names if formats else ()
        stored = [name for name in names if name != TABLES]
        rows = self._context.audit.read(lambda connection: _count(connection, stored))
        # About as long in all as writing the rows takes.
        tabled = max(rows, 1) if TABLES in names else 0
        total = rows + tabled
        tables = self._tables(wishes, lambda done, of: tell(tabled * done // of, total)) if tabled else []
        with _staged(wishes) as stage:
            writing = _Writing(
                stage,
                wishes.folder,
                formats,
                lambda done: tell(tabled + done, max(total, tabled + done)),
                parted=PARTED if wishes.parted else (),
            )
            for table in tables:
                writing.relation(table, f"{TABLES}/" if wishes.tables_within else "")
            if tables and formats:
                told = conclusions_text(self._results, wishes.wanted)
                writing.text(CONCLUSIONS, told, f"{TABLES}/" if wishes.tables_within else "")
            self._context.audit.read(lambda connection: _write_stored(connection, stored, writing))
            if coded:
                self._context.audit.read(lambda connection: _write_coded(connection, writing, asked=wishes))
            if inspect_log.FORMAT in others:
                self._context.audit.read(lambda connection: _write_logs(connection, writing))
                left_out += _nothing_of(
                    inspect_log.FOLDER, writing, tr("No log of Inspect: no model has answered yet.")
                )
            if every_eval_ever.FORMAT in others:
                pages = conclusions_document(self._results, wishes.wanted)
                self._context.audit.read(lambda connection: _write_records(connection, writing, pages))
                why = tr("No record of Every Eval Ever: too little is scored for a number.")
                left_out += _nothing_of(every_eval_ever.FOLDER, writing, why)
            if set(NAMES) - {GROUPS} <= set(names):
                # What no relation says, so that an audit can be made of the folder again.
                self._context.audit.read(lambda connection: _write_itself(connection, writing))
            if formats:
                writing.dictionary()
            if others and not writing.files:
                raise UserError(left_out.strip())
        return Exported(
            folder=wishes.folder,
            files=tuple(writing.files),
            rows=tuple(writing.rows.items()),
            left_out=left_out.strip(),
        )

    def _tables(self, wishes: DataWishes, tell: Tell) -> list[Relation]:
        """Computed one after the other: some take minutes, and Stop is not to wait for them."""
        wanted, methods = wishes.wanted, self._results.methods()
        of_each = [wanted] if wanted.method else [replace(wanted, method=method) for method in methods]
        asked = [(each, name) for each in of_each for name in self._results.names(each.method)]
        tables, found = [], []
        for done, (each, name) in enumerate(asked):
            tell(done, len(asked))
            # *tell* raises on Stop, so that within one long table too its checkpoints are the places where it can end.
            with checkpoints.told_at_checkpoints(partial(tell, done, len(asked))):
                results = self._results.results(each, [name])
            if results.findings[name].rows:
                found.append(results.findings[name])
                tables.append(finding_relation(found[-1], results.filtered))
        if found and (coded := code_table(self._context)) is not None:
            tables.append(finding_relation(coded))
        return [*tables, notes_relation(found)] if found else []


def exported_words(done: Exported) -> str:
    """Words on how many files were written, where, and what is not among them."""
    words = trn(
        "Wrote {n} file into {folder}.", "Wrote {n} files into {folder}.", len(done.files), folder=str(done.folder)
    )
    return f"{words} {done.left_out}".strip()


class _Writing:
    """Relations on their way into files below *stage*."""

    def __init__(
        self,
        stage: Path,
        folder: Path,
        formats: Sequence[str],
        tell: Callable[[int], object],
        *,
        parted: Collection[str] = (),
    ) -> None:
        self._stage, self._formats, self._tell = stage, formats, tell
        self.parted = parted
        self.folder = folder
        self.files: list[str] = []
        self.rows: dict[str, int] = {}
        self._done = 0
        self._described: list[tuple[str, Relation]] = []

    def relation(self, relation: Relation, folder: str = "") -> None:
        name = f"{folder}{relation.name}"
        before = self._done
        with ExitStack() as opened:
            targets = [opened.enter_context(self._target(name, each, relation)) for each in self._formats]
            for row in relation.rows:
                for target in targets:
                    target.add(row)
                self._done += 1
                if self._done % _STEP == 0:
                    self._tell(self._done)
        self._tell(self._done)
        self.rows[name] = self._done - before
        self._described.append((name, relation))
        for target in targets:
            if isinstance(target, PartitionedFiles):
                self.files += target.files

    def _target(self, name: str, suffix: str, relation: Relation) -> DataFile:
        if suffix == "parquet" and name in self.parted:
            return PartitionedFiles(self._stage / name, relation.fields, BY)
        return FORMATS[suffix](self._path(name, suffix), relation.fields)

    def text(self, name: str, text: str, folder: str = "") -> None:
        target = self._stage / folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_text(target, text)
        self.files.append(f"{folder}{name}")

    def made(self, name: str, write: Callable[[Path], bool]) -> bool:
        """Whether *write* made the file that is to be called *name*."""
        done = write(self._stage / name)
        if done:
            self.files.append(name)
        return done

    def dictionary(self) -> None:
        """Write the file that describes every column of every file."""
        fields = ("file", "rows_are", "column", "kind", "words")
        described = [
            (name, relation.words, column.name, str(column.kind), column.words)
            for name, relation in self._described
            for column in relation.fields
        ]
        with FORMATS["csv"](
            self._path(DICTIONARY, "csv"), [RelationField(name=name, kind=FieldKind.TEXT) for name in fields]
        ) as target:
            for row in described:
                target.add(row)

    def _path(self, name: str, suffix: str) -> Path:
        path = self._stage / f"{name}.{suffix}"
        path.parent.mkdir(exist_ok=True)
        self.files.append(f"{name}.{suffix}")
        return path


def _count(connection: Connection, names: Sequence[str]) -> int:
    """About how many rows these relations have."""
    relations = AuditRelations(connection)
    return sum(relations.count(name) for name in names)


def _write_stored(connection: Connection, names: Sequence[str], writing: _Writing) -> None:
    with one_moment(connection):
        relations = AuditRelations(connection)
        for name in names:
            # Here, so that what the disk says is not taken for the audit's own trouble.
            with _on_disk(writing.folder):
                found = relations.relation(name)
                writing.relation(relations.with_rounds(found) if name == "scores" and writing.parted else found)


def _write_coded(connection: Connection, writing: _Writing, *, asked: DataWishes) -> None:
    with _on_disk(writing.folder):
        if writing.made(_CODED, lambda path: qda_project.write_qda_project(connection, path)):
            return
    if asked.formats == (SUFFIX,):
        raise UserError(
            tr("Nobody has marked words of an answer yet, so there is nothing to write as a QDPX project."),
            tr("Mark and code passages in Review, and submit."),
        )


def _write_logs(connection: Connection, writing: _Writing) -> None:
    with one_moment(connection), _on_disk(writing.folder):
        for name, text in inspect_log.logs(connection, AuditRelations(connection)):
            writing.text(name, text, f"{inspect_log.FOLDER}/")


def _write_records(connection: Connection, writing: _Writing, told: Mapping[str, Any]) -> None:
    facts = audits.facts(connection)
    made = every_eval_ever.records(
        told, AuditRelations(connection), title=facts.title, created=facts.created.isoformat()
    )
    with _on_disk(writing.folder):
        for name, text in made:
            writing.text(name, text, f"{every_eval_ever.FOLDER}/")


def _nothing_of(folder: str, writing: _Writing, why: str) -> str:
    """*why* there is none of what *folder* would hold; nothing where there is some."""
    return "" if any(each.startswith(f"{folder}/") for each in writing.files) else f" {why}"


def _write_itself(connection: Connection, writing: _Writing) -> None:
    with _on_disk(writing.folder):
        writing.text(AUDIT, audit_text(connection, ArtifactChoices()))
        if planned := planned_text(connection):
            writing.text(PLANNED, planned)


def _understood(wishes: DataWishes) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """(names, formats, why a format is left out). Raises `UserError`."""
    every = exported_names()
    names = every if wishes.what is None else tuple(name for name in every if name in wishes.what)
    _check_known(wishes.what or (), every, lambda name: tr("There is nothing called “{name}” to export.", name=name))
    _check_known(wishes.formats or (), EVERY_FORMAT, lambda name: tr("Data cannot be written as “{name}”.", name=name))
    if wishes.formats is not None:
        if "parquet" in wishes.formats:
            check_parquet()
        return names, tuple(dict.fromkeys(wishes.formats)), ""
    if has_parquet():
        return names, _all_of(names, tuple(FORMATS)), ""
    reason = tr("No Parquet files were written: the package pyarrow is not installed.")
    formats = _all_of(names, tuple(each for each in FORMATS if each != "parquet"))
    return names, formats, f"{reason} {parquet_remedy()}"


def _all_of(names: Sequence[str], formats: tuple[str, ...]) -> tuple[str, ...]:
    """*formats*, and that of coded passages where quotes are among *names*."""
    return (*formats, SUFFIX) if coded_relations.QUOTES in names else formats


def _check_known(given: Sequence[str], known: Sequence[str], what: Callable[[str], str]) -> None:
    for name in given:
        if name not in known:
            raise UserError(what(name), tr("Use one of: {names}.", names=", ".join(known)))


@contextmanager
def _on_disk(folder: Path) -> Iterator[None]:
    """Raises what the disk says inside the block as a `StorageError` about *folder*."""
    try:
        yield
    except OSError as error:
        raise faults.of_os(folder, error) from error


def _former_parquet(stage: Path, folder: Path) -> list[Path]:
    """Files in *folder* of what is in *stage* as Parquet, parted or not: a query would read them along with those."""
    renewed = [name for name in PARTED if (stage / name).is_dir() or (stage / f"{name}.parquet").is_file()]
    found = [file for name in renewed for file in (folder / name).rglob("*.parquet")]
    found += [file for name in renewed if (file := folder / f"{name}.parquet").is_file()]
    return [file.relative_to(folder) for file in found]


@contextmanager
def _staged(wishes: DataWishes) -> Iterator[Path]:
    """A folder within that of *wishes*: its files take their places there when the block ends well, and else they go.

    Raises `UserError` where one of them would replace what must stay; then none takes its place.
    """
    folder = wishes.folder
    made = not folder.exists()
    try:
        with _on_disk(folder):
            folder.mkdir(exist_ok=True)
            # Within the folder, so that it is on the same disk: each file then takes its place by a rename.
            with working_folder(folder, "writing") as stage:
                yield stage
                # Listed before the first is moved, because moving changes the folder that is walked.
                written = sorted(each for each in stage.rglob("*") if each.is_file())
                names = [str(path.relative_to(stage)) for path in written]
                # What lies in a folder that is missing is missing too.
                there = [name for name in names if (folder / name).parent.is_dir()]
                former = _former_parquet(stage, folder)
                check_folder(folder, names=[*there, *map(str, former)], replaces=wishes.replaces)
                for name in former:
                    (folder / name).unlink()
                take_places([(path, folder / path.relative_to(stage)) for path in written])
        # From here on the folder holds what was asked for, and is not removed with the stage.
        made = False
    finally:
        if made:
            shutil.rmtree(folder, ignore_errors=True)
