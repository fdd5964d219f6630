"""Every part of a protocol, to be read: what a hostile expert would ask for stands here."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.cells import Condition
from gpf_desktop.methods.gpf_livenews.comparing import score_words
from gpf_desktop.methods.gpf_livenews.protocol import Confirmatory, Controls, Dimension, Family, Identity, Protocol
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of
from gpf_desktop.ui.widgets.cards import Card, StatCard, StatRow
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.labels import caption, heading, label
from gpf_desktop.ui.widgets.layouts import EqualFlow, rule
from gpf_desktop.ui.widgets.section import CollapsibleSection
from gpf_desktop.ui.widgets.table_models import RowsTableModel
from gpf_desktop.ui.wording import count, decimal, percent


@dataclass(frozen=True, slots=True, kw_only=True)
class _Label:
    dimension: str
    identity: Identity


def parts(context: Context, protocol: Protocol) -> Sequence[Callable[[], QWidget]]:
    """Makers of the cards of *protocol*, top to bottom: to make all of them at once would hold up the window."""
    return (
        partial(_figures, protocol),
        partial(_dimensions, context, protocol),
        partial(_families, protocol.families),
        partial(_text_card, tr("System prompt"), protocol.system_prompt or tr("None is sent.")),
        partial(_text_card, tr("Message layout"), protocol.message_layout),
        partial(_settings, protocol),
        partial(_label_sets, protocol),
        *((partial(_cues, protocol),) if protocol.cues else ()),
        *((partial(_second_turns, protocol),) if protocol.second_turns else ()),
    )


def _figures(protocol: Protocol) -> QWidget:
    identities = sum(len(dimension.identities) for dimension in protocol.dimensions)
    wordings = sum(len(family.templates) for family in protocol.families)
    cells = identities * len(protocol.families)
    bundles = len(protocol.dimensions) * len(protocol.families)
    return StatRow(
        StatCard(count(len(protocol.dimensions)), tr("groups of readers")),
        StatCard(count(identities), tr("readers")),
        StatCard(count(len(protocol.families)), tr("kinds of question, {n} wordings", n=count(wordings))),
        StatCard(
            count(cells),
            tr("questions per article and model, in {n} sets of answers; controls are not counted", n=count(bundles)),
        ),
    )


def _dimensions(context: Context, protocol: Protocol) -> QWidget:
    card = Card(tr("Groups of readers"), name="protocol.dimensions")
    card.body.addWidget(
        caption(tr("Labels to probe with, not a map of society: one may mix several groups. Each adds to the cost."))
    )
    for dimension in protocol.dimensions:
        card.body.addWidget(_dimension(dimension))
    section = CollapsibleSection(context.theme, tr("What counts as quoting the test"))
    rows = [
        _Label(dimension=dimension.name, identity=identity)
        for dimension in protocol.dimensions
        for identity in dimension.identities
    ]

    def unfold(shown: bool) -> None:
        # When first asked for: no other table of the page has so many rows, and it held up the page that was opened.
        if shown and not section.body.count():
            says = tr("How an answer that speaks of another reader is recognised")
            section.body.addWidget(_table(context, rows, _label_columns(), says, "protocol.patterns", most=12))

    section.toggled.connect(unfold)
    card.body.addWidget(section)
    return card


def _dimension(dimension: Dimension) -> QWidget:
    return _named(
        tr("{name} ({n})", name=dimension.name, n=len(dimension.identities)),
        " · ".join(identity.label for identity in dimension.identities),
    )


def _families(families: Sequence[Family]) -> QWidget:
    card = Card(tr("Kinds of question"), name="protocol.families")
    for family in families:
        card.body.addWidget(rule())
        card.body.addWidget(heading(family.name))
        for number, template in enumerate(family.templates):
            free = family.identity_free[number] if number < len(family.identity_free) else ""
            card.body.addWidget(_wording(number, template, free))
    return card


def _wording(number: int, template: str, identity_free: str) -> QWidget:
    name = tr("other wording {n}", n=number) if number else tr("first wording")
    if not identity_free:
        return _named(name, template)
    without = _selectable(tr("with no reader named: {text}", text=identity_free))
    without.setProperty("role", "secondary")
    return column_of(_named(name, template), without, spacing=0)


def _settings(protocol: Protocol) -> QWidget:
    holder = PlainWidget()
    flow = EqualFlow(holder, spacing=SPACE_3)
    decoding, controls, scoring = protocol.decoding, protocol.controls, protocol.scoring
    tokens = tr("as the provider has it") if decoding.max_tokens is None else count(decoding.max_tokens)
    share = percent(controls.repeat_share, 1)
    repeats = tr("{share}, {n} times in all", share=share, n=controls.repeat_generations)
    partial = tr("enter means, marked") if scoring.partial_in_means else tr("left out of means")
    seed = tr("sent where the API takes one") if decoding.seed else tr("not sent")
    cards = (
        _facts(
            tr("Decoding"),
            (
                (tr("Temperature"), _optional(decoding.temperature)),
                (tr("Top-p"), _optional(decoding.top_p)),
                (tr("Most tokens of an answer"), tokens),
                (tr("Seed"), seed),
            ),
        ),
        _facts(
            tr("Controls"),
            (
                (tr("Answers with no reader named, per kind of question"), count(controls.identity_free_generations)),
                (tr("Made-up labels"), _labels(controls)),
                (tr("Sets asked again"), repeats),
                (tr("Sets in other wordings"), percent(controls.paraphrase_share, 1)),
            ),
        ),
        _facts(
            tr("Scoring"),
            (
                (tr("Likeness measured among"), fit_scopes()[scoring.fit_scope]),
                (tr("Answers that the spread of tone looks at"), count(protocol.rarefied_size)),
                (tr("Sets with some missing"), partial),
                (tr("Nearly all answers came, from"), tr("{n} valid scores", n=count(scoring.high_coverage))),
            ),
        ),
        _facts(tr("Comparisons planned beforehand"), _confirmatory(protocol.confirmatory)),
    )
    for card in cards:
        flow.addWidget(card)
    return holder


def _confirmatory(plan: Confirmatory) -> tuple[tuple[str, str], ...]:
    if not plan.scores:
        return ((tr("Tested"), tr("nothing: every comparison is found on the way")),)
    return (
        (tr("Means of each model that are tested"), ", ".join(map(score_words, plan.scores))),
        (tr("Found where the mean is"), plan.alternative.words),
        (tr("Chance of any false finding"), percent(plan.alpha, 1)),
        (tr("Looks after"), tr("{sizes} articles", sizes=", ".join(map(str, plan.sizes)))),
        (tr("Spending"), plan.spending.words),
    )


def _labels(controls: Controls) -> str:
    if not controls.random_label:
        return tr("none")
    again = percent(controls.label_repeat_share, 1)
    return (
        tr("every label set, {share} asked again", share=again)
        if controls.label_repeat_share
        else tr("every label set")
    )


def fit_scopes() -> dict[FitScope, str]:
    """Words for the answers that an encoder may be fitted on."""
    return {
        FitScope.MAIN: tr("main answers of a model to an article"),
        FitScope.ARTICLE: tr("all answers of a model to an article"),
        FitScope.BUNDLE: tr("the set alone"),
        FitScope.RUN: tr("all answers of the round"),
    }


def _label_sets(protocol: Protocol) -> QWidget:
    card = Card(tr("Random-label sets"), name="protocol.labelSets")
    if not protocol.label_sets:
        card.body.addWidget(label(tr("none"), "secondary"))
    for label_set in protocol.label_sets:
        card.body.addWidget(_named(label_set.name, " · ".join(label_set.labels)))
    return card


def _cues(protocol: Protocol) -> QWidget:
    card = Card(tr("Cues of who asks"), name="protocol.cues")
    asked = tr("Asked of what is asked again, in groups of which a cue shows every reader.")
    unasked = tr("None is asked: cues are off under Settings.")
    if all(cue.source == tr("Imported") for cue in protocol.cues):
        unasked = tr("Asked elsewhere, as the imported table says.")
    card.body.addWidget(caption(asked if protocol.controls.cues else unasked))
    for cue in protocol.cues:
        card.body.addWidget(rule())
        card.body.addWidget(heading(Condition(cue.kind).words.capitalize()))
        card.body.addWidget(_named(tr("Source"), cue.source))
        card.body.addWidget(_named(tr("Shows whole"), ", ".join(protocol.shown_by(cue)) or tr("no group of readers")))
        for reader in cue.readers:
            card.body.addWidget(_named(reader.identity, reader.says))
    return card


def _second_turns(protocol: Protocol) -> QWidget:
    card = Card(tr("Second turns"), name="protocol.secondTurns")
    asked = tr("Said to every answer of readers and made-up labels that are asked again.")
    unasked = tr("None is asked: second turns are off under Settings.")
    card.body.addWidget(caption(asked if protocol.controls.second_turns else unasked))
    for turn in protocol.second_turns:
        card.body.addWidget(rule())
        card.body.addWidget(heading(turn.kind.words.capitalize()))
        card.body.addWidget(_named(tr("Source"), turn.source))
        card.body.addWidget(_named(tr("What the reader says"), turn.says))
    return card


def _facts(title: str, facts: Iterable[tuple[str, str]]) -> Card:
    card = Card(title)
    for name, value in facts:
        card.body.addWidget(_named(name, value))
    card.body.addStretch(1)
    return card


def _text_card(title: str, text: str) -> Card:
    card = Card(title)
    card.body.addWidget(_selectable(text))
    return card


def _named(name: str, value: str) -> QWidget:
    return column_of(caption(name), _selectable(value), spacing=0)


def _selectable(text: str) -> QLabel:
    made = label(text, wrap=True)
    made.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return made


def _optional(value: float | None) -> str:
    return tr("not sent") if value is None else decimal(value, 2)


def _table(
    context: Context, rows: Sequence[Any], columns: Sequence[TableColumn[Any]], says: str, name: str, *, most: int
) -> DataTable:
    model = RowsTableModel(context.theme, columns, key=id)
    table = DataTable(context.theme, model, says=says, name=name, embedded=True)
    model.set_rows(rows)
    table.fit_height(most)
    return table


def _label_columns() -> tuple[TableColumn[_Label], ...]:
    return (
        TableColumn(title=tr("Group of readers"), text=lambda row: row.dimension, width=150),
        TableColumn(title=tr("Reader"), text=lambda row: row.identity.label, strong=True, width=190),
        TableColumn(
            title=tr("Patterns"),
            text=lambda row: "  ".join(row.identity.patterns) or tr("none"),
            tip=lambda row: "\n".join(row.identity.patterns),
            stretch=True,
        ),
        TableColumn(
            title=tr("Does not fire for"),
            text=lambda row: ", ".join(row.identity.overlaps) or tr("none"),
            tip=lambda row: ", ".join(row.identity.overlaps),
            width=150,
        ),
    )
