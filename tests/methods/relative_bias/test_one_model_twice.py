"""The same model behind two hosts: two models, of which the one from its maker is the target."""

from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.plan_models import refuse_lacking
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.plans import read_plan
from tests.methods.relative_bias.test_round import STUDY
from tests.support.openai_server import OpenAIServer

WHOLE = "openai-compatible/some-model"


def plan_of(folder: Path, hosts: list[str], roles: tuple[str, ...], target: str = WHOLE) -> str:
    (folder / "ferries.yaml").write_text(STUDY, encoding="utf-8")
    listed = "".join(
        f'[[models]]\nprovider = "openai-compatible"\nmodel = "some-model"\nbase_url = "{host}"\nrole = "{role}"\n'
        for host, role in zip(hosts, roles, strict=True)
    )
    listed += "".join(
        f'[[models]]\nprovider = "relative-bias-calibration"\nmodel = "plain-{letter}"\nrole = "{roles[-1]}"\n'
        for letter in "ab"
    )
    return f'method = "relative-bias"\nprotocol = "ferries.yaml"\ncontrols = {{ target = "{target}" }}\n{listed}'


@pytest.mark.slow
def test_that_a_model_from_its_maker_is_held_against_the_same_model_elsewhere(tmp_path: Path) -> None:
    with OpenAIServer() as maker, OpenAIServer() as elsewhere, Headless(quiet=True) as headless:
        hosts = [maker.base_url, elsewhere.base_url]
        open_audit = headless.engine.create(tmp_path / "a.gpf", title="Ferries")
        plan = read_plan(plan_of(tmp_path, hosts, ("target", "baseline")), where="p")
        refuse_lacking(plan, beside=tmp_path)
        run_plan(headless, open_audit, plan, beside=tmp_path)
        found = open_audit.results.findings(ResultsFilter())["relative_bias_tests"]
        place = maker.base_url.split("/")[2]
        assert {row.values["target"] for row in found.rows} == {f"some-model ({place})"}
        with pytest.raises(UserError, match="2 models of the plan are called"):
            refuse_lacking(read_plan(plan_of(tmp_path, hosts, ("target", "target")), where="p"), beside=tmp_path)
