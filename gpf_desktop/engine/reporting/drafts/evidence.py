"""Evidence: taken from tables, figures, bundles and answers, and printed as these stand later."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.findings import Finding, Row
from gpf_desktop.domain.ids import BundleId, CellId
from gpf_desktop.domain.reports import ReportBundle, ReportEvidence, ReportPassage
from gpf_desktop.domain.reviews import canonical
from gpf_desktop.domain.text import shortened, tr, within
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.factor_words import arm_title
from gpf_desktop.engine.reporting import report_reviews
from gpf_desktop.engine.reporting.drafts.draft import Evidence, EvidenceKind
from gpf_desktop.engine.reporting.drafts.references import row_key, row_words, rows_of
from gpf_desktop.engine.reporting.option_choices import option_words
from gpf_desktop.engine.reporting.report_bundles import quoted
from gpf_desktop.engine.reporting.report_codes import coded_tables
from gpf_desktop.engine.reporting.report_corrections import corrections_table
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.reporting.results_service import ResultsService
from gpf_desktop.engine.reporting.scope_words import scope_words
from gpf_desktop.engine.review.review_reading import ReadBundle, read_bundle
from gpf_desktop.storage.run_stamps import run_stamps


class EvidenceService:
    """Takes evidence from one open audit and prints it. Blocks; tables are kept as long as it lives."""

    def __init__(self, context: EngineContext, results: ResultsService) -> None:
        self._context = context
        self._results = results
        self._tables: dict[tuple[ResultsFilter, str], tuple[Finding | None, str]] = {}

    def table(self, wanted: ResultsFilter, table: str) -> Evidence:
        """The whole table called *table* within *wanted*. Raises `UserError` where it has no rows."""
        return self._of_table(EvidenceKind.TABLE, wanted, table)

    def row(self, wanted: ResultsFilter, table: str, row: Row) -> Evidence:
        """*row* of that table. Raises `UserError` where no words tell it from the others."""
        finding = self._found(wanted, table)
        key = row_key(finding, row)
        if key is None:
            raise UserError(tr("No words tell this row from the others."), tr("Add the whole table."))
        return self._of_table(EvidenceKind.ROW, wanted, table, key=key)

    def figure(self, wanted: ResultsFilter, table: str, title: str) -> Evidence:
        """The figure of this *title* that is drawn from that table."""
        return self._of_table(EvidenceKind.FIGURE, wanted, table, figure=title)

    def bundle(self, bundle_id: BundleId) -> Evidence:
        """A bundle with its answers, scores and verdicts."""
        read = self._bundle(bundle_id)
        return Evidence(
            id=0,
            kind=EvidenceKind.BUNDLE,
            title=_bundle_title(quoted(read)),
            added=_now(),
            digest=_digest_of_bundle(read),
            bundle=int(bundle_id),
        )

    def passage(self, bundle_id: BundleId, cell_id: CellId, start: int, end: int) -> Evidence:
        """Characters *start* to *end* of an answer. Raises `UserError` where there are no words."""
        read = self._bundle(bundle_id)
        found = _passage(read, cell_id, start, end)
        if not found.words:
            raise UserError(tr("There are no words there."), tr("Mark some words of an answer first."))
        return Evidence(
            id=0,
            kind=EvidenceKind.PASSAGE,
            title=tr("“{words}”, {level}, set {n}", words=shortened(found.words, 60), level=found.level, n=read.id),
            added=_now(),
            digest=_digest(found.words),
            bundle=int(bundle_id),
            cell=int(cell_id),
            start=start,
            end=end,
        )

    def printed(self, item: Evidence) -> ReportEvidence:
        """*item* as it stands now; where it cannot be shown, with the reason."""
        try:
            match item.kind:
                case EvidenceKind.BUNDLE | EvidenceKind.PASSAGE:
                    return self._printed_bundle(item)
                case _:
                    return self._printed_table(item)
        except UserError as error:
            return ReportEvidence(title=item.title, source=_source(item), problem=str(error))

    def _of_table(
        self,
        kind: EvidenceKind,
        wanted: ResultsFilter,
        table: str,
        *,
        key: tuple[tuple[str, str], ...] = (),
        figure: str = "",
    ) -> Evidence:
        wanted = self._results.of_one_method(wanted)
        finding = self._found(wanted, table)
        words = figure or row_words(key)
        return Evidence(
            id=0,
            kind=kind,
            title=f"{finding.title}: {words}" if words else finding.title,
            added=_now(),
            digest=_digest_of_rows(rows_of(finding, key)),
            wanted=wanted,
            table=table,
            row=key,
            figure=figure,
        )

    def _printed_table(self, item: Evidence) -> ReportEvidence:
        finding, scored = self._read(item.wanted, item.table)
        rows = () if finding is None else rows_of(finding, item.row)
        if finding is None or not rows:
            raise UserError(tr("“{title}” has no rows any more under this filter.", title=item.title))
        figures = tuple(
            each for each in finding.figures if item.kind is EvidenceKind.FIGURE and each.title == item.figure
        )
        if item.kind is EvidenceKind.FIGURE and not figures:
            raise UserError(tr("“{title}” is not drawn any more.", title=item.title))
        return ReportEvidence(
            title=item.title,
            source=_source(item, tr("table “{title}”", title=finding.title), self._filtered(item.wanted), scored),
            problem=_changed(item, _digest_of_rows(rows)),
            synthetic=any(row.synthetic for row in rows),
            finding=replace(finding, rows=rows, figures=figures),
            figure_only=bool(figures),
        )

    def _printed_bundle(self, item: Evidence) -> ReportEvidence:
        read = self._bundle(BundleId(item.bundle or 0))
        bundle = quoted(read)
        if item.kind is EvidenceKind.BUNDLE:
            source = _source(item, tr("set of answers {n}", n=read.id), bundle.model)
            changed = _changed(item, _digest_of_bundle(read))
            return ReportEvidence(
                title=item.title, source=source, problem=changed, synthetic=read.facts.synthetic, bundle=bundle
            )
        found = _passage(read, CellId(item.cell or 0), item.start, item.end)
        return ReportEvidence(
            title=_bundle_title(bundle),
            source=_source(item, tr("set of answers {n}", n=read.id), bundle.model),
            problem=_changed(item, _digest(found.words)),
            synthetic=read.facts.synthetic,
            passage=found,
        )

    def _found(self, wanted: ResultsFilter, table: str) -> Finding:
        finding, _ = self._read(self._results.of_one_method(wanted), table)
        if finding is None or not finding.rows:
            raise UserError(tr("This table has no rows."), tr("Change the filter."))
        return finding

    def _read(self, wanted: ResultsFilter, table: str) -> tuple[Finding | None, str]:
        """(table, how its scores were made)"""
        if (wanted, table) not in self._tables:
            self._tables[wanted, table] = self._compute(wanted, table)
        return self._tables[wanted, table]

    def _compute(self, wanted: ResultsFilter, table: str) -> tuple[Finding | None, str]:
        if table not in self._results.names(wanted.method):
            return people_tables(self._context, str(self._results.of_one_method(wanted).method)).get(table), ""
        found = self._results.results(wanted, (table,))
        return found.findings[table], scope_words(found.scope)

    def _bundle(self, bundle_id: BundleId) -> ReadBundle:
        def read(number: int | None) -> ReadBundle:
            return self._context.audit.read(
                partial(read_bundle, bundle_id=bundle_id, setting_id=number, reviewer_id=None)
            )

        # Twice: which setting is its method's first is known only once the bundle has told its method.
        found = read(None)
        return read(self._results.results(ResultsFilter(method=found.facts.method), ()).scope.setting_id)

    def _filtered(self, wanted: ResultsFilter) -> str:
        made = option_words(wanted.method or self._results.methods()[0], wanted.options or ())
        if not wanted.narrowed:
            return " ".join((tr("everything scored"), *made))
        said = []
        if wanted.runs is not None:
            names = {int(run.id): run.name for run in self._context.audit.read(run_stamps)}
            said.append(tr("rounds {names}", names=", ".join(names.get(run, str(run)) for run in sorted(wanted.runs))))
        if wanted.since is not None:
            said.append(tr("rounds from {day}", day=f"{wanted.since:%Y-%m-%d}"))
        if wanted.until is not None:
            said.append(tr("rounds to {day}", day=f"{wanted.until:%Y-%m-%d}"))
        if wanted.models is not None:
            said.append(tr("models {names}", names=", ".join(sorted(wanted.models))))
        if wanted.batches is not None:
            said.append(tr("batches {numbers}", numbers=", ".join(map(str, sorted(wanted.batches)))))
        if wanted.articles is not None:
            said.append(tr("items {numbers}", numbers=", ".join(map(str, sorted(wanted.articles)))))
        if wanted.stratum is not None:
            said.append(tr("{stratum} items", stratum=wanted.stratum))
        if wanted.arm != MAIN:
            said.append(tr("asked {arm}", arm=within(arm_title(wanted.arm))))
        if wanted.complete_only:
            said.append(tr("whole sets only"))
        if wanted.skewed:
            said.append(tr("ranges by Hall's transformed t"))
        return " ".join((tr("filtered to {words}", words="; ".join(said)), *made))


def people_tables(context: EngineContext, method: str) -> dict[str, Finding]:
    """Tables that come from people and not from an analysis, by name. Blocks."""
    found = (
        report_reviews.reviewed(context, catalogue.method(method))[1],
        corrections_table(context, method),
        *coded_tables(context),
    )
    return {each.name: each for each in found if each is not None}


def _source(item: Evidence, *told: str) -> str:
    said = (
        *filter(None, told),
        f"SHA-256 {item.digest[:12]}",
        tr("added {day}", day=f"{item.added:%Y-%m-%d %H:%M} UTC"),
    )
    return " · ".join(said)


def _changed(item: Evidence, digest: str) -> str:
    if not item.digest or item.digest == digest:
        return ""
    return tr("This is no more what it was when it was added: its SHA-256 is {now} now.", now=digest[:12])


def _passage(read: ReadBundle, cell_id: CellId, start: int, end: int) -> ReportPassage:
    for each in read.answers:
        for answer in (each.answer, *each.repeats):
            if answer.cell_id == cell_id:
                return ReportPassage(level=each.level, words=" ".join(answer.text[start:end].split()), comment="")
    raise UserError(tr("Set {n} does not hold this answer any more.", n=read.id))


def _bundle_title(bundle: ReportBundle) -> str:
    return tr("Set {n}: {place}, {model}", n=bundle.number, place=bundle.heading, model=bundle.model)


def _digest_of_rows(rows: Sequence[Row]) -> str:
    return _digest(canonical([asdict(row)["values"] for row in rows]))


def _digest_of_bundle(read: ReadBundle) -> str:
    answers = [(each.level, each.answer.text, str(each.answer.missing)) for each in read.answers]
    scores = sorted((name, str(value)) for name, value in read.scores.items())
    return _digest(canonical({"question": str(read.question), "answers": answers, "scores": scores}))


def _digest(text: str) -> str:
    # Answers may hold halves of surrogate pairs, and which ones is to count in the hash.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)
