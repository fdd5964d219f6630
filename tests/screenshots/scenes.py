"""What is pictured: every page without an audit, with a new one and with the sample, and what pages do."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.commands.sample import first_to_read
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.protocol.protocol_page import ProtocolPage
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.review.reading_content import CONSENSUS, CONTROL, Layout
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.shell.pages import page_specs
from tests.screenshots.stage import Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """Scenes that share an open audit."""

    scenes: tuple["Scene", ...]
    of_another: Callable[[Sequence[str]], tuple["Scene", ...]] = lambda _: ()
    """Those of an audit of other methods, by their names, none of which is GPF-LiveNews; empty: the same."""
    enter: Callable[[Stage], object] = lambda _: None

    def chosen(self, stage: Stage) -> tuple["Scene", ...]:
        """For the audit that is open now."""
        asked = stage.open_audit.facts().methods if stage.window.status.audit_open else ()
        return self.scenes if not asked or _NEWS in asked else self.of_another(asked) or self.scenes


_NEWS = "gpf-livenews"
PAGES = tuple(spec.id for spec in page_specs())


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One state of one page."""

    page: str
    name: str
    """Begins the names of its pictures."""
    set: Callable[[Stage], object]
    strike: Callable[[Stage], object] = lambda _: None
    """Puts back what the scene changed."""
    moving: bool = False


def _close_audit(stage: Stage) -> None:
    stage.window.files.close_audit()
    stage.wait_for(lambda: not stage.window.status.audit_open)
    stage.settle()


def _create_audit(stage: Stage) -> None:
    stage.window.files.create(stage.folder / "Evening news.gpf", "gpf-livenews")
    stage.wait_for(lambda: stage.window.status.title == "Evening news")
    stage.settle()


def _open_sample(stage: Stage) -> None:
    stage.window.files.open(stage.folder / "Sample audit.gpf")
    stage.wait_for(lambda: stage.window.status.audit_open)
    stage.settle()


def _pages(state: str) -> Iterator[Scene]:
    for page in PAGES:
        yield Scene(page=page, name=f"{state}-{page}", set=lambda stage, page=page: stage.page(page))


def _runs(stage: Stage) -> RunsPage:
    page = stage.page("runs")
    assert isinstance(page, RunsPage)
    return page


def _review(stage: Stage) -> ReviewPage:
    page = stage.page("review")
    assert isinstance(page, ReviewPage)
    return page


def _read_first(stage: Stage) -> None:
    first = first_to_read(stage.open_audit)
    assert first is not None
    stage.page("review", bundle=first.id)


def _show_newest_round(stage: Stage) -> None:
    stage.page("runs", run=stage.open_audit.rounds.runs()[0].id)


def _show_calls(stage: Stage) -> None:
    _show_newest_round(stage)
    stage.settle()
    page = _runs(stage)
    page.context.actions.action("run.calls").trigger()
    stage.settle()
    page.calls.table.selectRow(2)
    stage.settle()


def _set_up(stage: Stage) -> None:
    page = _runs(stage)
    page.context.actions.action("run.new").trigger()
    stage.settle()
    setup = page.setup.model
    if setup.set_up.from_sources:
        setup.news.take_newest(5)
    for model in setup.models[:3]:
        setup.take_model(model, on=True)
    stage.settle()


def _close_set_up(stage: Stage) -> None:
    _runs(stage).model.show_list()


def _protocol(stage: Stage) -> ProtocolPage:
    page = stage.page("protocol")
    assert isinstance(page, ProtocolPage)
    return page


def _edit_protocol(stage: Stage, method: str = "gpf-livenews", tab: str = "", *, text: bool = False) -> None:
    _read_protocol(stage, method)
    model = _protocol(stage).model
    model.edit(beside_text=text)
    model.form.show_tab(tab or model.form.tab)
    stage.settle()


def _read_protocol(stage: Stage, method: str) -> None:
    _protocol(stage)
    stage.page("protocol", method=method)
    stage.settle()


def _leave_protocol(stage: Stage) -> None:
    _protocol(stage).model.form.discard()
    _read_protocol(stage, "gpf-livenews")


def _protocols_of(methods: Iterable[str]) -> Iterator[Scene]:
    """Of each its protocol as it is read, and a form."""
    for method in methods:
        read, form = partial(_read_protocol, method=method), partial(_edit_protocol, method=method)
        yield Scene(page="protocol", name=f"sample-protocol-{method}", set=read, strike=_leave_protocol)
        yield Scene(page="protocol", name=f"sample-protocol-{method}-form", set=form, strike=_leave_protocol)


def _protocol_scenes() -> Iterator[Scene]:
    """Of every method; two tabs of forms, and the text beside one."""
    yield from _protocols_of((_NEWS, "relative-bias", "contextual-stereoset", "saged"))
    for method, tab in (("gpf-livenews", "families"), ("saged", "roles"), ("relative-bias", "settings")):
        form = partial(_edit_protocol, method=method, tab=tab)
        yield Scene(page="protocol", name=f"sample-protocol-{method}-{tab}", set=form, strike=_leave_protocol)
    form = partial(_edit_protocol, method="contextual-stereoset", tab="name and texts", text=True)
    yield Scene(page="protocol", name="sample-protocol-text", set=form, strike=_leave_protocol)


def _open_form(stage: Stage) -> None:
    _review(stage).folding.set_folded(False)


def _fold_form(stage: Stage) -> None:
    _review(stage).folding.set_folded(None)


def _open_queue(stage: Stage) -> None:
    _review(stage).folding.set_queue_folded(False)


def _fold_queue(stage: Stage) -> None:
    _review(stage).folding.set_queue_folded(True)


def _explain(stage: Stage) -> None:
    _review(stage).reading.toggle_panel("why")


def _explain_no_more(stage: Stage) -> None:
    _review(stage).reading.toggle_panel("")


def _set_beside(stage: Stage) -> None:
    reader = _review(stage).model.reader
    reader.set_layout(Layout.BASELINE)
    reader.set_baseline(CONTROL)


def _set_beside_no_more(stage: Stage) -> None:
    reader = _review(stage).model.reader
    reader.set_layout(Layout.COLUMNS)
    reader.set_baseline(CONSENSUS)
    reader.toggle_control()


def _read_blind(stage: Stage) -> None:
    _review(stage).model.set_blind(True)


def _read_openly(stage: Stage) -> None:
    _review(stage).model.set_blind(False)


def _select_several(stage: Stage) -> None:
    page = _review(stage)
    page.queue.select_bundles(page.model.queue.ids(page.model.tab)[:5])


def _select_one(stage: Stage) -> None:
    _review(stage).queue.select_open()


def _sample(stage: Stage) -> None:
    _review(stage).filters.toggle_sample()


def _sample_no_more(stage: Stage) -> None:
    filters = _review(stage).filters
    filters.toggle_sample()
    filters.hide()


def _results(stage: Stage) -> ResultsPage:
    page = stage.page("results")
    assert isinstance(page, ResultsPage)
    return page


def _tab(stage: Stage, part: str) -> None:
    _results(stage).sections.go_to(part)
    stage.settle()


def _section(stage: Stage, name: str) -> None:
    page = _results(stage)
    page.sections.go_to("tables")
    page.sections.go_to(name)
    stage.settle()


def _change_scope(stage: Stage) -> None:
    page = _results(stage)
    page.sections.go_to("found")
    page.scope.toggle()
    stage.settle()


def _leave_scope(stage: Stage) -> None:
    _results(stage).scope.toggle()


def _show_table(stage: Stage) -> None:
    _results(stage).found.toggle_table()
    stage.settle()


def _fail(stage: Stage) -> None:
    stage.page("home")
    error = StorageError(
        "The disk that holds Evening news.gpf is full.",
        "Everything saved so far is safe. Free some space, then resume.",
        fault=StorageFault.FULL,
        details="database or disk is full",
    )
    stage.context.messages.failure(error, Remedy(text="Try again", do=lambda: None), topic="file")


def _run(stage: Stage) -> None:
    """A round that lasts longer than its pictures take; the second time it is resumed."""
    open_audit = stage.open_audit
    stopped = [run.id for run in open_audit.rounds.runs() if run.state.resumable]
    run_id = stopped[0] if stopped else open_audit.rounds.plan(_everything(open_audit)).result()
    open_audit.rounds.start(run_id)
    stage.context.navigator.go("runs", run=run_id)
    page = stage.window.stack.current
    assert isinstance(page, RunsPage)
    stage.wait_for(lambda: _well_under_way(page, run_id))


def _well_under_way(page: RunsPage, run_id: RunId) -> bool:
    """Whether the page shows this very round, with a time left; the round shown before may still stand there."""
    now = page.model.progress
    return now is not None and now.run_id == run_id and now.state is RunState.RUNNING and now.left is not None


def _everything(open_audit: OpenAudit) -> RunSetup:
    return RunSetup(
        method="gpf-livenews",
        name="Evening round",
        protocol=open_audit.protocols.current(),
        model_ids=tuple(row.model.id for row in open_audit.models.models()),
        article_ids=tuple(article.id for article in open_audit.setup_choices(200).articles),
    )


def _stop(stage: Stage) -> None:
    page = stage.window.stack.current
    assert isinstance(page, RunsPage)
    page.model.stop()
    stage.wait_for(lambda: page.model.state in (RunState.STOPPED, RunState.FINISHED_WITH_GAPS))


CLOSED = (*_pages("closed"),)
NEW = (
    *_pages("new"),
    Scene(page="sources", name="new-sources-catalogue", set=lambda stage: stage.page("sources", catalogue=True)),
    Scene(page="models", name="new-models-form", set=lambda stage: stage.page("models", provider="openai-compatible")),
)
_ROUNDS = (
    Scene(page="runs", name="sample-runs-round", set=_show_newest_round),
    Scene(page="runs", name="sample-runs-calls", set=_show_calls),
    Scene(page="runs", name="sample-runs-setup", set=_set_up, strike=_close_set_up),
)


def _of_another(methods: Sequence[str]) -> tuple[Scene, ...]:
    """What every method's audit has."""
    return (
        *_pages("sample"),
        *_ROUNDS,
        *_protocols_of(methods),
        Scene(page="review", name="sample-review-form", set=_open_form, strike=_fold_form),
        Scene(page="review", name="sample-review-why", set=_explain, strike=_explain_no_more),
        Scene(page="review", name="sample-review-queue", set=_open_queue, strike=_fold_queue),
        Scene(page="results", name="sample-results-as-table", set=_show_table, strike=_show_table),
        Scene(page="results", name="sample-results-tables", set=lambda stage: _tab(stage, "tables")),
    )


SAMPLE = (
    *_pages("sample"),
    *_ROUNDS,
    *_protocol_scenes(),
    Scene(page="review", name="sample-review-first", set=_read_first),
    Scene(page="review", name="sample-review-form", set=_open_form, strike=_fold_form),
    Scene(page="review", name="sample-review-why", set=_explain, strike=_explain_no_more),
    Scene(page="review", name="sample-review-beside", set=_set_beside, strike=_set_beside_no_more),
    Scene(page="review", name="sample-review-blind", set=_read_blind, strike=_read_openly),
    Scene(page="review", name="sample-review-several", set=_select_several, strike=_select_one),
    Scene(page="review", name="sample-review-sampling", set=_sample, strike=_sample_no_more),
    Scene(page="results", name="sample-results-scope", set=_change_scope, strike=_leave_scope),
    Scene(page="results", name="sample-results-as-table", set=_show_table, strike=_show_table),
    Scene(page="results", name="sample-results-compared", set=lambda stage: _tab(stage, "comparisons")),
    Scene(page="results", name="sample-results-control-chart", set=lambda stage: _section(stage, "streaming")),
    Scene(page="results", name="sample-results-heat-maps", set=lambda stage: _section(stage, "interaction")),
    Scene(page="results", name="sample-results-refusals", set=lambda stage: _section(stage, "refusals")),
    Scene(page="results", name="sample-results-identities", set=lambda stage: _section(stage, "identity_profile")),
    Scene(page="home", name="sample-home-error", set=_fail, strike=lambda stage: stage.context.messages.clear("file")),
    Scene(page="runs", name="sample-runs-running", set=_run, strike=_stop, moving=True),
)
STATES = {
    "closed": State(scenes=CLOSED, enter=_close_audit),
    "new": State(scenes=NEW, enter=_create_audit),
    "sample": State(scenes=SAMPLE, of_another=_of_another, enter=_open_sample),
}
