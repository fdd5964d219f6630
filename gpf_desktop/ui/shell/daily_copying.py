"""Makes a copy of the open audit each day, and opens an audit as it was on a day."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, QObject, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QListWidget

from gpf_desktop.domain.events import AuditOpened
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.exchange.daily_copies import DailyCopies, DailyCopy, all_copies, restore
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.file_dialogs import AUDIT_SUFFIX, ask_to_save, audit_filter
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.messages import FILE_TOPIC, Remedy
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.wording import day, moment

if TYPE_CHECKING:
    from gpf_desktop.engine.open_audit import OpenAudit

_AFTER_MS = 60_000
"""After which an audit that was opened is copied, and looked at again for the next day."""


class DailyCopying(QObject):
    """Lives as long as *window*, its parent."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._context = window, window.context
        self.timer = AuditTimer(self._context.bridge, self, _AFTER_MS, self.copy, repeats=True)
        self._context.bridge.subscribe(self, lambda _: self.timer.start(), AuditOpened)
        self._context.actions.on("file.copies", lambda: DailyCopiesDialog(window).open())

    def copy(self) -> None:
        """Copy the open audit off the window's thread, unless it has its copy of today."""
        open_audit = self._context.engine.current
        if open_audit is not None and not open_audit.context.audit.read_only:
            self._context.bridge.run(_copy, open_audit, failed=self._failed, owner=self)

    def _failed(self, error: BaseException) -> None:
        # Told once: it would be the same a minute later.
        self.timer.stop()
        self._context.messages.failure(error, topic="daily copy")


class DailyCopiesDialog(TitledDialog):
    """The copies of all audits, those of the open one first."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window, tr("Daily copies"), "copies")
        self._window = window
        self._found: tuple[DailyCopy, ...] = ()
        self.copies = QListWidget()
        self.copies.setObjectName("copies.list")
        self.copies.setAccessibleName(tr("Daily copies"))
        self.about = caption(tr("Looking …"))
        self.restore = button(tr("Open it as a new audit …"), self._ask, primary=True, name="copies.restore")
        self.folder = button(tr("Show in its folder"), self._show_folder, name="copies.folder")
        vbox(
            self.about,
            (self.copies, 1),
            hbox(self.folder, 1, button(tr("Close"), self.close), self.restore),
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        theme = window.context.theme
        self.resize(theme.px(560), theme.px(400))
        self.copies.currentRowChanged.connect(lambda _: self._follow())
        self.copies.itemActivated.connect(lambda _: self._ask())
        self._follow()
        window.context.bridge.run(
            _copies, window.context.engine.current, then=self._show, failed=self._failed, owner=self, anywhere=True
        )

    @property
    def chosen(self) -> DailyCopy | None:
        at = self.copies.currentRow()
        return self._found[at] if at >= 0 else None

    def _show(self, found: tuple[DailyCopy, ...]) -> None:
        self._found = found
        for copy in found:
            size = QLocale().formattedDataSize(copy.size, 1, QLocale.DataSizeFormat.DataSizeSIFormat)
            at = moment(copy.made) if copy.made else day(copy.day)
            words = tr("{day} · {audit} · {size}", day=at, audit=copy.audit, size=size)
            self.copies.addItem(tr("{copy}, before a round was deleted", copy=words) if copy.before_deletion else words)
        self.copies.setCurrentRow(0)
        self.about.setText(
            tr("The audit as it was on a day. It opens under a new name; nothing that is there now is changed.")
            if found
            else tr(
                "There is no daily copy yet. A minute after an audit is opened, one is made on each day that it has "
                "changed; none of a sample. Preferences say how many are kept, and where."
            )
        )
        self._follow()

    def _failed(self, error: BaseException) -> None:
        why = str(error) if isinstance(error, OSError) else self._window.context.messages.words_of(error)
        self.about.setText(tr("It could not be read. {why}", why=why))

    def _follow(self) -> None:
        for each in (self.restore, self.folder):
            each.setEnabled(self.chosen is not None)

    def _ask(self) -> None:
        copy = self.chosen
        if copy is None:
            return
        suggested = tr("{audit} as of {day}", audit=copy.audit, day=copy.day.isoformat())
        ask_to_save(
            self, self.windowTitle(), audit_filter(), AUDIT_SUFFIX, partial(self.open_copy, copy), suggested=suggested
        )

    def open_copy(self, copy: DailyCopy, target: Path) -> None:
        """Make *copy* an audit at *target*, off the window's thread, and open it."""
        context, files = self._window.context, self._window.files
        before = None if context.engine.current is None else context.engine.current.path

        def opened() -> None:
            # Any other page would show less than a moment ago, without a word why.
            context.navigator.go("home")
            back = (
                ()
                if before is None
                else (Remedy(text=tr("Back to {name}", name=before.name), do=partial(files.open, before)),)
            )
            words = tr(
                "{audit} as it was on {day}, opened as {name}.", audit=copy.audit, day=day(copy.day), name=target.name
            )
            context.messages.success(words, *back, topic=FILE_TOPIC)

        context.bridge.run(
            restore,
            copy,
            target,
            then=lambda _: files.open(target, opened),
            failed=context.messages.failure,
            owner=self._window,
            anywhere=True,
        )
        self.close()

    def _show_folder(self) -> None:
        if self.chosen is not None:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.chosen.path.parent)))


def _copy(open_audit: OpenAudit) -> None:
    if not open_audit.facts().sample:
        DailyCopies(open_audit.path).make(open_audit.context.audit, datetime.now(UTC).astimezone().date())


def _copies(open_audit: OpenAudit | None) -> tuple[DailyCopy, ...]:
    own = () if open_audit is None else DailyCopies(open_audit.path).listed()
    return (*own, *(each for each in all_copies() if each not in own))
