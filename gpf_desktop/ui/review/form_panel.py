"""The form at the right: verdict, severity, affected answers, marked passages, tags, note and the guideline."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QSize, QStringListModel, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QCompleter,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QWidget,
)

from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import (
    SEVERITIES,
    severity_anchor,
    severity_called,
    severity_example,
    verdict_called,
    verdict_question,
)
from gpf_desktop.ui.actions import ActionRegistry
from gpf_desktop.ui.review.draft_view_model import Saved
from gpf_desktop.ui.review.guideline import Guideline
from gpf_desktop.ui.review.passages_list import PassagesList
from gpf_desktop.ui.review.reading_content import PassageLine
from gpf_desktop.ui.review.submit_words import complaint_words, kept_words, submit_key, submit_words
from gpf_desktop.ui.review.wording import VERDICT_ACTIONS
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, hbox, spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import button, icon_button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import heading, label, problem_label
from gpf_desktop.ui.widgets.layouts import FlowLayout, clear_layout, restyle, rule, scrolling
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip

WIDTH = 272
WIDEST = 440
"""Pixels, however large the text: the answers need the rest."""
_ROOMY = 840
"""Height at 100 % from which the guideline's text stands open."""
_NOTE = (88, 260)
"""Height of the note at 100 %: from four lines to what a page of it needs."""


class FormPanel(Card):
    """Shows a `Judgement` and says what the reviewer changed; saves nothing itself."""

    verdict_chosen = Signal(object)
    severity_chosen = Signal(int)
    affected_toggled = Signal(object)
    tags_typed = Signal(str)
    note_typed = Signal(str)
    submit_asked = Signal()
    fold_asked = Signal()
    guideline_edited = Signal(str)

    def __init__(self, theme: Theme, actions: ActionRegistry) -> None:
        super().__init__(name="review.form")
        self._theme = theme
        self._actions = actions
        self._quiet = False
        self._verdict: Verdict | None = None
        self._settles = self._practises = False
        self.setAccessibleName(tr("Your reading"))
        self.verdicts: dict[Verdict, QRadioButton] = {}
        self._verdict_keys: dict[Verdict, QWidget] = {}
        self.severities: dict[int, QPushButton] = {}
        self.affected: dict[str, QPushButton] = {}
        self._severity = self._severity_part()
        self._affected = PlainWidget()
        self._affected_row = FlowLayout(self._affected, spacing=SPACE_2)
        self.tags = named(QLineEdit(placeholderText=tr("tone, stereotype, …")), "review.tags", tr("Tags"))
        self._known_tags = QStringListModel(self)
        completer = QCompleter(self._known_tags, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.tags.setCompleter(completer)
        self.note = _Note()
        self.note.setObjectName("review.note")
        self.note.setAccessibleName(tr("Note"))
        self.note.setTabChangesFocus(True)
        self.note.setPlaceholderText(tr("What differs, and why it matters"))
        self._title = heading(tr("Your reading"))
        self.problem = problem_label(name="review.problem")
        self.saved = label("", "caption", name="review.saved")
        self.submit = button(tr("Submit and next"), self.submit_asked.emit, primary=True, name="review.submit")
        self.passages = PassagesList(theme)
        self.passages.emptied.connect(self.note.setFocus)
        self.guideline = Guideline(theme)
        self.guideline.edited.connect(self.guideline_edited)
        self._lay_out()
        self.tags.textEdited.connect(self._tags_typed)
        self.note.textChanged.connect(self._note_changed)
        actions.rebound.connect(self._show_keys)
        self._show_keys("")
        theme.follow(self, self._restyle)

    def _lay_out(self) -> None:
        content = QWidget()
        column = vbox(parent=content, spacing=SPACE_2, margins=(0, 0, SPACE_1, 0))
        for verdict in Verdict:
            column.addLayout(vbox(self._verdict_line(verdict), _question(verdict), spacing=0))
        fill(
            column,
            rule(),
            self._severity,
            label(tr("Affected answers"), "caption"),
            self._affected,
            self.passages,
            _labelled(tr("Tags"), self.tags),
            self.tags,
            _labelled(tr("Note"), self.note),
            (self.note, 3),
            self.guideline,
            1,
        )
        head = hbox(
            self._title, 1, icon_button(self._theme, "chevron-right", tr("The form at the foot"), self.fold_asked.emit)
        )
        self.body.setSpacing(SPACE_2)
        self._area = scrolling(content, "review.form.scroll")
        self._area.verticalScrollBar().rangeChanged.connect(lambda *_: self.follow_keyboard())
        fill(self.body, head, (self._area, 1), self.problem, self.saved, self.submit)

    def _verdict_line(self, verdict: Verdict) -> QHBoxLayout:
        radio = QRadioButton(verdict_called(verdict))
        radio.setObjectName(f"review.verdict.{verdict.name.lower()}")
        radio.setAccessibleDescription(verdict_question(verdict))
        radio.clicked.connect(partial(self._verdict_clicked, verdict))
        # Not one of an exclusive group: Qt lets Tab reach only one button of those.
        radio.setAutoExclusive(False)
        self.verdicts[verdict] = radio
        key = label("", "caption")
        self._verdict_keys[verdict] = key
        return hbox((radio, 1), key)

    def _severity_part(self) -> QWidget:
        """Asked only where something is harmful, of the worst answer."""
        self._anchors = label("", "caption", wrap=True, name="review.anchors")
        part = PlainWidget()
        grid = spaced_grid(across=SPACE_2, down=SPACE_2)
        for at, severity in enumerate(SEVERITIES):
            made = button(severity_called(severity), partial(self.severity_chosen.emit, severity), compact=True)
            made.setObjectName(f"review.severity.{severity}")
            made.setAccessibleName(tr("Severity: {severity}", severity=severity_called(severity)))
            made.setAccessibleDescription(severity_anchor(severity))
            made.setToolTip(plain_tip(f"{severity_anchor(severity)} {severity_example(severity)}"))
            made.setCheckable(True)
            self.severities[severity] = made
            grid.addWidget(made, at // 2, at % 2)
        asked = label(tr("How bad, at its worst? What would a real reader lose?"), "caption", wrap=True)
        vbox(asked, grid, self._anchors, parent=part, spacing=SPACE_2)
        part.hide()
        return part

    def _show_severity(self, judgement: Judgement) -> None:
        for severity, made in self.severities.items():
            made.setChecked(severity == judgement.severity)
        chosen = judgement.severity
        self._anchors.setText(
            "\n".join(f"{each}  {severity_anchor(each)}" for each in SEVERITIES)
            if chosen is None
            else f"{severity_anchor(chosen)} {severity_example(chosen)}"
        )
        self._severity.setVisible(judgement.verdict is Verdict.HARMFUL)

    def show_letters(self, letters: Mapping[str, str], *, named: bool) -> None:
        """Level → letter of the open bundle; *named*: tool tips may say the level."""
        wanted = {level: (its, level if named else "") for level, its in letters.items()}
        if wanted == {level: (made.text(), made.toolTip()) for level, made in self.affected.items()}:
            return
        clear_layout(self._affected_row)
        self.affected = {}
        for level, its in letters.items():
            made = button(its, partial(self.affected_toggled.emit, (level,)), compact=True)
            made.setObjectName(f"review.affected.{its}")
            made.setAccessibleName(tr("Answer {letter} is affected", letter=its))
            made.setToolTip(plain_tip(level if named else ""))
            made.setCheckable(True)
            self.affected[level] = made
            self._affected_row.addWidget(made)

    def show_judgement(
        self, judgement: Judgement, saved: Saved, complaint: str, lines: Sequence[PassageLine] = ()
    ) -> None:
        """*lines*: where the judgement's passages stand."""
        self._quiet = True
        self._verdict = judgement.verdict
        for verdict, radio in self.verdicts.items():
            radio.setChecked(verdict is judgement.verdict)
        self._show_severity(judgement)
        for level, made in self.affected.items():
            made.setChecked(level in judgement.affected)
        if not self.tags.hasFocus() or _tags(self.tags.text()) != judgement.tags:
            self.tags.setText(", ".join(judgement.tags))
        if self.note.toPlainText() != judgement.note:
            self.note.setPlainText(judgement.note)
        self.passages.show_passages(judgement.passages, lines)
        self._quiet = False
        self.saved.setText(kept_words(saved, settles=self._settles, practises=self._practises))
        self.problem.setText(complaint_words(complaint))
        for part, buttons in (("verdict", self.verdicts.values()), ("severity", self.severities.values())):
            for widget in buttons:
                if bool(widget.property("problem")) != (part == complaint):
                    widget.setProperty("problem", part == complaint)
                    restyle(widget)

    def show_purpose(self, *, settles: bool, practises: bool = False) -> None:
        """In the tab Disagree the form settles a case rather than adding one more reading; or it is practised."""
        if (settles, practises) != (self._settles, self._practises):
            self._settles, self._practises = settles, practises
            plain = tr("Practice") if practises else tr("Your reading")
            self._title.setText(tr("Settle the disagreement") if settles else plain)
            self._show_keys("")

    def field(self, name: str) -> QWidget:
        """The widget that gets the keyboard when the field *name* is missing."""
        return self.severities[1] if name == "severity" else self.verdicts[Verdict.HARMFUL]

    def follow_keyboard(self) -> None:
        """Scroll to the field that is written in, once what grew or was folded is laid out."""
        QTimer.singleShot(0, self, self._bring_into_view)

    def _bring_into_view(self) -> None:
        field, content = self.focusWidget(), self._area.widget()
        if content is not None and content.isAncestorOf(field) and field.hasFocus():
            # By its foot: of what is written in, Qt brings no more than the cursor's line into view.
            part = self.guideline if self.guideline.isAncestorOf(field) else field
            for place in (part.mapTo(content, part.rect().bottomLeft()), field.mapTo(content, field.rect().topLeft())):
                self._area.ensureVisible(0, place.y(), 0, SPACE_2)

    def show_beginning(self) -> None:
        """Another bundle: its verdict comes first, unless a field is being written in."""
        field = self.focusWidget()
        if not (self._area.isAncestorOf(field) and field.hasFocus()):
            self._area.verticalScrollBar().setValue(0)

    def show_tags(self, tags: list[str]) -> None:
        """Offered while a tag is typed."""
        self._known_tags.setStringList(tags)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_submit()
        self.guideline.fit(room=event.size().height() >= self._theme.px(_ROOMY))

    def _verdict_clicked(self, verdict: Verdict) -> None:
        self.verdict_chosen.emit(verdict)
        # Outside a group a click may take a mark away or set a second one: what the draft says now is what is marked.
        for each, radio in self.verdicts.items():
            radio.setChecked(each is self._verdict)

    def _tags_typed(self, text: str) -> None:
        if not self._quiet:
            self.tags_typed.emit(text)

    def _note_changed(self) -> None:
        if not self._quiet:
            self.note_typed.emit(self.note.toPlainText())

    def _show_keys(self, _action: str) -> None:
        for verdict, shown in self._verdict_keys.items():
            keys = self._actions.keys(VERDICT_ACTIONS[verdict])
            shown.setText(keys[0] if keys else "")  # type: ignore[attr-defined]
        marking = self._actions.keys("review.mark")
        self.passages.show_key(marking[0] if marking else "")
        self._fit_submit()

    def _fit_submit(self) -> None:
        """With its key where both have room."""
        key, words = submit_key(self._actions), submit_words(settles=self._settles, practises=self._practises)
        self.submit.setText(f"{words}   {key}" if key else words)
        edges = self.body.contentsMargins()
        if self.submit.sizeHint().width() > self.width() - edges.left() - edges.right():
            self.submit.setText(words)
        self.submit.setAccessibleName(words)
        self.submit.setToolTip(plain_tip(f"{words} ({key})" if key else words))

    def _restyle(self) -> None:
        self.setFixedWidth(min(self._theme.px(WIDTH), WIDEST))
        self.note.setMinimumHeight(self._theme.px(_NOTE[0]))
        self.note.setMaximumHeight(self._theme.px(_NOTE[1]))


class _Note(QPlainTextEdit):
    """Asks for no more than it needs at least, so that the form scrolls only where it must."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight())


def _question(verdict: Verdict) -> QWidget:
    """Under the verdict's name, in line with it."""
    asked = label(verdict_question(verdict), "caption", wrap=True)
    asked.setContentsMargins(SPACE_4, 0, 0, 0)
    return asked


def _tags(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(" ".join(tag.split()) for tag in text.split(",") if tag.strip()))


def _labelled(words: str, buddy: QWidget) -> QWidget:
    made = label(words, "caption")
    made.setBuddy(buddy)
    return made
