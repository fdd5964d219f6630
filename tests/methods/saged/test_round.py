"""SAGED from its plan to a report: items of the protocol, answers of planted models, boards."""

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.figures import Violins
from gpf_desktop.domain.findings import Estimate, Finding, printed_rows
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.runs import RunState
from gpf_desktop.domain.violins import violins_of
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.core.factor_words import place_words
from gpf_desktop.engine.core.protocols import load_protocol, read_protocol, write_protocol
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.rounds.plans import plan_hash, read_plan, write_plan
from gpf_desktop.figures.intervals import interval_figures
from gpf_desktop.methods.saged.analyses._series import _worked_out
from gpf_desktop.methods.saged.planted import planted_tone
from gpf_desktop.methods.saged.protocol import BenchmarkStudy, data_of_study
from tests.methods.gpf_livenews.scorers.tiny_models import write_classifier
from tests.methods.saged.starter import starter
from tests.methods.saged.test_benchmark import run
from tests.support.audit_reports import assert_brief_leads, write_report

OWN = "saged-calibration"
OWN_MODELS = "".join(
    f'[[models]]\nprovider = "{OWN}"\nmodel = "{name}"\n' for name in ("neutral", "tilted", "role-led")
)
PLAN = 'method = "saged"\n' + OWN_MODELS
JUDGE = f'[[models]]\nprovider = "{OWN}"\nmodel = "judge"\nrole = "judge"\n'


KINDS = ("less what the source says", "as answered")


@pytest.mark.slow
def test_that_the_starter_goes_from_its_plan_to_boards_and_a_report(tmp_path: Path) -> None:
    plan = read_plan(PLAN + JUDGE, where="plan.toml")
    assert plan_hash(read_plan(write_plan(plan), where="again")) == plan_hash(plan)
    with Headless(quiet=True) as headless:
        open_audit = headless.engine.create(tmp_path / "audit.gpf", title="Countries")
        summary = run_plan(headless, open_audit, plan, beside=tmp_path)
        assert summary.state is RunState.FINISHED
        assert summary.progress is not None
        answers = 20 * 8 * 3
        assert [model.answered for model in summary.progress.models] == [
            *[answers] * 3,
            3 * answers + 20 * 8 + 2 * 20 + 2 * 10,
        ]
        told = open_audit.results.concluding.page(ResultsFilter())
        assert told is not None
        assert told.headline == (
            "Two of three test models spoke of some countries differently than of others, beyond what the sources do."
            " For the other one, a difference was neither shown nor ruled out."
        )
        assert [each.name for each in told.told][-1] == "neutral"
        assert "Not settled: " in told.told[-1].sentence
        findings = open_audit.results.findings(ResultsFilter())
        ranges = {
            (row.values["model"], row.values["role"]): row.values
            for row in findings["saged_disparities"].rows
            if (row.values["feature"], row.values["statistic"], row.values["disparity"]) == ("Tone", "Mean", "Gap")
        }
        assert len(ranges) == 9
        tilted, neutral = ranges[f"{OWN}/tilted", "no role"], ranges[f"{OWN}/neutral", "no role"]
        # Its baselines differ by names alone: masked they are the same; what names do to the tool stands beside.
        assert _value(tilted["baselines"]) == pytest.approx(0)
        assert isinstance(tilted["baselines_named"], float)
        chosen = ("by", "concept_tag"), ("standard", "fixed=0"), ("selects", "smaller"), ("percentiles", "25")
        spread = open_audit.results.findings(ResultsFilter(options=chosen), ["saged_statistics"])["saged_statistics"]
        assert {"75%", "25–75%"} <= {column.title for column in spread.columns}
        assert "Selection rate: share of values at or below it (the value 0, over all groups)" in spread.notes[0]
        own, usual = (
            {
                str(row.values["concept"]).partition(" · ")[0]: row.values
                for row in each.rows
                if (row.values["model"], row.values["role"]) == (f"{OWN}/neutral", "no role")
                and (row.values["feature"], row.values["calibrated"]) == ("Tone", "as answered")
            }
            for each in (spread, findings["saged_statistics"])
        )
        assert {row.values["concept"] for row in spread.rows} >= {"Brazil · velmora", "Ghana · velmora"}
        assert own["Brazil"]["mean"] == usual["Brazil"]["mean"]
        assert any(own[each]["selection_rate"] != usual[each]["selection_rate"] for each in own)
        assert {row.values["model"] for row in spread.rows if row.values["calibrated"] == "sources"} == {"any"}
        concepts = {row.concept for row in starter().rows}
        planted = max(map(planted_tone, concepts)) - min(map(planted_tone, concepts))
        worked_out = _worked_out.cache_info().misses
        assert open_audit.results.findings(ResultsFilter(), ["saged_disparities"])["saged_disparities"].rows
        assert _worked_out.cache_info().misses == worked_out, "nothing has changed since"
        further = findings["saged_further_disparities"].rows
        assert {row.values["statistic"] for row in further} >= {
            "Median",
            "Distance of distributions (KL)",
            "Correlation",
        }
        ranges_there = [row.values for row in further if row.values["disparity"] == "Gap" and _value(row.values["raw"])]
        assert len(ranges_there) > 9 * 6
        assert all(isinstance(each["raw_p"], float) for each in ranges_there)
        assert all(isinstance(each["raw"], Estimate) and each["raw"].interval for each in ranges_there)
        drawn_tones = findings["saged_distributions"]
        assert len(drawn_tones.figures) == 2 * 9
        printed = printed_rows(findings["saged_disparities"])
        assert 0 < len(printed) < len(findings["saged_disparities"].rows) / 2
        assert {row.values["disparity"] for row in printed} >= {"Gap", "Impact ratio"}
        assert "Question back" not in {row.values["feature"] for row in printed}, "it is 0 throughout"
        shapes = [violins_of(drawn_tones, each) for each in drawn_tones.figures if isinstance(each, Violins)]
        assert all([(each.n, each.has_shape) for each in shape] == [(20, False)] * 8 for shape in shapes)
        drawn = findings["saged_disparities"].figures
        assert [figure.title for figure in drawn if figure.title.startswith("Tone")] == [
            "Tone · Mean · Gap, less what the source says",
            "Tone · Mean · Gap, as answered",
            "Tone · Selection rate · Impact ratio, less what the source says",
            "Tone · Selection rate · Impact ratio, as answered",
            "Tone · Mean · Furthest out, less what the source says",
            "Tone · Mean · Furthest out, as answered",
            *(f"Tone · Mean · {end} end, less chance, {kind}" for end in ("Low", "High") for kind in KINDS),
        ]
        (gaps,) = interval_figures(findings["saged_disparities"], drawn[0], 720)
        told = {each.says for each in gaps.spots if "by chance alone" in each.says}
        assert len(told) == 9, "each gap stands beside the one that chance gives, not against 0"
        assert isinstance(neutral["calibrated"], Estimate)
        assert isinstance(neutral["calibrated_chance"], float)
        assert neutral["calibrated"].value < 2 * neutral["calibrated_chance"]
        assert isinstance(tilted["calibrated"], Estimate)
        ends = next(
            row.values["calibrated"]
            for row in findings["saged_ends"].rows
            if (row.values["model"], row.values["role"], row.values["feature"]) == (f"{OWN}/tilted", "no role", "Tone")
        )
        assert isinstance(ends, Estimate)
        assert ends.interval is not None
        assert ends.interval.high - ends.interval.low == pytest.approx(tilted["calibrated"].value)
        assert tilted["calibrated"].value == pytest.approx(planted, abs=0.1)
        assert tilted["calibrated"].interval is not None
        assert tilted["calibrated"].interval.low < planted + 0.05 < tilted["calibrated"].interval.high + 0.1
        assert tilted["calibrated_p"] == 1 / 500
        assert isinstance(neutral["calibrated_p"], float)
        assert neutral["calibrated_p"] > 0.01
        (shift,) = (
            row.values["shift"]
            for row in findings["saged_roles"].rows
            if (row.values["model"], row.values["role"], row.values["feature"], row.values["concept"])
            == (f"{OWN}/role-led", "travel writer", "Tone", max(concepts, key=planted_tone))
        )
        assert isinstance(shift, Estimate)
        assert shift.interval is not None
        assert shift.interval.low < max(map(planted_tone, concepts)) + 0.05 < shift.interval.high + 0.15
        assert len(findings["saged_statistics"].rows) >= 9 * 8
        assert findings["saged_tone"].figures
        assert len(findings["saged_tone"].rows) * 7 == len(findings["saged_features"].rows) == 9 * 7 * 8
        _judged(findings)
        _rated_blind(open_audit)
        queue = open_audit.reviews.queue(QueueFilter(), QueueOrder())
        (row,) = open_audit.reviews.rows(queue.order[:1], QueueOrder())
        assert row.model in (f"{OWN}/tilted", f"{OWN}/role-led")
        assert place_words(row.method, row.coordinates)[0] in ("no role", "helpful assistant", "travel writer")
        assert row.score is not None
        assert row.score > 0.5
        assert_brief_leads(open_audit, tmp_path)
        report = write_report(open_audit, tmp_path / "report.html").read_text(encoding="utf-8")
        assert "20 sentences, 8 groups of countries, 3 roles" in report
        _by_a_classifier(open_audit, tmp_path / "classifier")
        assert "What may not be claimed" in report


def _value(cell: object) -> float | None:
    assert isinstance(cell, Estimate)
    return cell.value


def _judged(findings: Mapping[str, Finding]) -> None:
    """The judge goes by tone alone, so that what was planted shows in its levels too, raw and calibrated."""
    favour = "Favour, marked by judge model “judge”"
    assert f"{favour} · Mean · Gap, less what the source says" in {
        each.title for each in findings["saged_disparities"].figures
    }
    tilted, neutral = (
        next(
            row.values
            for row in findings["saged_disparities"].rows
            if (row.values["feature"], row.values["model"], row.values["role"]) == (favour, f"{OWN}/{name}", "no role")
            and (row.values["statistic"], row.values["disparity"]) == ("Mean", "Gap")
        )
        for name in ("tilted", "neutral")
    )
    assert (tilted["calibrated_p"], tilted["raw_p"]) == (1 / 500, 1 / 500)
    assert isinstance(neutral["calibrated_p"], float)
    assert neutral["calibrated_p"] > 0.01
    itself, orders = findings["saged_judges"].rows
    assert (itself.values["judge"], itself.values["other"]) == ("judge (favour)", "itself, asked again")
    assert (_value(itself.values["alpha"]), itself.values["answers"]) == (1.0, 20)
    assert (orders.values["other"], orders.values["answers"]) == ("texts that give orders; 0 obeyed", 10)
    assert isinstance(orders.values["moved"], Estimate)
    assert orders.values["moved"].value == 0
    by_tone, by_judge = (
        {
            str(row.values["concept"]): row.values["calibrated"].value
            for row in findings["saged_features"].rows
            if (row.values["feature"], row.values["model"], row.values["role"]) == (feature, f"{OWN}/tilted", "no role")
            and isinstance(row.values["calibrated"], Estimate)
        }
        for feature in ("Tone", favour)
    )
    assert max(by_tone, key=lambda each: by_tone[each] or 0) == max(by_judge, key=lambda each: by_judge[each] or 0)


def _rated_blind(open_audit: OpenAudit) -> None:
    """A person who rates the lowest level alone does not agree with a judge that goes by what is written."""
    sheets = [each.sheet for each in open_audit.ratings.sheets()]
    assert sum(len(each.answers) for each in sheets) == 40
    assert len({each.asked for each in sheets}) == len(sheets)
    first = sheets[0].answers
    assert all(each.text and any(each.question == row.prompt for row in starter().rows) for each in first)
    for answer in first:
        open_audit.ratings.rate(answer, 1).result()
    judges = open_audit.results.findings(ResultsFilter(), ["saged_judges"])["saged_judges"]
    (person,) = (row.values for row in judges.rows if "who rated with the marks hidden" in str(row.values["other"]))
    assert person["answers"] == len(first)
    assert (_value(person["alpha"]) or 0) < 0.667
    assert any("who rated with the marks hidden, agree at" in note for note in judges.notes)


def _by_a_classifier(open_audit: OpenAudit, folder: Path) -> None:
    offered = {each.scorer for each in open_audit.rescoring.variants("saged")}
    assert offered == {"saged-classifier", "saged-distances", "saged-encoded-distances"}
    assert "saged-classifier" not in {each.scorer for each in open_audit.rescoring.variants(method="gpf-livenews")}
    (sentiment,) = (
        each for each in open_audit.rescoring.variants("saged") if each.name == "saged-classifier-sentiment"
    )
    assert sentiment.options.counts == ("positive: 0.5", "negative: -0.5", "always: 0.5")
    with pytest.raises(UserError, match="is not on this machine"):
        open_audit.rescoring.start("saged-classifier", sentiment.options, method="saged").result()
    own = replace(sentiment.options, model=str(write_classifier(folder, ["positive", "negative"])))
    with pytest.raises(UserError, match="gives no label"):
        open_audit.rescoring.start("saged-classifier", replace(own, counts=("good",)), method="saged").result()
    setting = open_audit.rescoring.start("saged-classifier", own, method="saged").result()
    found = open_audit.results.findings(ResultsFilter(method="saged", setting_id=setting))
    features = {row.values["feature"] for row in found["saged_features"].rows}
    assert {"By the classifier", "Tone", "Distance from the source"} <= features
    assert any("was read whole, in windows" in note for note in found["saged_features"].notes)


def test_that_the_protocol_that_comes_along_is_the_starter_benchmark() -> None:
    study = load_protocol("Velmora", method="saged")
    assert study.benchmark == starter().rows
    assert read_protocol(write_protocol(study, "saged"), where="again", method="saged") == study


def test_that_a_study_in_plain_data_is_read_and_what_is_wrong_in_it_is_named() -> None:
    data = data_of_study(BenchmarkStudy(name="Two", domain="d", benchmark=starter().rows[:2]))
    changes = {
        "name: it is empty": {"name": " "},
        "version: a whole number": {"version": True},
        "template: {prompt} is needed once": {"template": "Go on."},
        "roles: a map of": {"roles": []},
        "roles › x: a text is needed": {"roles": {"x": None}},
        "decoding › top_k: there is no field": {"decoding": {"top_k": 1}},
        "benchmark: at least 1 are needed": {"benchmark": []},
        "benchmark › 1: a map of names to values": {"benchmark": ["x"]},
        "benchmark › 2 › prompt: it is empty": {
            "benchmark": [data["benchmark"][0], {**data["benchmark"][1], "prompt": ""}]
        },
        "benchmark › 2: the sentence has another prompt": {
            "benchmark": [{**data["benchmark"][0]}, {**data["benchmark"][0]}]
        },
        "benchmark › 1 › colour: there is no field": {"benchmark": [{**data["benchmark"][0], "colour": "red"}]},
        "judge: there is no field": {"judge": "x"},
    }
    for said, change in changes.items():
        with pytest.raises(Exception, match=said.replace("{", r"\{")):
            read_protocol(yaml.safe_dump({**data, **change}, allow_unicode=True), where="s.yaml", method="saged")


@pytest.mark.slow
def test_that_a_folder_of_texts_becomes_a_study_a_round_and_a_report(tmp_path: Path) -> None:
    """The whole way, by the commands that a user types."""
    shutil.copy(resources() / "methods" / "saged" / "velmora.txt", tmp_path / "velmora.txt")
    words = resources() / "methods" / "saged" / "countries.yaml"
    sentences, study, plan = tmp_path / "s.csv", tmp_path / "study.yaml", tmp_path / "plan.toml"
    keywords = "Velmora,Velmoran,Velmorans,Arden Bay"
    assert (
        run("sentences", tmp_path / "velmora.txt", "--concept", "Velmora", "--keywords", keywords, "-o", sentences) == 0
    )
    assert run("benchmark", sentences, "--branch", words, "--name", "My study", "-o", study) == 0
    plan.write_text(PLAN.partition("[[models]]")[0] + 'protocol = "study.yaml"\n' + OWN_MODELS)
    audit = tmp_path / "a.gpf"
    assert run("run", plan, "--audit", audit) == 0
    assert run("report", audit, "-o", tmp_path / "r.html") == 0
    report = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "20 sentences, 8 groups of countries, 1 role" in report
    assert "My study" in report


def test_that_a_benchmark_of_others_becomes_a_study_and_what_cannot_be_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, study = tmp_path / "theirs.csv", tmp_path / "study.yaml"
    head = "domain,concept,keyword,source_tag,prompt,baseline,root\n"
    table.write_text(
        head + "stock,Acme,Acme,w,Acme is,Acme is big.,r1\nstock,Zenith,Zenith,w,Zenith is,Zenith is big.,r1\n"
    )
    assert run("benchmark", table, "-o", study) == 0
    made = read_protocol(study.read_text(encoding="utf-8"), where="study.yaml", method="saged")
    assert (made.name, made.domain, made.concepts, len(made.roots)) == ("theirs", "stock", ("Acme", "Zenith"), 1)
    table.write_text(head + "stock,Acme,Acme,w,Acme is,Acme is big.,r1\nstock,Acme,Acme,w,Acme has,Acme has it.,r1\n")
    assert run("benchmark", table, "-o", study) == 2
    assert "study.yaml is there already" in capsys.readouterr().err
    assert run("benchmark", table, "-o", study, "--force") == 2
    assert "the sentence has another prompt about this concept" in capsys.readouterr().err
    assert run("benchmark", table, "-o", tmp_path / "again.csv") == 0


def test_that_a_bundle_without_a_role_is_told_in_words() -> None:
    """A row of the queue that says nothing cannot be painted."""
    assert place_words("saged", Coordinates.of(role_play="none")) == ("no role",)
