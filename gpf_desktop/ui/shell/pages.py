"""The eight pages in the rail's order, each imported when it is needed, and the commands they bring."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.news_catalogue import news_catalogue
from gpf_desktop.engine.core.protocols import DEFAULT_METHOD
from gpf_desktop.engine.models.presets import presets
from gpf_desktop.ui.actions import ActionSpec
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods import module_name
from gpf_desktop.ui.models.models_actions import models_actions
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.reports.reports_actions import reports_actions
from gpf_desktop.ui.results.results_actions import results_actions
from gpf_desktop.ui.review.review_actions import review_actions
from gpf_desktop.ui.runs.runs_actions import runs_actions
from gpf_desktop.ui.sources.sources_actions import sources_actions


def _nothing() -> tuple[ActionSpec, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSpec:
    """A page before it exists."""

    id: str
    """Also the name of its package, which holds ``<id>_page.py`` with ``<Id>Page``."""
    title: str
    icon: str
    actions: Callable[[], tuple[ActionSpec, ...]] = _nothing
    """Known from the start, so that menus, palette and keys have them before the page is built."""

    reads_all: bool = False
    """Once built it reads the whole audit; not to be built before someone wants to see it."""
    within: str = "gpf_desktop.ui"
    """Where that package is."""
    reads: Callable[[], object] = _nothing
    """Reads, and keeps, what the page will ask the program's own files for."""

    def load(self) -> ModuleType:
        """Import the page; from any thread."""
        return import_module(f"{self.within}.{self.id}.{self.id}_page")

    def make_ready(self) -> None:
        """All of a page that needs no GUI thread; from any thread."""
        self.load()
        self.reads()

    def build(self, context: Context) -> Page:
        """Import and make the page."""
        page = getattr(self.load(), f"{self.id.capitalize()}Page")(context)
        assert isinstance(page, Page)
        return page


def _protocol_page() -> PageSpec:
    """The page of a method's protocols, which is the method's own: whose studies bring theirs has none."""
    within = f"gpf_desktop.ui.methods.{module_name(DEFAULT_METHOD)}"
    actions: Callable[[], tuple[ActionSpec, ...]] = import_module(
        f"{within}.protocol.protocol_actions"
    ).protocol_actions
    return PageSpec(id="protocol", title=tr("Protocol"), icon="protocol", actions=actions, within=within)


def page_specs() -> tuple[PageSpec, ...]:
    """Ctrl+1 … Ctrl+8 in this order."""
    return (
        PageSpec(id="home", title=tr("Home"), icon="home"),
        PageSpec(id="sources", title=tr("Sources"), icon="sources", actions=sources_actions, reads=news_catalogue),
        PageSpec(id="models", title=tr("Models"), icon="models", actions=models_actions, reads=presets),
        _protocol_page(),
        PageSpec(id="runs", title=tr("Runs"), icon="runs", actions=runs_actions),
        PageSpec(id="review", title=tr("Review"), icon="review", actions=review_actions),
        PageSpec(id="results", title=tr("Results"), icon="results", actions=results_actions, reads_all=True),
        PageSpec(id="reports", title=tr("Reports"), icon="reports", actions=reports_actions, reads_all=True),
    )
