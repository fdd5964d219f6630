"""What was found, in sentences, and the bundles to read first."""

from functools import partial

from PySide6.QtCore import Qt, Signal

from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.review_queue import QueueRow
from gpf_desktop.domain.text import tr, trn, unbroken
from gpf_desktop.engine.core.factor_words import place_words
from gpf_desktop.ui.results.conclusion_rows import show_rows
from gpf_desktop.ui.results.page_read import ToRead
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.badge import synthetic_badge
from gpf_desktop.ui.widgets.boxes import hbox, spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import ElidedLabel, caption, heading, label
from gpf_desktop.ui.widgets.layouts import clear_layout
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.wording import NO_VALUE, decimal


class FoundCard(Card):
    """The first thing on the page. Its header takes buttons, as every card's does."""

    wanted = Signal(object)
    """The id of the bundle to open in Review."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(tr("What was found"), name="card.found")
        self._theme = theme
        self.sentences = vbox(spacing=SPACE_2)
        self._concluded = spaced_grid(across=SPACE_3, down=SPACE_3, wide=2)
        self._read = heading("")
        self._rows = spaced_grid(across=SPACE_3, down=0, wide=2)
        self._statement = caption("", name="statement")
        self.body.addLayout(self.sentences)
        self.body.addLayout(self._concluded)
        self.body.addWidget(self._statement)
        self.body.addSpacing(SPACE_2)
        self.body.addWidget(self._read)
        self.body.addLayout(self._rows)

    def show_found(self, told: ToldPage | tuple[str, ...], statement: str, to_read: ToRead, *, marked: bool) -> None:
        """*told*: conclusions, or sentences of a method that concludes nothing yet; *statement*: what scores show.

        *marked*: the page says already that everything on it is synthetic.
        """
        clear_layout(self.sentences)
        clear_layout(self._concluded)
        if isinstance(told, ToldPage):
            show_rows(self._concluded, told, self._theme, marked=marked)
            statement = "\n".join(told.footnote)
            told = tuple(filter(None, (told.synthetic, told.headline)))
        for line in told or (tr("Nothing is shown either way; the numbers follow."),):
            self.sentences.addWidget(label(unbroken(line), "lead", wrap=True))
        self._statement.setText(statement)
        clear_layout(self._rows)
        self._read.setVisible(bool(to_read.rows))
        if to_read.measure is None:
            return
        by = to_read.measure
        n = len(to_read.rows)
        self._read.setText(
            trn(
                "{n} set of answers to read first: it carries what is concluded",
                "{n} sets of answers to read first: they carry what is concluded",
                n,
            )
            if to_read.carries
            else trn(
                "{n} bundle to read first, by “{score}”", "{n} bundles to read first, by “{score}”", n, score=by.title
            )
        )
        for at, row in enumerate(to_read.rows):
            self._add(at, row, by.short, marked=marked)

    def _add(self, at: int, row: QueueRow, measure: str, *, marked: bool) -> None:
        place = " · ".join(place_words(row.method, row.coordinates, row.arm))
        value = row.category or (NO_VALUE if row.score is None else decimal(row.score, 2))
        model = row.model or tr("several models")
        open_it = link(place, partial(self.wanted.emit, row.bundle_id), name=f"found.read.{at}")
        says = tr(
            "Read {place}, {item}, {model}: {score} {value}",
            place=place,
            item=row.item,
            model=model,
            score=measure,
            value=value,
        )
        open_it.setAccessibleName(says)
        open_it.setToolTip(plain_tip(says))
        self._rows.addWidget(label(f"{measure} {value}", "secondary"), at, 0)
        self._rows.addWidget(open_it, at, 1, Qt.AlignmentFlag.AlignLeft)
        about = hbox((ElidedLabel(" · ".join(filter(None, (row.item, model))), "secondary"), 1), spacing=SPACE_2)
        if row.synthetic and not marked:
            about.addWidget(synthetic_badge(self._theme))
        self._rows.addLayout(about, at, 2)
