"""The code book, the quotes of each code, memos, and the groups that reviewers belong to.

Reads block and belong on a worker thread; commands return a future that resolves when they are durable.
"""

import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Final, TypeVar

from gpf_desktop.domain.codes import LONGEST_NAME, LONGEST_TEXT, Code, CodeBook, plain_name
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import StudyNotesChanged
from gpf_desktop.domain.reviews import Reviewer
from gpf_desktop.domain.study_entries import LONGEST_MEMO, Memo
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.callbacks import with_callback
from gpf_desktop.engine.review.coding_agreement import (
    CodeAgreement,
    GroupAgreement,
    code_agreement,
    group_agreement,
)
from gpf_desktop.engine.review.reviewer_session import ReviewerSession
from gpf_desktop.storage import assignments, quotes, reviewers, study_entries
from gpf_desktop.storage.quotes import MarkedQuote
from gpf_desktop.storage.study_entries import CodeChange
from gpf_desktop.storage.writer import Connection

T = TypeVar("T")
MOST_GROUPS: Final = 10


class CodeService:
    """Codes, memos and groups of one open audit, for the reviewer at this machine."""

    def __init__(self, session: ReviewerSession) -> None:
        self._session = session

    def book(self) -> CodeBook:
        return self._session.context.audit.read(study_entries.code_book)

    def changes(self) -> list[CodeChange]:
        """The changes of the code book, oldest first."""
        return self._session.context.audit.read(study_entries.code_changes)

    def quotes(self, *, blind: bool = False) -> list[MarkedQuote]:
        """Every marked passage; *blind*: of who sits here alone, for those of others tell what they think."""
        return self._session.context.audit.read(
            lambda c: quotes.quotes(c, self._session.me(c), mine_only=blind or assignments.assignment(c) is not None)
        )

    def create(self, name: str, *, definition: str = "", examples: Sequence[str] = ()) -> "Future[Code]":
        """A new code. Raises `UserError` where its name is empty, too long or taken."""
        code = Code(
            id=str(uuid.uuid4()),
            name=plain_name(name),
            definition=definition.strip(),
            examples=_examples(examples),
        )
        _check(code)

        def write(connection: Connection, me: Reviewer) -> Code:
            _refuse_taken(study_entries.code_book(connection), code)
            study_entries.keep_code(connection, me, code)
            return code

        return self._command(write)

    def change(self, code: Code) -> "Future[Code]":
        """Change the code of this id to *code*; the future holds the code that it was before.

        Renames, defines, retires, merges and takes any of these back. Raises `UserError` if the name is taken, if it
        would be merged into itself, and for a code of the lead's in an assignment.
        """
        said = replace(
            code,
            name=plain_name(code.name),
            definition=code.definition.strip(),
            examples=_examples(code.examples),
        )
        _check(said)

        def write(connection: Connection, me: Reviewer) -> Code:
            book = study_entries.code_book(connection)
            before = book.get(said.id)
            if before is None:
                raise UserError(tr("There is no such code any more."), tr("Look at the code book again."))
            if before != said:
                _refuse_leads(connection, me, said)
                _refuse_taken(book, said)
                _refuse_circle(book, said)
                study_entries.keep_code(connection, me, said)
            return before

        return self._command(write)

    def memos(self, *, blind: bool = False) -> tuple[Memo, ...]:
        """Everybody's memos on items and on the study; *blind*: only those of the reviewer at this machine."""

        def read(connection: Connection) -> tuple[Memo, ...]:
            me = reviewers.at_this_machine(connection, self._session.login)
            mine = "" if me is None else me.uuid
            return tuple(each for each in study_entries.memos(connection) if not blind or each.reviewer == mine)

        return self._session.context.audit.read(read)

    def memos_of(self, subject: str, *, blind: bool = False) -> tuple[str, tuple[Memo, ...]]:
        """The memo on *subject* by the reviewer at this machine, and those of others; *blind*: none of others."""

        def read(connection: Connection) -> tuple[str, tuple[Memo, ...]]:
            me = reviewers.at_this_machine(connection, self._session.login)
            mine = "" if me is None else me.uuid
            every = [each for each in study_entries.memos(connection) if each.subject == subject]
            own = next((each.text for each in every if each.reviewer == mine), "")
            return own, () if blind else tuple(each for each in every if each.reviewer != mine)

        return self._session.context.audit.read(read)

    def own_memo(self, subject: str) -> str:
        """The memo on *subject* (`STUDY`, or an item's key) by the reviewer at this machine."""

        def read(connection: Connection) -> str:
            me = reviewers.at_this_machine(connection, self._session.login)
            return "" if me is None else study_entries.own_memo(connection, me.uuid, subject)

        return self._session.context.audit.read(read)

    def keep_memo(self, subject: str, text: str) -> "Future[None]":
        """Keep the memo on *subject* by the reviewer at this machine; empty: removes it. Raises `UserError` if it is
        too long."""
        if len(text) > LONGEST_MEMO:
            raise UserError(
                tr("A memo has at most {n:,} characters.", n=LONGEST_MEMO), tr("Make two of it, or shorten it.")
            )
        said = text.strip()
        return self._command(lambda c, me: study_entries.keep_memo(c, me, subject, said))

    def agreement(self) -> tuple[CodeAgreement, ...]:
        """The agreement of people on each code that anybody gave."""
        return self._session.context.audit.read(code_agreement)

    def group_agreement(self) -> tuple[GroupAgreement, ...]:
        """The agreement on verdicts within groups and between them; without groups of one person."""
        return self._session.context.audit.read(group_agreement)

    def own_groups(self) -> tuple[str, ...]:
        """The groups to which the reviewer at this machine says they belong."""

        def read(connection: Connection) -> tuple[str, ...]:
            me = reviewers.at_this_machine(connection, self._session.login)
            return () if me is None else study_entries.groups(connection).get(me.uuid, ())

        return self._session.context.audit.read(read)

    def set_groups(self, names: Sequence[str]) -> "Future[None]":
        """Set the groups of the reviewer at this machine to *names*; none: they do not say. Raises `UserError` for too
        many or too long names."""
        said = list(dict.fromkeys(plain for each in names if (plain := plain_name(each))))
        if len(said) > MOST_GROUPS or any(len(each) > LONGEST_NAME for each in said):
            raise UserError(
                tr("At most {n} groups, each of at most {m} characters.", n=MOST_GROUPS, m=LONGEST_NAME),
                tr("Write fewer or shorter names, with commas between them."),
            )
        return self._command(lambda c, me: study_entries.set_groups(c, me.uuid, said))

    def _command(self, write: Callable[[Connection, Reviewer], T]) -> "Future[T]":
        emit = self._session.context.emit
        return with_callback(self._session.command(write, lambda _: ()), lambda _: emit(StudyNotesChanged()))


def _examples(examples: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(said for each in examples if (said := each.strip())))


def _check(code: Code) -> None:
    if not code.name:
        raise UserError(tr("A code needs a name."), tr("Name it in a word or two."))
    if len(code.name) > LONGEST_NAME:
        raise UserError(
            tr("The name of a code has at most {n} characters.", n=LONGEST_NAME),
            tr("Say the rest in its definition."),
        )
    if any(len(each) > LONGEST_TEXT for each in (code.definition, *code.examples)):
        raise UserError(tr("A definition or example has at most {n:,} characters.", n=LONGEST_TEXT), tr("Shorten it."))


def _refuse_taken(book: CodeBook, code: Code) -> None:
    other = book.called(code.name)
    if other is not None and other.id != code.id and not code.retired and not code.merged_into:
        raise UserError(
            tr("There is a code “{name}” already.", name=other.name),
            tr("Choose another name, or merge the two codes."),
        )


def _refuse_circle(book: CodeBook, code: Code) -> None:
    if not code.merged_into:
        return
    target = book.get(code.merged_into)
    if target is None:
        raise UserError(tr("The code to merge into is gone."), tr("Look at the code book again."))
    # Followed by the book as it is: what stands for the target must not be this very code.
    standing = book.standing(code.merged_into)
    if standing is None or standing.id == code.id:
        raise UserError(tr("A code cannot be merged into itself."), tr("Choose another code."))


def _refuse_leads(connection: Connection, me: Reviewer, code: Code) -> None:
    if assignments.assignment(connection) is None:
        return
    first = next((each for each in study_entries.code_changes(connection) if each.code.id == code.id), None)
    if first is not None and first.reviewer != me.uuid:
        raise UserError(
            tr("This code is the lead's."),
            tr("It is changed in the audit that this assignment was cut from. You can add codes of your own."),
        )
