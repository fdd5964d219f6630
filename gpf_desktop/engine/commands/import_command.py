"""`gpf-desktop import`: tables of answers become an audit with one finished round."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from gpf_desktop.documents.answer_files import WITH_HEAD_ROWS, read_answer_rows, sheets_of
from gpf_desktop.documents.packed_tables import unpacked
from gpf_desktop.documents.programs.batch_requests import read_once, requests_wanted
from gpf_desktop.documents.table_reading import ANYWHERE, TableReading
from gpf_desktop.documents.tables import header_of
from gpf_desktop.domain.embeddings import Vector, digest_of
from gpf_desktop.domain.errors import GpfError, StoppedError, UserError
from gpf_desktop.domain.events import TaskProgressed, TaskSucceeded
from gpf_desktop.domain.ids import ArticleId, CellId, ModelId, ProtocolId, RunId
from gpf_desktop.domain.imports import (
    APPS,
    ImportedAnswer,
    ImportedStudy,
    RowProblem,
    Told,
    imported_model,
    problem_words,
)
from gpf_desktop.domain.items import ARTICLE, StudyItem
from gpf_desktop.domain.models import IMPORTED, Role, TargetModel
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import SortsNews
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.new_audit import made_beside
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import Emit
from gpf_desktop.engine.core.gc_pause import gc_paused
from gpf_desktop.engine.core.protocols import kept_text, protocol_hash
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.exchange.export_files import export_among, refuse_part
from gpf_desktop.storage import batches, cells, models, new_cells, protocols, responses, runs, study_items, vectors
from gpf_desktop.storage.audit_file import filled
from gpf_desktop.storage.new_cells import PlannedCell
from gpf_desktop.storage.provenance import AuditProvenance, set_provenance
from gpf_desktop.storage.writer import Connection

IMPORT_TASK: Final = "import"
_AT_ONCE: Final = 1000
_PIECE: Final = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportSummary:
    """The result of importing tables."""

    audit: Path
    answers: int
    models: tuple[str, ...]
    said: tuple[str, ...]
    problems: tuple[RowProblem, ...]
    """Rows that were left out."""
    statement: str

    def sentences(self) -> list[str]:
        told = [*self.said, *problem_words(self.problems), tr("Saved in {path}.", path=str(self.audit))]
        return [*told, *([self.statement] if self.statement else [])]

    def as_dict(self) -> dict[str, object]:
        return {
            "audit": str(self.audit),
            "answers": self.answers,
            "models": list(self.models),
            "said": list(self.said),
            "left_out": [asdict(each) for each in self.problems],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportWish:
    """Arguments of an import: the tables, the method, and the path of the audit to make."""

    tables: Sequence[Path]
    """What they hold together is one audit."""
    method: str
    given: Mapping[str, str]
    target: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedAudit:
    """An audit that was made of tables; it waits to be scored."""

    path: Path
    study: ImportedStudy
    run_id: RunId

    def sentences(self) -> list[str]:
        return [self.study.said[0], *problem_words(self.study.problems)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportPreview:
    """The begin of some tables, to be mapped before they are imported."""

    columns: tuple[str, ...]
    """Of all of them."""
    rows: tuple[tuple[str, ...], ...]
    """The first ones of the first table, in the order of *columns*."""
    heads: tuple[tuple[str, ...], ...]
    """The columns of each table, as they are written there where that is told."""
    sheets: tuple[str, ...] = ()
    """Of the workbooks among them."""
    by_rows: bool = False
    """Whether one of them has its columns' names in a row, which can be said."""
    lacks: tuple[str, ...] = ()
    """A sentence for each table of answers of which what was asked stands in a file that is not among them."""


def preview(tables: Sequence[Path], most: int = 6, start: TableReading = ANYWHERE) -> ImportPreview:
    """The begin of *tables*. Reads them as a whole where their kind is read so. Raises `UserError`."""
    with unpacked(tables) as files:
        return _preview(files, most, start)


def _preview(tables: Sequence[Path], most: int, start: TableReading) -> ImportPreview:
    for table in tables:
        refuse_part(table)
    start = replace(start, beside=tuple(tables))
    with read_once():
        begins = [list(islice(read_answer_rows(table, start=start), most)) for table in tables]
    named = [tuple(dict.fromkeys(name for row in begin for name in row.values)) for begin in begins]
    columns = tuple(dict.fromkeys(name for names in named for name in names))
    return ImportPreview(
        columns=columns,
        rows=tuple(
            tuple(row.values.get(c, "") for c in columns) for row in next(filter(None, begins), ()) if not row.left_out
        ),
        heads=tuple(tuple(header_of(table, start)) or names for table, names in zip(tables, named, strict=True)),
        sheets=tuple(dict.fromkeys(sheet for table in tables for sheet in sheets_of(table))),
        by_rows=any(table.suffix.lower() in WITH_HEAD_ROWS for table in tables),
        lacks=tuple(
            said for table, begin in zip(tables, begins, strict=True) for said in requests_wanted(table.name, begin)
        ),
    )


class AnswerImporting:
    """Imports beside whatever is open, told as the task `IMPORT_TASK`; one at a time."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._stopped = threading.Event()

    def start(self, wished: ImportWish) -> Future[ImportedAudit]:
        """Make the audit; the future holds it. Cancelled by `cancel`, of which nothing stays."""
        # Here and not on the worker's thread, where it would undo a Stop that was pressed before the work began.
        self._stopped.clear()
        return self._engine.run_beside(partial(self._work, wished), self.cancel)

    def cancel(self) -> None:
        self._stopped.set()

    def _work(self, wished: ImportWish) -> ImportedAudit:
        def tell(doing: str, done: int, of: int | None) -> None:
            if self._stopped.is_set():
                raise StoppedError
            self._engine.announce(TaskProgressed(task=IMPORT_TASK, done=done, of=of, doing=doing))

        try:
            made = make_audit(wished.tables, wished.method, wished.given, wished.target, tell)
        except StoppedError:
            raise UserError(tr("Stopped: no audit was made.")) from None
        self._engine.announce(TaskSucceeded(task=IMPORT_TASK, sentence=" ".join(made.sentences())))
        return made


def make_audit(
    tables: Sequence[Path], method: str, given: Mapping[str, str], target: Path, tell: Told
) -> ImportedAudit:
    """A new audit at *target* of what *tables* hold. Blocks; nothing is left there where *tell* raises, or on trouble.

    Raises `UserError` for the tables, `StorageError` for what the disk says.
    """
    with gc_paused(), unpacked(tables, lambda: tell(tr("Unpacking"), 0, None)) as files, read_once():
        return _made(files, method, given, target, tell)


def _made(tables: Sequence[Path], method: str, given: Mapping[str, str], target: Path, tell: Told) -> ImportedAudit:
    for table in tables:
        refuse_part(table)
    study = catalogue.importer(method).study(tables, {**given, **TableReading.together(tables)}, tell)
    told = AuditProvenance(
        imported_from=_origin(tables, study),
        imported_hash=_digest(tables, lambda: tell(tr("Taking the files' SHA-256"), len(study.answers), None)),
        imported_rows=len(study.answers),
    )
    with filled(target, title=study.name) as connection:
        run_id = _store(connection, catalogue.method(method), study, told, tell)
    return ImportedAudit(path=target, study=study, run_id=run_id)


def _origin(tables: Sequence[Path], study: ImportedStudy) -> str:
    """The files' names, and the app where answers are from one: an app is not the API, and every page is to say it."""
    hosts = {each.served.host for each in study.answers}
    names = ", ".join(table.name for table in tables)
    apps = ", ".join(app for app in APPS if app in hosts)
    return tr("{files} ({apps}, not the API)", files=names, apps=apps) if apps else names


def _digest(tables: Sequence[Path], go_on: Callable[[], object]) -> str:
    digest = hashlib.sha256()
    for table in tables:
        with table.open("rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
                go_on()
    return digest.hexdigest()


def _announce(announce: Emit, doing: str, done: int, of: int | None) -> None:
    announce(TaskProgressed(task=IMPORT_TASK, done=done, of=of, doing=doing))


def import_tables(
    headless: Headless,
    tables: Sequence[Path],
    method: str,
    given: Mapping[str, str],
    audit: Path,
    *,
    scored: bool = True,
) -> ImportSummary:
    """A new audit at *audit* of what *tables* hold, *scored* before it stands there, and then open in *headless*; of an
    export, the audit that it was of, whatever *method* is. Raises `GpfError`."""
    tell = partial(_announce, headless.engine.announce)
    if folder := export_among(tables):
        return _of_export(folder, audit, tell)
    if scored:
        with made_beside(audit) as beside:
            made = make_audit(tables, method, given, beside, tell)
            # Every cell has its answer or its reason, so that nothing is asked: the round rests once it is scored.
            try:
                state = headless.ask_round(headless.engine.open(beside), made.run_id)
            finally:
                headless.engine.close_audit()
            if not state.over:
                raise GpfError(tr("Stopped: no audit was made."))
        headless.engine.open(audit)
    else:
        made = make_audit(tables, method, given, audit, tell)
    study, its = made.study, catalogue.method(method)
    return ImportSummary(
        problems=tuple(study.problems),
        audit=audit,
        answers=len(study.answers),
        models=tuple(dict.fromkeys(each.model for each in study.answers)),
        said=study.said,
        statement=its.statement_of({item.kind for item in study.items}).short,
    )


def _of_export(folder: Path, audit: Path, tell: Told) -> ImportSummary:
    """The audit that was exported, with its scores and readings: nothing of it is found by columns."""
    # Here: what opens an artifact draws reports in as well, which tables of answers have no need of.
    from gpf_desktop.engine.exchange.exported_folder import restore_export

    answers = restore_export(folder, audit, lambda done, of: tell(tr("Reading the export"), done, of))
    said = tr("Made the audit again that was exported into {folder}: {n:,} answers.", folder=folder.name, n=answers)
    return ImportSummary(audit=audit, answers=answers, models=(), said=(said,), problems=(), statement="")


def _store(connection: Connection, method: Method, study: ImportedStudy, told: AuditProvenance, tell: Told) -> RunId:
    """Store *study* as a round with all of its answers, and where it is from.

    Raises `UserError`, and what *tell* raises.
    """
    text = kept_text(study.protocol, method.name)
    set_provenance(connection, told)
    names = list(dict.fromkeys(each.model for each in study.answers))
    kept = {name: _keep_model(connection, name) for name in names}
    items = study_items.keep(connection, [_sorted(item, method) for item in study.items])
    run_id = runs.create(
        connection,
        runs.NewRun(
            name=study.name,
            plan_hash=told.imported_hash,
            plan="{}",
            batch_id=batches.create(connection, study.name, items),
            protocol_id=ProtocolId(
                protocols.keep(
                    connection,
                    method=method.name,
                    name=study.protocol.name,
                    version=study.protocol.version,
                    hash=protocol_hash(study.protocol),
                    text=text,
                )
            ),
            method=method.name,
            method_version=method.version,
            controls=json.dumps(asdict(study.controls or method.no_controls())),
            seed=1,
            spend_cap=None,
        ),
        [replace(model, role=_role(name, study)) for name, model in kept.items()],
    )

    def planned() -> Iterator[PlannedCell]:
        for place, each in enumerate(study.answers):
            if place % _AT_ONCE == 0:
                tell(tr("Storing what was asked"), place, len(study.answers))
            yield _planned(each, kept[each.model].id, items[each.item], place)

    new_cells.plan(connection, run_id, method.grouping, planned(), fitted_on=method.fitted_on)
    ids = cells.of_run(connection, run_id)
    ended = zip(ids, map(_outcome, study.answers), strict=True)
    for done in range(0, len(ids), _AT_ONCE):
        tell(tr("Storing the answers"), done, len(ids))
        responses.bring(connection, islice(ended, _AT_ONCE))
    about = [(ids[place], ids[each.about]) for place, each in enumerate(study.answers) if each.about is not None]
    # Cells have numbers only once they are planned, and an answer may be about one further down.
    new_cells.set_parents(connection, about)
    vectors.save(connection, _vectors(study, kept, ids))
    # What stands in memory still is written now, all at once.
    tell(tr("Storing the answers"), len(ids), len(ids))
    return run_id


def _role(model: str, study: ImportedStudy) -> Role:
    """The role of *model*: target if it answered any question, else embedder if it gave vectors, else judge."""
    its = [each for each in study.answers if each.model == model]
    if any(not each.answer.stage for each in its):
        return Role.TARGET
    return Role.EMBEDDER if any(each.vector for each in its) else Role.JUDGE


def _vectors(
    study: ImportedStudy, kept: Mapping[str, TargetModel], ids: Sequence[CellId]
) -> Iterator[tuple[CellId, Vector]]:
    """The vector of every cell that came with one; its digest is that of the text that it represents."""
    for cell, each in zip(ids, study.answers, strict=True):
        if each.vector and each.about is not None:
            digest = digest_of(study.answers[each.about].text, kept[each.model].endpoint, IMPORTED)
            yield cell, Vector(digest=digest, data=each.vector)


def _sorted(item: StudyItem, method: object) -> StudyItem:
    """News without a stratum gets one of its method's."""
    if item.stratum or item.kind != ARTICLE or not isinstance(method, SortsNews):
        return item
    return replace(item, stratum=method.classify(item.title, item.text).stratum)


def _keep_model(connection: Connection, name: str) -> TargetModel:
    model_id = models.keep(connection, imported_model(name), synthetic=False)
    # Hidden from the models to choose from: nobody can ask it, and the round has it all the same.
    models.remove(connection, model_id)
    return models.get(connection, model_id)


def _planned(each: ImportedAnswer, model_id: ModelId, item: ArticleId, place: int) -> PlannedCell:
    state = "missing" if each.missing else "answered"
    return PlannedCell(model_id=model_id, article_id=item, answer=each.answer, seed=0, position=place, state=state)


def _outcome(each: ImportedAnswer) -> Outcome:
    if each.missing:
        detail = each.detail or tr("The table has no text of this answer.")
        return Miss(
            reason=Missing(each.missing),
            detail=detail,
            text=each.text,
            reasoning=each.reasoning,
            finish=each.finish,
            served=each.served,
        )
    return Reply(
        text=each.text,
        reasoning=each.reasoning,
        finish=each.finish,
        truncated=each.truncated,
        served=each.served,
    )
