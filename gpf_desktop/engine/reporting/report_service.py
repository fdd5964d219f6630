"""Makes a report from findings, bundles and reviews, and a file from a report."""

from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from gpf_desktop import __version__
from gpf_desktop.documents.targets import guard
from gpf_desktop.domain import checkpoints
from gpf_desktop.domain.check_codes import check_code
from gpf_desktop.domain.conclusions.reading import to_read_first
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.errors import GpfError, UserError
from gpf_desktop.domain.findings import Finding, sound
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.methods import Statement
from gpf_desktop.domain.ports.exporter import Exporter
from gpf_desktop.domain.ports.method_abilities import Concludes
from gpf_desktop.domain.redaction import details_of
from gpf_desktop.domain.relations import Relation
from gpf_desktop.domain.report_blocks import Brief
from gpf_desktop.domain.reports import BundleChoice, Report, ReportKind, ReportWishes, with_method
from gpf_desktop.domain.scores import Measure
from gpf_desktop.domain.signs import signs
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.followed_task import Tell
from gpf_desktop.engine.core.statements import stated
from gpf_desktop.engine.core.threaded_task import ThreadedTask
from gpf_desktop.engine.reporting import report_codes, report_corrections, report_facts, report_reviews
from gpf_desktop.engine.reporting.annex.chapters import AnnexMaker, telling
from gpf_desktop.engine.reporting.briefs.brief_maker import BriefMaker
from gpf_desktop.engine.reporting.briefs.drawing import lead_drawing
from gpf_desktop.engine.reporting.briefs.length import check_length
from gpf_desktop.engine.reporting.conclusions_file import conclusions_text
from gpf_desktop.engine.reporting.drafts.composing import composed, lines_of, tables_of
from gpf_desktop.engine.reporting.drafts.draft import ReportDraft
from gpf_desktop.engine.reporting.drafts.evidence import EvidenceService, people_tables
from gpf_desktop.engine.reporting.drafts.logo import read_logo
from gpf_desktop.engine.reporting.drafts.references import WINDOW, window_table
from gpf_desktop.engine.reporting.filtered_tables import in_window
from gpf_desktop.engine.reporting.registered import planned_part
from gpf_desktop.engine.reporting.report_bundles import quoted
from gpf_desktop.engine.reporting.report_words import limits, origin
from gpf_desktop.engine.reporting.results_filter import Results, ResultsFilter, Window
from gpf_desktop.engine.reporting.results_service import ResultsService
from gpf_desktop.engine.reporting.scope_words import scope_notes, scope_words, sets_words
from gpf_desktop.engine.review.review_reading import read_bundle
from gpf_desktop.stats.article_means import FEW
from gpf_desktop.storage import audits, study_entries
from gpf_desktop.storage.counted_verdicts import reviewed_bundles
from gpf_desktop.storage.run_stamps import run_stamps

REPORT_TASK: Final = "report"
_MOST_ANSWERS: Final = 24
"""Sets on a page of answers alone, unless more are wished for."""


class ReportService:
    """Reports on one open audit. Everything here blocks: call it from a worker thread."""

    def __init__(
        self,
        context: EngineContext,
        results: ResultsService,
        data: Callable[[Callable[[Relation], None]], None] | None = None,
    ) -> None:
        """*data* hands over what `Report.data` does."""
        self._context = context
        self._results = results
        self._data = data
        self._task = ThreadedTask(context, REPORT_TASK)

    def formats(self) -> dict[str, Exporter]:
        """Formats by their file suffix, without the dot."""
        return report_formats()

    def scored(self, wanted: ResultsFilter) -> bool:
        """Whether anything is scored; told before any table is made."""
        return self._results.results(wanted, ()).window.scored_anywhere

    def sections(self, wanted: ResultsFilter | None = None) -> tuple[tuple[str, str], ...]:
        """(name, title) of every table that would have rows, in a report's order."""
        wanted = wanted or ResultsFilter()
        found = self._results.findings(wanted)
        tables = tuple((finding.name, finding.title) for finding in found.values() if finding.rows)
        if self._context.audit.read(partial(reviewed_bundles, limit=1)):
            tables = (*tables, (report_reviews.VERDICT_TABLE, report_reviews.verdict_title()))
        corrected = report_corrections.corrections_table(self._context, self._results.of_one_method(wanted).method)
        more = (corrected, *report_codes.coded_tables(self._context))
        return (*tables, *((each.name, each.title) for each in more if each is not None))

    def report(
        self,
        wishes: ReportWishes,
        wanted: ResultsFilter | None = None,
        progress: Callable[[int, int], None] = lambda _done, _of: None,
        kind: ReportKind = ReportKind.ANNEX,
    ) -> Report:
        """The report on what lies within *wanted*, of its tables those that *kind* is made of; *progress* is told
        (bundles read, of how many)."""
        wanted = self._results.of_one_method(wanted or ResultsFilter())
        names = self._printed(wishes, str(wanted.method), kind)
        results = self._results.results(wanted, names)
        window = results.window
        concluded = self._results.concluding.page(wanted, results)
        facts = self._context.audit.read(audits.facts)
        ids = self._chosen(wishes, wanted, concluded)
        said, verdicts = report_reviews.reviewed(self._context, catalogue.method(str(wanted.method)))
        book = self._context.audit.read(study_entries.code_book)
        bundles = []
        for done, bundle_id in enumerate(ids):
            progress(done, len(ids))
            read = self._context.audit.read(
                partial(read_bundle, bundle_id=bundle_id, setting_id=results.scope.setting_id, reviewer_id=None)
            )
            bundles.append(quoted(read, book))
        return Report(
            title=with_method(wishes.title.strip() or facts.title, catalogue.method(str(wanted.method)).title),
            made=datetime.now(UTC),
            program=f"GPF Desktop {__version__}",
            synthetic=window.synthetic_models > 0 or any(bundle.synthetic for bundle in bundles),
            all_synthetic=window.all_synthetic,
            window=f"{catalogue.method(wanted.method or '').title} · {window_line(window)}",
            facts=report_facts.facts(self._context, facts, results.scope, wanted),
            statement=" ".join(dict.fromkeys(each.short for each in self._statements(wanted))),
            reading=tuple(line for each in self._statements(wanted) for line in each.long),
            found=self._results.order(wanted.method).told(sound(results.findings))
            if concluded is None
            else concluded.lines,
            concluded=concluded,
            limits=limits(
                results.statement,
                news=window.news,
                synthetic=window.synthetic_models > 0,
                few_articles=window.articles < FEW,
                provisional=window.provisional > 0,
            ),
            scope=scope_notes(results.scope),
            settings=scope_words(results.scope),
            findings=(
                *_with_rows(results),
                *_wished(verdicts, wishes),
                *_wished(report_corrections.corrections_table(self._context, wanted.method), wishes),
                *(each for one in report_codes.coded_tables(self._context) for each in _wished(one, wishes)),
            ),
            bundles=tuple(bundles),
            chosen=_chosen_words(wishes, len(bundles), self._results.main_measure(wanted.method), concluded),
            review_counts=said,
            signs=tuple(signs(self._results.measures(wanted.method), _with_rows(results))),
            imported=self._context.audit.read(origin),
            parts=planned_part(concluded),
            data=self._data,
        )

    def _printed(self, wishes: ReportWishes, method: str, kind: ReportKind) -> tuple[str, ...]:
        """Names of the tables that a report of *kind* is made of."""
        # Neither a brief nor a page of answers prints a table: what is concluded is all that they need.
        if kind is not ReportKind.ANNEX and isinstance(catalogue.method(method), Concludes):
            return ()
        names = self._results.names(method)
        if wishes.sections is not None:
            return tuple(name for name in wishes.sections if name in names)
        return tuple(name for name in names if not catalogue.closed_table(name))

    def drafted(
        self, draft: ReportDraft, wanted: ResultsFilter | None = None, kind: ReportKind = ReportKind.ANNEX
    ) -> Report:
        """The report that *draft* describes, with what the auditor wrote before everything else."""
        wanted = self._results.of_one_method(wanted or ResultsFilter())
        wishes = draft.wishes
        if kind is ReportKind.ANSWERS and wishes.bundles is not BundleChoice.NONE:
            wishes = replace(wishes, most=max(wishes.most, _MOST_ANSWERS))
        report = self.report(wishes, wanted, kind=kind)
        told = composed(draft, self.tables(wanted, tables_of(draft), report.findings), self.evidence().printed)
        # Evidence has filters of its own, so that it may hold calibration models where the report's window has none.
        planted = [each.synthetic for part in told.parts for found in part.findings for each in found.evidence]
        report = replace(
            report,
            organisation=draft.organisation.strip(),
            authors=lines_of(draft.authors),
            logo=read_logo(draft.logo),
            # What was planned beforehand stands before everything that was found.
            parts=(*report.parts, *told.parts),
            unresolved=told.unresolved,
            synthetic=report.synthetic or any(planted),
            all_synthetic=report.all_synthetic and all(planted),
        )
        report = replace(report, kind=kind, findings=telling(report.findings, str(wanted.method)))
        report = replace(report, brief=self._brief(report, draft, wanted))
        runs = [run.id for run in self._context.audit.read(run_stamps) if in_window(run, wanted)]
        annex = AnnexMaker(
            context=self._context, report=report, draft=draft, method=str(wanted.method), runs=sorted(runs)
        )
        return replace(report, chapters=annex.chapters())

    def _brief(self, report: Report, draft: ReportDraft, wanted: ResultsFilter) -> Brief:
        results = self._results.results(wanted, ())
        return BriefMaker(
            context=self._context,
            report=report,
            draft=draft,
            wanted=wanted,
            results=results,
            frame=self._results.frame(wanted),
            missing=self._results.lacking(wanted, results.window).missing,
            code=check_code(self.conclusions()),
            draw=lead_drawing,
        ).brief()

    def evidence(self) -> EvidenceService:
        """Takes evidence and prints it, by the scores as they are now."""
        return EvidenceService(self._context, self._results)

    def tables(
        self, wanted: ResultsFilter, names: Collection[str] | None = None, known: Sequence[Finding] = ()
    ) -> dict[str, Finding]:
        """The tables within *wanted* that texts can refer to, of those called *names* (None: all); *known* are there
        already."""
        wanted = self._results.of_one_method(wanted)
        there = {each.name: each for each in known}
        every = self._results.names(wanted.method)
        missing = [name for name in every if (names is None or name in names) and name not in there]
        results = self._results.results(wanted, missing)
        found = {WINDOW: window_table(results.window)}
        found |= {name: (there | results.findings)[name] for name in every if name in there or name in results.findings}
        found |= people_tables(self._context, str(wanted.method))
        return {name: finding for name, finding in found.items() if finding.rows}

    def conclusions(self) -> str:
        """`conclusions.json` of everything."""
        return conclusions_text(self._results)

    def whole(self) -> Report:
        """The report on everything, without quoted bundles and with tables and conclusions of every method."""
        report = self.report(ReportWishes(bundles=BundleChoice.NONE))
        others = [ResultsFilter(method=method) for method in self._results.methods()[1:]]
        tables = [each for wanted in others for each in self._results.findings(wanted).values() if _open(each)]
        told = [each.lines for wanted in others if (each := self._results.concluding.page(wanted)) is not None]
        return replace(
            report,
            findings=(*report.findings, *tables),
            found=(*report.found, *(line for lines in told for line in lines)),
        )

    def export(self, report: Report, target: Path) -> Path:
        """Write *report* in the format of *target*'s suffix. Raises `UserError` for one that there is not, and for a
        report with synthetic answers in a format that does not say so on every page."""
        exporter = self.formats().get(target.suffix.lower().removeprefix("."))
        if exporter is None:
            raise UserError(
                tr("A report cannot be written as “{suffix}”.", suffix=target.suffix or target.name),
                tr("Use a name that ends in {suffixes}.", suffixes=", ".join(f".{s}" for s in sorted(self.formats()))),
            )
        if report.synthetic and not exporter.marks_synthetic:
            raise UserError(
                tr("{title} does not mark synthetic answers on every page.", title=exporter.title),
                tr("Leave built-in test models out, or choose another format."),
            )
        if report.kind is ReportKind.BRIEF:
            check_length(report)
        if report.kind is ReportKind.ANSWERS:
            if exporter.suffix != "html":
                raise UserError(
                    tr("The quoted answers are one page for a browser."), tr("Use a name that ends in .html.")
                )
            if not report.bundles:
                raise UserError(
                    tr("This report quotes no answer."), tr("Choose in Reports › Contents which answers it quotes.")
                )
        try:
            exporter.export(report, target, exporter.options())
        except (GpfError, OSError):
            raise
        except Exception as error:  # another's code, which may raise anything
            module = type(exporter).__module__
            if checkpoints.ended_by(error) or module.partition(".")[0] == __name__.partition(".")[0]:
                raise
            raise UserError(
                tr(
                    "The report was not written: the plug-in {name} ({module}) failed ({kind}).",
                    name=exporter.name,
                    module=module,
                    kind=type(error).__name__,
                ),
                tr("Choose another format. Tell whoever made the plug-in, or uninstall its package."),
                details=details_of(error),
            ) from error
        return target

    def start_export(
        self, draft: ReportDraft, wanted: ResultsFilter, target: Path, kind: ReportKind = ReportKind.ANNEX
    ) -> Future[Path]:
        """Write the report that *draft* describes in the background, told as the task `REPORT_TASK`.

        The future raises as `export` does; this, `UserError` while one is being written and for a target that is
        never written over.
        """
        guard(target)

        def work(tell: Tell) -> tuple[Path, str]:
            # *tell* raises on Stop: between two tables, some rows of a workbook, and before the file takes its place.
            with checkpoints.told_at_checkpoints(partial(tell, 0, 0)):
                written = self.export(self.drafted(draft, wanted, kind), target)
            return written, tr("The report is in {path}.", path=str(written))

        return self._task.start(
            work, busy=tr("A report is being written already."), trouble=tr("The report could not be written.")
        )

    def stop_export(self) -> None:
        """Stop the export: no file is written, and one that was there stays; typesetting is waited for."""
        self._task.cancel()

    def close(self) -> None:
        """End what is being written."""
        self._task.close()

    def _statements(self, wanted: ResultsFilter) -> tuple[Statement, ...]:
        """The statements of every method whose rounds lie within *wanted*."""
        runs = [run for run in self._context.audit.read(run_stamps) if in_window(run, wanted)]
        used = {name: [int(run.id) for run in runs if run.method == name] for name in (run.method for run in runs)}
        return tuple(self._context.audit.read(partial(stated, method=name, runs=its)) for name, its in used.items())

    def _chosen(self, wishes: ReportWishes, wanted: ResultsFilter, concluded: ToldPage | None) -> list[BundleId]:
        match wishes.bundles:
            case BundleChoice.NONE:
                return []
            case BundleChoice.TOP:
                # What people judged stands before what nobody has read yet.
                judged = self._context.audit.read(partial(reviewed_bundles, limit=wishes.most))
                carry = self._carrying(wanted, concluded, wishes.most)
                return list(dict.fromkeys((*judged, *carry)))[: wishes.most]
            case BundleChoice.REVIEWED:
                return self._context.audit.read(partial(reviewed_bundles, limit=wishes.most))

    def _carrying(self, wanted: ResultsFilter, concluded: ToldPage | None, most: int) -> list[BundleId]:
        """The sets that the conclusions rest on most, at most *most*; if there are none, those with the highest
        score."""
        if concluded is not None and (carry := to_read_first(concluded.page, most)):
            return [BundleId(each) for each in carry]
        main = self._results.main_measure(wanted.method)
        return [] if main is None else self._results.bundle_ids(wanted, main.name, most)


def report_formats() -> dict[str, Exporter]:
    """Formats by their file suffix, without the dot."""
    return {exporter.suffix: exporter for exporter in catalogue.exporters().values()}


def window_line(window: Window) -> str:
    """1 Nov 2026 to 20 Nov 2026 · 4 batches · 12 articles · 6 models · 43 of 3,024 sets of answers are incomplete"""
    if window.first is None or window.last is None:
        return tr("no scores in this window")
    first, last = (f"{moment:%Y-%m-%d}" for moment in (window.first, window.last))
    return " · ".join(
        (
            first if first == last else tr("{first} to {last}", first=first, last=last),
            *((trn("news collected {n} time", "news collected {n} times", window.batches),) if window.news else ()),
            window.items,
            trn("{n} model", "{n} models", window.models),
            sets_words(window),
        )
    )


def _open(finding: Finding) -> bool:
    return bool(finding.rows) and not catalogue.closed_table(finding.name)


def _with_rows(results: Results) -> tuple[Finding, ...]:
    return tuple(finding for finding in results.findings.values() if finding.rows)


def _wished(table: Finding | None, wishes: ReportWishes) -> tuple[Finding, ...]:
    if table is None or (wishes.sections is not None and table.name not in wishes.sections):
        return ()
    return (table,)


def _chosen_words(wishes: ReportWishes, found: int, main: Measure | None, concluded: ToldPage | None) -> str:
    match wishes.bundles:
        case BundleChoice.NONE:
            return ""
        case BundleChoice.TOP if concluded is not None and to_read_first(concluded.page, wishes.most):
            return trn(
                "The {n} set that people judged or that carries what is concluded most: no fair sample.",
                "The {n} sets that people judged or that carry what is concluded most: no fair sample.",
                found,
            )
        case BundleChoice.TOP:
            return trn(
                "The {n} set that people judged or that has the highest {score}: no fair sample of this window.",
                "The {n} sets that people judged or that have the highest {score}: no fair sample of this window.",
                found,
                score="" if main is None else main.label,
            )
        case BundleChoice.REVIEWED:
            return trn("{n} reviewed set, the gravest first.", "{n} reviewed sets, the gravest first.", found)
