"""Conclusions as rows: whose, the chip, the sentence with what weighs on it, and on demand why."""

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import ROW_CAVEATS, Told, ToldPage, tag_words
from gpf_desktop.domain.text import tr, unbroken
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.badge import Badge, Tone, synthetic_badge
from gpf_desktop.ui.widgets.boxes import hbox, vbox
from gpf_desktop.ui.widgets.buttons import link
from gpf_desktop.ui.widgets.labels import ElidedLabel, caption, label
from gpf_desktop.ui.widgets.layouts import clear_layout

SIGNS = {
    ConclusionOutcome.DIFFERS: "≠",
    ConclusionOutcome.ALIKE: "=",
    ConclusionOutcome.NOT_SHOWN: "?",
    ConclusionOutcome.TOO_EARLY: "◷",
    ConclusionOutcome.CHECK_FAILED: "!",
    ConclusionOutcome.TOO_FEW: "…",
}
"""Beside the word on a chip: no outcome is good or bad, so that none has a colour."""


def show_rows(rows: QGridLayout, told: ToldPage, theme: Theme, *, marked: bool) -> None:
    """Fill *rows*; *marked*: the page says already that everything on it is synthetic."""
    clear_layout(rows)
    for at, each in enumerate(told.told):
        _add(rows, at, each, theme, marked=marked)


def _add(rows: QGridLayout, at: int, each: Told, theme: Theme, *, marked: bool) -> None:
    top = Qt.AlignmentFlag.AlignTop
    conclusion = each.conclusion
    who = hbox((ElidedLabel(each.name), 0), spacing=SPACE_2)
    if conclusion.synthetic and not marked:
        who.addWidget(synthetic_badge(theme))
    chips = vbox(spacing=SPACE_1)
    chips.addWidget(Badge(theme, f"{SIGNS[conclusion.outcome]} {each.chip}"))
    for tag in conclusion.tags:
        chips.addWidget(Badge(theme, tag_words()[tag], Tone.NEUTRAL))
    says = vbox(spacing=SPACE_1)
    sentence = label(unbroken(" ".join((each.sentence, *each.further))), wrap=True, name=f"found.says.{at}")
    sentence.setAccessibleName(tr("{name}: {chip}. {says}", name=each.name, chip=each.chip, says=sentence.text()))
    says.addWidget(sentence)
    if each.weighs:
        says.addWidget(caption(" ".join(each.weighs[:ROW_CAVEATS])))
    more = (*each.why, *each.weighs[ROW_CAVEATS:])
    if more:
        why = caption("\n".join(map(unbroken, more)), name=f"found.why.{at}")
        why.hide()
        unfold = link(tr("Why"), partial(_toggle, why), name=f"found.unfold.{at}")
        unfold.setAccessibleName(tr("Why: {name}", name=each.name))
        rows.addWidget(unfold, at, 3, top)
        says.addWidget(why)
    rows.addLayout(who, at, 0, top)
    rows.addLayout(chips, at, 1, top)
    rows.addLayout(says, at, 2, top)


def _toggle(why: QLabel) -> None:
    why.setVisible(not why.isVisible())
