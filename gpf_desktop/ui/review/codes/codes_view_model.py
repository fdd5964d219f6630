"""The code book and its quotes, as they are filtered; what was changed last can be taken back."""

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.codes import Code, CodeBook
from gpf_desktop.domain.events import ReviewChanged, StudyNotesChanged
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.review.code_service import CodeService
from gpf_desktop.storage.quotes import MarkedQuote
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel

UNCODED = "-"
"""Stands for a code where passages without any are wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteFilter:
    """The fields by which quotes are chosen; an empty field takes all."""

    code: str = ""
    """An id, or `UNCODED`."""
    verdict: str = ""
    severity: int = 0
    tag: str = ""
    reviewer: str = ""
    model: str = ""
    words: str = ""

    def takes(self, quote: MarkedQuote, codes: Sequence[Code]) -> bool:
        """*codes*: those that stand for the quote's today."""
        said = f"{quote.words}\n{quote.comment}".casefold()
        return (
            self._by_code(codes)
            and self.verdict in ("", quote.verdict)
            and self.severity in (0, quote.severity)
            and (not self.tag or self.tag in quote.tags)
            and self.reviewer in ("", quote.reviewer)
            and self.model in ("", quote.model)
            and self.words.casefold() in said
        )

    def _by_code(self, codes: Sequence[Code]) -> bool:
        if self.code == UNCODED:
            return not codes
        return not self.code or any(each.id == self.code for each in codes)


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeLine:
    """A code and how often it was given."""

    code: Code
    passages: int
    sets: int
    people: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Undo:
    """A change of a code, with the code as it was before."""

    what: str
    before: Code


class CodesViewModel(ViewModel):
    """Codes and quotes of the open audit; read when they are shown and whenever somebody codes."""

    refused = Signal(str)
    """Why a change was not made."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, parent)
        self.book = CodeBook()
        self.quotes: tuple[MarkedQuote, ...] = ()
        self.wanted = QuoteFilter()
        self.blind = False
        self.shown = False
        self.show_retired = False
        self._undo: list[_Undo] = []
        self.listen(lambda _event: self._changed_elsewhere(), ReviewChanged, StudyNotesChanged)

    @property
    def service(self) -> CodeService | None:
        audit = self.context.engine.current
        return None if audit is None else audit.reviews.codes

    def open(self, *, blind: bool) -> None:
        """Show what holds now; *blind*: nothing of others, and no model."""
        if blind != self.blind:
            self.wanted = replace(self.wanted, model="", reviewer="")
        self.blind, self.shown = blind, True
        self.load()

    def leave(self) -> None:
        self.shown = False

    def forget(self) -> None:
        """Another audit is open: its codes are others."""
        self.book, self.quotes, self.wanted = CodeBook(), (), QuoteFilter()
        self._undo.clear()
        self.touch_now()

    def load(self) -> None:
        service = self.service
        if service is not None:
            self.context.bridge.run(_read, service, self.blind, then=self._loaded, owner=self, latest="codes")

    def _loaded(self, found: tuple[CodeBook, tuple[MarkedQuote, ...]]) -> None:
        self.book, self.quotes = found
        if self.wanted.code not in ("", UNCODED) and self.book.get(self.wanted.code) is None:
            self.wanted = replace(self.wanted, code="")
        self.touch_now()

    def _changed_elsewhere(self) -> None:
        if self.shown:
            self.load()

    def lines(self) -> tuple[CodeLine, ...]:
        """The codes on offer, in the order of their names; retired ones behind them where they are asked for."""
        passages: Counter[str] = Counter()
        sets: dict[str, set[int]] = {}
        people: dict[str, set[int]] = {}
        for quote in self.quotes:
            for code in self.codes_of(quote):
                passages[code.id] += 1
                sets.setdefault(code.id, set()).add(quote.bundle_id)
                people.setdefault(code.id, set()).add(quote.reviewer_id)
        retired = [each for each in self.book.codes if each.retired and not each.merged_into]
        return tuple(
            CodeLine(
                code=code,
                passages=passages[code.id],
                sets=len(sets.get(code.id, ())),
                people=len(people.get(code.id, ())),
            )
            for code in (*self.book.offered, *(retired if self.show_retired else ()))
        )

    def codes_of(self, quote: MarkedQuote) -> tuple[Code, ...]:
        return self.book.standing_of(quote.codes)

    def found(self) -> tuple[MarkedQuote, ...]:
        """The quotes that the filter leaves."""
        return tuple(each for each in self.quotes if self.wanted.takes(each, self.codes_of(each)))

    def filter(self, **chosen: object) -> None:
        """Change the filter in what is named."""
        self.wanted = replace(self.wanted, **chosen)  # type: ignore[arg-type]
        self.touch_now()

    def set_show_retired(self, show: bool) -> None:
        self.show_retired = show
        self.touch_now()

    def create(self, name: str, definition: str, examples: Sequence[str], then: Callable[[], object]) -> None:
        """A new code; *then* is called once it is kept."""
        service = self.service
        if service is not None:
            make = partial(service.create, name, definition=definition, examples=examples)
            self._command(make, lambda code: self._kept(tr("new code"), replace(code, retired=True), then))

    def change(self, code: Code, what: str, then: Callable[[], object] = lambda: None) -> None:
        """*code* is so from now on; *what* names the change for Undo."""
        service = self.service
        if service is not None:
            self._command(partial(service.change, code), lambda before: self._kept(what, before, then))

    def merge(self, code: Code, into: Code) -> None:
        """Count whatever was coded by *code* as *into* from now on."""
        self.change(replace(code, merged_into=into.id), tr("merging a code"))

    def retire(self, code: Code) -> None:
        """Offer *code* no more; of one that is retired: again."""
        what = tr("putting a code back") if code.retired else tr("retiring a code")
        self.change(replace(code, retired=not code.retired), what)

    @property
    def undoes(self) -> str:
        """The name of the change that Undo would take back, with its code's; empty: there is none."""
        if not self._undo:
            return ""
        step = self._undo[-1]
        return tr("{what}: {code}", what=step.what, code=step.before.name)

    def undo(self) -> None:
        service = self.service
        if service is not None and self._undo:
            step = self._undo.pop()
            self._command(partial(service.change, step.before), lambda _before: self._taken_back(step.before))

    def _taken_back(self, code: Code) -> None:
        """What a passage has it keeps, though the book offers it no more: that is said."""
        given = sum(code.id in (each.id for each in self.codes_of(quote)) for quote in self.quotes)
        if code.retired and given:
            said = trn(
                "“{code}” is offered no more. {n} quote keeps it; “Retired codes too” shows it.",
                "“{code}” is offered no more. {n} quotes keep it; “Retired codes too” shows it.",
                given,
                code=code.name,
            )
            self.context.messages.info(said, topic="codes")
        self.load()

    def _kept(self, what: str, before: Code, then: Callable[[], object]) -> None:
        self._undo.append(_Undo(what=what, before=before))
        self.load()
        then()

    def _command(self, make: Callable[[], "Future[Code]"], then: Callable[[Code], object]) -> None:
        self.context.bridge.command(make, then=then, failed=self._failed, owner=self)

    def _failed(self, error: BaseException) -> None:
        self.context.messages.failure(error, topic="codes")
        self.refused.emit(str(error))


def _read(service: CodeService, blind: bool) -> tuple[CodeBook, tuple[MarkedQuote, ...]]:
    return service.book(), tuple(service.quotes(blind=blind))
