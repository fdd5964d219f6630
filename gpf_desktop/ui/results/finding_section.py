"""One finding's place on the page: what it says, its charts, and its table where they do not hold it."""

from collections.abc import Callable, Iterator, MutableMapping
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QWidget

from gpf_desktop.domain.figures import HeatMap, Intervals, Profiles, Violins
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.grid_picture import grid_picture
from gpf_desktop.domain.judging import JudgeCheck
from gpf_desktop.domain.ports.method_abilities import ChecksJudges
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.catalogue import closed_table
from gpf_desktop.ui.results.card_maker import CardMaker
from gpf_desktop.ui.results.finding_cards import beside
from gpf_desktop.ui.results.results_view_model import ResultsViewModel
from gpf_desktop.ui.results.step_by_step import HiddenHolder
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import secondary
from gpf_desktop.ui.widgets.layouts import clear_layout, flowing


def offers_check(model: ResultsViewModel, finding: str) -> bool:
    """Whether *finding* is the table of judges of a method that has such a test."""
    method = catalogue.method(model.method)
    return isinstance(method, ChecksJudges) and method.judges_table == finding


class JudgeCheckCard(Card):
    """The card of the judges' test: what it is, and the button; nothing is asked before the set-up has told what it
    costs.
    """

    def __init__(self, model: ResultsViewModel) -> None:
        super().__init__(tr("Do judge models obey orders in what they mark?"), name="results.judgeCheck")
        self._model = model
        about = tr(
            "Judge models mark texts with an order planted in them: once for the lowest mark, once for the "
            "highest. A sound judge model is not moved. Where marks came with a table, choose the model that gave "
            "them. The set-up shows calls and cost before anything is asked."
        )
        self.body.addWidget(secondary(about, wrap=True))
        self.test: QWidget = button(
            tr("Test judge models with planted orders …"), self._test, name="results.testJudges"
        )
        self.body.addWidget(flowing(self.test))

    def _test(self) -> None:
        context, wanted = self._model.context, self._model.wanted
        service = context.engine.open_audit.results
        context.bridge.run(
            lambda: service.judge_check(wanted),
            then=self._go,
            failed=lambda error: context.messages.failure(error, topic="judge check"),
            owner=self,
            latest="judge check",
        )

    def _go(self, check: JudgeCheck) -> None:
        self._model.context.navigator.go("runs", setup=self._model.method, check=check)


class FigureChoice(PlainWidget):
    """Figures are made when they are chosen; *chosen* remembers the level by the finding's name."""

    def __init__(self, cards: CardMaker, finding: Finding, chosen: MutableMapping[str, str]) -> None:
        super().__init__(name=f"choice.{finding.name}")
        self._cards, self._finding, self._chosen = cards, finding, chosen
        self._card: QWidget | None = None
        drawn = [figure for figure in finding.figures if isinstance(figure, Intervals | Violins)]
        wheres = [figure.where for figure in drawn if figure.where]
        key, levels = wheres[0][0], [level for _, level in wheres]
        # Several figures of one level: by the level alone the one that was looked at could not be found again.
        if len(set(levels)) < len(levels):
            levels = [figure.title for figure in drawn]
        title = next((column.label for column in finding.columns if column.key == key), tr("Shown"))
        self.box = QComboBox(minimumContentsLength=_CONTENTS)
        self.box.addItems(levels)
        self.box.setAccessibleName(tr("{factor} that is drawn", factor=title))
        self.box.setCurrentIndex(max(0, self.box.findText(chosen.get(finding.name, ""))))
        self.box.currentIndexChanged.connect(lambda _: self._show())
        self._column = vbox(hbox(secondary(title), self.box, 1, spacing=SPACE_2), parent=self, spacing=SPACE_2)
        self._show()

    def _show(self) -> None:
        if self._card is not None:
            self._card.hide()
            self._card.deleteLater()
        self._chosen[self._finding.name] = self.box.currentText()
        self._card = self._cards.chart(self._finding, self.box.currentIndex())
        self._column.addWidget(self._card)


MASKED = "masked_controls"
_WAITING_HEIGHT = 160
_BELOW_EACH_OTHER = 1
_CONTENTS = 12
"""Letters that a box of levels keeps: names may be as long as they like."""
_NARROW_MAP = 4
"""Columns of a heat map whose names have room where it stands beside another."""


class FindingSection(PlainWidget):
    """Keeps its height while its finding is computed, so that nothing moves under the reader's eyes."""

    opened = Signal()
    """It was closed, and is to be computed now."""

    def __init__(self, theme: Theme, model: ResultsViewModel, name: str, title: str) -> None:
        super().__init__(name=f"section.{name}")
        self.name = name
        self.title = title
        self.asked = False
        """Its finding is computed, or there."""
        self._theme = theme
        self._model = model
        self._cards = CardMaker(theme, model)
        self._bench = HiddenHolder(self)
        self._column = vbox(parent=self, spacing=SPACE_3)
        self._opened = not closed_table(name)
        self.wait()

    @property
    def closed(self) -> bool:
        """It is not to be computed: nobody has opened it."""
        return not self._opened

    def wait(self) -> None:
        """Forget the finding: scores or filters have changed."""
        height = self.height() if self.asked else self._theme.px(_WAITING_HEIGHT)
        self.asked = False
        self._emptied()
        if self.closed:
            self._say_closed()
            return
        card = Card(self.title)
        card.body.addWidget(secondary(tr("Computing …")))
        card.body.addStretch(1)
        self._column.addWidget(card)
        self.setMinimumHeight(height)

    def _say_closed(self) -> None:
        card = Card(self.title)
        card.body.addWidget(secondary(closed_table(self.name), wrap=True))
        show = button(tr("Show it all the same"), self._open, name=f"results.open.{self.name}")
        card.body.addWidget(show, alignment=Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(card)
        self.setMinimumHeight(0)

    def _open(self) -> None:
        self._opened = True
        self.wait()
        self.opened.emit()

    def steps(self, finding: Finding) -> Iterator[Callable[[], object]]:
        """The steps that put *finding* here, card by card."""
        self.asked = True
        rows = list(_rows(finding, list(self._makers(finding)))) if finding.rows else []
        maps = any(isinstance(each, HeatMap) and _wide(finding, each) for each in finding.figures)
        # A fill that was dropped midway, for a newer one, has left cards there.
        yield self._bench.clear
        if not rows:
            yield lambda: self._say_empty(finding)
        for at, row in enumerate(rows):
            made: list[QWidget] = []
            yield from (partial(self._make, made, make) for make in row)
            yield partial(self._place, made, first=at == 0, maps=maps)
        yield lambda: self.setMinimumHeight(0)

    def _makers(self, finding: Finding) -> Iterator[Callable[[], QWidget]]:
        if _alternatives(finding):
            yield partial(FigureChoice, self._cards, finding, self._model.chosen_figures)
        else:
            yield from (partial(self._cards.chart, finding, at) for at in range(len(finding.figures)))
        if not finding.figures or any(isinstance(figure, Intervals | Profiles) for figure in finding.figures):
            brief = None if finding.failed else self._model.order.brief.get(self.name)
            yield partial(self._cards.table, finding, brief)
        if offers_check(self._model, self.name):
            yield partial(JudgeCheckCard, self._model)

    def _make(self, made: list[QWidget], make: Callable[[], QWidget]) -> None:
        made.append(make())
        self._bench.hold(made[-1])

    def _place(self, made: list[QWidget], *, first: bool, maps: bool) -> None:
        """A row of cards, each drawn in its own turn of the event loop; the first takes the place of what was there."""
        if first:
            self._emptied()
        row = beside(self._theme, *made, maps=maps)
        self._column.addWidget(row)
        # What is hidden takes no room, and Qt would show it in a later turn.
        row.show()
        # The page is laid out later: until then a chart would be drawn flat, in the room that the rows before it left.
        self.setMinimumHeight(max(self.minimumHeight(), self._column.totalMinimumHeightForWidth(self.width())))

    def _say_empty(self, finding: Finding) -> None:
        self._emptied()
        card = Card(finding.title)
        words: QLabel = secondary(" ".join(finding.notes) or tr("Nothing to show for these scores."), wrap=True)
        card.body.addWidget(words)
        self._column.addWidget(card)
        if offers_check(self._model, self.name):
            self._column.addWidget(JudgeCheckCard(self._model))
        if finding.name != MASKED or not finding.notes:
            return

        def begin() -> None:
            start.setEnabled(False)
            start.setText(tr("Scoring …"))
            self._model.mask_level_words()

        start = button(tr("Measure again without the telling words"), begin, name="results.mask")
        card.body.addWidget(start, alignment=Qt.AlignmentFlag.AlignLeft)

    def _emptied(self) -> None:
        clear_layout(self._column)


def _wide(finding: Finding, figure: HeatMap) -> bool:
    return len(grid_picture(finding, figure).columns) > _NARROW_MAP


def _rows(finding: Finding, makers: list[Callable[[], QWidget]]) -> Iterator[list[Callable[[], QWidget]]]:
    """Two charts of one kind next to each other, all else over the whole width."""
    figures = () if _alternatives(finding) else finding.figures
    at = 0
    while at < len(makers):
        kinds = {type(figure) for figure in figures[at : at + 2]}
        pair = len(figures) >= at + 2 and len(kinds) == 1 and kinds <= {HeatMap, Intervals}
        size = 2 if pair else 1
        yield makers[at : at + size]
        at += size


def _alternatives(finding: Finding) -> bool:
    """Its figures are the same for one level after the other, too tall to stand below each other."""
    figures = finding.figures
    return len(figures) > _BELOW_EACH_OTHER and all(
        isinstance(each, Intervals | Violins) and each.where for each in figures
    )
