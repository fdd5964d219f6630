"""The eight pages in the rail's order, each imported when it is needed, and the commands they bring.

A method brings one of its own in ``ui/methods/<name>/pages.py``, whose ``pages()`` gives back a `PageSpec` for each;
an installed package declares such a function in the group of entry points `GROUP`.
"""

import pkgutil
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.news_catalogue import news_catalogue
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.plug_ins import HERE, declared
from gpf_desktop.engine.models.presets import presets
from gpf_desktop.engine.models.price_list import price_list
from gpf_desktop.ui import methods as methods_package
from gpf_desktop.ui.actions import ActionSpec
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.models.models_actions import models_actions
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.protocol.protocol_actions import protocol_actions
from gpf_desktop.ui.reports.reports_actions import reports_actions
from gpf_desktop.ui.results.results_actions import results_actions
from gpf_desktop.ui.review.review_actions import review_actions
from gpf_desktop.ui.runs.runs_actions import runs_actions
from gpf_desktop.ui.sources.sources_actions import sources_actions

GROUP: Final = "gpf_desktop.pages"


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
    method: str = ""
    """Whose page it is alone; empty: of all."""
    within: str = "gpf_desktop.ui"
    """Where that package is."""
    reads: Callable[[], object] = _nothing
    """Reads, and keeps, what the page will ask the program's own files for."""

    @property
    def module(self) -> str:
        return f"{self.within}.{self.id}.{self.id}_page"

    def load(self) -> ModuleType:
        """Import the page, where that was not done yet; see `qt_classes` for on which thread."""
        return import_module(self.module)

    def make_ready(self) -> None:
        """All of a page that needs no GUI thread; from any thread."""
        self.load()
        self.reads()

    def building(self, context: Context) -> Generator[None, None, Page]:
        """Import and make the page, stopping where the window may answer first."""
        kind = getattr(self.load(), f"{self.id.capitalize()}Page")
        part = kind.made_before(context)
        if part is None:
            page = kind(context)
        else:
            yield
            page = kind(context, part)
        assert isinstance(page, Page)
        return page


def _models_read() -> None:
    presets()
    price_list()


@cache
def _pages_of_methods() -> tuple[PageSpec, ...]:
    found: list[PageSpec] = []
    for info in pkgutil.iter_modules(methods_package.__path__):
        # Looked for without importing the package, which may hold editors that a start has no use for.
        folder = f"{methods_package.__path__[0]}/{info.name}"
        if any(each.name == "pages" for each in pkgutil.iter_modules([folder])):
            found += import_module(f"{methods_package.__name__}.{info.name}.pages").pages()
    for point in declared(GROUP):
        pages = HERE.made(point, _specs)
        if not isinstance(pages, UserError):
            found += pages
    return tuple(found)


def _specs(pages: Callable[[], Iterable[PageSpec]]) -> tuple[PageSpec, ...]:
    """The pages that a package declares; raises whatever its code raises."""
    found = tuple(pages())
    if not all(isinstance(each, PageSpec) for each in found):
        raise TypeError("not every page is a PageSpec")
    return found


def without_use(methods: Sequence[str]) -> tuple[str, ...]:
    """Ids of pages that an audit of *methods* has no use for; an audit that has none yet may need them all."""
    if not methods:
        return ()
    others = tuple(page.id for page in _pages_of_methods() if page.method not in methods)
    return others if any(map(catalogue.takes_news, methods)) else ("sources", *others)


def page_specs() -> tuple[PageSpec, ...]:
    """Ctrl+1 … Ctrl+8 in this order."""
    return (
        PageSpec(id="home", title=tr("Home"), icon="home"),
        PageSpec(id="sources", title=tr("Sources"), icon="sources", actions=sources_actions, reads=news_catalogue),
        PageSpec(id="models", title=tr("Models"), icon="models", actions=models_actions, reads=_models_read),
        PageSpec(id="protocol", title=tr("Protocol"), icon="protocol", actions=protocol_actions),
        *_pages_of_methods(),
        PageSpec(id="runs", title=tr("Rounds"), icon="runs", actions=runs_actions),
        PageSpec(id="review", title=tr("Review"), icon="review", actions=review_actions),
        PageSpec(id="results", title=tr("Results"), icon="results", actions=results_actions, reads_all=True),
        PageSpec(id="reports", title=tr("Reports"), icon="reports", actions=reports_actions, reads_all=True),
    )
