"""State of the Reports page: what goes into the report, its preview, and writing it."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from gpf_desktop.documents.file_names import safe_name
from gpf_desktop.documents.targets import guard
from gpf_desktop.domain.events import (
    AuditClosed,
    AuditOpened,
    ReportDraftChanged,
    ReviewChanged,
    RunRested,
    RunsChanged,
    TaskCancelled,
)
from gpf_desktop.domain.reports import BundleChoice, Report, ReportKind, ReportWishes
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.catalogue import closed_table
from gpf_desktop.engine.reporting.drafts.draft import ReportDraft, moved
from gpf_desktop.engine.reporting.replies.package import write_package
from gpf_desktop.engine.reporting.report_service import REPORT_TASK, ReportService
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.exporters.html import pictures, simple_page
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.reports.draft_view_model import DraftViewModel

_PREVIEW_MS = 350
_TOPIC = "report"
_FIRST = "html"


class ReportsViewModel(ViewModel):
    """Previews follow a moment after the last change; the newest wins."""

    elsewhere = Signal(str, str)
    """The report of this suffix and kind could not be written and is wanted in another place."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.wanted = ResultsFilter()
        self.draft = DraftViewModel(context, self)
        self.sections: tuple[tuple[str, str], ...] = ()
        """(name, title) of every table there is something to say in."""
        self.page = ""
        """The preview as rich text; empty while there is none."""
        self.pictures: Mapping[str, bytes] = {}
        """What the preview shows, by the names by which it asks for it."""
        self.computing = False
        self.looking = False
        """What there is to report is being read for the first time."""
        self.exporting = ""
        """The file that is being written."""
        self.stopping = False
        self.synthetic = False
        self.unresolved: tuple[str, ...] = ()
        """What texts and evidence refer to and is not there any more, one sentence each."""
        self._scored = False
        """Something is scored, though its tables may not be made yet."""
        self._report: Report | None = None
        self._soon_preview = AuditTimer(context.bridge, self, _PREVIEW_MS, self._preview)
        self.listen(lambda _: self._start_over(), AuditOpened)
        self.listen(lambda _: self._closed(), AuditClosed)
        self.listen(lambda _: self.reload(), RunRested, RunsChanged)
        self.listen(lambda _: self._outdated(), ReviewChanged, ReportDraftChanged)
        self.listen(self._cancelled, TaskCancelled)
        self.draft.arrived.connect(self._outdated)
        if context.engine.has_open_audit:
            self.draft.load()

    @property
    def wishes(self) -> ReportWishes:
        """The contents of the report, as the draft wishes them."""
        return ReportDraft().wishes if self.draft.draft is None else self.draft.draft.wishes

    @property
    def has_audit(self) -> bool:
        return self.context.engine.has_open_audit

    @property
    def has_scores(self) -> bool:
        return self._scored

    @property
    def can_export(self) -> bool:
        return self._scored and not self.exporting

    @property
    def doing(self) -> str:
        """Words for the file that is being written, else for the preview that is being made anew."""
        if self.stopping and self.exporting:
            return tr("Stopping …")
        if self.exporting:
            return tr("Writing {name} …", name=self.exporting)
        return tr("Updating the preview …") if (self.computing or self.looking) and self.page else ""

    @property
    def formats(self) -> list[tuple[str, str]]:
        """(suffix, title), the web page first."""
        if not self.has_audit:
            return []
        found = [(suffix, exporter.title) for suffix, exporter in self._service.formats().items()]
        return sorted(found, key=lambda each: (each[0] != _FIRST, each[0]))

    @property
    def suggested(self) -> str:
        """A file name made of the report's title."""
        title = self.wishes.title or (self._report.title if self._report is not None else "")
        return safe_name(title, fallback=tr("Report"))

    @property
    def audit_title(self) -> str:
        """The report's title where none was typed."""
        return "" if self._report is None or self.wishes.title else self._report.title

    @property
    def filter_words(self) -> str:
        return tr("Filtered as on Results.") if self.wanted.narrowed else tr("Everything scored in this audit.")

    def is_in(self, section: str) -> bool:
        chosen = self.wishes.sections
        return not closed_table(section) if chosen is None else section in chosen

    def arrive(self, wanted: ResultsFilter | None) -> None:
        if wanted is not None:
            self.wanted = wanted
        if wanted is not None or not self.sections:
            self.reload()

    def reload(self) -> None:
        """Read what there is to report."""
        if not self.has_audit:
            return
        service, wanted = self._service, self.wanted
        self.looking = not self.sections
        self.touch_now()
        if not self.looking:
            self._list()
            return
        # So that people can write while tables are made.
        self.context.bridge.run(
            lambda: service.scored(wanted),
            then=self._looked,
            failed=self._not_listed,
            owner=self,
            latest="sections",
        )

    def _looked(self, scored: bool) -> None:
        self._scored = scored
        self.touch_now()
        if scored:
            # What is said stands before the tables that it goes with are made.
            self._preview(ReportKind.BRIEF)
        self._list()

    def _list(self) -> None:
        if not self.has_audit:
            return
        service, wanted = self._service, self.wanted
        self.context.bridge.run(
            lambda: service.sections(wanted),
            then=self._listed,
            failed=self._not_listed,
            owner=self,
            latest="sections",
        )

    def use_everything(self) -> None:
        self.wanted = ResultsFilter()
        self.reload()

    def ordered_sections(self) -> tuple[tuple[str, str], ...]:
        """(name, title) of every table in the report's order; one left out stands where it usually does."""
        chosen = self.wishes.sections
        if chosen is None:
            return self.sections
        titles = dict(self.sections)
        order = [name for name in chosen if name in titles]
        place = 0
        for name in titles:
            if name not in order:
                order.insert(place, name)
            place = order.index(name) + 1
        return tuple((name, titles[name]) for name in order)

    def set_section(self, section: str, on: bool) -> None:
        ordered = (name for name, _ in self.ordered_sections())
        self._wish_sections(
            tr("tables"), tuple(name for name in ordered if (on if name == section else self.is_in(name)))
        )

    def move_section(self, section: str, by: int) -> None:
        chosen = tuple(name for name, _ in self.ordered_sections() if self.is_in(name))
        if section in chosen:
            self._wish_sections(tr("order of tables"), moved(chosen, chosen.index(section), by))

    def set_bundles(self, choice: BundleChoice) -> None:
        self.draft.edit(tr("answers in full"), lambda draft: replace(draft, bundles=choice))

    def set_most(self, most: int) -> None:
        self.draft.edit(tr("answers in full"), lambda draft: replace(draft, most=most))

    def export(self, target: Path, kind: ReportKind = ReportKind.ANNEX) -> None:
        """Write so much of the report to *target*, in the format of its suffix."""
        if not self.can_export:
            return
        self.exporting, self.stopping = target.name, False
        self.touch_now()
        writing = self._service.start_export(self._draft, self.wanted, target, kind)

        def not_written(error: BaseException) -> None:
            self.exporting = ""
            suffix = target.suffix.lower()[1:]
            again = Remedy(text=tr("Save elsewhere …"), do=lambda: self.elsewhere.emit(suffix, str(kind)))
            self.context.messages.failure(error, again, topic=_TOPIC)
            self.touch_now()

        self.context.bridge.follow(writing, then=self._written, failed=not_written, owner=self, anywhere=True)

    def write_package(self, target: Path) -> None:
        """Write what the audited party gets to reply to."""
        service, draft, wanted = self._service, self._draft, self.wanted
        audit = self.context.engine.open_audit

        def work() -> Path:
            guard(target)
            return write_package(service, service.drafted(draft, wanted), audit.facts().uuid, target)

        def written(path: Path) -> None:
            said = tr("The package is in {path}. Send it to the audited party.", path=str(path))
            self.context.messages.success(said, topic=_TOPIC)

        def failed(error: BaseException) -> None:
            self.context.messages.failure(error, topic=_TOPIC)

        self.context.bridge.run(work, then=written, failed=failed, owner=self)

    def stop_export(self) -> None:
        """Write no file; what is being typeset is waited for."""
        if self.exporting and not self.stopping:
            self.stopping = True
            self._service.stop_export()
            self.touch_now()

    def _wish_sections(self, words: str, kept: tuple[str, ...]) -> None:
        every = tuple(name for name, _ in self.sections)
        usual = tuple(name for name in every if not closed_table(name))
        # A table that has no rows under this filter keeps its place for when it has some again.
        hidden = tuple(name for name in self.wishes.sections or () if name not in every)
        # The usual choice is kept as none at all, so that tables that have rows only later are part of it then.
        tables = None if kept == usual and not hidden else (*kept, *hidden)
        self.draft.edit(words, lambda draft: replace(draft, tables=tables))

    def _outdated(self) -> None:
        if self.sections:
            self._soon_preview.start()
        self.touch()

    def _listed(self, sections: tuple[tuple[str, str], ...]) -> None:
        first = self.looking
        self.sections, self.looking = sections, False
        self._scored = bool(sections)
        if not sections:
            self.page = ""
        if first:
            self.touch_now()
            self._preview()
        else:
            self._outdated()

    def _not_listed(self, error: BaseException) -> None:
        self.looking = False
        self.context.messages.failure(error, Remedy(text=tr("Try again"), do=self.reload), topic=_TOPIC)
        self.touch_now()

    def _preview(self, kind: ReportKind = ReportKind.ANNEX) -> None:
        if not self.has_audit or (not self.sections and kind is ReportKind.ANNEX):
            return
        self.computing = True
        self.touch()
        # Taken along: it goes on being edited while this is made of it on another thread.
        service, draft, wanted = self._service, self._draft, self.wanted

        def work() -> tuple[Report, str]:
            report = service.drafted(draft, wanted, kind)
            return report, simple_page(report)

        self.context.bridge.run(work, then=self._previewed, failed=self._not_previewed, owner=self, latest="preview")

    def _previewed(self, made: tuple[Report, str]) -> None:
        self._report, self.page = made
        self.pictures = pictures(self._report)
        self.synthetic = self._report.synthetic
        self.unresolved = self._report.unresolved
        self.computing = False
        self.touch_now()

    def _not_previewed(self, error: BaseException) -> None:
        self.computing = False
        self.context.messages.failure(error, Remedy(text=tr("Try again"), do=self._preview), topic=_TOPIC)
        self.touch_now()

    def _cancelled(self, event: TaskCancelled) -> None:
        if event.task == REPORT_TASK and self.exporting:
            said = tr("Stopped: {name} was not written.", name=self.exporting)
            self.exporting = ""
            self.context.messages.info(said, topic=_TOPIC)
            self.touch_now()

    def _written(self, path: Path) -> None:
        self.exporting = ""
        folder = QUrl.fromLocalFile(str(path.absolute().parent))
        file = QUrl.fromLocalFile(str(path.absolute()))
        self.context.messages.success(
            tr("The report is in {path}.", path=str(path)),
            Remedy(text=tr("Open it"), do=lambda: QDesktopServices.openUrl(file)),
            Remedy(text=tr("Open folder"), do=lambda: QDesktopServices.openUrl(folder)),
            topic=_TOPIC,
        )
        self.touch_now()

    def _start_over(self) -> None:
        self.wanted, self.unresolved = ResultsFilter(), ()
        self.sections, self.page, self._report, self._scored = (), "", None, False
        self.reload()
        self.touch()

    def _closed(self) -> None:
        self._soon_preview.stop()
        self.looking = self.computing = False
        self.exporting = ""
        self.sections, self.page, self._report, self._scored = (), "", None, False
        self.touch()

    @property
    def _draft(self) -> ReportDraft:
        return self.draft.draft or ReportDraft()

    @property
    def _service(self) -> ReportService:
        return self.context.engine.open_audit.reports
