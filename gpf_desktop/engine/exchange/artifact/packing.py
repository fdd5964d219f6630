"""Packs an audit into its artifact."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from gpf_desktop import __version__
from gpf_desktop.domain.relations import Relation, Row
from gpf_desktop.domain.report_blocks import ReportFact
from gpf_desktop.domain.reports import Report
from gpf_desktop.domain.text import language, tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.followed_task import Tell
from gpf_desktop.engine.exchange.artifact import cards, contents, croissant
from gpf_desktop.engine.exchange.artifact.audits_summary import AUDITS, audits_text, check_addresses
from gpf_desktop.engine.exchange.artifact.cards import ArtifactFacts
from gpf_desktop.engine.exchange.artifact.contents import DATA, TABLES, ArtifactChoices, chosen_names
from gpf_desktop.engine.exchange.artifact.croissant import CROISSANT, Described
from gpf_desktop.engine.exchange.artifact.drafts import DECLARATIONS, DRAFT, draft_text
from gpf_desktop.engine.exchange.artifact.member_names import AUDIT, PLANNED
from gpf_desktop.engine.exchange.artifact.planned import planned_text
from gpf_desktop.engine.exchange.artifact.sealed_zip import SealedZipWriter
from gpf_desktop.engine.exchange.audit_relations import AuditRelations
from gpf_desktop.engine.exchange.finding_rows import finding_relation, notes_relation
from gpf_desktop.engine.reporting.conclusions_file import CONCLUSIONS
from gpf_desktop.engine.reporting.drafts.declared import form
from gpf_desktop.engine.reporting.drafts.draft_files import from_json
from gpf_desktop.engine.reporting.report_service import ReportService
from gpf_desktop.exporters.data_files import csv_text, json_line
from gpf_desktop.storage import audits, faults, reviewers
from gpf_desktop.storage.audits import AuditFacts
from gpf_desktop.storage.files import written_whole
from gpf_desktop.storage.provenance import AuditProvenance, provenance
from gpf_desktop.storage.review_samples import as_drawn
from gpf_desktop.storage.run_stamps import run_stamps
from gpf_desktop.storage.run_tables import one_moment
from gpf_desktop.storage.writer import Connection

_STEP: Final = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeArtifact:
    """An artifact that was written."""

    path: Path
    seal: str
    """SHA-256 of all of it; to be printed and kept elsewhere."""
    files: int
    rows: Mapping[str, int]
    withheld: int


def make(
    context: EngineContext, reports: ReportService, target: Path, choices: ArtifactChoices, tell: Tell
) -> MadeArtifact:
    """Write the artifact of an audit whose scores are current to *target*. Blocks.

    Raises `UserError` where an address in *choices* is none, `StorageError` for what the disk says, and what *tell*
    raises; *target* is then as it was.
    """
    check_addresses(choices)
    report, concluded = reports.whole(), reports.conclusions()
    if choices.pseudonyms:
        report = _without_names(report, contents.pseudonyms(context.audit.read(reviewers.in_order_of_entries)))
    with written_whole(target) as beside:
        writer = SealedZipWriter(beside)
        try:
            making = _Making(writer, choices, report, concluded, tell)
            context.audit.read(lambda connection: making.write(connection, target))
            seal = writer.close({"program": f"GPF Desktop {__version__}", "language": language()})
        # Stop comes as what *tell* raises, and the half-written zip is to be closed before its file is removed.
        except BaseException:
            with suppress(OSError, ValueError):
                writer.abandon()
            raise
    return MadeArtifact(
        path=target, seal=seal, files=len(writer.members) + 1, rows=making.rows, withheld=making.withheld
    )


def _without_names(report: Report, called: Mapping[str, str]) -> Report:
    """*report* with reviewers in its list of counts and in its tables *called* something else, by their names."""

    def renamed(text: str) -> str:
        for name, other in called.items():
            text = text.replace(name, other)
        return text

    # In tables a person is named before a comma (“…, who rated blind”) or alone; elsewhere the word may be another.
    named = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?=,|$)" for name in called) or "(?!)")

    def told(value: Any) -> Any:
        return named.sub(lambda found: called[found[0]], value) if isinstance(value, str) else value

    findings = tuple(
        replace(
            each,
            rows=tuple(
                replace(row, values={key: told(value) for key, value in row.values.items()}) for row in each.rows
            ),
            notes=tuple(map(told, each.notes)),
            highlights=tuple(map(told, each.highlights)),
        )
        for each in report.findings
    )
    counts = tuple(ReportFact(name=renamed(fact.name), value=renamed(fact.value)) for fact in report.review_counts)
    return replace(report, findings=findings, review_counts=counts)


class _Making:
    """The parts of an artifact, in the order of the zip."""

    def __init__(
        self, writer: SealedZipWriter, choices: ArtifactChoices, report: Report, concluded: str, tell: Tell
    ) -> None:
        self._writer, self._choices, self._report, self._tell = writer, choices, report, tell
        self._concluded = concluded
        self.rows: dict[str, int] = {}
        self.withheld = 0
        self._missing: Counter[str] = Counter()
        self._newest = ""
        self._done = self._total = 0
        self._described: list[Described] = []

    def write(self, connection: Connection, target: Path) -> None:
        with one_moment(connection):
            facts, told = audits.facts(connection), provenance(connection)
            relations = AuditRelations(connection, self._choices.withheld, without_news=self._choices.without_news)
            # Messages are not counted before they are composed, so that what is done may pass the total.
            self._total = sum(relations.count(name) for name in chosen_names(self._choices))
            try:
                self._writer.add(AUDIT, audit_text(connection, self._choices))
                if draft := draft_text(connection, self._choices):
                    self._writer.add(DRAFT, draft)
                    self._writer.add(DECLARATIONS, form(from_json(draft)))
                if planned := planned_text(connection):
                    self._writer.add(PLANNED, planned)
                # The newest moment in the data and not the clock's: the same audit gives the same bytes on another day.
                self._newest = facts.created.isoformat()
                for name in chosen_names(self._choices):
                    self._lines(contents.relation(relations, name, self._choices))
                self._tables()
                self._writer.add(CONCLUSIONS, self._concluded)
                self._cards(connection, facts, told)
            except OSError as error:
                # Here, so that what the disk says is not taken for the audit's own trouble.
                raise faults.of_os(target, error) from error

    def _holds(self, name: str) -> bool:
        return any(member.name == name for member in self._writer.members)

    def _lines(self, relation: Relation) -> None:
        names, count = [field.name for field in relation.fields], 0
        moments = [at for at, name in enumerate(names) if name in ("finished_at", "received_at", "at")]
        with self._writer.file(f"{DATA}{relation.name}.jsonl") as file:
            for row in relation.rows:
                file.write(json_line(names, (), row).encode())
                count += 1
                self._noticed(row, moments)
                self._count(relation, names, row)
        self.rows[relation.name] = count
        self._describe(f"{DATA}{relation.name}.jsonl", relation, count)

    def _noticed(self, row: Row, moments: list[int]) -> None:
        for at in moments:
            # Stored moments are all in UTC and of one spelling (`storage.times`): the later text is the later moment.
            if row[at] is not None and str(row[at]) > self._newest:
                self._newest = str(row[at])
        self._done += 1
        if self._done % _STEP == 0:
            self._tell(self._done, max(self._total, self._done))

    def _count(self, relation: Relation, names: list[str], row: Row) -> None:
        if relation.name == "answers":
            cell = dict(zip(names, row, strict=True))
            self.withheld += bool(cell["withheld"])
            if cell["missing"] is not None or cell["received_at"] is None:
                self._missing[str(cell["missing"] or tr("not yet run"))] += 1

    def _tables(self) -> None:
        found = self._report.findings
        for relation in (*map(finding_relation, found), *([notes_relation(found)] if found else [])):
            name, rows = f"{TABLES}{relation.name}.csv", list(relation.rows)
            self._writer.add(name, csv_text(replace(relation, rows=rows)))
            self._describe(name, replace(relation, name=f"table_{relation.name}"), len(rows))

    def _describe(self, file: str, relation: Relation, rows: int) -> None:
        # The file was closed just before this call, and only then does it have a hash.
        sha256 = self._writer.members[-1].sha256
        self._described.append(Described(file=file, sha256=sha256, relation=relation, rows=rows))

    def _cards(self, connection: Connection, audit: AuditFacts, told: AuditProvenance) -> None:
        facts = ArtifactFacts(
            report=self._report,
            rows=self.rows,
            missing=self._missing,
            withheld=self.withheld,
            drafted=self._holds(DRAFT),
            planned=self._holds(PLANNED),
            published=self._newest[:10],
            choices=self._choices,
            provenance=told,
        )
        for name, page in (
            ("README.md", cards.readme),
            ("DATA-CARD.md", cards.data_card),
            ("EVALUATION-CARD.md", cards.evaluation_card),
            ("LICENCES.md", cards.licences),
        ):
            self._writer.add(name, page(facts))
        self._writer.add(AUDITS, audits_text(audit.uuid, audit.title, facts.published, self._choices))
        cited = [
            catalogue.method(name).citation for name in dict.fromkeys(run.method for run in run_stamps(connection))
        ]
        self._writer.add(CROISSANT, croissant.document(_facts_of(facts, audit, cited), self._described))


def audit_text(connection: Connection, choices: ArtifactChoices) -> str:
    """The text of the file `AUDIT`: the audit's own facts, which no relation has."""
    facts, told = audits.facts(connection), provenance(connection)
    found = {
        "uuid": facts.uuid,
        "title": facts.title,
        "created_at": facts.created.isoformat(timespec="milliseconds"),
        "sample": facts.sample,
        "guideline": audits.guideline(connection),
        "samples": as_drawn(connection),
        "imported_from": told.imported_from,
        "imported_hash": told.imported_hash,
        "imported_rows": told.imported_rows,
        "withheld": sorted(choices.withheld),
        "without_news": choices.without_news,
        "pseudonyms": choices.pseudonyms,
        "draft": choices.draft,
        "groups": choices.groups,
        "licence": choices.licence,
        "creator": choices.creator,
        "addresses": choices.addresses,
        "operations": choices.operations,
        "rules": choices.rules,
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _facts_of(facts: ArtifactFacts, audit: AuditFacts, cited: list[str]) -> dict[str, Any]:
    """The Croissant fields about the artifact as a whole."""
    report = facts.report
    found: dict[str, Any] = {
        "name": " ".join(report.title.split()) or "audit",
        "description": f"{report.window}. {' '.join(report.reading)}",
        "url": f"urn:uuid:{audit.uuid}",
        "version": "1.0.0",
        "datePublished": facts.published,
        "dateCreated": f"{audit.created:%Y-%m-%d}",
        "license": facts.choices.licence,
        "citeAs": " ".join(cited) or "GPF Desktop",
        "keywords": ["language models", "audit"],
        "inLanguage": "en",
        "rai:dataCollection": " ".join(f"{fact.name}: {fact.value}." for fact in report.facts),
        "rai:dataCollectionType": ["Experiments", "Machine generated"],
        "rai:dataCollectionMissingData": " ".join(f"{reason}: {n}." for reason, n in sorted(facts.missing.items()))
        or tr("Every question has a valid answer."),
        "rai:dataCollectionRawData": " ".join(cards.withheld(facts)),
        "rai:dataImputationProtocol": tr("Missing answers are left out and counted, never filled in."),
        "rai:dataManipulationProtocol": " ".join(report.scope) or tr("None."),
        "rai:dataAnnotationProtocol": [" ".join(cards.people(facts))],
        "rai:dataAnnotationPlatform": [report.program],
        "rai:machineAnnotationTools": [report.settings] if report.settings else [],
        "rai:dataBiases": list(report.limits),
        "rai:dataLimitations": list(report.limits),
        "rai:dataUseCases": list(cards.intended_use()),
        "rai:dataSocialImpact": " ".join(cards.misuse()),
        "rai:personalSensitiveInformation": list(cards.people(facts)),
        "rai:dataReleaseMaintenancePlan": " ".join(cards.maintenance(facts)),
    }
    if facts.choices.creator:
        found["creator"] = {"@type": "sc:Organization", "name": facts.choices.creator}
    return found
