"""Libraries that this installation may lack, each with a button that adds it."""

from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressBar

from gpf_desktop.domain.errors import StoppedError
from gpf_desktop.domain.extras import Extra, extras
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.adding_extras import AddingExtra, under_way
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_for_folder
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.labels import ElidedLabel, caption, heading, label, show_words
from gpf_desktop.ui.widgets.layouts import flowing

_LOOK_MS = 200


class ExtraRow(PlainWidget):
    """One extra's purpose and state; an addition that is under way goes on when the page is closed."""

    def __init__(self, context: Context, extra: Extra) -> None:
        super().__init__()
        self._context, self._extra = context, extra
        name = f"preferences.extras.{extra.name}"
        self.state = caption(name=f"{name}.state")
        self.add = button(tr("Add, about {n} MB", n=extra.megabytes), self._add, name=f"{name}.add")
        self.add.setAccessibleName(tr("Add: {what}", what=extra.title))
        self.folder = button(tr("From a folder …"), self._ask_folder, name=f"{name}.folder")
        self.folder.setAccessibleName(tr("Add from a folder: {what}", what=extra.title))
        self.stop = button(tr("Stop"), self._stop, name=f"{name}.stop")
        self.stop.setAccessibleName(tr("Stop: {what}", what=extra.title))
        self.progress = QProgressBar(textVisible=False)
        self.progress.setRange(0, 0)
        self.progress.setAccessibleName(tr("Being added: {what}", what=extra.title))
        self.said = ElidedLabel("", "caption")
        ways = flowing(self.add, self.folder, self.stop)
        above = (label(extra.title), caption(extra.purpose), self.state)
        vbox(*above, ways, self.progress, self.said, parent=self, spacing=SPACE_1)
        self._clock = QTimer(self, interval=_LOOK_MS)
        self._clock.timeout.connect(self.show_state)
        self._clock.start()
        self.show_state()

    def add_from(self, folder: Path | None) -> None:
        """Have it added from pip's index, or from *folder*."""
        messages, title = self._context.messages, self._extra.title
        adding = AddingExtra(self._extra, folder)

        def failed(error: BaseException) -> None:
            if not isinstance(error, StoppedError):
                messages.failure(error, topic="extras")

        self._context.bridge.follow(
            self._context.engine.run_beside(adding.run, adding.cancel),
            then=lambda _: messages.success(tr("{title}: added.", title=title), topic="extras"),
            failed=failed,
            owner=messages,
            anywhere=True,
        )

    def show_state(self) -> None:
        """As it is at this moment; another window's command line may have added it."""
        now, here = under_way(self._extra.name), not self._extra.missing
        can = not here and now is None and self._extra.addable
        self.add.setVisible(can)
        self.folder.setVisible(can)
        for each in (self.stop, self.progress, self.said):
            each.setVisible(now is not None)
        self.said.setText("" if now is None else now.said)
        words = tr("It is here.") if here else "" if self._extra.addable else self._extra.remedy()
        show_words(self.state, words)

    def _add(self) -> None:
        self.add_from(None)

    def _ask_folder(self) -> None:
        ask_for_folder(self, tr("Folder with the files"), self.add_from)

    def _stop(self) -> None:
        now = under_way(self._extra.name)
        if now is not None:
            now.cancel()


class ExtrasSection(PlainWidget):
    """One row for each."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.rows = {name: ExtraRow(context, extra) for name, extra in extras().items()}
        told = caption(tr("Not every installation has these; the rest of the program does without them."))
        vbox(heading(tr("Further libraries")), told, *self.rows.values(), parent=self, spacing=SPACE_3)

    def matches(self, typed: str) -> bool:
        """Whether *typed* looks for one of them."""
        words = " ".join(f"{each.name} {each.title} {each.purpose}" for each in extras().values())
        words = f"{tr('Further libraries: library, package, install, pip')} {words}".casefold()
        return all(each in words for each in typed.casefold().split())
