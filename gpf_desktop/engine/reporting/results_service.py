"""Makes findings from stored scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gpf_desktop.domain import checkpoints
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.coverage import Coverage
from gpf_desktop.domain.findings import BundleFilter, Finding
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.items import ARTICLE
from gpf_desktop.domain.judging import JudgeCheck
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import ANSWERING
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import ChecksJudges, Comparer, Concludes, RoundPlanner
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.results_order import FOUND, ResultsOrder
from gpf_desktop.domain.round_planning import Pilot
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.scores import Measure, UnitKind
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.protocols import news_method
from gpf_desktop.engine.core.statements import stated
from gpf_desktop.engine.reporting import option_choices, people_scores
from gpf_desktop.engine.reporting.analysing import analysed, analysis_called
from gpf_desktop.engine.reporting.compared_sides import SIDES, SidesOfAudit, sides_title
from gpf_desktop.engine.reporting.concluding import Concluding
from gpf_desktop.engine.reporting.filtered_tables import in_window, within
from gpf_desktop.engine.reporting.findings_cache import FindingsCache
from gpf_desktop.engine.reporting.incomplete_sets import IncompleteSets, find_incomplete_sets
from gpf_desktop.engine.reporting.judged_samples import judged_sample, judged_words
from gpf_desktop.engine.reporting.kept_findings import KeptFindings, kept_analyses
from gpf_desktop.engine.reporting.reading_weights import read_sample
from gpf_desktop.engine.reporting.report_words import origin
from gpf_desktop.engine.reporting.results_filter import (
    FilterOptions,
    Results,
    ResultsFilter,
    ScoreScope,
    Window,
    filter_notes,
)
from gpf_desktop.engine.reporting.scope_words import scope_notes
from gpf_desktop.engine.reporting.stored_tables import StoredTables
from gpf_desktop.engine.reporting.unlike_designs import unlike_designs
from gpf_desktop.engine.reporting.what_next import SetsRead
from gpf_desktop.engine.reporting.who_answered import weighing_words, who_answered
from gpf_desktop.engine.scoring.score_variants import setting_words
from gpf_desktop.storage import audits, models, ratings, review_samples, scores, unknown_refusals
from gpf_desktop.storage.counted_verdicts import counted_verdicts
from gpf_desktop.storage.read_sets import read_sets
from gpf_desktop.storage.run_stamps import RunStamp, run_stamps
from gpf_desktop.storage.runs import methods
from gpf_desktop.storage.scores import ScoreSetting
from gpf_desktop.storage.writer import Connection

if TYPE_CHECKING:
    import pandas as pd


_AT_ONCE: Final = 2000
"""Answers of which findings that read them all are made in well under half a second."""


class ResultsService:
    """Tables and figures of one open audit. Everything here blocks: call it from a worker thread.

    Frames and the findings made of them are kept between calls; `forget` after scores have changed.
    """

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._stored = StoredTables(context)
        self._kept = KeptFindings(context)
        self.made = FindingsCache()
        self.sides = SidesOfAudit(context, self._stored)
        self.concluding = Concluding(context, self)

    def forget(self) -> None:
        """Read scores and counts from the store again the next time they are asked for."""
        self._stored.forget()
        self.made.forget()

    def judged(self) -> str:
        """Sentences about people's judgements on a sample drawn to test the conclusions; empty if none was drawn."""
        return judged_words(judged_sample(self._context))

    def keep_tables(self) -> None:
        """Have what tables are made from kept in the audit, so that they open at once the next time."""
        self._stored.keep_tables()
        for method in self._context.audit.read(methods):
            self.findings(ResultsFilter(method=method), kept_analyses(method))

    def keep_answers(self) -> None:
        """Have the tables of answers kept in the audit too, which take a fifth of a millisecond for each answer."""
        for method in self._context.audit.read(methods):
            self._stored.tables(self._stored.setting(None, method), method).answers  # noqa: B018 - made when it is read

    def keep_told(self) -> None:
        """Have everything that is read of the texts of answers for tables kept in the audit, durably."""
        self.keep_tables()
        self.keep_answers()
        for method in self._context.audit.read(methods):
            self._stored.tables(self._stored.setting(None, method), method).said  # noqa: B018 - made when it is read
        # Tables are queued, and nobody waits for them: this stands behind them.
        self._context.audit.write(lambda _: None).result()

    def methods(self) -> tuple[str, ...]:
        """The methods of the audit's rounds, in the order first used; without rounds, those that the audit was made
        for."""

        def read(connection: Connection) -> tuple[str, ...]:
            return methods(connection) or audits.facts(connection).methods or (news_method(()),)

        return self._context.audit.read(read)

    def of_one_method(self, wanted: ResultsFilter) -> ResultsFilter:
        """*wanted* with its method named, and how its tables are made."""
        method = wanted.method or self.methods()[0]
        if wanted.method and wanted.options is not None:
            return wanted
        kept = self._context.audit.read(partial(option_choices.kept, method=method))
        return replace(wanted, method=method, options=kept if wanted.options is None else wanted.options)

    def keep_options(self, method: str, chosen: option_choices.ChosenOptions) -> Future[None]:
        """Have tables of *method* made as *chosen* until something else is."""
        return self._context.audit.write(lambda connection: option_choices.keep(connection, method, chosen))

    def names(self, method: str | None = None) -> tuple[str, ...]:
        """Every table of *method* (None: of the audit's first), in a report's order; what readers said is last."""
        its = catalogue.method(method or self.methods()[0])
        return (
            *catalogue.analyses_of(its.name),
            *((SIDES,) if isinstance(its, Comparer) else ()),
            *people_scores.titles(),
        )

    def title(self, name: str) -> str:
        """The title of the table called *name*, whether it has rows or not."""
        return {SIDES: sides_title(), **people_scores.titles()}.get(name) or analysis_called(name).title

    def order(self, method: str | None = None) -> ResultsOrder:
        """The order of its findings from top to bottom."""
        its = catalogue.method(method or self.methods()[0])
        # Of its own tables alone: among the first three of a method with fewer, what readers said would stand twice.
        there = catalogue.analyses_of(its.name)
        order = its.results_order or ResultsOrder(found=tuple(there)[:FOUND])
        comparisons = (*(name for name in order.comparisons if name in (*there, SIDES)), *people_scores.titles())
        return replace(order, found=tuple(name for name in order.found if name in there), comparisons=comparisons)

    def pilot(self, method: str) -> Pilot:
        """The variation of scores, measured on this audit's rounds of *method*; assumed if they tell too little."""
        planner = catalogue.method(method)
        assert isinstance(planner, RoundPlanner), "asked of methods that plan rounds"
        runs = frozenset(int(run.id) for run in self._context.audit.read(run_stamps) if run.method == method)
        setting = self._stored.setting(None, method)
        if setting is None or not runs:
            return planner.assumed()
        tables = self._stored.tables(setting, method, self._stored.set_aside(runs))
        return planner.pilot(within(tables, ResultsFilter(), runs)) or planner.assumed()

    def findings(self, wanted: ResultsFilter, names: Iterable[str] | None = None) -> dict[str, Finding]:
        """The findings called *names* (None: all) within *wanted*."""
        return self.results(wanted, names).findings

    def results(self, wanted: ResultsFilter, names: Iterable[str] | None = None, *, at_once: bool = False) -> Results:
        """The findings called *names* (None: all), with what they rest on.

        *at_once*: without those that a reader would wait for, as they have to be made of many answers first.
        """
        wanted = self.of_one_method(wanted)
        method = str(wanted.method)
        every_run = self._context.audit.read(run_stamps)
        chosen = [run for run in every_run if in_window(run, wanted)]
        setting = self._stored.setting(wanted.setting_id, method)
        scope = _scope(setting, self._stored.setting(None, method), chosen, self._stored.protocols_by_run(chosen))
        numbers = frozenset(int(run.id) for run in chosen)
        aside = self._stored.set_aside(numbers, wanted.articles)
        whole = self._stored.tables(setting, method)
        counted = self._stored.tables(setting, method, aside)
        tables = within(counted, wanted, numbers)
        # A provisional score waits for more anyway, and is counted as such.
        late: Any = (tables.bundles["newer"] > 0) & ~tables.bundles["provisional"]
        every = within(whole, wanted, numbers).bundles if aside else tables.bundles
        scope = replace(scope, behind=int(late.sum()), set_aside=len(every) - len(tables.bundles))
        if self._own_decoding(tables.bundles):
            scope = replace(scope, unlike=(*scope.unlike, tr("decoding of single models")))
        options = {
            "partial": scope.partial_in_means and not wanted.complete_only,
            "strict_runs": scope.strict_runs,
            "high_coverage": scope.high_coverage,
            "arm": wanted.arm,
            "skewed": wanted.skewed,
            **option_choices.typed(method, wanted.options or ()),
        }
        names_of_runs = {int(run.id): run.name for run in every_run}
        items = catalogue.method(method).items_called
        articles = dict(_articles(whole.bundles)) if wanted.articles is not None else {}
        said = filter_notes(wanted, names_of_runs, dict(self._stored.batches()), articles, items=items)
        filtered = (*said, *option_choices.option_words(method, wanted.options or ()))
        answered_by = tuple(who_answered(self._stored.answered_by(), numbers, wanted.models))
        unknown = self._context.audit.read(partial(unknown_refusals.within, runs=numbers, models=wanted.models))
        declined = (unknown.sentence,) if unknown.n else ()
        notes = (*scope_notes(scope), *weighing_words(answered_by), *declined, *filtered)
        found = {}
        # What people rated is the one thing that analyses read and frames do not keep.
        rated = self._context.audit.read(partial(ratings.of_method, method=method))
        basis = counted, (wanted, numbers, repr(rated), repr(options))
        wanted_names = tuple(self.names(method) if names is None else names)
        kept: Mapping[str, Finding] = {}
        # What is kept was made over every run and model: a filter that leaves some out goes past it.
        slow = frozenset(kept_analyses(method))
        if not wanted.narrowed and not slow.isdisjoint(wanted_names):
            make_kept = partial(analysed, tables=tables, values=options)
            kept = self._kept.there(method, aside) if at_once else self._kept.of(method, aside, make_kept)
        if at_once and int(tables.bundles["planned"].sum()) > _AT_ONCE:
            wanted_names = tuple(name for name in wanted_names if name not in slow or name in kept)
        for number, name in enumerate(wanted_names):
            if number:
                checkpoints.passed()
            if name in people_scores.titles():
                finding = self._people(name, wanted, tables.bundles, setting)
            elif name == SIDES:
                finding = self.sides.table(wanted, options)
            elif name in kept:
                finding = kept[name]
            else:
                make = partial(analysed, analysis_called(name), tables, options)
                finding = self.made.of(basis, name, make)
            found[name] = replace(finding, notes=(*finding.notes, *notes)) if finding.rows else finding
        return Results(
            window=self._window(tables.bundles, chosen, wanted, scored_anywhere=len(whole.bundles) > 0),
            scope=scope,
            statement=self._context.audit.read(partial(stated, method=method, runs=numbers)),
            findings=found,
            title=self._context.audit.read(audits.facts).title,
            filtered=" ".join(filtered),
            shared=notes,
            options=options,
            imported=f"{came}." if (came := self._context.audit.read(origin)) else "",
            answered_by=answered_by,
            unknown_refusals=unknown,
            basis=basis,
        )

    def _window(
        self, bundles: pd.DataFrame, chosen: list[RunStamp], wanted: ResultsFilter, *, scored_anywhere: bool
    ) -> Window:
        window = _window(bundles, chosen, catalogue.method(str(wanted.method)), scored_anywhere=scored_anywhere)
        if not window.bundles or "model" not in catalogue.method(str(wanted.method)).grouping.varies:
            return window
        # The models of a bundle stand side by side in it: the rounds say who they are.
        there = set(bundles["run_id"].unique().tolist())
        asked = {
            model.label: model.synthetic
            for run in there
            for model in self._context.audit.read(partial(models.of_run, run_id=run))
            if model.role in ANSWERING and (wanted.models is None or model.label in wanted.models)
        }
        return replace(window, models=len(asked), synthetic_models=sum(asked.values()))

    def _people(self, name: str, wanted: ResultsFilter, bundles: pd.DataFrame, setting: ScoreSetting | None) -> Finding:
        """The reviewers' verdicts compared with the scores, over bundles that were drawn at random."""
        verdicts = self._context.audit.read(counted_verdicts)
        drawn = self._context.audit.read(review_samples.drawn)
        sample = read_sample(bundles[bundles["arm"] == wanted.arm], verdicts, drawn)
        numbers = [
            each
            for each in (setting.measures if setting else ())
            if each.unit is UnitKind.BUNDLE and not each.categories and each.on_card and each.name in bundles
        ]
        main = numbers[0] if numbers else None
        counted = catalogue.method(str(wanted.method)).items_in_words
        if name == people_scores.CURVE:
            return people_scores.curve(sample, main, counted)
        return people_scores.agreement(sample, numbers, main, counted)

    def _own_decoding(self, bundles: pd.DataFrame) -> bool:
        """Whether models of *bundles* were asked with decoding that the others were not asked with."""
        there = set(bundles["model"].unique())
        every = self._context.audit.read(models.every)
        return len({repr(model.endpoint.decoding) for model in every if model.label in there}) > 1

    def choices(self, method: str | None = None) -> FilterOptions:
        """The choices for a filter of the rounds of *method* (None: of the audit's first)."""
        method = method or self.methods()[0]
        frame = self._stored.tables(self._stored.setting(None, method), method).bundles
        every_batch = self._stored.batches()
        settings = self._context.audit.read(lambda connection: scores.settings(connection, method))
        used = set(frame["batch_id"].unique().tolist())
        return FilterOptions(
            methods=self.methods(),
            runs=tuple((int(run.id), run.name) for run in self._context.audit.read(run_stamps) if run.method == method),
            models=tuple(map(str, frame["model"].cat.categories)),
            batches=tuple((number, name) for number, name in every_batch if number in used),
            articles=_articles(frame) if ARTICLE in catalogue.method(method).item_kinds else (),
            strata=tuple(map(str, frame["stratum"].cat.categories)),
            arms=tuple(sorted(map(str, frame["arm"].unique()), key=lambda arm: (arm != MAIN, arm))),
            settings=tuple((each.id, setting_words(each, settings[0])) for each in settings),
            options=option_choices.option_choices(method),
            numbers=option_choices.option_numbers(method),
        )

    def measures(self, method: str | None) -> tuple[Measure, ...]:
        """The measures of *method*'s primary setting; empty if nothing was scored."""
        setting = self._stored.setting(None, method or self.methods()[0])
        return tuple(setting.measures) if setting else ()

    def main_measure(self, method: str | None) -> Measure | None:
        """The measure by which bundles are ranked; None if nothing was scored or bundles have no scores."""
        return next((each for each in self.measures(method) if each.unit is UnitKind.BUNDLE), None)

    def bundle_ids(self, wanted: ResultsFilter, score: str, limit: int) -> list[BundleId]:
        """The main bundles within *wanted* with the highest *score* (the lowest, the first category, where its measure
        says so), that is, those to read first.

        Those of calibration models, whose differences are planted, only where there are no others.
        """
        frame = self.frame(wanted)
        main = frame[frame["arm"] == wanted.arm]
        real = main[~main["synthetic"]]
        some = real if len(real) else main
        measure = self.main_measure(wanted.method)
        lowest = measure is not None and (measure.lowest_first or bool(measure.categories))
        # Of equal scores the lower id first, so that the same scores give the same list each time.
        top = some[some[score].notna()].sort_values([score, "bundle_id"], ascending=[lowest, True], kind="stable")
        return [BundleId(int(number)) for number in top["bundle_id"].head(limit)]

    def bundles_behind(self, wanted: ResultsFilter, behind: BundleFilter) -> tuple[BundleId, ...]:
        """Just the bundles that a number is about: those of its row within *wanted*, those of the lowest id first."""
        frame = self.frame(wanted)
        keep: Any = frame["arm"] == (behind.arm or wanted.arm)
        named = ("model", "vendor", "article_id", "batch_id", "stratum", "synthetic")
        for name, value in (*((name, getattr(behind, name)) for name in named), *behind.levels):
            if value is not None:
                keep &= frame[name] == value
        if behind.score is not None:
            keep &= frame[behind.score].notna()
        some = frame[keep]
        if behind.answers:
            every = self.tables(wanted).scored_answers
            some = some[some["bundle_id"].isin(every.loc[every["cell_id"].isin(behind.answers), "bundle_id"])]
        if behind.sides:
            return tuple(BundleId(number) for number in sorted(self.sides.behind(self.of_one_method(wanted), behind)))
        if behind.compared:
            some = self._in_common(some[some["model"].isin(behind.compared)], wanted.method)
        return tuple(BundleId(int(number)) for number in sorted(some["bundle_id"]))

    def _in_common(self, frame: pd.DataFrame, method: str | None) -> pd.DataFrame:
        """The bundles of those questions that every model of *frame* was asked."""
        factors = catalogue.method(method or self.methods()[0]).factors
        question = ["article_id", *(each.name for each in factors if not each.varies and each.name in frame)]
        # Observed, or pandas makes a group of every combination of all factors' levels, whether it occurs or not.
        asked: Any = frame.groupby(question, observed=True)["model"].transform("nunique")
        found: pd.DataFrame = frame[asked == frame["model"].nunique()]
        return found

    def frame(self, wanted: ResultsFilter) -> pd.DataFrame:
        """The bundles within *wanted*, of every arm; not to be changed."""
        frame: pd.DataFrame = self.tables(wanted).bundles
        return frame

    def lacking(self, wanted: ResultsFilter, window: Window) -> IncompleteSets:
        """The sets within *wanted*, whose *window* is known, in which answers are missing, and why."""
        method = catalogue.method(str(self.of_one_method(wanted).method))
        answers = method.voice.answers if isinstance(method, Concludes) else ""
        return find_incomplete_sets(self._context.audit, self.frame(wanted), window, answers or tr("answers"))

    def read_by_people(self, wanted: ResultsFilter) -> SetsRead:
        """The sets within *wanted*, asked as planned, that people have read."""
        frame = self.frame(wanted)
        main = set(frame.loc[frame["arm"] == MAIN, "bundle_id"].tolist())
        return SetsRead.of(bundle for bundle, _ in self._context.audit.read(read_sets) if bundle in main)

    def judge_check(self, wanted: ResultsFilter) -> JudgeCheck:
        """A round that tests judges by answers within *wanted*. Raises `UserError` where there are none."""
        wanted = self.of_one_method(wanted)
        method = catalogue.method(str(wanted.method))
        assert isinstance(method, ChecksJudges), "offered beside the table of a method that has it"
        return method.judge_check(self.tables(wanted))

    def tables(self, wanted: ResultsFilter) -> ScoreTables:
        """The tables within *wanted* that analyses read."""
        wanted = self.of_one_method(wanted)
        method, stamps = str(wanted.method), self._context.audit.read(run_stamps)
        chosen = frozenset(int(run.id) for run in stamps if in_window(run, wanted))
        setting, aside = (
            self._stored.setting(wanted.setting_id, method),
            self._stored.set_aside(chosen, wanted.articles),
        )
        return within(self._stored.tables(setting, method, aside), wanted, chosen)


def _articles(bundles: pd.DataFrame) -> tuple[tuple[int, str], ...]:
    """(id, headline) of the articles that *bundles* are about, the newest first."""
    every = bundles.drop_duplicates("article_id").sort_values("article_id", ascending=False)
    return tuple(
        (int(number), str(headline)) for number, headline in zip(every["article_id"], every["headline"], strict=True)
    )


def _scope(
    setting: ScoreSetting | None,
    primary: ScoreSetting | None,
    chosen: Sequence[RunStamp],
    asked_with: Mapping[int, StudyProtocol],
) -> ScoreScope:
    # Each protocol was read once for all of its runs, so that the same one is the same object.
    used = list({id(protocol): protocol for protocol in asked_with.values()}.values())
    scoring = {int(run.id): catalogue.method(run.method).scoring(asked_with[int(run.id)]) for run in chosen}
    strict = tuple(run for run, each in scoring.items() if not each.partial_in_means)
    options = {} if setting is None else setting.options
    return ScoreScope(
        setting_id=None if setting is None else setting.id,
        scorer="" if setting is None else setting.scorer,
        version="" if setting is None else setting.version,
        fit_scope=FitScope(str(options["fit_scope"])) if "fit_scope" in options else None,
        rarefied=int(str(options["rarefy"])) if "rarefy" in options else None,
        hash="" if setting is None else setting.hash,
        variant="" if setting is None or setting == primary else setting_words(setting, primary),
        protocols=tuple(protocol.title for protocol in used),
        partial_in_means=len(strict) < len(asked_with) or not asked_with,
        strict_runs=strict,
        unlike=unlike_designs(chosen, asked_with),
        high_coverage=next((each.high_coverage for each in scoring.values()), 1),
    )


def _window(bundles: pd.DataFrame, chosen: list[RunStamp], method: Method, *, scored_anywhere: bool) -> Window:
    main = bundles[bundles["arm"] == MAIN]
    there = set(bundles["run_id"].unique().tolist())
    moments = sorted(run.created for run in chosen if run.id in there)
    synthetic = main[main["synthetic"]]
    items = int(main["article_id"].nunique())
    return Window(
        first=moments[0] if moments else None,
        last=moments[-1] if moments else None,
        batches=int(main["batch_id"].nunique()),
        articles=items,
        items=method.items_in_words(items),
        news=ARTICLE in method.item_kinds,
        models=int(main["model"].nunique()),
        vendors=int(main["vendor"].nunique()),
        bundles=len(main),
        complete=int((main["coverage"] == str(Coverage.COMPLETE)).sum()),
        provisional=int(main["provisional"].sum()),
        synthetic_models=int(synthetic["model"].nunique()),
        scored_anywhere=scored_anywhere,
    )
