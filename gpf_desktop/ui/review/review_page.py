"""The page Review: queue, question, answers, form."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QWidget

from gpf_desktop.domain.events import AuditClosed, AuditOpened
from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import SampleKind
from gpf_desktop.domain.review_queue import QueueFilter, QueueRow
from gpf_desktop.domain.text import tr
from gpf_desktop.storage.quotes import MarkedQuote
from gpf_desktop.ui.actions import Fact
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.review.codes.coding import Coding
from gpf_desktop.ui.review.filter_row import FilterRow
from gpf_desktop.ui.review.folding import Folding, FoldingParts
from gpf_desktop.ui.review.foot_form import FootForm
from gpf_desktop.ui.review.form_panel import FormPanel
from gpf_desktop.ui.review.queue_bar import QueueBar
from gpf_desktop.ui.review.queue_commands import join_filters, open_samples
from gpf_desktop.ui.review.queue_pane import QueuePane
from gpf_desktop.ui.review.queue_rail import QueueRail
from gpf_desktop.ui.review.queue_split import QueueSplit
from gpf_desktop.ui.review.queue_table import QueueTable
from gpf_desktop.ui.review.queue_words import shared_by_all
from gpf_desktop.ui.review.rating_dialog import RatingDialog
from gpf_desktop.ui.review.reading_pane import ReadingPane, stored_number
from gpf_desktop.ui.review.review_actions import READING
from gpf_desktop.ui.review.review_centre import ReviewCentre
from gpf_desktop.ui.review.review_commands import ReviewCommands
from gpf_desktop.ui.review.review_view_model import ReviewViewModel
from gpf_desktop.ui.review.submit_words import kept_words
from gpf_desktop.ui.review.typed_ahead import TypedAhead
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import fill, hbox, put_in_later

_CARDS = 9
_CLOSE = "review/close"


class ReviewPage(Page):
    """Layout and connections; what is shown is decided by `ReviewViewModel`."""

    @classmethod
    def made_before(cls, context: Context) -> QWidget:
        return ReadingPane(context, ReviewViewModel(context))

    def __init__(self, context: Context, reading: ReadingPane) -> None:
        super().__init__(context, "review", tr("Review"))
        self.header.hide()
        theme = context.theme
        self.reading = reading
        self.model = reading.model
        self.model.setParent(self)
        self.bar = QueueBar(theme)
        self.filters = FilterRow(self.model.filters)
        self.filters.hide()
        put_in_later(self, self.filters)
        self.queue = QueueTable(theme, self._load_rows)
        self.queue_pane = QueuePane(self.queue, self.model)
        self.form = FormPanel(theme, context.actions)
        self.foot_form = FootForm(theme, context.actions)
        self.rail = QueueRail(theme, context.actions)
        self.centre = ReviewCentre(context, reading, self)
        self.empty = self.centre.empty
        self._read: QWidget = self.queue
        """What had the keyboard before the form or the search."""
        self._lay_out()
        self._connect()
        self.queue.set_close(bool(stored_number(context.settings, _CLOSE)))
        self.ahead = TypedAhead(self, self.model)
        self.commands = ReviewCommands(self.model, reading, self.form.passages, self._write, self)
        self.coding = Coding(self.model, reading, self.form.passages, self)
        self._take_commands()
        join_filters(context.actions, self.filters, self.model.filters)
        context.actions.arm(READING, self.queue_pane, self.reading)
        self._show()

    def _take_commands(self) -> None:
        """Connect the page's own commands: folding, searching, writing, and the views in place of the answers."""
        on = self.context.actions.on
        on("review.note", self._write_note)
        on("review.tags", partial(self._write, self.form.tags))
        on("review.submit", self._submit)
        on("review.room", self.folding.toggle)
        on("review.density", lambda: self._set_close(not self.queue.is_close))
        on("review.fold", self.folding.toggle_form)
        on("review.fold_queue", self.folding.toggle_queue)
        on("review.search", lambda: self.search_field().setFocus())
        on("review.team", self.toggle_team)
        on("review.codes", self.toggle_codes)
        on("review.test_sample", self._draw_test)
        on("review.rate", lambda: RatingDialog(self.context, self).open())
        for name in ("team", "codes", "test_sample"):
            self.bar.more.menu().addAction(self.context.actions.action(f"review.{name}"))

    def _lay_out(self) -> None:
        split = QueueSplit(self.context.theme, self.queue_pane, self.centre.stack)
        self.body.setSpacing(SPACE_2)
        fill(
            self.body,
            self.bar,
            (hbox(self.rail, (split, 1), self.form, spacing=SPACE_3), 1),
            self.foot_form,
        )
        parts = FoldingParts(
            queue=self.queue_pane, rail=self.rail, split=split, form=self.form, foot=self.foot_form,
            panels=self.reading.panels,
        )  # fmt: skip
        self.folding = Folding(self, self.context, parts)

    def _connect(self) -> None:
        model, draft, reader = self.model, self.model.draft, self.model.reader
        self.filters.place_wanted.connect(lambda: self.body.insertWidget(2, self.filters))
        model.changed.connect(self._show)
        model.listen(lambda _event: self._other_audit(), AuditOpened, AuditClosed)
        model.examples.practised.connect(lambda _words: self._show())
        model.queue_changed.connect(self._show_queue)
        model.filters.test_drawn.connect(self._begin_test)
        model.rows_changed.connect(self.queue.rows_model.renew)
        reader.arrived.connect(lambda _bundle: self._show_bundle())
        self.reading.finding.left.connect(self._leave_finding)
        self.centre.turned.connect(self._turned)
        self.centre.closed.connect(self._back_to_reading)
        self.centre.quote_asked.connect(self._show_quote)
        reader.reading_changed.connect(self._show_reading)
        draft.changed.connect(self._show_draft)
        self.bar.tab_chosen.connect(model.set_tab)
        self.bar.order_chosen.connect(model.set_order)
        self.bar.filter_asked.connect(self._toggle_filters)
        self.bar.blind_chosen.connect(model.set_blind)
        self.queue.picked.connect(self._picked)
        self.queue.fold_asked.connect(model.fold_group)
        self.queue.read.connect(self._read_answers)
        self.queue.clicked.connect(self._clicked)
        for form in (self.form, self.foot_form):
            form.verdict_chosen.connect(partial(self._say, draft.set_verdict))
            form.severity_chosen.connect(partial(self._say, draft.set_severity))
            form.submit_asked.connect(self._submit)
            form.note_typed.connect(partial(self._say, draft.type_note))
        for part in (self.form, self.reading):
            part.affected_toggled.connect(partial(self._say, draft.toggle_affected))
        self.form.tags_typed.connect(partial(self._say, draft.set_tags))
        self.form.passages.asked.connect(self.reading.show_passage)
        self.form.passages.comment_typed.connect(partial(self._say, draft.comment))
        self.form.passages.removed.connect(partial(self._say, draft.unmark))
        self.form.passages.added.connect(lambda place: model.add_passage(*place))
        self.reading.top.add.clicked.connect(lambda _checked=False: model.add_bundle())
        self.form.guideline_edited.connect(model.set_guideline)
        self.form.fold_asked.connect(lambda: self.folding.set_folded(True))
        self.foot_form.unfold_asked.connect(lambda: self.folding.set_folded(False))
        self.rail.step_asked.connect(model.go)
        self.reading.room.clicked.connect(lambda _checked=False: self.folding.toggle())
        self.folding.changed.connect(self.room_changed)
        self.folding.changed.connect(self.queue_pane.pile.say)
        self.queue_pane.pile.said.connect(self._show_pile)
        self.folding.left.connect(self._read_on)

    def foot(self) -> QWidget | None:
        return self.foot_form if self.folding.is_folded else None

    def parts_ahead(self) -> Iterable[Callable[[], object]]:
        return [self.reading.answers.columns.make_card] * _CARDS

    def arrive(self, state: Mapping[str, object]) -> None:
        wanted, bundle, origin = state.get("filter"), state.get("bundle"), state.get("origin")
        if isinstance(wanted, BundleFilter):
            wanted = QueueFilter.of(wanted)
        if self.centre.shows_other and (wanted is not None or bundle is not None):
            self._back_to_reading()
        self.model.arrive(
            wanted if isinstance(wanted, QueueFilter) else None,
            BundleId(bundle) if isinstance(bundle, int) else None,
            origin if isinstance(origin, str) else "",
            named=bool(state.get("named")),
        )

    def flush(self) -> None:
        self.model.draft.flush()

    def state(self) -> Mapping[str, object]:
        filters, current = self.model.filters, self.model.reader.current
        return {"filter": filters.wanted, "bundle": current, "origin": filters.origin, "named": filters.named}

    def first_focus(self) -> QWidget | None:
        if self.model.empty() is not None:
            return self.empty.button or self.empty
        return self.queue if self.rail.isHidden() else self.reading.answers.first() or self.reading.answers

    def panes(self) -> Sequence[QWidget]:
        reading = self.reading
        parts = (reading.bar, reading.strip, reading.answers, reading.panels)
        shown = parts if self.centre.shown is reading else (self.centre.stack,)
        return (self.rail, self.queue_pane, *shown, self.form, self.foot_form, self.filters, self.bar)

    def landing(self, pane: QWidget) -> QWidget | None:
        if pane is self.queue_pane:
            return self.queue
        return self.reading.landing() if pane is self.reading.answers else None

    def search_field(self) -> QWidget:
        self._keep_what_is_read()
        return self.reading.open_find() if self._shows_bundle else self.queue

    def _set_close(self, close: bool) -> None:
        self.queue.set_close(close)
        self.context.settings.setValue(_CLOSE, int(close))

    def _draw_test(self) -> None:
        self._leave_other()
        open_samples(self.filters, SampleKind.CONCLUSION)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            (self._back_to_reading if self.centre.shows_other else self._leave_writing)()
        else:
            super().keyPressEvent(event)

    @property
    def roomy(self) -> bool:
        return self.folding.is_given

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.folding.fit()
        # While it is being shown a page is sized before it counts as visible, and Qt drops what its layout asks for.
        self.body.activate()

    def hideEvent(self, event: QHideEvent) -> None:
        # What was typed ahead is nothing to whatever is shown now.
        self.ahead.drop()
        # Leaving the page, or closing the window, must not lose the last letters.
        self.model.draft.flush()
        super().hideEvent(event)

    def _say(self, change: Callable[..., object], *said: object) -> None:
        """Apply *change* to the bundle in sight; while one is on its way nothing is taken, and the form shows that."""
        if self.model.in_sight is not None:
            change(*said)
        else:
            self._show_draft()

    def _picked(self, bundle: BundleId) -> None:
        self._leave_other()
        self.model.open(bundle)

    def _clicked(self) -> None:
        if not self.queue.several:
            self.folding.end_peek()

    def _read_answers(self) -> None:
        self._leave_other()
        self.folding.end_peek()
        self.reading.answers.focus_first()

    def _submit(self) -> None:
        self.model.submit()
        if not self.model.draft.complaint:
            self._leave_writing()
            if self.reading.answers.isAncestorOf(self.focusWidget()):
                self.reading.answers.focus_first()
            return
        if not self._is_reading:
            (self.foot_form if self.folding.is_folded else self.form).field(self.model.draft.complaint).setFocus()

    @property
    def _is_reading(self) -> bool:
        """The keyboard is where single keys judge."""
        return any(part.isAncestorOf(self.focusWidget()) for part in (self.queue_pane, self.reading))

    def _show(self) -> None:
        model = self.model
        self.bar.show_queue(model.queue, model.tab)
        self.bar.show_order(model.order, model.choices, model.preferences.seed)
        name = model.filters.name or model.filters.origin_words
        self.bar.show_filter(model.wanted, name, shown=not self.filters.isHidden())
        self.queue_pane.only.show_words(model.filters.words)
        self.bar.show_blind(model.blind)
        self.filters.show_filter(model.choices, blind=model.blind)
        self.queue.rows_model.set_blind(model.blind, scored=model.scored)
        self.queue.rows_model.set_practised(model.examples.as_lead if model.examples.practising else None)
        self.queue.rows_model.set_shared(shared_by_all(model.choices, model.wanted))
        self.queue.rows_model.set_score(model.order.score)
        self.form.show_tags(list(model.tags))
        empty = model.empty()
        for form in (self.form, self.foot_form):
            form.show_purpose(settles=model.settles, practises=model.practising)
        self.reading.show_readings()
        # First: the keyboard goes from the answers to the button that is offered then.
        if empty is not None:
            way = partial(model.follow, empty.way) if empty.way else None
            self.empty.explain(empty.why, empty.button, way, then=empty.then)
        self.centre.show_answers(empty=empty is not None)
        self.folding.show(self.centre.in_sight)
        for form in (self.form, self.foot_form):
            # Also while the next one is on its way: a form that is disabled loses the keyboard.
            form.setEnabled(model.draft.bundle_id is not None or model.awaits)
        self.reading.show_place()
        self._keep_keyboard_in_sight()

    def _keep_keyboard_in_sight(self) -> None:
        """A queue that was folded away with the keyboard keeps it, out of sight, where no single key is heard."""
        focus = QApplication.focusWidget()
        out_of_sight = focus is not None and self.isAncestorOf(focus) and not focus.isVisible()
        if out_of_sight and self.reading.answers.first() is not None:
            self._read_on()

    def _show_pile(self, words: str, short: str) -> None:
        self.bar.show_pile(words, short, folded=not self.queue_pane.isVisibleTo(self))

    def _show_queue(self) -> None:
        model = self.model
        self.queue.show_ids(model.tab, model.queue.ids(model.tab), model.reader.current, model.at, model.groups())
        self.bar.show_queue(model.queue, model.tab)
        self.bar.show_reader(model.called)
        self.rail.show_place(model.at, model.queue.count(model.tab))

    def _show_bundle(self) -> None:
        model = self.model
        self.queue.select(model.reader.current, model.at)
        self.rail.show_place(model.at, model.queue.count(model.tab))
        self.form.show_beginning()
        self._tell_what_is_shown()

    def _show_reading(self) -> None:
        if self.model.bundle is not None and (reading := self.model.reader.reading) is not None:
            self.form.show_letters(reading.letters, named=not reading.blind)
            self._show_draft()
            self._keep_keyboard_in_sight()

    def _show_draft(self) -> None:
        draft, reading = self.model.draft, self.model.reader.reading
        saved = self.model.kept
        self.form.show_judgement(draft.judgement, saved, draft.complaint, reading.passages if reading else ())
        self.form.guideline.show_text(self.model.guideline, self.model.methods_guideline, leads=not self.model.assigned)
        kept = kept_words(saved, settles=self.model.settles, practises=self.model.practising)
        self.foot_form.show_judgement(draft.judgement, kept, draft.complaint)
        self.reading.show_affected(draft.judgement.affected)

    def toggle_team(self) -> None:
        """Show the team in place of the answers, or the answers again."""
        self._toggle(self.centre.team, self.centre.open_team)

    def toggle_codes(self) -> None:
        """Show the code book in place of the answers, or the answers again."""
        self._toggle(self.centre.codes, self.centre.open_codes)

    def _toggle(self, view: QWidget, open_it: Callable[[], object]) -> None:
        shown, away = self.centre.shown is view, not self.isVisible()
        if away:
            self.context.navigator.go(self.page_id)
        if away and shown:
            return
        self._leave_other()
        if shown:
            self._read_on()
        else:
            open_it()

    def _back_to_reading(self) -> None:
        self._leave_other()
        self._read_on()

    def _show_quote(self, quote: MarkedQuote) -> None:
        self._leave_other()
        self.coding.show_quote(quote)

    def _other_audit(self) -> None:
        """Its people and codes are others."""
        self._leave_other()
        self.centre.forget()
        self.reading.top.forget()

    def _leave_other(self) -> None:
        if self.centre.leave():
            self._show()

    @property
    def _shows_bundle(self) -> bool:
        return self.model.bundle is not None and self.centre.shown is self.reading

    def _turned(self) -> None:
        self._tell_what_is_shown()
        self.folding.show(self.centre.in_sight)

    def _tell_what_is_shown(self) -> None:
        """Nothing is judged that is not in sight."""
        self.context.actions.set_fact(Fact.BUNDLE_SHOWN, self._shows_bundle)

    def _write(self, field: QWidget) -> None:
        """Go to a field of the form; Escape, and a submission, come back to what was read."""
        self._keep_what_is_read()
        self.folding.set_writing(True)
        field.setFocus()
        self.form.follow_keyboard()

    def _write_note(self) -> None:
        """At the foot where the form stands there: nothing moves for a few words."""
        if not self.folding.is_folded:
            self._write(self.form.note)
            return
        self._keep_what_is_read()
        self.foot_form.come_to_note()

    def _keep_what_is_read(self) -> None:
        if self._is_reading and not self.reading.finding.isAncestorOf(self.focusWidget()):
            self._read = self.focusWidget()

    def _leave_finding(self) -> None:
        """Close the search and read on where it found something."""
        self.reading.finding.hide()
        self._read = self.reading.answers.chosen or self._read
        self._leave_writing()

    def _leave_writing(self) -> None:
        self._keep_what_is_read()
        if shiboken6.isValid(self._read) and self._read.isVisible():
            self._read.setFocus()
        else:
            self._read_on()
        self.folding.set_writing(False)

    def _read_on(self) -> None:
        """Give the keyboard to where single keys judge."""
        if self.queue_pane.isVisibleTo(self):
            self.queue.setFocus()
        elif self.centre.shown is self.empty:
            (self.empty.button or self.empty).setFocus()
        else:
            self.reading.answers.focus_first()

    def _toggle_filters(self) -> None:
        self.filters.setVisible(self.filters.isHidden())
        self._show()

    def _begin_test(self) -> None:
        """A sample that tests the conclusions is read at once: the room of the filters is the answers'."""
        self.model.begin_test()
        self.filters.close_sample()
        self.filters.hide()
        self._show()
        self._read_on()

    def _load_rows(self, ids: Sequence[BundleId], then: Callable[[Sequence[QueueRow]], None]) -> None:
        self.context.bridge.run(self.model.rows, ids, then=then, owner=self)
