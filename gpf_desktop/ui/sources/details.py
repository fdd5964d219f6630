"""The inspector of the page Sources: the source or the article that is selected, whole."""

from collections.abc import Iterable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from gpf_desktop.domain.news_strata import NewsStratum
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.source_service import ArticleLine
from gpf_desktop.storage.articles import Revision
from gpf_desktop.ui.sources import wording
from gpf_desktop.ui.sources.articles_view_model import ArticlesViewModel
from gpf_desktop.ui.sources.sources_view_model import SourceLine, SourcesViewModel
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_3
from gpf_desktop.ui.widgets.boxes import column_of, vbox
from gpf_desktop.ui.widgets.inspector_content import InspectorContent
from gpf_desktop.ui.widgets.labels import ElidedLabel, heading, label, secondary
from gpf_desktop.ui.widgets.layouts import clear_layout, rule, scrolling
from gpf_desktop.ui.wording import count, moment

_MOST_LISTED = 100


class Details(InspectorContent):
    """Text only; nothing in it is followed or loaded."""

    def __init__(self, sources: SourcesViewModel, articles: ArticlesViewModel) -> None:
        super().__init__()
        self.setObjectName("sources.details")
        self._sources, self._articles = sources, articles
        self._shows_source = True
        content = QWidget()
        self._column = vbox(parent=content, spacing=SPACE_1, margins=SPACE_3)
        vbox(scrolling(content, "sources.detailsScroll"), parent=self)
        self.show_nothing()

    def turn_to_source(self, by_hand: bool) -> None:
        """The selected source takes the place, if it was selected *by_hand*."""
        if by_hand:
            self._shows_source = True
            self.refresh_source()

    def turn_to_article(self, by_hand: bool) -> None:
        if by_hand:
            self._shows_source = False
            self.refresh_article()

    def refresh_source(self) -> None:
        """Show all that is known of the selected source, and every item of its last answer that was dropped."""
        line = self._sources.selected
        if not self._shows_source:
            return
        if line is None:
            self.show_nothing()
        else:
            self._fill(_of_source(line, self._sources))

    def refresh_article(self) -> None:
        """The selected article as models will see it, and why it is where it is."""
        line = self._articles.selected
        if not self._shows_source and line is not None:
            self._fill(_of_article(line, self._articles.revisions, self._articles.strata))

    def show_nothing(self) -> None:
        self._fill(())

    def _fill(self, widgets: Iterable[QWidget]) -> None:
        clear_layout(self._column)
        shown = tuple(widgets)
        for widget in shown:
            self._column.addWidget(widget)
        self._column.addStretch(1)
        self.turn(explains=bool(shown))


def _of_source(line: SourceLine, model: SourcesViewModel) -> Iterable[QWidget]:
    row = line.row
    yield _title(row.title)
    yield _fact(tr("State"), wording.health_word(line.health))
    yield _address(tr("Address"), row.address)
    if row.address != row.target:
        yield _address(tr("Given as"), row.target)
    yield _fact(tr("Last success"), tr("never") if row.succeeded is None else moment(row.succeeded))
    if row.tried is not None:
        yield _fact(tr("Last tried"), moment(row.tried))
    if row.error:
        yield _fact(tr("Last error"), row.error, role="problem")
    if row.note:
        yield _fact(tr("Note"), row.note)
    yield _fact(tr("Kept of the last answer"), count(row.kept))
    yield rule()
    yield heading(tr("Dropped: {n}", n=wording.dropped_words(row)))
    if not model.dropped:
        yield secondary(tr("Nothing was dropped."), wrap=True)
    for dropped in model.dropped[:_MOST_LISTED]:
        yield _fact(dropped.headline or dropped.url or tr("(without headline)"), dropped.reason)
    if len(model.dropped) > _MOST_LISTED:
        yield secondary(tr("and {n} more", n=count(len(model.dropped) - _MOST_LISTED)))


def _of_article(
    line: ArticleLine, revisions: tuple[Revision, ...], strata: Mapping[str, NewsStratum]
) -> Iterable[QWidget]:
    article = line.article
    yield _title(article.headline)
    yield _selectable(article.description or tr("Headline only: the source gives no description."))
    yield rule()
    if strata:
        yield _fact(tr("Kind of news"), strata[article.stratum].title if article.stratum in strata else article.stratum)
        yield _fact(tr("Because of"), wording.stratum_reason(article))
    yield _fact(tr("Source"), article.source_title)
    yield _fact(tr("Published"), wording.published(article))
    yield _fact(tr("Retrieved"), moment(article.retrieved))
    if article.url:
        yield _address(tr("Address"), article.url)
    yield _fact(tr("Used"), tr("not yet") if article.used_in_batch is None else wording.used_word(article))
    for note in article.notes:
        yield _fact(tr("Note"), note)
    if line.near:
        yield rule()
        yield heading(tr("Says nearly the same"))
        for other in line.near:
            yield _fact(other.source_title, other.headline)
    if revisions:
        yield rule()
        yield heading(tr("Other wordings"))
        for revision in revisions:
            yield _fact(moment(revision.retrieved), f"{revision.headline}\n{revision.description}".strip())


def _title(text: str) -> QLabel:
    made = label(text, "heading", wrap=True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


def _selectable(text: str) -> QLabel:
    made = label(text, wrap=True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


def _address(name: str, value: str) -> QWidget:
    """Addresses have no place to break: they are cut short, whole in the tool tip."""
    return _named(name, ElidedLabel(value))


def _fact(name: str, value: str, *, role: str = "") -> QWidget:
    shown = _selectable(value)
    if role:
        shown.setProperty("role", role)
    return _named(name, shown)


def _named(name: str, shown: QWidget) -> QWidget:
    return column_of(label(name, "caption", wrap=True), shown, spacing=0, margins=(0, SPACE_1, 0, 0))
