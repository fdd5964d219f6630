"""Joins codes with the page Review: the command that codes a passage, the view of the book, and memos."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.codes import Code, CodeBook
from gpf_desktop.domain.events import AuditClosed, AuditOpened, StudyNotesChanged
from gpf_desktop.domain.reviews import MarkedPassage
from gpf_desktop.domain.study_entries import Memo
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.code_service import CodeService
from gpf_desktop.engine.review.reading_aids.words import Stretch
from gpf_desktop.storage.quotes import MarkedQuote
from gpf_desktop.ui.review.codes.code_chooser import CodeChooser
from gpf_desktop.ui.review.codes.memo_dialog import MemoDialog
from gpf_desktop.ui.review.passages import Place, place_of
from gpf_desktop.ui.review.passages_list import PassagesList
from gpf_desktop.ui.review.reading_pane import ReadingPane
from gpf_desktop.ui.review.review_view_model import ReviewViewModel


class Coding(QObject):
    """Coding of passages on one Review page: keys, menu and chooser joined with its answers."""

    def __init__(self, model: ReviewViewModel, reading: ReadingPane, passages: PassagesList, page: QWidget) -> None:
        super().__init__(page)
        self._model, self._reading, self._passages, self._page = model, reading, passages, page
        self._waiting: MarkedQuote | None = None
        """To be shown once its set is open."""
        self._memos: tuple[Memo, ...] = ()
        self._own_memos: tuple[Memo, ...] = ()
        on = model.context.actions.on
        on("review.code", self.code)
        on("review.memo", self.memo)
        passages.code_asked.connect(self._code_place)
        model.reader.reading_changed.connect(self._show_waiting)
        model.reader.reading_changed.connect(self._show_memos)
        model.listen(lambda _event: self._read_book(), AuditOpened, StudyNotesChanged)
        # Rows of the queue say which items have a memo.
        model.listen(lambda _event: model.rows_changed.emit(()), StudyNotesChanged)
        model.listen(lambda _event: self._show_book(CodeBook()), AuditClosed)
        self._read_book()

    def code(self) -> None:
        """The words that are selected in an answer; where none are, the passage marked last."""
        passage = self._selected()
        if passage is None:
            marked = self._model.draft.judgement.passages
            if not marked or self._model.in_sight is None:
                self._say(tr("Select words of an answer first, then code them."))
                return
            passage = marked[-1]
        self._choose(passage)

    def memo(self) -> None:
        """On the item that the open set is about."""
        bundle, key = self._model.bundle, self._item
        if bundle is not None and key:
            MemoDialog(self._model.context, self._page, key, bundle.anchor.headline, blind=self._memos_hidden).open()

    @property
    def _item(self) -> str:
        """The key of the item that the open set is about; empty: none is open."""
        bundle = self._model.bundle
        item = None if bundle is None else next(iter(bundle.facts.items.values()), None)
        return "" if item is None else item.key

    @property
    def _memos_hidden(self) -> bool:
        """True while others' memos stay hidden: from someone who reads blind and has not submitted."""
        bundle, model = self._model.bundle, self._model
        return bundle is not None and model.blind and (bundle.state.submitted is None or model.assigned)

    def _show_memos(self) -> None:
        seen = self._own_memos if self._memos_hidden else self._memos
        self._reading.top.show_memos(sum(each.subject == self._item for each in seen))

    def _memos_came(self, found: tuple[tuple[Memo, ...], tuple[Memo, ...]]) -> None:
        self._own_memos, self._memos = found
        self._show_memos()

    def show_quote(self, quote: MarkedQuote) -> None:
        """Open the set of *quote* and go to its words."""
        self._waiting = quote
        if self._model.bundle is not None and self._model.bundle.id == quote.bundle_id:
            self._show_waiting()
        else:
            self._model.open(quote.bundle_id)

    def _show_waiting(self) -> None:
        quote, bundle, reading = self._waiting, self._model.bundle, self._model.reader.reading
        if quote is None or bundle is None or reading is None or bundle.id != quote.bundle_id:
            return
        self._waiting = None
        for card in reading.cards:
            if card.cell_id == quote.cell_id:
                self._reading.read_answer(card.key)
                place = card.shown.shown(Stretch(quote.start, quote.end))
                self._reading.answers.show_place(card.key, place.start, place.end)
                return

    def _selected(self) -> MarkedPassage | None:
        if self._model.in_sight is None:
            return None
        for card in self._reading.answers.cards():
            chosen = card.text.whole_words()
            if chosen is None or card.content is None or card.content.generation is not None:
                continue
            place = card.content.shown.stored(Stretch(*chosen))
            if place is not None:
                return MarkedPassage(cell_id=card.content.cell_id, start=place.start, end=place.end)
        return None

    def _code_place(self, place: Place) -> None:
        passage = next((each for each in self._model.draft.judgement.passages if place_of(each) == place), None)
        if passage is not None and self._model.in_sight is not None:
            self._choose(passage)

    def _choose(self, passage: MarkedPassage) -> None:
        given = next(
            (each.codes for each in self._model.draft.judgement.passages if place_of(each) == place_of(passage)), ()
        )
        chooser = CodeChooser(self._model.context.theme, self._page, self._passages.book, given, self._words(passage))
        give = partial(self._give, self._model.draft.bundle_id, passage)
        chooser.chosen.connect(give)
        chooser.created.connect(partial(self._create, give))
        chooser.open()

    def _create(self, give: Callable[[str], object], name: str) -> None:
        def made(code: Code) -> None:
            give(code.id)

        create = partial(self._model.context.engine.open_audit.reviews.codes.create, name)
        failed = partial(self._model.context.messages.failure, topic="codes")
        self._model.context.bridge.command(create, then=made, failed=failed, owner=self)

    def _give(self, bundle: object, passage: MarkedPassage, code: str) -> None:
        # Another set may have come while a code was typed.
        if self._model.draft.bundle_id != bundle:
            return
        book, place = self._passages.book, place_of(passage)
        given = [c for each in self._model.draft.judgement.passages if place_of(each) == place for c in each.codes]
        # A merged code is taken away under the id by which it was given.
        under = next((each for each in given if [one.id for one in book.standing_of((each,))] == [code]), code)
        self._model.draft.code(passage, under)
        for card in self._reading.answers.cards():
            card.text.choose_nothing()

    def _words(self, passage: MarkedPassage) -> str:
        bundle = self._model.bundle
        for each in () if bundle is None else bundle.answers:
            for answer in (each.answer, *each.repeats):
                if answer.cell_id == passage.cell_id:
                    return answer.text[passage.start : passage.end]
        return ""

    def _read_book(self) -> None:
        context = self._model.context
        audit = context.engine.current
        if audit is not None:
            context.bridge.run(audit.reviews.codes.book, then=self._show_book, owner=self, latest="book")
            memos = partial(_memos, audit.reviews.codes)
            context.bridge.run(memos, then=self._memos_came, owner=self, latest="memos")

    def _show_book(self, book: CodeBook) -> None:
        self._passages.show_book(book)
        self._model.reader.show_book(book)

    def _say(self, words: str) -> None:
        self._model.context.messages.info(words, topic="review")


def _memos(codes: CodeService) -> tuple[tuple[Memo, ...], tuple[Memo, ...]]:
    """One's own, and everybody's."""
    return codes.memos(blind=True), codes.memos()
