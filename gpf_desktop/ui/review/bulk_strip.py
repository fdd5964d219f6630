"""The strip under the queue while several bundles are selected: how many, and what can be done with all of them."""

from functools import partial

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QCompleter,
    QLineEdit,
    QMenu,
    QProgressBar,
    QSizePolicy,
    QWidget,
)

from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import SEVERITIES, severity_called, verdict_called
from gpf_desktop.ui.review.bulk_view_model import ASKED_FROM, BulkViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import by_width, hbox, row_of
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.wording import count, count_of


class BulkStrip(Card):
    """Shows a `BulkViewModel`; one of three things at a time: actions, a question, progress."""

    left = Signal()
    """What had the keyboard goes away: somebody else must have it."""

    def __init__(self, bulk: BulkViewModel) -> None:
        super().__init__(name="review.bulk")
        self.setSizePolicy(by_width(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum))
        self._bulk = bulk
        self._count = label("", "heading", name="review.bulk.count")
        self.clear = link(tr("Clear"), name="review.bulk.clear")
        self.clear.setAccessibleName(tr("Select only the open set"))
        self.clear.setToolTip(plain_tip(self.clear.accessibleName()))
        self.flag = button(tr("Flag"), partial(bulk.flag, True), compact=True, name="review.bulk.flag")
        self.unflag = button(tr("Unflag"), partial(bulk.flag, False), compact=True, name="review.bulk.unflag")
        self.tag = button(tr("Tag …"), self.ask_tag, compact=True, name="review.bulk.tag")
        self.verdict = button(tr("Verdict"), compact=True, name="review.bulk.verdict")
        self.verdict.setProperty("menu", True)
        self.verdict.setMenu(self._verdicts())
        self.submit = button(tr("Submit drafts"), bulk.submit, compact=True, name="review.bulk.submit")
        self.submit.setToolTip(tr("Those that have a verdict, and a severity where it is harmful; the others stay."))
        self._actions = flowing(self.flag, self.unflag, self.tag, self.verdict, self.submit)
        self.word = named(QLineEdit(placeholderText=tr("Tag")), "review.bulk.word", tr("Tag for the selected sets"))
        self.word.returnPressed.connect(self._add)
        self._known = QStringListModel(self)
        completer = QCompleter(self._known, self.word)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.word.setCompleter(completer)
        self.add = button(tr("Add"), self._add, compact=True, name="review.bulk.add")
        self._tagging = self._tag_line()
        self._note = caption(tr("The keys D, O, L, X and U apply to the open set only."), name="review.bulk.note")
        self._bar = named(
            QProgressBar(textVisible=False), "review.bulk.progress", tr("Progress over the selected sets")
        )
        self._said = caption(name="review.bulk.said")
        self.yes = button(tr("Yes"), bulk.confirm, compact=True, name="review.bulk.yes")
        self.no = button(tr("Cancel"), bulk.cancel, compact=True, name="review.bulk.no")
        self._answer = flowing(self.yes, self.no)
        self.body.addLayout(hbox((self._count, 1), self.clear, spacing=SPACE_2))
        for part in (self._actions, self._tagging, self._note, self._said, self._bar, self._answer):
            self.body.addWidget(part)
        self._tagging.hide()
        self.hide()
        bulk.changed.connect(self._show)

    def _tag_line(self) -> QWidget:
        return row_of((self.word, 1), self.add, spacing=SPACE_2)

    def ask_tag(self) -> None:
        """Put the keyboard into the field for a tag."""
        self._tagging.show()
        self.word.setFocus()

    def show_tags(self, tags: list[str]) -> None:
        """Tags in use, to be offered while typing."""
        if self._known.stringList() != tags:
            self._known.setStringList(tags)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self._bulk.question is not None or self._bulk.job is not None:
            self._bulk.cancel()
        elif self._tagging.isVisible():
            self._tagging.hide()
            self.tag.setFocus()
        else:
            self.clear.click()

    def _verdicts(self) -> QMenu:
        menu = QMenu(self)
        for verdict in Verdict:
            if verdict is Verdict.HARMFUL:
                # Asked in place: what is harmful cannot be submitted without a severity.
                severities = menu.addMenu(verdict_called(verdict))
                for severity in SEVERITIES:
                    action = severities.addAction(severity_called(severity))
                    action.triggered.connect(partial(self._judge, verdict, severity))
            else:
                menu.addAction(verdict_called(verdict)).triggered.connect(partial(self._judge, verdict, None))
        return menu

    def _judge(self, verdict: Verdict, severity: int | None, _checked: bool = False) -> None:
        self._bulk.set_verdict(verdict, severity)

    def _add(self) -> None:
        if self.word.text().strip():
            self._bulk.add_tag(self.word.text())
            self.word.clear()
            self._tagging.hide()
            self.tag.setFocus()

    def _show(self) -> None:
        bulk = self._bulk
        question = bulk.question
        # What is done in the blink of an eye shows no progress.
        job = bulk.job if bulk.job is not None and bulk.job.total >= ASKED_FROM else None
        shown = bulk.several or job is not None
        focus = QApplication.focusWidget()
        if focus is not None and self.isAncestorOf(focus) and not (shown and question is None and job is None):
            self.left.emit()
        self.setVisible(shown)
        self._count.setText(tr("{n} selected", n=count(len(bulk.selected))))
        idle = question is None and job is None
        self.clear.setEnabled(job is None)
        self._actions.setVisible(idle)
        self._note.setVisible(idle)
        if not idle or not bulk.several:
            self._tagging.hide()
        self._said.setVisible(not idle)
        self._answer.setVisible(not idle)
        self.yes.setVisible(question is not None)
        self._bar.setVisible(job is not None)
        self.no.setText(tr("Stop") if job is not None else tr("Cancel"))
        if job is not None:
            self._bar.setMaximum(max(1, job.total))
            self._bar.setValue(job.done)
            self._said.setText(tr("{what}: {part}", what=bulk.doing, part=count_of(job.done, job.total)))
        elif question is not None:
            self._said.setText(question.words)
            if self.yes.text() != question.button:
                self.yes.setText(question.button)
            self.yes.setFocus()
