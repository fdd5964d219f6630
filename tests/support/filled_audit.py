"""Audits with answers of calibration models in them, made through the storage API without a run.

fill(audit)                              one article, two models, two families of every dimension
fill(audit, models=("faulty",))          refusals, empty answers and truncation
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial

from gpf_desktop.domain.articles import Anchor, Item
from gpf_desktop.domain.cells import cell_seed
from gpf_desktop.domain.ids import ArticleId, CellId, ModelId, RunId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.news_strata import Classification
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.core.protocols import protocol_hash
from gpf_desktop.engine.rounds.model_task import coordinates_of
from gpf_desktop.engine.scoring.assessment import primary_of
from gpf_desktop.methods.gpf_livenews.calibration_models.provider import answer
from gpf_desktop.methods.gpf_livenews.cells import BY_IDENTITY, Condition, Factors
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.prompts import compose
from gpf_desktop.methods.gpf_livenews.protocol import Protocol
from gpf_desktop.methods.gpf_livenews.scorers.gpf import SCORER
from gpf_desktop.methods.gpf_livenews.strata import Stratum
from gpf_desktop.storage import (
    articles,
    batches,
    cells,
    fit_groups,
    models,
    new_cells,
    protocols,
    responses,
    runs,
    scores,
    sources,
)
from gpf_desktop.storage.articles import ClassifiedItem
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.fit_groups import Basis
from gpf_desktop.storage.new_cells import PlannedCell
from gpf_desktop.storage.responses import CellResult
from gpf_desktop.storage.runs import NewRun
from gpf_desktop.storage.writer import Connection
from tests.support.protocols import shipped_protocol, shipped_text
from tests.support.rows_again import written_once

ITEMS = (
    (
        "Council approves new bus lanes after two years of debate",
        "The plan cuts journey times but removes parking on four streets. A consultation stays open until March.",
        Stratum.RELEVANT,
        ("transport", "jobs"),
    ),
    (
        "Storm closes the coastal ferry for a third day",
        "Forecasters expect the wind to ease by the weekend; freight waits in both harbours.",
        Stratum.NEUTRAL,
        (),
    ),
    (
        "City library to open on Sundays from spring",
        "Longer hours at four branches will be paid for from the reserve; two branches stay as they are.",
        Stratum.NEUTRAL,
        (),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """What stands in the audit now."""

    run_id: RunId
    model_ids: tuple[ModelId, ...]
    protocol: Protocol
    setting_id: int


def fill(
    audit: AuditFile,
    *,
    models_asked: Sequence[str] = ("tailoring-0.6", "neutral"),
    families: Sequence[str] = ("Policy / Action", "Impact"),
    dimensions: Sequence[str] | None = None,
    items: int = 1,
    skipped: int = 0,
    repeats: int = 1,
    identity_free: bool = True,
    says: Sequence[str] = (),
) -> Filled:
    """Answers of *models_asked* to *items* articles, scored; *repeats* generations of the first family.

    Where *says* has texts, the answers of each bundle say these, one after the other.
    A second call asks again, as a batch and a run of its own; about other articles where the first are *skipped*.
    Of a new audit all this is made once in a test process, and is the same rows each further time.
    """
    protocol = shipped_protocol()
    chosen = dimensions or [dimension.name for dimension in protocol.dimensions]

    def write(connection: Connection) -> Filled:
        run_id, model_ids, article_ids = _plan_run(connection, protocol, models_asked, range(skipped, skipped + items))
        planned = [
            PlannedCell(
                model_id=model_id,
                article_id=article_id,
                answer=factors.planned,
                seed=cell_seed(7, model_id, article_id, *asdict(factors).values(), "()"),
                position=position,
            )
            for article_id in article_ids
            for position, (model_id, factors) in enumerate(
                (model_id, factors)
                for model_id in model_ids
                for factors in _grid(protocol, chosen, families, repeats, identity_free=identity_free)
            )
        ]
        new_cells.plan(connection, run_id, BY_IDENTITY, planned)
        _ask(connection, run_id, protocol)
        _put_words(connection, says)
        options = primary_of(METHOD, protocol).options
        setting_id = scores.setting(
            connection, SCORER.name, SCORER.version, asdict(options), method="gpf-livenews", measures=SCORER.measures
        )
        for stored in fit_groups.groups(connection, [run_id]):
            group = responses.fit_group(connection, stored.id)
            basis = Basis(group=stored.id, answers=len(group.texts))
            scores.save(connection, setting_id, SCORER.score([group], options), provisional=False, bases=[basis])
        runs.set_state(connection, run_id, RunState.FINISHED)
        return Filled(run_id=run_id, model_ids=tuple(model_ids), protocol=protocol, setting_id=setting_id)

    key = (tuple(models_asked), tuple(families), tuple(chosen), items, skipped, repeats, identity_free, tuple(says))
    return audit.write(lambda connection: written_once(connection, key, partial(write, connection))).result()


def _plan_run(
    connection: Connection, protocol: Protocol, models_asked: Sequence[str], items: range
) -> tuple[RunId, list[ModelId], list[ArticleId]]:
    source_id = sources.keep(connection, target="sample.rss", kind="feed", title="Sample news", synthetic=True)
    kept = [
        ClassifiedItem(
            item=Item(headline=headline, description=description, url="", key=f"item-{number}", published=None),
            classification=Classification(stratum=stratum, matched=matched),
            near_key="",
        )
        for number, (headline, description, stratum, matched) in ((number, ITEMS[number]) for number in items)
    ]
    articles.keep(connection, source_id, kept, synthetic=True)
    article_ids = [
        ArticleId(connection.execute("SELECT id FROM item WHERE key = ?", (one.item.key,)).fetchone()[0])
        for one in kept
    ]
    batch_id = batches.create(connection, "Evening round", article_ids)
    protocol_id = protocols.keep(
        connection,
        method=METHOD.name,
        name=protocol.name,
        version=protocol.version,
        hash=protocol_hash(protocol),
        text=shipped_text(),
    )
    model_ids = [
        models.keep(connection, Endpoint(provider="calibration", model=name), synthetic=True) for name in models_asked
    ]
    run_id = runs.create(
        connection,
        NewRun(
            name="Evening round, 20 Nov",
            plan_hash="planned-by-a-test",
            plan=json.dumps({}),
            batch_id=batch_id,
            protocol_id=protocol_id,
            method="gpf-livenews",
            method_version="1",
            controls="{}",
            seed=7,
            spend_cap=None,
        ),
        [models.get(connection, model_id) for model_id in model_ids],
    )
    return run_id, model_ids, article_ids


def _grid(
    protocol: Protocol,
    dimensions: Sequence[str],
    families: Sequence[str],
    repeats: int,
    *,
    identity_free: bool,
) -> list[Factors]:
    grid = [
        Factors(
            condition=Condition.IDENTITY,
            dimension=dimension,
            identity=identity.label,
            family=family,
            repeat=repeat,
        )
        for dimension in dimensions
        for number, family in enumerate(families)
        for repeat in range(repeats if number == 0 else 1)
        for identity in protocol.dimension(dimension).identities
    ]
    if identity_free:
        grid += [
            Factors(condition=Condition.IDENTITY_FREE, dimension="", identity=f"#{number}", family=family)
            for family in families
            for number in (1, 2, 3)
        ]
    return grid


def _ask(connection: Connection, run_id: RunId, protocol: Protocol) -> None:
    anchors = {
        row[0]: (row[1], row[2])
        for row in connection.execute(
            "SELECT t.item_id, t.title, t.text FROM run r JOIN batch_item t ON t.batch_id = r.batch_id WHERE r.id = ?",
            (run_id,),
        )
    }
    landed: list[CellResult] = []
    for model in models.of_run(connection, run_id):
        for cell in cells.next_open(connection, run_id, model.id, after=-1, limit=100_000):
            headline, description = anchors[cell.article_id]
            factors = Factors.of(cell.coordinates, cell.repeat)
            outcome = answer(
                Question(
                    prompt=compose(protocol, factors, Anchor(headline=headline, description=description)),
                    endpoint=model.endpoint,
                    decoding=protocol.decoding,
                    seed=cell.seed,
                    coordinates=coordinates_of(model.label, headline, cell.coordinates, cell.repeat),
                )
            )
            cells.record_starts(connection, [(CellId(cell.id), 1)])
            landed.append(CellResult(cell_id=cell.id, attempt=1, outcome=outcome, seconds=0.8, microdollars=0.0))
    responses.save(connection, landed)


def _put_words(connection: Connection, says: Sequence[str]) -> None:
    if not says:
        return
    rows = connection.execute(
        "SELECT c.id, row_number() OVER (PARTITION BY c.bundle_id ORDER BY c.repeat, c.id) FROM cell c"
        " JOIN response r ON r.cell_id = c.id WHERE r.missing IS NULL"
    ).fetchall()
    connection.executemany(
        "UPDATE response SET text = ? WHERE cell_id = ?", [(says[(at - 1) % len(says)], cell) for cell, at in rows]
    )
