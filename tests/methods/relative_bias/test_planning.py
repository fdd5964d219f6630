from pathlib import Path

import numpy as np
import pytest

from gpf_desktop.cli import main
from gpf_desktop.cli.exits import BAD_INPUT, DONE
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.round_planning import Effect, Extent
from gpf_desktop.engine.commands.plan_command import plan_outlook
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.methods.relative_bias.comparing import K, StudyScore, compare
from gpf_desktop.methods.relative_bias.method import METHOD
from gpf_desktop.methods.relative_bias.outcomes import outcomes
from gpf_desktop.methods.relative_bias.planned_tests import planned_tests
from gpf_desktop.methods.relative_bias.planning import EMBEDDING, JUDGE, TargetPower, _parts, assumed, enough, findable
from gpf_desktop.methods.relative_bias.protocol import BiasStudy, StudySizes
from gpf_desktop.stats.clusters import clustered_mean
from gpf_desktop.stats.equivalence import Outcome
from tests.methods.relative_bias.test_round import STUDY


def plan_of(models: int, protocol: str = "Sugary drinks", more: str = "") -> str:
    listed = "".join(
        f'[[models]]\nprovider = "relative-bias-calibration"\nmodel = "plain-{letter}"\n'
        for letter in "abcdefgh"[:models]
    )
    return f'method = "relative-bias"\nprotocol = "{protocol}"\n{more}{listed}'


PLAN = plan_of(4)


def gpf(*arguments: str) -> int:
    return main(arguments, show_window=lambda _: 99, show_demo=lambda _: 99)


def _starter() -> BiasStudy:
    protocol = load_protocol(METHOD.default_protocol, method=METHOD.name)
    assert isinstance(protocol, BiasStudy)
    return protocol


def test_that_more_questions_of_a_theme_help_less_than_more_themes() -> None:
    protocol, pilot = _starter(), assumed()
    few = {each.name: each.smallest or 0.0 for each in findable(protocol, Extent(items=50, models=4, targets=1), pilot)}
    many = {
        each.name: each.smallest or 0.0 for each in findable(protocol, Extent(items=500, models=4, targets=1), pilot)
    }
    assert set(few) == {JUDGE, EMBEDDING} == set(METHOD.effects())
    for name, size in few.items():
        assert 0.6 * size < many[name] < size
        assert enough(Effect(name=name, size=size), protocol, Extent(items=50, models=4, targets=1), pilot).items == 50
        among_nine = Extent(items=50, models=9, targets=1)
        smaller = enough(Effect(name=name, size=0.8 * size), protocol, among_nine, pilot).items
        assert smaller is not None
        assert 50 <= smaller <= 500
        within_the_margin = K * pilot.variation[name].model ** 0.5
        assert enough(Effect(name=name, size=within_the_margin), protocol, among_nine, pilot).items is None


def test_that_naming_one_model_beforehand_is_told_to_find_less_than_looking_at_each_in_turn() -> None:
    def of_judge(targets: int) -> tuple[float, str]:
        told = findable(_starter(), Extent(items=50, models=6, targets=targets), assumed())
        return next((each.smallest or 0.0, each.tested) for each in told if each.name == JUDGE)

    (turn, words), (alone, said) = of_judge(0), of_judge(1)
    assert turn > 1.5 * alone > 0
    assert words.endswith(f". Of one model under study that is named beforehand: {alone:.2g}")
    assert "named beforehand" not in said
    models = [f"m{n}" for n in range(6)]
    for sizes, factor in ((StudySizes(), "1.9"), (StudySizes(target="m0"), "1.4")):
        registered = planned_tests(_starter(), sizes, {Role.TARGET: models})
        assert any(f"To differ: {factor} times as far" in each for each in registered.margin_words)


def test_that_the_parts_of_the_variation_are_those_of_the_test_over_themes() -> None:
    draw = np.random.default_rng(4)
    theme_of = np.repeat(np.arange(400), 10)
    differences = draw.normal(0.0, 0.3, 400)[theme_of] + draw.normal(0.0, 1.0, 4000)
    found = _parts(differences, theme_of)
    assert found is not None
    between, within = found
    assert (between, within) == pytest.approx((0.09, 1.0), rel=0.2)
    tested = clustered_mean(np.bincount(theme_of, differences), np.full(400, 10.0))
    assert ((between + within / 10) / 400) ** 0.5 == pytest.approx(tested.error, rel=0.01)
    assert _parts(differences[:10], theme_of[:10]) is None


def test_that_a_plan_tells_the_smallest_deviation(tmp_path: Path) -> None:
    outlook = plan_outlook(
        read_plan(PLAN, where="p"), beside=tmp_path, audit=None, articles=None, power=0.8, effects={JUDGE: 1.0}
    )
    told = " ".join(outlook.sentences())
    assert "How far from the other models, in a judge model's marks: " in told
    assert "against 3 other models, over 5 themes with 50 questions in all" in told
    assert "to find 1.0: " in told
    with pytest.raises(UserError, match="Relative Bias does not test counterfactual_framing"):
        plan_outlook(
            read_plan(PLAN, where="p"),
            beside=tmp_path,
            audit=None,
            articles=None,
            power=0.8,
            effects={"counterfactual_framing": 0.1},
        )


def test_that_a_plan_counts_what_judges_and_encoders_are_asked(tmp_path: Path) -> None:
    others = "".join(
        f'[[models]]\nprovider = "relative-bias-calibration"\nmodel = "{model}"\nrole = "{role}"\n'
        for model, role in (("judge-1.0", "judge"), ("encoder", "embedder"))
    )
    outlook = plan_outlook(
        read_plan(PLAN + others, where="p"), beside=tmp_path, audit=None, articles=None, power=0.8, effects={}
    )
    told = outlook.as_dict()
    assert (told["calls"], told["further_calls"]) == (4 * 50, 4 * 50 + 2 * 20 + 2 * 10 + 4 * 50)
    assert "Judgements and vectors: about 460 calls more, no cost." in outlook.sentences()


def test_that_a_plan_is_refused_with_too_few_models_and_told_where_its_margin_will_be_rough(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ferries.yaml").write_text(STUDY, encoding="utf-8")
    plan, audit = tmp_path / "plan.toml", tmp_path / "study.gpf"
    for command in (["plan", str(plan)], ["run", str(plan), "--audit", str(audit)]):
        plan.write_text(plan_of(3, "ferries.yaml"), encoding="utf-8")
        assert gpf(*command) == BAD_INPUT
        assert "Choose 1 more model: a model under study needs three to be held against." in capsys.readouterr().err
        assert not audit.exists()
        plan.write_text(plan_of(5, "ferries.yaml"), encoding="utf-8")
        assert gpf(*command) == DONE
        assert (
            "What is too small to matter comes from 4 models compared: of so few it is rough."
            in capsys.readouterr().out
        )
    plan.write_text(plan_of(5, "ferries.yaml", 'controls = { target = "some-model" }\n'), encoding="utf-8")
    assert gpf("plan", str(plan)) == BAD_INPUT
    assert "No model under study in the plan is called “some-model”" in capsys.readouterr().err
    plan.write_text(plan_of(6, "ferries.yaml"), encoding="utf-8")
    assert gpf("plan", str(plan)) == DONE
    assert "of so few it is rough" not in capsys.readouterr().out


def test_that_any_distance_is_found_where_nothing_varies() -> None:
    """As in a pilot whose judge gave every answer the same mark."""
    assert TargetPower(baselines=5, themes=6, apart=0.0, spread=0.0).smallest(0.8) == 0


def test_that_what_a_plan_promises_is_what_the_conclusions_find() -> None:
    """The margin is estimated from the same few baselines that the target is held against."""
    draw, baselines, themes, questions = np.random.default_rng(11), 5, 6, 10
    planned = TargetPower(baselines=baselines, themes=themes, apart=0.2, spread=(0.15**2 + 1 / 10) ** 0.5)
    distance = planned.smallest(0.8)
    theme_of = np.repeat(np.arange(themes), questions)
    found = 0
    for _ in range(400):
        means = draw.normal(0, 0.2, baselines + 1)
        means[0] = distance
        levels = means + draw.normal(0, 0.15, (themes, baselines + 1))[theme_of]
        levels = levels + draw.normal(0, 1, levels.shape)
        score = StudyScore.of_judge("judge", levels, theme_of)
        compared = compare(score, 0, range(1, baselines + 1), seed=1, leave_out=False)
        found += outcomes([[compared]], k=K)[0].outcome is Outcome.DIFFERS
    assert 0.74 <= found / 400 <= 0.86
