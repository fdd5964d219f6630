"""A round can be narrowed by any factor that its method declares, and by its arms."""

from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.items import ARTICLE, StudyItem
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.runs import RunState
from gpf_desktop.domain.scopes import ARM, Scope
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.rounds.plans import plan_hash, read_plan, write_plan
from gpf_desktop.engine.rounds.scoping import choices, scoped
from gpf_desktop.engine.rounds.setup import RunSetup
from tests.support.protocols import GPF
from tests.support.rounds import calibration, scene, small_protocol

PLAN = """
sources = [{ url = "sample:news" }]
models = [{ provider = "calibration", model = "neutral" }]
"""


def test_that_each_method_offers_the_factors_that_it_declares_and_its_arms() -> None:
    for method in catalogue.methods().values():
        for choice in choices(method, load_protocol(method.default_protocol, method=method.name)):
            assert choice.factor == ARM or choice.factor in {factor.name for factor in method.factors}
            assert len(choice.levels) > 1
    gpf = catalogue.method("gpf-livenews")
    offered = {choice.factor: choice for choice in choices(gpf, load_protocol(gpf.default_protocol, method=GPF))}
    assert offered.keys() == {"dimension", "identity", "family", ARM}
    assert ("Political", "Political") in offered["dimension"].levels


def test_that_what_is_left_out_is_not_asked_and_a_copy_leaves_out_the_same(tmp_path: Path) -> None:
    with scene(tmp_path) as stage:
        stage.plan([calibration()], protocol=small_protocol())
        rounds = stage.open_audit.rounds
        families = [family.name for family in small_protocol().families]
        scope = Scope.of([("family", families[0]), ("identity", small_protocol().dimensions[0].identities[0].label)])
        setup = RunSetup(
            method="gpf-livenews",
            name="Narrow",
            protocol=small_protocol(),
            model_ids=(stage.read("SELECT id FROM model")[0][0],),  # type: ignore[arg-type]
            batch_id=rounds.runs()[0].batch_id,
            controls=catalogue.method("gpf-livenews").no_controls(),
            scope=scope,
        )
        assert rounds.forecast(setup).calls.total == 4
        run_id = rounds.plan(setup).result()
        assert rounds.start(run_id).result() is RunState.FINISHED
        assert rounds.run(run_id).answered == 4
        copy = stage.open_audit.ledger.duplicate(run_id)
        assert rounds.run(copy).planned == 4
        with pytest.raises(UserError, match="Nothing is left to ask"):
            rounds.plan(replace(setup, scope=Scope.of(("family", name) for name in families))).result()
        ((article,),) = stage.read("SELECT min(id) FROM item")
        nothing = replace(setup, batch_id=None, article_ids=(article,), scope=Scope.of(("family", n) for n in families))  # type: ignore[arg-type]
        with pytest.raises(UserError, match="Nothing is left to ask"):
            rounds.plan(nothing).result()
        assert stage.read("SELECT count(*) FROM batch") == [(1,)], "articles are not used up by a round that is none"


def test_that_later_calls_are_told_for_what_is_asked_alone() -> None:
    gpf, name = catalogue.method("gpf-livenews"), "GPF-LiveNews-with-second-turns"
    protocol = load_protocol(name, method=GPF)
    controls = replace(gpf.no_controls(), repeat_share=1.0, repeat_generations=2, second_turns=True)
    item = StudyItem(kind=ARTICLE, key="a", title="News", text="")
    scope = Scope.of([*(("family", family.name) for family in protocol.families[1:]), ("identity", "Hindu")])
    one, all_of_it = 41 * 2 * 2, 42 * 7 * 2 * 2
    assert gpf.likely_further(item, protocol, controls, 1) == {Role.TARGET: all_of_it}
    assert scoped(gpf, scope).likely_further(item, protocol, controls, 1) == {Role.TARGET: one}
    assert scoped(gpf, scope).likely_further(item, protocol, replace(controls, second_turns=False), 1) == {}


def test_that_a_plan_says_what_it_leaves_out_and_is_another_round_for_it() -> None:
    whole = read_plan(PLAN, where="p")
    narrow = read_plan(f'{PLAN}\n[leave_out]\nfamily = ["Impact"]\narm = ["paraphrase"]', where="p")
    assert narrow.scope == Scope.of([("family", "Impact"), ("arm", "paraphrase")])
    assert read_plan(write_plan(narrow), where="p") == narrow
    assert plan_hash(whole) != plan_hash(narrow)
    assert "scope" not in write_plan(whole)
    with pytest.raises(UserError, match="no such factor"):
        read_plan(f'{PLAN}\n[leave_out]\nfamly = ["Impact"]', where="p")
