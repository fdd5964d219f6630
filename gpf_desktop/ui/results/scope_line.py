"""One line of what is counted here, and the filters behind it, folded."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.text import dotted, tr, trn
from gpf_desktop.engine.reporting.results_filter import FilterOptions, ResultsFilter, Window
from gpf_desktop.engine.reporting.scope_words import sets_words
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.badge import Badge, Tone
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox
from gpf_desktop.ui.widgets.buttons import link
from gpf_desktop.ui.widgets.labels import ElidedLabel
from gpf_desktop.ui.widgets.plain import plain_tip


class ScopeLine(PlainWidget):
    """Says the scope; *Change* shows and hides *panel*."""

    def __init__(self, theme: Theme, panel: QWidget) -> None:
        super().__init__(name="scope")
        self.panel = panel
        self.words = ElidedLabel("", "secondary", cut=Qt.TextElideMode.ElideLeft)
        self.words.setObjectName("scope.words")
        self.filtered = Badge(theme, tr("Filtered: not the planned comparison"), Tone.WARNING)
        self.change = link(tr("Change …"), self.toggle, name="scope.change")
        self.change.setAccessibleName(tr("Change what is counted here"))
        hbox((self.words, 1), self.filtered, self.change, parent=self, spacing=SPACE_2)
        self.setToolTip(plain_tip(tr("A set holds the answers that are compared with each other.")))
        panel.hide()

    def toggle(self) -> None:
        self.unfold(on=self.panel.isHidden())

    def unfold(self, *, on: bool) -> None:
        self.panel.setVisible(on)
        self.change.setText(tr("Done") if on else tr("Change …"))

    def show_scope(self, wanted: ResultsFilter, choices: FilterOptions, window: Window) -> None:
        self.words.setText(dotted(filter(None, scope_words(wanted, choices, window))))
        self.filtered.setVisible(wanted.narrowed > 0)


def scope_words(wanted: ResultsFilter, choices: FilterOptions, window: Window) -> tuple[str, ...]:
    """All rounds · 6 models · 4 articles · 125 of 1,008 sets of answers are incomplete"""
    if wanted.runs is None and wanted.since is None:
        rounds = tr("All rounds")
    else:
        chosen = len(choices.runs) if wanted.runs is None else len(wanted.runs)
        rounds = trn("{n} of {of} rounds", "{n} of {of} rounds", chosen, of=len(choices.runs))
    return (
        rounds,
        trn("news collected {n} time", "news collected {n} times", window.batches)
        if window.news and window.batches > 1
        else "",
        trn("{n} model", "{n} models", window.models),
        window.items,
        sets_words(window),
    )
