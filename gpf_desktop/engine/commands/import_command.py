"""`gpf-desktop import`: tables of answers become an audit with one finished round."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from gpf_desktop.domain.ids import ArticleId, ModelId, ProtocolId, RunId
from gpf_desktop.domain.imports import ImportedAnswer, ImportedStudy, imported_model
from gpf_desktop.domain.methods import Method
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import protocol_hash, write_protocol
from gpf_desktop.storage import batches, cells, models, protocols, responses, runs, study_items
from gpf_desktop.storage.cells import PlannedCell
from gpf_desktop.storage.responses import CellResult
from gpf_desktop.storage.writer import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportSummary:
    """What was made of the tables."""

    audit: Path
    answers: int
    models: tuple[str, ...]
    said: tuple[str, ...]
    statement: str

    def sentences(self) -> list[str]:
        return [*self.said, tr("Saved in {path}.", path=str(self.audit)), self.statement]

    def as_dict(self) -> dict[str, object]:
        return {
            "audit": str(self.audit),
            "answers": self.answers,
            "models": list(self.models),
            "said": list(self.said),
        }


def import_tables(
    headless: Headless, tables: Sequence[Path], method: str, given: Mapping[str, str], audit: Path
) -> ImportSummary:
    """A new audit at *audit* of what *tables* hold, scored. Raises `UserError` for the tables, `StorageError`."""
    study = catalogue.importer(method).study(tables, given)
    its = catalogue.method(method)
    open_audit = headless.engine.create(audit, title=study.name)
    run_id = open_audit.context.audit.write(lambda connection: store(connection, its, study)).result()
    headless.sit(open_audit, run_id)
    return ImportSummary(
        audit=audit,
        answers=len(study.answers),
        models=tuple(dict.fromkeys(each.model for each in study.answers)),
        said=study.said,
        statement=its.statement.short,
    )


def store(connection: Connection, method: Method, study: ImportedStudy) -> RunId:
    """Store *study* as a round of which every cell has ended; it waits to be scored."""
    names = list(dict.fromkeys(each.model for each in study.answers))
    kept = {name: _keep_model(connection, name) for name in names}
    items = study_items.keep(connection, study.items)
    digest = hashlib.sha256(json.dumps([asdict(each) for each in study.answers], sort_keys=True).encode()).hexdigest()
    run_id = runs.create(
        connection,
        runs.NewRun(
            name=study.name,
            plan_hash=digest,
            plan="{}",
            batch_id=batches.create(connection, study.name, items),
            protocol_id=ProtocolId(
                protocols.keep(
                    connection,
                    method=method.name,
                    name=study.protocol.name,
                    version=study.protocol.version,
                    hash=protocol_hash(study.protocol),
                    text=write_protocol(study.protocol, method.name),
                )
            ),
            method=method.name,
            method_version=method.version,
            controls=json.dumps(asdict(study.controls)),
            seed=1,
            spend_cap=None,
        ),
        list(kept.values()),
    )
    planned = [_planned(each, kept[each.model].id, items[each.item], place) for place, each in enumerate(study.answers)]
    cells.plan(connection, run_id, method.grouping, planned, fitted_on=method.fitted_on)
    ids = cells.of_run(connection, run_id)
    responses.save(
        connection,
        [
            CellResult(cell_id=cell_id, attempt=1, outcome=_outcome(each), seconds=None, microdollars=0.0)
            for cell_id, each in zip(ids, study.answers, strict=True)
        ],
    )
    return run_id


def _keep_model(connection: Connection, name: str) -> TargetModel:
    model_id = models.keep(connection, imported_model(name), synthetic=False)
    models.remove(connection, model_id)
    return models.get(connection, model_id)


def _planned(each: ImportedAnswer, model_id: ModelId, item: ArticleId, place: int) -> PlannedCell:
    return PlannedCell(model_id=model_id, article_id=item, answer=each.answer, seed=0, position=place)


def _outcome(each: ImportedAnswer) -> Outcome:
    if each.missing:
        return Miss(reason=Missing(each.missing), detail=tr("The table has no text of this answer."))
    return Reply(text=each.text)
