"""The middle of the page Review: the answers, why there are none, the reviewers, or the code book."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from gpf_desktop.ui.context import Context
from gpf_desktop.ui.review.codes.codes_view import CodesView
from gpf_desktop.ui.review.folding import InSight
from gpf_desktop.ui.review.reading_pane import ReadingPane
from gpf_desktop.ui.review.review_view_model import ReviewViewModel
from gpf_desktop.ui.review.team_view import TeamView
from gpf_desktop.ui.widgets.boxes import stacked
from gpf_desktop.ui.widgets.cards import EmptyState


class ReviewCentre(QObject):
    """One of them at a time; reviewers and code book are built when first asked for: most readings never need them."""

    turned = Signal()
    """Something else is in sight."""
    closed = Signal()
    """Reviewers or code book ask to give way to the answers again."""
    quote_asked = Signal(object)

    def __init__(self, context: Context, reading: ReadingPane, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self.reading, self.empty = reading, EmptyState(context.theme, "review")
        self.stack: QStackedWidget = stacked(reading, self.empty)
        self.stack.currentChanged.connect(lambda _at: self.turned.emit())
        self._team: TeamView | None = None
        self._codes: CodesView | None = None

    @property
    def _model(self) -> ReviewViewModel:
        return self.reading.model

    @property
    def team(self) -> TeamView:
        if self._team is None:
            self._team = TeamView(self._context, lambda: self._model.queue.order)
            self._team.closed.connect(self.closed)
            self._team.model.merged.connect(self._model.reread)
            self._model.changed.connect(self._follow_names)
            self.stack.addWidget(self._team)
        return self._team

    @property
    def codes(self) -> CodesView:
        if self._codes is None:
            self._codes = CodesView(self._context)
            self._codes.closed.connect(self.closed)
            self._codes.quote_asked.connect(self.quote_asked)
            self.stack.addWidget(self._codes)
        return self._codes

    @property
    def shown(self) -> QWidget | None:
        return self.stack.currentWidget()

    @property
    def shows_other(self) -> bool:
        """Something stands in place of the answers and of the form."""
        return self.shown not in (self.reading, self.empty)

    @property
    def in_sight(self) -> InSight:
        if self.shows_other:
            return InSight.OTHER
        if self.shown is self.reading:
            return InSight.ANSWERS
        return InSight.CHOICE if self._model.queue.count(self._model.tab) else InSight.NOTHING

    def show_answers(self, *, empty: bool) -> None:
        """The answers, or why there are none; whatever else is shown stays."""
        if not self.shows_other:
            self.stack.setCurrentWidget(self.empty if empty else self.reading)

    def open_team(self) -> None:
        self.team.open(blind=self._model.blind, read_out=self._model.read_out)
        self.stack.setCurrentWidget(self.team)
        (self.team.export if self._model.read_out else self.team.back).setFocus()

    def _follow_names(self) -> None:
        """Names were hidden or shown while the reviewers stand here."""
        if self.shown is self._team and self.team.blind is not self._model.blind:
            self.team.open(blind=self._model.blind, read_out=self._model.read_out)

    def open_codes(self) -> None:
        self._model.draft.flush()
        self.codes.open(blind=self._model.blind)
        self.stack.setCurrentWidget(self.codes)
        self.codes.quote_table.setFocus()

    def leave(self) -> bool:
        """Give way to the answers; False: they stand there."""
        if not self.shows_other:
            return False
        if self._codes is not None:
            self._codes.model.leave()
        self.stack.setCurrentWidget(self.reading)
        return True

    def forget(self) -> None:
        """Another audit is opened: its codes are others."""
        if self._codes is not None:
            self._codes.model.forget()
