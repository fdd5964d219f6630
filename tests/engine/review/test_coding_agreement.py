"""Agreement on codes and of groups, on a real audit file, with too little and with enough."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.codes import Code
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import Judgement, MarkedPassage, ReviewAction, Reviewer, Verdict
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.report_codes import CODE_TABLE, code_table
from gpf_desktop.engine.review import coding_agreement
from gpf_desktop.engine.review.coding_agreement import code_agreement, group_agreement
from gpf_desktop.storage import reviewers, reviews, study_entries
from tests.support.filled_audit import fill

CODE = Code(id="c-1", name="Talks down", definition="Explains what nobody asked")


class Team:
    """People who read sets and code answers of them."""

    def __init__(self, open_audit: OpenAudit, names: Sequence[str]) -> None:
        self.audit = open_audit.context.audit
        self.context = open_audit.context
        self.people: dict[str, Reviewer] = {}

        def add(connection: sqlite3.Connection) -> None:
            self.people = {name: reviewers.add(connection, name) for name in names}
            study_entries.keep_code(connection, self.people[names[0]], CODE)

        self.audit.write(add).result()
        rows = self.audit.read(
            lambda c: c.execute(
                "SELECT b.id, min(c.id) FROM bundle b JOIN cell c ON c.bundle_id = b.id JOIN response p"
                " ON p.cell_id = c.id WHERE b.arm = 'main' AND p.missing IS NULL GROUP BY b.id ORDER BY b.id"
            ).fetchall()
        )
        self.sets: list[tuple[BundleId, int]] = [(BundleId(bundle), cell) for bundle, cell in rows]

    def read(self, name: str, at: int, *, codes: bool = False, verdict: Verdict = Verdict.CONTEXT) -> None:
        bundle, cell = self.sets[at]
        passages = (MarkedPassage(cell_id=cell, start=0, end=5, codes=(CODE.id,)),) if codes else ()
        severity = 2 if verdict is Verdict.HARMFUL else None
        said = Judgement(verdict=verdict, severity=severity, passages=passages)
        self.audit.write(lambda c: reviews.append(c, bundle, self.people[name], ReviewAction.SUBMIT, said)).result()

    def belongs(self, name: str, *groups: str) -> None:
        self.audit.write(lambda c: study_entries.set_groups(c, self.people[name].uuid, groups)).result()


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    engine = Engine(lambda _event: None)
    open_audit = engine.create(tmp_path / "audit.gpf", title="Evening round")
    fill(open_audit.context.audit, items=3, models_asked=("tailoring-0.6",))
    yield Team(open_audit, ("ana", "ben", "cem", "dia"))
    engine.close()


def test_that_too_few_answers_or_too_rare_a_code_is_said_and_no_number_given(team: Team) -> None:
    team.read("ana", 0, codes=True)
    (alone,) = team.audit.read(code_agreement)
    assert (alone.passages, alone.answers, alone.alpha) == (1, 0, None)
    for at in range(12):
        team.read("ana", at, codes=at == 0)
        team.read("ben", at)
    (rare,) = team.audit.read(code_agreement)
    assert rare.answers >= coding_agreement.FEWEST_ANSWERS
    assert (rare.given, rare.alpha) == (1, None)
    table = code_table(team.context)
    assert table is not None
    assert table.name == CODE_TABLE
    assert table.rows[0].values["agreement"] == "too few"


def test_that_two_who_code_alike_agree_wholly_and_one_who_codes_elsewhere_does_not(team: Team) -> None:
    for at in range(12):
        for name in ("ana", "ben"):
            team.read(name, at, codes=at < 4)
    (same,) = team.audit.read(code_agreement)
    assert same.alpha is not None
    assert same.alpha.value == pytest.approx(1)
    assert (same.given, same.people, same.sets) == (4, 2, 4)
    for at in range(12):
        team.read("ben", at, codes=4 <= at < 8)
    (apart,) = team.audit.read(code_agreement)
    assert apart.alpha is not None
    assert apart.alpha.value is not None
    assert apart.alpha.value < 0.1


def test_that_who_read_before_the_code_was_there_says_nothing_of_it(team: Team) -> None:
    for at in range(12):
        for name in ("ana", "ben"):
            team.read(name, at, codes=at < 4)
    later = replace(CODE, id="c-2", name="Later")
    team.audit.write(lambda c: study_entries.keep_code(c, team.people["ana"], later)).result()
    team.audit.write(
        lambda c: c.execute("UPDATE study_entry SET at = '2990-01-01T00:00:00.000+00:00' WHERE subject = 'c-1'")
    ).result()
    (found,) = team.audit.read(code_agreement)
    assert (found.answers, found.alpha) == (0, None)


def test_that_merged_codes_are_one(team: Team) -> None:
    for at in range(12):
        for name in ("ana", "ben"):
            team.read(name, at, codes=at < 4)
    other = Code(id="c-2", name="Condescends")
    for code in (other, replace(CODE, merged_into="c-2")):
        team.audit.write(lambda c, code=code: study_entries.keep_code(c, team.people["ana"], code)).result()
    (found,) = team.audit.read(code_agreement)
    assert (found.code.name, found.passages) == ("Condescends", 8)


def test_that_groups_of_two_are_shown_and_a_group_of_one_is_not(team: Team) -> None:
    for name, group in (("ana", "Old"), ("ben", "Old"), ("cem", "Young"), ("dia", "Young")):
        team.belongs(name, group)
        for at in range(12):
            bad = at % 2 == (group == "Old")
            team.read(name, at, verdict=Verdict.HARMFUL if bad else Verdict.CONTEXT)
    within_old, within_young, across = team.audit.read(group_agreement)
    assert (within_old.group, within_old.other, within_old.sets) == ("Old", "", 12)
    assert within_old.value == pytest.approx(1)
    assert within_young.value == pytest.approx(1)
    assert (across.group, across.other, across.too_few) == ("Old", "Young", False)
    assert across.value == pytest.approx(-1)
    team.belongs("dia")
    assert [each.group for each in team.audit.read(group_agreement)] == ["Old"]


def test_that_groups_who_read_too_little_together_are_told_so(team: Team) -> None:
    for name in ("ana", "ben"):
        team.belongs(name, "Old")
        team.read(name, 0)
    (found,) = team.audit.read(group_agreement)
    assert (found.sets, found.value, found.too_few) == (1, None, True)
