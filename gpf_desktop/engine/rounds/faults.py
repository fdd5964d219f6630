"""Tells a cell that fails from a model that cannot be asked now: a wrong key, no credit, a server that is down.

What one cell meets is data. What every cell meets stops the model, and those cells are asked again another time.
"""

import re
from typing import Final, TypeGuard
from urllib.parse import urlsplit

from gpf_desktop.domain.account_faults import AccountFault
from gpf_desktop.domain.endings import is_unheard
from gpf_desktop.domain.ids import CellId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.question_faults import (
    is_of_the_question,
    is_over_length,
    is_too_large,
    speaks_of_the_question,
)
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply
from gpf_desktop.domain.retries import NoRetry
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.rounds.throttle_words import moment_in

STOP_AFTER: Final = 3
"""Cells in a row that end in a fault of the account, the network or the server."""
STOP_AFTER_DOUBTS: Final = 5
"""The same, about two items at least where there are several, where some of these may be the question's own."""
STOP_AFTER_DOUBTS_AGAIN: Final = 20
"""The same of cells that were asked before, before any other has an answer."""
STOP_AFTER_SAME: Final = 5
"""Cells in a row, about two items at least where there are several, to which the server says the very same."""
STOP_AFTER_SAME_AMONG_ANSWERS: Final = 10
"""The same, where it may be a block in words that no table knows, of a model that has answered other questions."""
STOP_AFTER_ENDINGS: Final = 3
"""Calls in a row whose answers end with one word that no table knows, of a model that has not answered yet."""
STOP_AFTER_ENDINGS_AMONG_ANSWERS: Final = 10
"""The same of one that has."""
STOP_AFTER_UNREADABLE: Final = 5
"""Cells in a row that bring back something else than an answer of the API."""
NEVER_A_CELLS_OWN: Final = frozenset({401, 402, 429})
"""HTTP statuses that no question causes."""
PASSING: Final = frozenset({403, 404, 405, 407, 408, 409, 410, 421, 426, 499, *NEVER_A_CELLS_OWN})
"""HTTP statuses below 500 that may be gone when the round is resumed."""
_VARYING: Final = re.compile(
    r"\b(?:req(?:uest)?|trace|correlation)[-_ ]?id\W{0,3}[\w-]+|\breq[-_]\w+|"
    r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{16,}\b|\d{4}-\d\d-\d\d[T ][\d:.]+Z?",
    re.IGNORECASE,
)
"""What differs from call to call though the same is said: names of requests, and times."""
_BAD_REQUEST: Final = 400
_TOO_MUCH: Final = 413
_LIMITED: Final = 429
_FORBIDDEN: Final = 403
"""Together says so of questions that are too long."""
_OF_THE_KEY: Final = re.compile(r"\bapi[ _-]?key\b", re.IGNORECASE)
"""Google refuses a wrong key with status 400."""


class Faults:
    """The ends of one model's cells, one after the other."""

    def __init__(self, items: int = 1) -> None:
        """*items*: how many the round is about; of a single one nothing tells its own faults from the account's."""
        self._items = items
        self._same: dict[CellId, Missing] = {}
        """Cells in a row to which the server said the very same, of which it is not known what it means."""
        self._about: set[object] = set()
        """The items that these are about."""
        self._words = ""
        self._streak: dict[CellId, Missing] = {}
        self._doubts: dict[CellId, object] = {}
        """Those of them of which it is in doubt whether they are the model's, with the items that they are about."""
        self._certain: dict[CellId, Missing] = {}
        self._last: Miss | None = None
        self._stopped = False
        self._answers = False
        """The model has answered, so that its endings are known."""
        self.answered_before = False
        """It has answered in this round, before this execution of it."""
        self._again: dict[CellId, Miss] = {}
        """Doubts about cells that were asked before."""
        self._ending, self._unheard = "", 0
        """An ending that no table knows, and how many calls in a row met it."""

    @property
    def to_ask_again(self) -> dict[CellId, Missing]:
        """Cells that failed through no doing of their own, with the reason that each was stored with."""
        failed = {**self._certain, **self._streak, **self._same} if self._stopped else self._certain
        return failed if self._are_own() else {**failed, **{cell: miss.reason for cell, miss in self._again.items()}}

    @property
    def last(self) -> Miss | None:
        """The newest of those failures."""
        return self._last if self.to_ask_again else None

    def is_foreign_ending(self, outcome: Outcome) -> TypeGuard[Miss]:
        """Count one call; whether the model ends its answers with a word that no table knows, call after call.

        Asking again brings the same word. Each of these calls is paid, and a cell has several.
        """
        if isinstance(outcome, Reply):
            self._answers, self._unheard = True, 0
        if not _is_unheard(outcome):
            return False
        self._unheard = self._unheard + 1 if outcome.finish == self._ending else 1
        self._ending = outcome.finish
        return self._unheard >= (STOP_AFTER_ENDINGS_AMONG_ANSWERS if self._answers else STOP_AFTER_ENDINGS)

    def landed(self, cell_id: CellId, outcome: Outcome, item: object = None, *, again: bool = False) -> bool:
        """Count how a cell about *item* ended, *again* where it was asked before; whether the model is not to be asked
        further."""
        self._answers = self._answers or isinstance(outcome, Reply)
        if again and isinstance(outcome, Miss) and is_in_doubt(outcome):
            return self._doubted(cell_id, outcome)
        if again and isinstance(outcome, Miss) and outcome.guessed and (self._answers or self.answered_before):
            return self._stopped
        self._listen(cell_id, outcome, item)
        if not isinstance(outcome, Miss) or not is_passing(outcome):
            # Once the model is stopped, an answer that still lands takes no cell off those to ask again.
            if not self._stopped:
                self._streak.clear()
                self._doubts.clear()
            return self._stopped
        self._last = outcome
        self._streak[cell_id] = outcome.reason
        if _is_certain(outcome):
            self._certain[cell_id] = outcome.reason
        if is_in_doubt(outcome):
            self._doubts[cell_id] = item
        most = STOP_AFTER_UNREADABLE if is_foreign(outcome) else STOP_AFTER
        of_several = len(set(self._doubts.values())) >= min(2, self._items)
        sure = len(self._streak) - len(self._doubts) >= most
        self._stopped = self._stopped or sure or (of_several and len(self._streak) >= STOP_AFTER_DOUBTS)
        return self._stopped

    def _doubted(self, cell_id: CellId, miss: Miss) -> bool:
        """A doubt that a cell had before says nothing new of its model, or a round would stop at the same cells for
        ever: others are asked, and tell."""
        self._again[cell_id] = miss
        self._last = self._last or miss
        self._stopped = self._stopped or (not self._answers and len(self._again) >= STOP_AFTER_DOUBTS_AGAIN)
        return self._stopped

    def _are_own(self) -> bool:
        """Whether doubts about cells that were asked before are their own: others were answered, and where none was
        left to ask, no two of several say the very same."""
        words = {_VARYING.sub("…", miss.detail) for miss in self._again.values()}
        varies = self.answered_before and (len(words) > 1 or len(self._again) == 1)
        return not self._again or self._answers or (varies and not self._stopped)

    def _listen(self, cell_id: CellId, outcome: Outcome, item: object) -> None:
        """Whether the server says the very same to one cell after the other: that is not of any question."""
        said = _VARYING.sub("…", f"{outcome.status} {outcome.detail}") if _is_unexplained(outcome) else ""
        if said != self._words or not said:
            if self._stopped:
                return
            self._same.clear()
            self._about.clear()
            self._words = said
        if said:
            assert isinstance(outcome, Miss)
            self._same[cell_id] = outcome.reason
            self._about.add(item)
            most = STOP_AFTER_SAME_AMONG_ANSWERS if outcome.guessed and self._answers else STOP_AFTER_SAME
            if len(self._same) >= most and len(self._about) >= min(2, self._items):
                self._last, self._stopped = outcome, True


def _is_unheard(outcome: Outcome) -> TypeGuard[Miss]:
    return (
        isinstance(outcome, Miss)
        and outcome.reason is Missing.HTTP_ERROR
        and (outcome.status or 0) < 300
        and is_unheard(outcome.finish)
    )


def _is_unexplained(outcome: Outcome) -> TypeGuard[Miss]:
    """An error that says no to this call, for whatever reason."""
    return (
        isinstance(outcome, Miss)
        and (outcome.reason is Missing.HTTP_ERROR or outcome.guessed)
        and 400 <= (outcome.status or 0) < 500
        and outcome.status != _TOO_MUCH
        and not is_passing(outcome)
        and not is_of_the_question(outcome.detail)
    )


def is_passing(miss: Miss) -> bool:
    """Whether another cell of the model would have met the same, and asking again later may bring an answer."""
    return _is_of_the_model(miss) or is_in_doubt(miss)


def _is_of_the_model(miss: Miss) -> bool:
    if miss.status == _LIMITED and is_too_large(miss.detail):
        return False
    match miss.reason:
        case Missing.UNREACHABLE | Missing.TIMED_OUT | Missing.UNKNOWN:
            return True
        case Missing.HTTP_ERROR:
            return (
                miss.account is not None
                or is_foreign(miss)
                or _is_certain(miss)
                or (miss.status in PASSING and not (miss.status == _FORBIDDEN and is_of_the_question(miss.detail)))
                or ((miss.status or 0) >= 500 and not is_over_length(miss.detail))
            )
        case _:
            return is_foreign(miss)


def is_in_doubt(miss: Miss) -> bool:
    """Whether a server says no to a call in words that no table knows and that speak of no question.

    What is wrong with a question, and with the form of a call, has few names; what may be wrong with an account or a
    model has many. Several in a row, about two items, are the model's; one among answers is its cell's.
    """
    return (
        miss.reason is Missing.HTTP_ERROR
        and _BAD_REQUEST <= (miss.status or 0) < 500
        and miss.status != _TOO_MUCH
        and not miss.refused_parameter
        and not _is_of_the_model(miss)
        and not speaks_of_the_question(miss.detail)
    )


def is_foreign(miss: Miss) -> bool:
    """A success by its status, and no answer of the API in it: a login page, another service, an error."""
    if miss.reason in {Missing.UNREADABLE, Missing.TOO_LARGE}:
        # Where text could be saved from it, it was an answer of the API, and the trouble is this cell's own.
        return not miss.text.strip()
    return miss.reason is Missing.HTTP_ERROR and (miss.status or 0) < 400 and not _is_of_one(miss)


def _is_of_one(miss: Miss) -> bool:
    """An error under a status of success that is of one question, and is not asked again."""
    return isinstance(miss.retry, NoRetry) and miss.account is None and (miss.status or 0) < 300


def _is_certain(miss: Miss) -> bool:
    if miss.reason is not Missing.HTTP_ERROR:
        return miss.reason is Missing.UNREACHABLE
    if miss.account is not None:
        return True
    # Some providers block the content of a single question with 403: by itself it proves nothing of the key.
    return miss.status in NEVER_A_CELLS_OWN or (miss.status != 403 and _is_about_the_key(miss))


def _is_about_the_key(miss: Miss) -> bool:
    if miss.account is not None:
        return miss.account is AccountFault.KEY
    return miss.status in {401, 403} or (miss.status == 400 and _OF_THE_KEY.search(miss.detail) is not None)


def words_of_stop(label: str, endpoint: Endpoint, miss: Miss) -> str:
    """Sentences that say what happened, who said so, and what to do, for the model called *label*."""
    host = host_of(endpoint)
    return tr(
        "{model} was not asked further. {what} {remedy}",
        model=label,
        what=_what(host, miss),
        remedy=_remedy(endpoint, miss),
    )


def words_of_silence(label: str, endpoint: Endpoint, miss: Miss, seconds: float) -> str:
    """The same, where nothing was answered for so many *seconds*."""
    minutes = round(seconds / 60.0)
    return tr(
        "{model} was not asked further: no answer for {time}. {what} Resume the round later.",
        model=label,
        time=trn("{n} minute", "{n} minutes", minutes)
        if minutes
        else trn("{n} second", "{n} seconds", max(1, round(seconds))),
        what=_what(host_of(endpoint), miss),
    )


def host_of(endpoint: Endpoint) -> str:
    """The server's name and port."""
    address = endpoint.base_url or catalogue.provider(endpoint.provider).default_base_url
    return urlsplit(address).netloc.rpartition("@")[2] or address


def _what(host: str, miss: Miss) -> str:
    detail = miss.detail if miss.detail.endswith((".", "!", "?", "…")) else f"{miss.detail}."
    if miss.guessed or (
        miss.reason is Missing.HTTP_ERROR and ((miss.status or 0) >= 300 or (miss.status and miss.account))
    ):
        return tr("{host} said (HTTP status {status}): {detail}", host=host, status=miss.status, detail=detail)
    if is_foreign(miss):
        return tr("What {host} sends is no answer: {detail}", host=host, detail=detail)
    return tr("{host}: {detail}", host=host, detail=detail)


def _remedy(endpoint: Endpoint, miss: Miss) -> str:
    # MiniMax and others say under 200 what is wrong with an account.
    if miss.guessed or (miss.reason is Missing.HTTP_ERROR and ((miss.status or 0) >= 400 or miss.account is not None)):
        return _remedy_of_status(endpoint, miss)
    if miss.reason is Missing.UNREACHABLE:
        return tr("Check the address (base_url), the network and any proxy, and that the server runs.")
    if miss.reason is Missing.TIMED_OUT:
        return tr("Wait until the server is less busy, or allow more time.")
    if _is_unheard(miss):
        return tr("Look up there what this ending means.")
    # Of answers that broke off the address is right.
    if is_foreign(miss) and not (miss.reason is Missing.HTTP_ERROR and miss.finish):
        return tr("Check the address (base_url), and whether a proxy or a login page stands before it.")
    return tr("Wait until the server is well again.")


def _remedy_of_status(endpoint: Endpoint, miss: Miss) -> str:
    if _is_about_the_key(miss):
        if endpoint.key_env:
            return tr("Check the key in the variable {variable} (key_env).", variable=endpoint.key_env)
        return tr("Check this model's key on Models; in a plan file, key_env names the variable that holds it.")
    if miss.account is AccountFault.DAY:
        return _remedy_of_day(miss)
    if miss.account is not None:
        return _remedy_of_account(endpoint, miss.account)
    remedies = {
        402: tr("Add credit there."),
        404: tr("Check the model's name “{name}” and its address (base_url).", name=endpoint.model),
        429: tr("Check the credit and the limits of this account, or wait."),
    }
    status = miss.status or 0
    if status < 500:
        return remedies.get(status, tr("It says so of every question: mend what it names, then resume."))
    return tr("Wait until the server is well again.")


def _remedy_of_account(endpoint: Endpoint, fault: AccountFault) -> str:
    match fault:
        case AccountFault.CREDIT:
            return tr("Add credit there, then resume.")
        case AccountFault.SHUT:
            return tr("Ask there what the account needs to be open again, then resume.")
        case AccountFault.SPAN:
            return tr("What the plan allows is used up. Resume the round once it counts anew.")
        case AccountFault.PLACE:
            return tr("This provider does not serve the place that you call from: use another provider.")
        case AccountFault.ADDRESS:
            return tr("Check the address (base_url), whether it must begin with https://, and any proxy before it.")
        case _:
            return tr("Check the model's name “{name}”, and that the server has it loaded.", name=endpoint.model)


def _remedy_of_day(miss: Miss) -> str:
    after = miss.retry.after if isinstance(miss.retry, NoRetry) else None
    if after is None:
        return tr("Its limit for a day is used up. Resume the round tomorrow.")
    return tr("Its limit for a day is used up. Resume the round after {time}.", time=moment_in(after))
