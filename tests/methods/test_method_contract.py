"""Every method keeps its port; and a made-up one goes from items to a report and a reading, nothing else changed."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.domain.analyses import TableAnalysis
from gpf_desktop.domain.columns import score, text
from gpf_desktop.domain.conclusions.conclusion import SHOWN, CaveatEffect, ConclusionOutcome
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.findings import BundleFilter, Finding, Row
from gpf_desktop.domain.items import ARTICLE, StudyItem
from gpf_desktop.domain.methods import ToFlag
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import Concludes, RoundPlanner
from gpf_desktop.domain.ports.set_up import StudySetUp
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueTab
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import SEMANTIC_DISPERSION
from gpf_desktop.domain.studies import Rehearsal
from gpf_desktop.engine.commands.export_command import write_data
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol, read_protocol, write_protocol
from gpf_desktop.engine.exchange.data_export import TABLES, DataWishes
from gpf_desktop.engine.reporting import people_scores
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.review.review_reading import sent_prompt
from gpf_desktop.engine.rounds.plans import plan_hash, read_plan, write_plan
from tests.methods.toy import SCORER, Counted, Panel, Toy
from tests.support.audit_reports import write_report

MODELS = ["calibration/neutral", "calibration/tailoring-0.6"]
LENGTHS = ("long", "short")
ITEM = StudyItem(key="k", title="Council approves bus lanes", text="They open in {spring}.")
PLAN = """
method = "two-languages"
articles_per_source = 2
[[sources]]
file = "news.csv"
[[models]]
provider = "calibration"
model = "neutral"
"""


class TwoLanguagesTable(TableAnalysis):
    """Mean S of each model."""

    name, title = "two_languages", "Two languages"

    def analyse(self, scores: ScoreTables, _options: NoOptions) -> Finding:
        means = scores.bundles.groupby("model", observed=True)[SEMANTIC_DISPERSION].mean()
        rows = (
            Row(values={"model": str(model), "s": float(s)}, bundles=BundleFilter(model=str(model)))
            for model, s in means.items()
        )
        return self.finding((text("model", "Model"), score("s", "S")), rows, reading="Between languages.")


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Method:
    method: Method = Toy(tmp_path)
    monkeypatch.setitem(catalogue.methods(), method.name, method)
    monkeypatch.setitem(catalogue.analyses(), TwoLanguagesTable.name, TwoLanguagesTable())
    return method


@pytest.fixture(params=[*catalogue.methods(), "two-languages"])
def method(request: pytest.FixtureRequest, toy: Method) -> Method:
    return catalogue.method(request.param) if request.param != toy.name else toy


def test_that_it_says_what_it_is(method: Method) -> None:
    for words in (method.name, method.version, method.title, method.question, method.citation, method.statement.short):
        assert words.strip()
    assert method.statement.long
    assert next(iter(method.arms)) == MAIN
    assert set(method.analyses) <= catalogue.analyses().keys()
    names = [factor.name for factor in method.factors]
    assert len(set(names)) == len(names)
    varying = {factor.name for factor in method.factors if factor.varies}
    assert varying == method.grouping.varies - {"model", "item"}
    assert method.fitted_on <= {"model", "item"} - method.grouping.varies
    scales = method.effects().values() if isinstance(method, RoundPlanner) else ()
    assert all(0 < each.step <= each.least <= each.first <= each.most for each in scales)


def test_that_its_default_protocol_is_read_and_written_alike(method: Method) -> None:
    protocol = load_protocol(method.default_protocol, method=method.name)
    assert protocol.name in protocol.title
    assert read_protocol(write_protocol(protocol, method.name), where="again", method=method.name) == protocol
    assert list(method.problems(protocol)) == []
    assert method.protocol_facts(protocol)


def test_that_an_audit_made_for_it_sets_up_its_rounds_about_news_by_its_own_protocols(
    toy: Method, tmp_path: Path
) -> None:
    with Headless(quiet=True) as headless:
        open_audit = headless.engine.create(tmp_path / "audit.gpf", title="Audit", method=toy.name)
        offered = open_audit.protocols.current()
        assert (open_audit.facts().methods, offered.name, offered.version) == ((toy.name,), "Two languages", 1)
        open_audit.protocols.save_edited(replace(offered, asked={"English": "And?", "Deutsch": "Und?"})).result()
        assert open_audit.protocols.current().version == 2
        others = open_audit.protocols_of("gpf-livenews")
        assert {each.name for each in others.versions()} == set(catalogue.method("gpf-livenews").protocol_files())
        assert others.current().name == "GPF-LiveNews-v1"


def test_that_a_study_s_set_up_says_what_its_items_are_called_and_what_is_rehearsed_and_no_more() -> None:
    class Least(StudySetUp):
        name, needs, items_title = "least", "Needs one model.", "Claims"
        rehearsal = Rehearsal(about="Two models.", models=())

    least = Least()
    assert not least.from_sources
    assert [part.role for part in least.parts] == [Role.TARGET]
    assert (least.numbers, least.files) == ((), "")
    assert least.missing(None, {"target": ()}) == "Choose at least one model."
    assert least.missing(None, {"target": ("a/b",)}) == ""
    assert least.asked("protocol", {}, {}) == ("protocol", None)


def item_of(method: Method, protocol: Any) -> StudyItem:
    """A news article, or one of the items that the protocol brings; its text is not to be interpreted."""
    own = method.items(protocol)
    return replace(own[0], text=f"{own[0].text} {ITEM.text}") if own else ITEM


def test_that_its_cells_are_the_same_each_time_on_its_factors_and_within_its_arms(method: Method) -> None:
    protocol = load_protocol(method.default_protocol, method=method.name)
    controls, item = method.controls_of(protocol), item_of(method, protocol)
    cells = list(method.expand(item, protocol, controls, 7))
    assert cells == list(method.expand(item, protocol, controls, 7))
    assert len({(cell.coordinates, cell.repeat) for cell in cells}) == len(cells)
    names = [factor.name for factor in method.factors]
    for cell in cells:
        assert [name for name, _ in cell.coordinates] == [name for name in names if name in dict(cell.coordinates)]
        assert cell.arm in method.arms
    assert len(list(method.expand(item, protocol, method.no_controls(), 7))) <= len(cells)
    assert len(cells) <= method.most_questions(protocol, controls)


def test_that_messages_hold_the_item_as_it_is_and_are_no_longer_than_told(method: Method) -> None:
    protocol = load_protocol(method.default_protocol, method=method.name)
    item = item_of(method, protocol)
    for cell in method.expand(item, protocol, method.controls_of(protocol), 7):
        prompt = method.compose(protocol, cell.coordinates, item)
        assert item.text in prompt.user
        room = method.longest_wording(protocol) + len(item.title) + len(item.text)
        assert len(prompt.system) + len(prompt.user) <= room
        wording = method.wording(protocol, cell.coordinates.without(method.grouping.varies), (item.kind,))
        # Beside news its question is read; another item may be the question itself.
        itself = item.title in prompt.user or item.kind != ARTICLE
        assert wording.before or wording.after or itself


def test_that_it_flags_answers_without_its_protocol_where_it_says_so(method: Method) -> None:
    protocol = load_protocol(method.default_protocol, method=method.name)
    item = item_of(method, protocol)
    said = {"one": "I cannot help with that.", "two": "Yes, and"}
    answers = [ToFlag(level=level, text=text, truncated=text == "Yes, and") for level, text in said.items()]
    given = protocol if method.flags_by_protocol else None
    assert method.flag(answers, given, item) == method.flag(answers, protocol, item)


def test_that_its_scorer_takes_its_options(method: Method) -> None:
    scoring = method.scoring(load_protocol(method.default_protocol, method=method.name))
    catalogue.scorers()[scoring.scorer].options(**scoring.options)


def test_that_a_method_which_concludes_has_a_sentence_for_every_outcome_and_every_gate(method: Method) -> None:
    if not isinstance(method, Concludes):
        return
    gates, voice = method.gates, method.voice
    keys = [gate.key for gate in gates]
    assert len(set(keys)) == len(keys)
    assert voice.caveats.keys() == set(keys)
    said = {
        ConclusionOutcome.DIFFERS,
        ConclusionOutcome.ALIKE,
        ConclusionOutcome.NOT_SHOWN,
        ConclusionOutcome.CHECK_FAILED,
    }
    assert voice.outcomes.keys() == said
    assert voice.so_far.keys() == said - {ConclusionOutcome.CHECK_FAILED}
    assert all(words.startswith("So far, ") for words in voice.so_far.values())
    assert voice.many.keys() == SHOWN
    for gate in gates:
        assert gate.outcome in (None, ConclusionOutcome.CHECK_FAILED, ConclusionOutcome.TOO_FEW)
        assert gate.outcome or gate.bars or gate.tag or gate.what_it_does is not CaveatEffect.VOIDS


def test_that_an_unknown_method_is_refused_with_those_there_are() -> None:
    with pytest.raises(UserError, match="no method called “tea-leaves”") as raised:
        read_plan(PLAN.replace("two-languages", "tea-leaves"), where="plan.toml")
    assert "gpf-livenews" in raised.value.remedy


def test_that_a_plan_names_its_method_and_one_of_the_first_method_keeps_its_identity(toy: Method) -> None:
    plan = read_plan(PLAN, where="plan.toml")
    assert (plan.method, plan.protocol) == (toy.name, "Two languages")
    assert read_plan(write_plan(plan), where="again") == plan
    first = read_plan(PLAN.replace("two-languages", "gpf-livenews"), where="plan.toml")
    assert plan_hash(first) == plan_hash(read_plan(PLAN.replace('method = "two-languages"', ""), where="plan.toml"))
    assert plan_hash(first) != plan_hash(plan)


@pytest.mark.slow
def test_that_a_made_up_method_goes_from_items_to_a_report_and_a_reading(toy: Method, tmp_path: Path) -> None:
    rows = ("Bus lanes,They open.,https://news.example/1", "Ferry,It stays.,https://news.example/2")
    (tmp_path / "news.csv").write_text("\n".join(("headline,description,url", *rows)))
    with Headless(quiet=True) as headless:
        open_audit = headless.engine.create(tmp_path / "audit.gpf", title="Two languages")
        summary = run_plan(headless, open_audit, read_plan(PLAN, where="plan.toml"), beside=tmp_path)
        assert summary.done
        assert summary.progress is not None
        assert (summary.progress.answered, summary.progress.bundles_scored) == (4, 2)
        (run,) = open_audit.rounds.runs()
        assert run.method == toy.name
        assert {article.stratum for article in open_audit.sources.articles()} == {""}
        finding, *_ = open_audit.results.findings(ResultsFilter()).values()
        assert [row.values["model"] for row in finding.rows] == ["calibration/neutral"]
        told = open_audit.results.concluding.page(ResultsFilter())
        assert told is not None
        assert told.headline == "Not settled: test model “neutral” may answer alike, or not."
        assert told.told[0].weighs == ("2 items: the range is rough.",)
        report = write_report(open_audit, tmp_path / "report.html").read_text(encoding="utf-8")
        assert told.headline in report
        assert "One item is asked in two languages." in report
        assert "2 languages" in report
        first = open_audit.reviews.queue(QueueFilter(), QueueOrder()).tabs[QueueTab.TO_DO][0]
        read = open_audit.reviews.bundle(first)
        assert [each.level for each in read.answers] == ["English", "Deutsch"]
        assert read.question.before == "What is new? / Was ist neu?"
        assert read.control is None


@pytest.mark.parametrize(
    ("varies", "labels", "headlines"),
    [
        ("model", ["calibration/neutral", "calibration/tailoring-0.6"], ["Bus lanes", "Bus lanes", "Ferry", "Ferry"]),
        ("item", ["1. Bus lanes", "2. Ferry"], ["2 items"] * 4),
    ],
)
def test_that_bundles_whose_model_or_item_varies_go_from_plan_to_report(
    varies: str, labels: list[str], headlines: list[str], toy: Method, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel: Method = Panel(tmp_path, varies)
    monkeypatch.setitem(catalogue.methods(), panel.name, panel)
    rows = ("Bus lanes,They open.,https://news.example/1", "Ferry,It stays.,https://news.example/2")
    (tmp_path / "news.csv").write_text("\n".join(("headline,description,url", *rows)))
    second = '[[models]]\nprovider = "calibration"\nmodel = "tailoring-0.6"\n'
    plan = read_plan(PLAN.replace("two-languages", panel.name) + second, where="plan.toml")
    with Headless(quiet=True) as headless:
        open_audit = headless.engine.create(tmp_path / "audit.gpf", title="Panel")
        for _ in range(2):
            summary = run_plan(headless, open_audit, plan, beside=tmp_path)
            assert summary.progress is not None
            assert (summary.progress.answered, summary.progress.bundles_scored) == (8, 4)
            plan = replace(plan, last_batch=True, name="Again", sources=())
        _, first = open_audit.rounds.runs()
        finding, *_ = open_audit.results.findings(ResultsFilter(runs=frozenset({first.id}))).values()
        assert sorted(str(row.values["model"]) for row in finding.rows) == ([""] if varies == "model" else MODELS)
        assert open_audit.results.results(ResultsFilter()).scope.set_aside == 4
        wanted = QueueFilter(run_id=first.id, model=MODELS[1])
        ids = open_audit.reviews.queue(wanted, QueueOrder()).tabs[QueueTab.TO_DO]
        assert len(ids) == (4 if varies == "model" else 2)
        ids = sorted(open_audit.reviews.queue(QueueFilter(run_id=first.id), QueueOrder()).order)
        assert len(open_audit.reviews.rows(ids, QueueOrder())) == 4
        read = [open_audit.reviews.bundle(each) for each in ids]
        assert sorted(each.anchor.headline for each in read) == headlines
        assert [each.level for each in read[0].answers] == labels
        assert len(read[0].others) == (1 if varies == "model" else 3)
        assert {each.model for each in read} == ({"2 models"} if varies == "model" else set(MODELS))
        for each in read[0].answers:
            about = read[0].facts.items[each.answer.item_id]
            assert about.text in sent_prompt(read[0], each.answer).prompt.user
        open_audit.reviews.submit(ids[0], Judgement(verdict=Verdict.UNSURE)).result()
        assert open_audit.reviews.team().pace[0].done == 1
        report = write_report(open_audit, tmp_path / "report.html").read_text(encoding="utf-8")
        assert labels[1] in report
        assert open_audit.reviews.export_pack(tmp_path / "pack.json").result() == 1


def test_that_a_scorers_own_measures_are_stored_and_shown(
    toy: Method, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: Method = Counted(tmp_path)
    monkeypatch.setitem(catalogue.methods(), counted.name, counted)
    monkeypatch.setitem(catalogue.scorers(), SCORER.name, SCORER)
    (tmp_path / "news.csv").write_text("headline,description,url\nBus lanes,They open.,https://news.example/1\n")
    plans = [PLAN.replace("two-languages", name) for name in (counted.name, toy.name)]
    with Headless(quiet=True) as headless:
        open_audit = headless.engine.create(tmp_path / "audit.gpf", title="Two methods")
        for text in plans:
            plan = read_plan(text, where="plan.toml")
            last = replace(plan, last_batch=text != plans[0], sources=plan.sources if text == plans[0] else ())
            summary = run_plan(headless, open_audit, last, beside=tmp_path)
            assert summary.progress is not None
            assert (summary.progress.answered, summary.progress.bundles_scored) == (2, 1)
            if text == plans[0]:
                with pytest.raises(UserError, match=r"^No table of audit\.gpf has a row\. gpf-desktop export writes"):
                    write_data(open_audit, DataWishes(folder=tmp_path, what=(TABLES,)))
        reviews, results = open_audit.reviews, open_audit.results
        assert results.methods() == (counted.name, toy.name)
        choices = reviews.choices()
        assert [each.name for each in choices.scores] == ["spread_of_words"]
        assert choices.categories == {"spread_of_words": ("unlike",), "length": ("long",)}
        (bundle,) = reviews.queue(QueueFilter(), QueueOrder()).order
        (row,) = reviews.rows([bundle], QueueOrder())
        assert (row.method, row.score, row.category) == (counted.name, None, "unlike")
        found = {
            each: reviews.queue(QueueFilter(categories=(("length", each),)), QueueOrder()).order for each in LENGTHS
        }
        assert found == {"long": [bundle], "short": []}
        answers = reviews.bundle(bundle).answers
        assert [each.scores["length"] for each in answers] == ["long", "long"]
        tables = results.tables(ResultsFilter())
        assert tables.bundles["spread_of_words"].tolist() == ["unlike"]
        frame = tables.scored_answers
        assert frame["words"].tolist() == [each.scores["words"] for each in answers]
        assert frame["language"].tolist() == ["English", "Deutsch"]
        (pair,) = tables.scored_pairs.itertuples()
        assert (pair.first_cell, pair.second_cell) == tuple(frame["cell_id"])
        assert pair.words_apart == abs(frame["words"].iloc[0] - frame["words"].iloc[1])
        report = write_report(open_audit, tmp_path / "report.html").read_text(encoding="utf-8")
        assert "Length: long" in report
        (other,) = reviews.queue(QueueFilter(method=toy.name), QueueOrder()).order
        assert reviews.rows([other], QueueOrder())[0].score is not None
        assert results.names(toy.name)[: -len(people_scores.titles())] == ("two_languages",)
        order = results.order(toy.name)
        assert (order.found, order.comparisons) == (("two_languages",), tuple(people_scores.titles()))
        assert len(results.tables(ResultsFilter(method=toy.name)).bundles) == 1
