"""A memo on an item or on the study: one's own to write, those of others to read."""

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialogButtonBox, QPlainTextEdit, QWidget

from gpf_desktop.domain.study_entries import LONGEST_MEMO, STUDY, Memo
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import Message, MessageKind, Remedy
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, vbox
from gpf_desktop.ui.widgets.buttons import ending_buttons, press_by_ctrl_enter
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.layouts import scrolling
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.wording import moment

_SECONDS = 10
"""For which Undo is offered."""
_WIDTH, _HEIGHT, _TEXT, _OTHERS = 520, 420, 140, 120


class MemoDialog(TitledDialog):
    """A dialog to write a memo in, which is kept however the dialog is left."""

    def __init__(self, context: Context, parent: QWidget, subject: str, about: str, *, blind: bool) -> None:
        """*subject*: `STUDY`, or an item's key; *about*: the item's title. *blind*: others' memos stay hidden."""
        super().__init__(parent, tr("Memo on the study") if subject == STUDY else tr("Memo on this item"), "memo")
        self._context, self._subject = context, subject
        self._service = context.engine.open_audit.reviews.codes
        self._known = ""
        self.own = named(QPlainTextEdit(), "memo.own")
        self.own.setEnabled(False)
        self.own.setPlaceholderText(tr("What you notice beyond this one set, for you and for others."))
        self.own.setMinimumHeight(context.theme.px(_TEXT))
        self._others = vbox(spacing=SPACE_2)
        holder = PlainWidget()
        holder.setLayout(self._others)
        self.others = scrolling(holder, "memo.others")
        self.others.setMinimumHeight(context.theme.px(_OTHERS))
        self.others.hide()
        ending = ending_buttons(self, QDialogButtonBox.StandardButton.Close)
        press_by_ctrl_enter(self, ending.button(QDialogButtonBox.StandardButton.Close))
        fill(
            vbox(parent=self, spacing=SPACE_2, margins=None),
            label(about, "secondary", wrap=True),
            FormField(tr("Your memo"), self.own),
            self.others,
            1,
            caption(tr("Kept when you close this. It goes along in review packs and shared files, under your name.")),
            ending,
        )
        self.resize(context.theme.px(_WIDTH), context.theme.px(_HEIGHT))
        read = partial(self._service.memos_of, subject, blind=blind)
        context.bridge.run(read, then=self._show, owner=self)
        self.finished.connect(lambda _result: self._keep())

    def _show(self, found: tuple[str, tuple[Memo, ...]]) -> None:
        self._known, others = found
        self.own.setPlainText(self._known)
        self.own.setEnabled(True)
        self.own.setFocus()
        for memo in others:
            said = tr("{name}, {when}", name=memo.name, when=moment(memo.at))
            fill(self._others, caption(said), label(memo.text, wrap=True))
        self._others.addStretch(1)
        self.others.setVisible(bool(others))

    def _keep(self) -> None:
        said = self.own.toPlainText().strip()[:LONGEST_MEMO]
        if self.own.isEnabled() and said != self._known and self._context.engine.has_open_audit:
            done = tr("Memo kept.") if said else tr("Memo removed.")
            # Not this dialog's: it is gone by then.
            _write(self._context, self.parent(), self._subject, said, done, before=self._known)


def _write(context: Context, owner: QObject | None, subject: str, said: str, done: str, before: str | None) -> None:
    """Keep *said*, tell that it is *done*, and offer to go back to what stood *before*; None: offer nothing."""
    audit = context.engine.open_audit

    def undo() -> None:
        if context.engine.current is audit:
            _write(context, owner, subject, before or "", tr("The memo is as it was."), None)

    remedies = () if before is None else (Remedy(text=tr("Undo"), do=undo),)
    message = Message(text=done, kind=MessageKind.INFO, remedies=remedies, topic="memo", seconds=_SECONDS)
    context.bridge.command(
        partial(audit.reviews.codes.keep_memo, subject, said),
        then=lambda _done: context.messages.say(message),
        failed=partial(context.messages.failure, topic="memo"),
        owner=owner,
    )
