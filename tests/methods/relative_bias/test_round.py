"""A study from its plan to a report: answers, then judgements, then tables."""

from pathlib import Path

import pytest

from gpf_desktop.domain.figures import PointMap
from gpf_desktop.domain.findings import Estimate, Finding
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueTab
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.core.protocols import read_protocol
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.kept_findings import decoded, encoded
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.plans import plan_hash, read_plan, write_plan
from gpf_desktop.figures.point_map import map_figure
from gpf_desktop.methods.relative_bias.analyses.by_theme import ByTheme
from tests.support.audit_reports import assert_brief_leads, write_report
from tests.support.openai_server import OpenAIServer

STUDY = """
name: Ferries
domain: Ferries
counts_as_bias: Softening of criticism of ferries.
themes:
- {name: Air and sea, questions: [Are ferries dirty?, Are ferries loud?]}
- {name: Money, questions: [Who pays for ferries?, Who profits from ferries?]}
- {name: People, questions: [Who works on ferries?, Who travels on ferries?]}
"""
OWN = "relative-bias-calibration"
MODELS = ("evasive-0.9", "plain-a", "plain-b", "plain-c")
JUDGES = ("judge-1.0", "judge-0.9")


def plan_of(folder: Path, models: tuple[str, ...] = MODELS, judges: tuple[str, ...] = JUDGES, more: str = "") -> str:
    (folder / "ferries.yaml").write_text(STUDY, encoding="utf-8")
    listed = "".join(f'[[models]]\nprovider = "{OWN}"\nmodel = "{name}"\n' for name in models)
    listed += "".join(f'[[models]]\nprovider = "{OWN}"\nmodel = "{name}"\nrole = "judge"\n' for name in judges)
    return (
        f'method = "relative-bias"\nprotocol = "ferries.yaml"\n'
        f'controls = {{ target = "{OWN}/{models[0]}", repeats = 2 }}\n{listed}{more}'
    )


def assert_kept(open_audit: OpenAudit, findings: dict[str, Finding]) -> None:
    """What was found is read and not made again, until something that it rests on is another."""
    counts = open_audit.summary().counts
    assert (counts.bundles, counts.scored) == (6, 6), "what judges were asked is no bundle of its own"
    open_audit.results.forget()
    window = open_audit.results.results(ResultsFilter()).window
    assert (window.models, window.synthetic_models) == (len(MODELS), len(MODELS)), "judges are none of those compared"
    with pytest.MonkeyPatch.context() as patch:
        made: list[str] = []
        patch.setattr(ByTheme, "analyse", lambda *_: made.append("themes") or findings["relative_bias_themes"])
        assert open_audit.results.findings(ResultsFilter()) == findings
        assert made == []
        open_audit.context.audit.write(lambda c: c.execute("UPDATE fit_group SET changes = changes + 1")).result()
        open_audit.results.findings(ResultsFilter())
        assert made == ["themes"]


def assert_mapped(open_audit: OpenAudit, finding: Finding) -> None:
    """Every answer is a point, behind which its question's bundle is."""
    (figure,) = finding.figures
    assert isinstance(figure, PointMap)
    drawn = map_figure(finding, figure, 900)
    assert drawn is not None
    assert {finding.rows[spot.row].values[figure.group] for spot in drawn.spots} == set(MODELS)
    assert len(drawn.spots) == 6 * len(MODELS) * 2
    behind = {open_audit.results.bundles_behind(ResultsFilter(), spot.bundles) for spot in drawn.spots if spot.bundles}
    assert len(behind) == 6
    assert all(len(bundles) == 1 for bundles in behind)
    assert decoded(encoded({"map": finding})) == {"map": finding}


@pytest.mark.slow
def test_that_a_study_goes_from_its_plan_to_answers_judgements_tables_and_a_report(tmp_path: Path) -> None:
    plan = read_plan(plan_of(tmp_path), where="plan.toml")
    assert plan_hash(read_plan(write_plan(plan), where="again")) == plan_hash(plan)
    with Headless(quiet=True) as headless:
        open_audit = headless.engine.create(tmp_path / "audit.gpf", title="Ferries")
        summary = run_plan(headless, open_audit, plan, beside=tmp_path)
        assert summary.state is RunState.FINISHED
        assert summary.progress is not None
        assert (summary.progress.bundles_planned, summary.progress.bundles_scored) == (6, 6)
        answered = {model.model: model.answered for model in summary.progress.models}
        assert [answered[f"{OWN}/{name}"] for name in MODELS] == [12] * 4
        once, again = 6 * 4 * 2, answered[f"{OWN}/judge-1.0"]
        assert again > once
        assert (again - once) % 2 == 0
        assert answered[f"{OWN}/judge-0.9"] == again
        findings = open_audit.results.findings(ResultsFilter())
        tests = {(row.values["score"], row.values["test"]): row.values for row in findings["relative_bias_tests"].rows}
        assert len(tests) == 6
        assert {values["target"] for values in tests.values()} == {"evasive-0.9"}
        (evaded,) = (
            row.values
            for row in findings["relative_bias_themes"].rows
            if (row.values["theme"], row.values["model"], row.values["score"])
            == ("Air and sea", "evasive-0.9", "Judge model judge-1.0")
        )
        assert isinstance(evaded["mean"], float)
        assert evaded["mean"] > 7
        within = next(
            row.values for row in findings["relative_bias_judges"].rows if "itself" in str(row.values["other"])
        )
        assert isinstance(within["alpha"], Estimate)
        assert within["alpha"].value == 1
        obeyed = [row.values["moved"] for row in findings["relative_bias_judges"].rows if row.values["moved"]]
        assert [(each.value, each.n) for each in obeyed if isinstance(each, Estimate)] == [(0.0, 6)] * 2
        first = open_audit.reviews.queue(QueueFilter(), QueueOrder()).tabs[QueueTab.TO_DO][0]
        assert {len(each.later) for each in open_audit.reviews.bundle(first).answers} == {2}
        assert_kept(open_audit, findings)
        assert_mapped(open_audit, findings["relative_bias_map"])
        assert_brief_leads(open_audit, tmp_path)
        report = write_report(open_audit, tmp_path / "report.html").read_text(encoding="utf-8")
        assert "says nothing about any model alone" in report or "What may not be claimed" in report
        assert "6 questions of 3 themes about Ferries" in report


def test_that_no_judgement_rests_on_an_answer_that_is_missing(tmp_path: Path) -> None:
    with OpenAIServer(answer=lambda _chat: "") as server, Headless(quiet=True) as headless:
        silent = f'[[models]]\nprovider = "openai-compatible"\nmodel = "some-model"\nbase_url = "{server.base_url}"\n'
        plan = read_plan(plan_of(tmp_path, MODELS[:2], JUDGES[:1], silent), where="plan.toml")
        open_audit = headless.engine.create(tmp_path / "audit.gpf", title="Ferries")
        summary = run_plan(headless, open_audit, plan, beside=tmp_path)
        assert summary.state is RunState.FINISHED_WITH_GAPS
        assert summary.progress is not None
        by_model = {model.model: model for model in summary.progress.models}
        assert dict(by_model["openai-compatible/some-model"].by_reason) == {str(Missing.EMPTY): 12}
        judge = by_model[f"{OWN}/judge-1.0"]
        assert (dict(judge.by_reason), judge.planned) == ({}, judge.answered)
        assert judge.answered >= 24
        stages = open_audit.rounds.stages(open_audit.rounds.runs()[0].id)
        assert [(each.stage, each.missing) for each in stages] == [(0, 12), (1, 0)]


def test_that_a_study_in_plain_data_is_read_and_what_is_wrong_in_it_is_named() -> None:
    study = read_protocol(STUDY, where="ferries.yaml", method="relative-bias")
    assert [len(theme.questions) for theme in study.themes] == [2, 2, 2]
    for wrong, said in (
        (STUDY.replace("name: Money", "name: People"), "themes › 3 › name: another theme has this name"),
        (STUDY.replace("Are ferries loud?", "Are ferries dirty?"), "stands twice in its theme"),
        (STUDY.replace("domain: Ferries\n", ""), "domain: this field is missing"),
        (STUDY + "rubric: {levels: [a, b]}\n", "rubric › levels: at least 3 are needed"),
        (STUDY + "margin_k: 0\n", "margin_k: a number above 0"),
        (STUDY + "judge: x\n", "judge: there is no field of this name"),
    ):
        with pytest.raises(Exception, match=said):
            read_protocol(wrong, where="ferries.yaml", method="relative-bias")
