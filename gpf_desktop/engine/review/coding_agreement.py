"""Agreement of people on codes, and of groups of people on verdicts; only where enough was read by two or more.

A unit of codes is an answer of a set that at least two people submitted: for each of them, whether any passage of it
has the code. A reading from before the code was in the book says nothing of it.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from gpf_desktop.domain.codes import Code
from gpf_desktop.stats.agreement import Agreement, alpha_nominal, with_interval
from gpf_desktop.stats.group_agreement import between
from gpf_desktop.storage import quotes, reviewers, study_entries, submissions
from gpf_desktop.storage.writer import Connection

FEWEST_ANSWERS: Final = 20
"""Answers that two or more read, under which no agreement on a code is told: one or two answers would decide it."""
FEWEST_GIVEN: Final = 3
"""Answers among them to which anybody gave the code."""
FEWEST_SETS: Final = 10
"""Sets that two or more of a group, or one of each of two, read."""
FEWEST_PEOPLE: Final = 2
"""Of a group that is shown at all: of one, everybody would know who it is."""
SEED: Final = 42


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeAgreement:
    """One code, as people gave it."""

    code: Code
    cells: tuple[int, ...]
    """Answers with such a passage."""
    passages: int
    sets: int
    people: int
    answers: int
    """That at least two people read while the code was there."""
    given: int
    """Of these, to which anybody gave it."""
    alpha: Agreement | None
    """Krippendorff's, nominal; None: too few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupAgreement:
    """Within one group, or between two."""

    group: str
    other: str
    """Empty: within *group*."""
    sets: int
    value: float | None
    """Within: Krippendorff's alpha, nominal; between: Vanbelle's and Albert's kappa; None where *too_few*, or where
    nothing varies."""
    too_few: bool


def code_agreement(connection: Connection) -> tuple[CodeAgreement, ...]:
    """The agreement on every code that anybody gave, in the order of names; counts what was submitted."""
    book, said = study_entries.code_book(connection), quotes.quotes(connection)
    given: dict[str, set[tuple[int, int]]] = defaultdict(set)
    sets: dict[str, set[int]] = defaultdict(set)
    people: dict[str, set[int]] = defaultdict(set)
    passages: dict[str, int] = defaultdict(int)
    for quote in said:
        for code in book.standing_of(quote.codes):
            given[code.id].add((quote.cell_id, int(quote.reviewer_id)))
            sets[code.id].add(int(quote.bundle_id))
            people[code.id].add(int(quote.reviewer_id))
            passages[code.id] += 1
    since: dict[str, str] = {}
    for change in study_entries.code_changes(connection):
        standing = book.standing(change.code.id)
        if standing is not None:
            since[standing.id] = min(since.get(standing.id, change.at), change.at)
    answers = _answers_of_two(connection)
    return tuple(
        _of_code(code, passages[code.id], sets[code.id], people[code.id], given[code.id], answers, since[code.id])
        for code in sorted(book.codes, key=lambda each: each.name.casefold())
        if passages[code.id]
    )


@dataclass(frozen=True, slots=True)
class _Read:
    """An answer that at least two people read."""

    cell: int
    article: int
    readers: tuple[tuple[int, str], ...]
    """(reviewer, moment of what they say now)."""


def _answers_of_two(connection: Connection) -> list[_Read]:
    readings: dict[int, list[tuple[int, str]]] = defaultdict(list)
    articles: dict[int, int] = {}
    for each in submissions.standing(connection):
        readings[int(each.bundle_id)].append((int(each.reviewer_id), each.at))
        articles[int(each.bundle_id)] = each.article_id or -int(each.bundle_id)
    found = []
    for bundle, readers in sorted(readings.items()):
        if len(readers) > 1:
            rows = connection.execute(
                "SELECT c.id FROM cell c JOIN response p ON p.cell_id = c.id"
                " WHERE c.bundle_id = ? AND c.repeat = 0 AND c.stage = 0 AND p.missing IS NULL ORDER BY c.id",
                (bundle,),
            )
            found += [_Read(cell, articles[bundle], tuple(readers)) for (cell,) in rows]
    return found


def _of_code(
    code: Code,
    passages: int,
    sets: set[int],
    people: set[int],
    given: set[tuple[int, int]],
    answers: Sequence[_Read],
    since: str,
) -> CodeAgreement:
    units, articles = [], []
    for each in answers:
        told = [(each.cell, who) in given for who, at in each.readers if at >= since]
        if len(told) > 1:
            units.append(told)
            articles.append(each.article)
    had = sum(any(unit) for unit in units)
    enough = len(units) >= FEWEST_ANSWERS and had >= FEWEST_GIVEN
    return CodeAgreement(
        code=code,
        cells=tuple(sorted({cell for cell, _ in given})),
        passages=passages,
        sets=len(sets),
        people=len(people),
        answers=len(units),
        given=had,
        alpha=with_interval(alpha_nominal, units, articles, seed=SEED) if enough else None,
    )


def group_agreement(connection: Connection) -> tuple[GroupAgreement, ...]:
    """Within each group that at least two people belong to who submitted something, and between each two of these."""
    said = submissions.standing(connection)
    uuids = {int(person.id): person.uuid for person in reviewers.every(connection)}
    told = study_entries.groups(connection)
    members: dict[str, set[int]] = defaultdict(set)
    verdicts: dict[int, dict[int, str]] = defaultdict(dict)
    for each in said:
        verdicts[int(each.bundle_id)][int(each.reviewer_id)] = each.verdict
        for group in told.get(uuids[int(each.reviewer_id)], ()):
            members[group].add(int(each.reviewer_id))
    shown = sorted((each for each, who in members.items() if len(who) >= FEWEST_PEOPLE), key=str.casefold)
    within = [_within(group, members[group], verdicts) for group in shown]
    return (*within, *(_between(one, other, members, verdicts) for one, other in combinations(shown, 2)))


def _within(group: str, members: set[int], verdicts: Mapping[int, Mapping[int, str]]) -> GroupAgreement:
    units = [[said[who] for who in members if who in said] for said in verdicts.values()]
    units = [unit for unit in units if len(unit) > 1]
    enough = len(units) >= FEWEST_SETS
    value = alpha_nominal(units) if enough else None
    return GroupAgreement(group=group, other="", sets=len(units), value=value, too_few=not enough)


def _between(
    one: str, other: str, members: Mapping[str, set[int]], verdicts: Mapping[int, Mapping[int, str]]
) -> GroupAgreement:
    # Who belongs to both agrees with themselves, and says nothing of how the groups do.
    first, second = members[one] - members[other], members[other] - members[one]
    units = []
    if min(len(first), len(second)) >= FEWEST_PEOPLE:
        for said in verdicts.values():
            pair = [said[who] for who in first if who in said], [said[who] for who in second if who in said]
            if all(pair):
                units.append(pair)
    enough = len(units) >= FEWEST_SETS
    value = between(units) if enough else None
    return GroupAgreement(group=one, other=other, sets=len(units), value=value, too_few=not enough)
