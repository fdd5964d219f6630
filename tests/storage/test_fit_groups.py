"""Counts of a fit group are those of its cells, whatever happens to them; what is due follows from them."""

import random
import sqlite3

import pytest

from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.responses import Miss, Missing, Reply
from gpf_desktop.domain.runs import RunState
from gpf_desktop.storage import cells, fit_groups, responses, runs, scores
from gpf_desktop.storage.fit_groups import Basis, Behind
from tests.storage import rows

RECOUNT = """
SELECT run_id, model_id, item_id, count(DISTINCT bundle_id), sum(state NOT IN ('answered', 'missing')),
    sum(state = 'answered') FROM cell GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""
KEPT = "SELECT run_id, model_id, item_id, bundles, unended, answers FROM fit_group ORDER BY 1, 2, 3"


def land(c: sqlite3.Connection, cell: int, *, missing: bool = False) -> None:
    outcome = Miss(reason=Missing.HTTP_ERROR, detail="", status=500) if missing else Reply(text="An answer.")
    landed = responses.CellResult(cell_id=cell, attempt=1, outcome=outcome, seconds=1.0, microdollars=0)  # type: ignore[arg-type]
    responses.save(c, [landed])


def stamp(c: sqlite3.Connection) -> int:
    return int(c.execute("SELECT sum(changes) FROM fit_group").fetchone()[0])


@pytest.mark.parametrize("seed", range(5))
def test_that_the_counts_are_those_of_the_cells_whatever_happens(c: sqlite3.Connection, seed: int) -> None:
    draw = random.Random(seed)
    run = rows.run(c)
    planned = rows.planned(c, run, *(rows.factors(name, family=family) for name in "ABCD" for family in ("X", "Y")))
    for _ in range(120):
        cell = draw.choice(planned)
        (state,) = c.execute("SELECT state FROM cell WHERE id = ?", (cell,)).fetchone()
        match draw.randrange(6), state:
            case 0, "open":
                attempts = c.execute("SELECT count(*) FROM call WHERE cell_id = ?", (cell,)).fetchone()[0]
                cells.record_starts(c, [(cell, attempts + 1)])
            case 1 | 2, "open" | "asked":
                land(c, cell, missing=draw.random() < 0.5)
            case 3, _:
                cells.reopen_missing(c, run, [Missing.HTTP_ERROR])
            case 4, _:
                cells.close_unknown(c, run)
            case 5, _:
                cells.withdraw_unsent(c, run)
            case _:
                continue
        assert c.execute(KEPT).fetchall() == c.execute(RECOUNT).fetchall()


def test_that_every_change_that_a_table_could_show_is_counted(c: sqlite3.Connection) -> None:
    run = rows.run(c)
    (cell,) = rows.planned(c, run, rows.factors("A"))
    seen = [stamp(c)]
    land(c, cell, missing=True)
    seen.append(stamp(c))
    cells.reopen_missing(c, run, [Missing.HTTP_ERROR])
    seen.append(stamp(c))
    land(c, cell)
    seen.append(stamp(c))
    responses.set_flags(c, [cell], [(cell, "refusal", "no")])
    seen.append(stamp(c))
    responses.set_flags(c, [cell], [])
    seen.append(stamp(c))
    assert seen == sorted(set(seen))


def used(c: sqlite3.Connection, run: RunId, answers: int, *, provisional: bool = False, of_run: bool = False) -> int:
    """A setting that scored the run's only group on so many answers."""
    setting = scores.setting(c, "gpf", "1", {"fit_scope": "run" if of_run else "article"}, method="gpf-livenews")
    (group,) = fit_groups.groups(c, [run])
    basis = Basis(group=group.id, answers=answers, of_run=of_run)
    fit_groups.save_bases(c, setting, [basis], provisional=provisional)
    return setting


def test_that_scores_are_behind_by_the_answers_that_came_after(c: sqlite3.Connection) -> None:
    run = rows.run(c)
    first, second, third = rows.planned(c, run, *(rows.factors(name) for name in "ABC"))
    land(c, first)
    setting = used(c, run, 1)
    assert fit_groups.behind(c, setting) == {}
    land(c, second)
    land(c, third, missing=True)
    (group,) = fit_groups.groups(c)
    assert fit_groups.behind(c, setting) == {group.id: Behind(run_id=run, bundles=1, newer=1)}
    assert [group.complete for group in fit_groups.due(c, setting)] == [True]
    assert fit_groups.unscored(c, run, setting) == [group.id]
    used(c, run, 2)
    assert fit_groups.behind(c, setting) == {}
    assert fit_groups.due(c, setting) == []
    assert fit_groups.unscored(c, run, setting) == []


def test_that_provisional_scores_are_due_once_the_article_is_complete(c: sqlite3.Connection) -> None:
    run = rows.run(c)
    first, second = rows.planned(c, run, *(rows.factors(name) for name in "AB"))
    land(c, first)
    setting = used(c, run, 1, provisional=True)
    (group,) = fit_groups.groups(c)
    assert fit_groups.due(c, setting) == []
    land(c, second, missing=True)
    assert len(fit_groups.due(c, setting)) == 1
    assert fit_groups.behind(c, setting) == {}
    assert not fit_groups.final_on_all(c, setting, group.id)
    used(c, run, 1)
    assert fit_groups.final_on_all(c, setting, group.id)


def test_that_an_article_that_is_being_asked_is_left_to_its_sitting(c: sqlite3.Connection) -> None:
    run = rows.run(c)
    first, second, _ = rows.planned(c, run, *(rows.factors(name) for name in "ABC"))
    land(c, first)
    setting = used(c, run, 1)
    runs.set_state(c, run, RunState.RUNNING)
    land(c, second)
    assert fit_groups.due(c, setting) == []
    assert fit_groups.being_asked(c) == {run}
    runs.set_state(c, run, RunState.PAUSED)
    assert len(fit_groups.due(c, setting)) == 1
    assert fit_groups.is_open(c, run)


def test_that_a_fit_on_the_run_is_behind_as_a_whole_and_waits_for_the_run_to_rest(c: sqlite3.Connection) -> None:
    run = rows.run(c)
    first, second = rows.planned(c, run, *(rows.factors(name) for name in "AB"))
    land(c, first)
    setting = used(c, run, 1, of_run=True)
    runs.set_state(c, run, RunState.RUNNING)
    land(c, second)
    assert fit_groups.behind(c, setting)
    assert fit_groups.due(c, setting) == []
    runs.set_state(c, run, RunState.FINISHED)
    assert len(fit_groups.due(c, setting)) == 1


def test_that_a_setting_covers_its_own_runs_until_it_is_chosen_for_every_run(c: sqlite3.Connection) -> None:
    run, other = rows.run(c), rows.run(c)
    for each in (run, other):
        (cell,) = rows.planned(c, each, rows.factors("A"))
        land(c, cell)
    primary = used(c, other, 1)
    setting = used(c, run, 1, of_run=True)
    assert [group.run_id for group in fit_groups.due(c, primary)] == [run]
    assert fit_groups.due(c, setting) == []
    scores.use_everywhere(c, setting)
    assert [group.run_id for group in fit_groups.due(c, setting)] == [other]


def test_that_a_setting_without_a_scope_of_its_fit_follows_a_round_that_is_asked(c: sqlite3.Connection) -> None:
    run = rows.run(c)
    (cell,) = rows.planned(c, run, rows.factors("A"))
    land(c, cell)
    setting = scores.setting(c, "choices", "1", {}, method="gpf-livenews")
    runs.set_state(c, run, RunState.RUNNING)
    assert len(fit_groups.due(c, setting)) == 1
