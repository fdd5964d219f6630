"""The page Sources: a box that takes anything, the sources and how they fare, their articles."""

from collections.abc import Mapping
from enum import Enum, auto
from functools import cached_property, partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QCheckBox, QWidget

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import AUDIT_SUFFIX, ask_to_open
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.sources.adding_view_model import AddingViewModel, Stage
from gpf_desktop.ui.sources.article_list import ArticleList
from gpf_desktop.ui.sources.articles_view_model import ArticlesViewModel
from gpf_desktop.ui.sources.details import Details
from gpf_desktop.ui.sources.found_panel import FoundPanel
from gpf_desktop.ui.sources.paste_box import PasteBox, dropped_address
from gpf_desktop.ui.sources.source_table import SourceTable
from gpf_desktop.ui.sources.sources_view_model import SourcesViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, hbox, row_of, splitter, stacked, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card, EmptyState
from gpf_desktop.ui.widgets.labels import label, problem_label, secondary
from gpf_desktop.ui.widgets.layouts import EqualFlow, restyle, scrolling
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip


class SourcesPage(Page):
    """Below the box stand the lists; while something is being added, what was found stands there."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "sources", tr("Sources"))
        self.model = SourcesViewModel(context, self)
        self.adding = AddingViewModel(context, self)
        self.articles = ArticlesViewModel(context, self)
        self.box = PasteBox(context.theme)
        self.look = button(
            tr("Look"), lambda: self.adding.look(self.box.toPlainText()), primary=True, name="sources.look"
        )
        self.file = button(tr("File …"), self._ask_for_file, name="sources.file")
        self.catalogue_button = button(tr("Catalogue"), self.adding.open_catalogue, name="sources.catalogue")
        self.fetch = button(tr("Fetch all"), self.model.fetch_all, name="sources.fetch")
        self.stop = button(tr("Stop"), self.model.stop, name="sources.stop")
        self.problem = problem_label(name="sources.problem")
        self.sources = SourceTable(context, self.model)
        self.list = ArticleList(context, self.articles)
        self.details = Details(self.model, self.articles)
        self.empty = EmptyState(context.theme, "sources")
        self._stands: SourceStatus | None = None
        self.setAcceptDrops(True)
        self._lay_out()
        self._connect()
        self._show()

    def _lay_out(self) -> None:
        self.header.add_button(self.catalogue_button)
        self.header.add_button(self.stop)
        self.header.add_button(self.fetch)
        row = hbox(
            (self.box, 1),
            (self.file, 0, Qt.AlignmentFlag.AlignTop),
            (self.look, 0, Qt.AlignmentFlag.AlignTop),
            spacing=SPACE_2,
        )
        self.lists = splitter((self.sources, 2), (self.list, 3), orientation=Qt.Orientation.Vertical)
        self.lists.setHandleWidth(SPACE_3)
        self.lists_area = scrolling(self.lists, "sources.lists")
        self.stack = stacked(self.lists_area, self.empty)
        fill(self.body, row, self.problem, (self.stack, 1))

    @cached_property
    def found(self) -> FoundPanel:
        """The card of what a look found; as the catalogue made when first asked for, which most visits never do."""
        return FoundPanel(self.context, self.adding)

    @cached_property
    def catalogue(self) -> "CataloguePanel":
        panel = CataloguePanel(self.adding)
        self.stack.addWidget(panel)
        return panel

    def _panel(self, now: "SourceStatus") -> QWidget:
        """Paint the panel under the box."""
        match now:
            case SourceStatus.LISTS:
                return self.lists_area
            case SourceStatus.FOUND:
                self.found.show_model()
                return self._found_scroll
            case SourceStatus.CATALOGUE:
                self.catalogue.show_model()
                return self.catalogue
            case _:
                return self.empty

    @cached_property
    def _found_scroll(self) -> QWidget:
        panel = scrolling(self.found, "sources.foundScroll")
        self.stack.addWidget(panel)
        return panel

    def _connect(self) -> None:
        self.box.submitted.connect(self.adding.look)
        self.adding.kept.connect(self._forget_typed)
        self.model.changed.connect(self._show)
        self.adding.changed.connect(self._show)
        self.articles.changed.connect(self.list.show_model)
        self.model.changed.connect(lambda: self.list.show_sources(self.model.lines))
        self.model.changed.connect(self.details.refresh_source)
        self.articles.changed.connect(self.details.refresh_article)
        self.sources.table.current_changed.connect(lambda _: self.details.turn_to_source(self.sources.table.hasFocus()))
        self.list.table.current_changed.connect(lambda _: self.details.turn_to_article(self.list.table.hasFocus()))

        actions = self.context.actions
        actions.on("sources.fetch", self.model.fetch_all)
        actions.on("sources.add", self.box.setFocus)
        actions.on("sources.catalogue", self.adding.open_catalogue)

    def inspector(self) -> QWidget:
        return self.details

    def foot(self) -> QWidget | None:
        match self._stands:
            case SourceStatus.LISTS:
                return self.list.foot
            case SourceStatus.CATALOGUE:
                return self.catalogue.foot
            case SourceStatus.FOUND:
                return self.found.foot
            case _:
                return None

    def first_focus(self) -> QWidget:
        return self.box

    def search_field(self) -> QWidget:
        return self.list.search

    def arrive(self, state: Mapping[str, object]) -> None:
        if state.get("catalogue"):
            self.adding.open_catalogue()
        # Before the lists are read: whoever comes here from a new audit types at once.
        self.box.setEnabled(self.model.audit_open)
        self.model.refresh()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        # Audits are the window's to open.
        dropped = dropped_address(event.mimeData())
        if dropped and not dropped.endswith(f".{AUDIT_SUFFIX}"):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """A file or link dropped anywhere on the page is looked at, as in the box."""
        self.box.insertFromMimeData(event.mimeData())
        event.acceptProposedAction()

    def take_file(self, path: Path) -> None:
        """Look at a file that was chosen or dropped."""
        self.box.setPlainText(str(path))
        self.adding.look(str(path))

    def _forget_typed(self, added: str) -> None:
        # Something else may have been typed while it was added.
        if self.box.toPlainText().strip() == added:
            self.box.clear()

    def _ask_for_file(self) -> None:
        news = "*.csv *.xlsx *.ods *.json *.jsonl *.opml *.xml *.rss *.txt"
        kinds = tr("News files") + f" ({news});;" + tr("All files") + " (*)"
        ask_to_open(self, tr("News from a file"), kinds, self.take_file)

    def _show(self) -> None:
        now = status(self.model, self.adding)
        panel, focused = self._panel(now), QApplication.focusWidget()
        leaves = panel is not self.stack.currentWidget() and focused is not None and self.stack.isAncestorOf(focused)
        self.stack.setCurrentWidget(panel)
        if leaves:
            # Qt would give the keyboard to what comes next: how many articles the next batch takes.
            self.box.setFocus()
        if now is not self._stands:
            self._stands = now
            explain(self.empty, now, self.model, self.adding)
        self.header.subtitle.setText(self.model.progress or self.model.subtitle)
        self.box.setEnabled(self.model.audit_open)
        self.look.setEnabled(self.adding.can_look)
        self.look.setProperty("primary", now is SourceStatus.LISTS)
        restyle(self.look)
        self.file.setEnabled(self.adding.can_look)
        self.catalogue_button.setEnabled(self.model.audit_open)
        self.fetch.setEnabled(self.model.can_fetch)
        pressed = self.fetch.hasFocus() or self.stop.hasFocus()
        shown, hidden = (self.stop, self.fetch) if self.model.fetching else (self.fetch, self.stop)
        shown.show()
        if pressed:
            shown.setFocus()
        hidden.hide()
        self.problem.setText(self.adding.problem)
        self.sources.show_model()


class CataloguePanel(PlainWidget):
    """One card per publisher; ticked sources are added by the first of their ways that works."""

    def __init__(self, model: AddingViewModel) -> None:
        super().__init__()
        self._model = model
        self.boxes: dict[str, QCheckBox] = {}
        cards = QWidget()
        column = vbox(parent=cards, spacing=SPACE_3)
        for publisher in model.catalogue:
            card = Card(publisher.name)
            card.body.addWidget(secondary(publisher.known, wrap=True))
            holder = PlainWidget()
            flow = EqualFlow(holder)
            for source in publisher.sources:
                box = named(QCheckBox(source.title), f"catalogue.{source.title}")
                box.setToolTip(plain_tip("\n".join(source.ways)))
                box.toggled.connect(partial(model.pick, source))
                self.boxes[source.title] = box
                flow.addWidget(box)
            card.body.addWidget(holder)
            column.addWidget(card)
        column.addStretch(1)
        self.add = button("", model.add_picked, primary=True, name="catalogue.add")
        self.close_button = button(tr("Close"), model.cancel, name="catalogue.close")
        self.foot = row_of(
            label(tr("Each is tried when it is added; what works is said."), "secondary"),
            1,
            self.close_button,
            self.add,
        )
        vbox((scrolling(cards, "catalogue.list"), 1), self.foot, parent=self, spacing=SPACE_3)
        self.show_model()

    def show_model(self) -> None:
        """Paint the view-model's state."""
        picked = self._model.picked
        for title, box in self.boxes.items():
            box.setChecked(title in picked)
        self.add.setText(trn("Add {n} source", "Add {n} sources", len(picked)) if picked else tr("Add sources"))
        self.add.setEnabled(bool(picked))


class SourceStatus(Enum):
    NO_AUDIT = auto()
    NOTHING_YET = auto()
    WAITING = auto()
    LOOKING = auto()
    FOUND = auto()
    CATALOGUE = auto()
    LISTS = auto()


def status(sources: SourcesViewModel, adding: AddingViewModel) -> SourceStatus:
    """The audit first, then what one is doing, then what is there."""
    by_stage = {
        Stage.LOOKING: SourceStatus.LOOKING,
        Stage.FOUND: SourceStatus.FOUND,
        Stage.CATALOGUE: SourceStatus.CATALOGUE,
    }
    if not sources.audit_open:
        return SourceStatus.NO_AUDIT
    if adding.stage in by_stage:
        return by_stage[adding.stage]
    if sources.lines:
        return SourceStatus.LISTS
    return SourceStatus.NOTHING_YET if sources.loaded and adding.stage is Stage.IDLE else SourceStatus.WAITING


def explain(empty: EmptyState, now: SourceStatus, sources: SourcesViewModel, adding: AddingViewModel) -> None:
    """Say in *empty* why there is no list."""
    match now:
        case SourceStatus.NO_AUDIT:
            empty.ask_for_audit(tr("News are kept in an audit, and none is open."), sources.context.actions)
        case SourceStatus.NOTHING_YET:
            empty.explain(
                tr("No source yet: paste an address above, or take one that ships with the program."),
                tr("Open the catalogue"),
                adding.open_catalogue,
                tr("Use the sample news"),
                sources.add_sample,
                (
                    tr("A few of its articles are shown; you keep the source, or not."),
                    tr("Its articles are listed here, each with its kind of news."),
                    tr("A round asks models about the newest of them."),
                ),
            )
        case SourceStatus.LOOKING:
            empty.explain(tr("Looking at what stands there …"), "", None, tr("Cancel"), adding.cancel)
        case SourceStatus.WAITING:
            empty.explain(tr("One moment …"))
        case _:
            empty.explain("")
