"""Help › What's new, Diagnose, Log of faults, Licences: what the program tells of itself, to be copied and saved."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtWidgets import QApplication, QListWidget, QWidget

from gpf_desktop.documents.whole_files import whole_file
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.about_program import LibraryLicence
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_save
from gpf_desktop.ui.reports.inert_text import InertBrowser
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import hbox, splitter, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.labels import caption


class ProgramTextDialog(TitledDialog):
    """Shows the text that *read* gives, which is read beside the window; *empty* is said where it is none."""

    def __init__(
        self,
        context: Context,
        parent: QWidget,
        read: Callable[[], str],
        *,
        title: str,
        about: str = "",
        empty: str = "",
        markdown: bool = False,
        name: str = "told",
    ) -> None:
        super().__init__(parent, title, name)
        self._context, self._empty, self._markdown = context, empty, markdown
        self._told = ""
        self.text = InertBrowser(title, f"{name}.text")
        self.copy = button(tr("Copy"), self._copy, name=f"{name}.copy")
        self.save = button(tr("Save …"), self._save, name=f"{name}.save")
        self._about = caption(about)
        self._about.setVisible(bool(about))
        vbox(
            self._about,
            (self._body(), 1),
            hbox(self.copy, self.save, 1, button(tr("Close"), self.close, primary=True)),
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        room, theme = parent.screen().availableSize(), context.theme
        self.resize(min(theme.px(760), room.width() - 80), min(theme.px(560), room.height() - 80))
        self.show_text("")
        self.text.setPlainText(tr("Looking …"))
        context.bridge.run(read, then=self.show_text, failed=self._failed, owner=self, anywhere=True)

    def show_text(self, told: str) -> None:
        self._told = told
        if self._markdown and told:
            self.text.setMarkdown(told)
        else:
            self.text.setPlainText(told or self._empty)
        for each in (self.copy, self.save):
            each.setEnabled(bool(told))

    def _failed(self, error: BaseException) -> None:
        """Say so in place of what was to be read."""
        self.show_text("")
        why = str(error) if isinstance(error, OSError) else self._context.messages.words_of(error)
        self.text.setPlainText(tr("It could not be read. {why}", why=why))

    def _body(self) -> QWidget:
        return self.text

    def _copy(self) -> None:
        QApplication.clipboard().setText(self._told)

    def _save(self) -> None:
        suffix = ".md" if self._markdown else ".txt"
        kinds = f"{tr('Text')} (*{suffix})"
        ask_to_save(self, self.windowTitle(), kinds, suffix, self.write, suggested=self.windowTitle() + suffix)

    def write(self, target: Path) -> None:
        """Write the text to *target*, beside the window."""
        told = self._told

        def put() -> None:
            with whole_file(target) as beside:
                beside.write_text(told, encoding="utf-8")

        self._context.bridge.run(put, failed=self._context.messages.failure, owner=self, anywhere=True)


class LicencesDialog(ProgramTextDialog):
    """Libraries at the left, the texts of the chosen one at the right."""

    def __init__(self, context: Context, parent: QWidget, read: Callable[[], Sequence[LibraryLicence]]) -> None:
        self.libraries = QListWidget()
        self.libraries.setObjectName("licences.list")
        self.libraries.setAccessibleName(tr("Parts of the program"))
        self._licences: Sequence[LibraryLicence] = ()
        self._bridge = context.bridge
        super().__init__(context, parent, str, title=tr("Licences"), name="licences")
        self.libraries.currentRowChanged.connect(self._chosen)
        context.bridge.run(read, then=self._list, failed=self._failed, owner=self, anywhere=True)

    def _body(self) -> QWidget:
        return splitter(self.libraries, (self.text, 1))

    def _list(self, licences: Sequence[LibraryLicence]) -> None:
        self._licences = licences
        self.libraries.addItems([f"{each.name} {each.version}".strip() for each in licences])
        self.libraries.setCurrentRow(0)

    def _chosen(self, row: int) -> None:
        self._bridge.run(
            self._licences[row].text, then=self.show_text, failed=self._failed, owner=self, latest="text", anywhere=True
        )
