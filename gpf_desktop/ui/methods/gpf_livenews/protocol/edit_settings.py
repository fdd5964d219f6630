"""The form's remaining parts: name and texts, random-label sets, and the settings."""

from itertools import permutations
from typing import Any, get_type_hints

from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.protocol_problems import Path
from gpf_desktop.domain.scores import COUNTERFACTUAL_FRAMING, RELATIVE_FRAMING, TONE_FRAMING
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.comparing import score_words
from gpf_desktop.methods.gpf_livenews.protocol import (
    Alternative,
    Confirmatory,
    Controls,
    LabelSet,
    ScoringSettings,
    Spending,
)
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_fields import line_editor, lines_editor, name_of
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_section import EditSection
from gpf_desktop.ui.methods.gpf_livenews.protocol.edit_view_model import EditViewModel
from gpf_desktop.ui.methods.gpf_livenews.protocol.parts import fit_scopes
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_5
from gpf_desktop.ui.widgets.boxes import PlainWidget
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.editors import Editor, choice_editor, editor_for
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.layouts import EqualFlow

_KINDS = {"decoding": Decoding, "controls": Controls, "scoring": ScoringSettings, "confirmatory": Confirmatory}


class MessageSection(EditSection):
    """Name, system prompt and layout."""

    def __init__(self, context: Context, model: EditViewModel) -> None:
        super().__init__(context, model, ("name",), ("system_prompt",), ("message_layout",))

    def build(self) -> None:
        card = Card()
        own = tr("Another name makes a protocol of its own, with versions counted from 1.")
        card.body.addWidget(self.line(("name",), tr("Name"), tr("renaming the protocol"), help=own))
        card.body.addSpacing(SPACE_3)
        system = tr("Sent before every message; leave it empty to send none.")
        card.body.addWidget(
            self.text(("system_prompt",), tr("System prompt"), tr("editing the system prompt"), help=system, least=4)
        )
        card.body.addSpacing(SPACE_3)
        fields = "{question}, {headline}, {description}"
        layout = tr("One layout for every model. {fields} are filled in for each cell.", fields=fields)
        card.body.addWidget(
            self.text(("message_layout",), tr("Message layout"), tr("editing the message layout"), help=layout, least=5)
        )
        self.column.addWidget(card)


class LabelSetsSection(EditSection):
    """Neutral labels that stand in place of identities."""

    def __init__(self, context: Context, model: EditViewModel) -> None:
        super().__init__(context, model, ("label_sets",))

    def build(self) -> None:
        draft = self.model.draft
        assert draft is not None
        new = LabelSet(name="", labels=())
        add = self.adder(tr("Add a set"), ("label_sets",), new, tr("adding a label set"), ("name",))
        about = caption(
            tr("Neutral labels in place of identities: how much do answers move for a label that means nothing?")
        )
        self.column.addWidget(self.head(about, add))
        for number in range(len(draft.label_sets)):
            path: Path = ("label_sets", number)
            card = Card()
            editor = line_editor(tr("Name of label set {n}", n=number + 1), name_of((*path, "name")))
            says = self.says((*path, "name"), tr("label set {n}", n=number + 1))
            card.body.addWidget(self.row((*path, "name"), says, tr("renaming a label set"), editor))
            labels = lines_editor(tr("Labels of set {n}", n=number + 1), name_of((*path, "labels")))
            card.body.addWidget(self.labelled((*path, "labels"), tr("Labels"), tr("editing labels"), labels))
            self.column.addWidget(card)

    def _opened(self) -> frozenset[Path]:
        return frozenset()


class SettingsSection(EditSection):
    """Decoding, controls, scoring, and what is confirmatory."""

    def __init__(self, context: Context, model: EditViewModel) -> None:
        super().__init__(context, model, ("decoding",), ("controls",), ("scoring",), ("confirmatory",))

    def build(self) -> None:
        holder = PlainWidget()
        flow = EqualFlow(holder, spacing=SPACE_3)
        for title, part, fields in _settings():
            card = Card(title, name=f"protocol.{part}")
            for name, words, meta, help_text in fields:
                path: Path = (part, name)
                editor = _editor(part, name, Shown(label=words, **meta))
                step = tr("changing {setting}", setting=words)
                card.body.addWidget(self.labelled(path, words, step, editor, help=help_text))
            card.body.addStretch(1)
            flow.addWidget(card)
        self.column.addWidget(holder)
        self.column.addSpacing(SPACE_5)


def _editor(part: str, name: str, shown: Shown) -> Editor:
    if name == "fit_scope":
        return choice_editor([(words, scope) for scope, words in fit_scopes().items()])
    if name == "alternative":
        return choice_editor([(each.words, each) for each in Alternative])
    if name == "spending":
        return choice_editor([(each.words, each) for each in Spending])
    if name == "scores":
        return choice_editor(_confirmatory_scores())
    return editor_for(get_type_hints(_KINDS[part], include_extras=True)[name], shown)


def _confirmatory_scores() -> list[tuple[str, Any]]:
    scores = (COUNTERFACTUAL_FRAMING, RELATIVE_FRAMING, TONE_FRAMING)
    # In every order: a file may name the scores in any, and its own has to be found in the list.
    chosen = [some for size in range(len(scores) + 1) for some in permutations(scores, size)]
    return [(", ".join(map(score_words, some)) or tr("none"), some) for some in chosen]


_Fields = tuple[tuple[str, str, dict[str, Any], str], ...]


def _settings() -> tuple[tuple[str, str, _Fields], ...]:
    """Title, part of the protocol, and its fields: name, label, how its editor shows it, help."""
    send, share = {"none": tr("send")}, {"decimals": 3, "step": 0.01}
    return (
        (
            tr("Decoding"),
            "decoding",
            (
                ("temperature", tr("Temperature"), {**send, "decimals": 2, "step": 0.1}, ""),
                ("top_p", tr("Top-p"), {**send, "decimals": 2, "step": 0.05}, ""),
                (
                    "max_tokens",
                    tr("Most tokens of an answer"),
                    send,
                    tr("Without its tick a setting is not sent, and the provider's default holds."),
                ),
                ("seed", tr("Send a seed where the API takes one"), {}, ""),
            ),
        ),
        (
            tr("Controls"),
            "controls",
            (
                ("identity_free_generations", tr("Identity-free answers per family"), {}, ""),
                ("random_label", tr("Ask every random-label set"), {}, ""),
                (
                    "label_repeat_share",
                    tr("Share of label bundles asked again"),
                    share,
                    tr("Repeats of random labels are what identities are tested against beside pure chance."),
                ),
                ("repeat_share", tr("Share of bundles asked again"), share, ""),
                ("repeat_generations", tr("Generations in all for those"), {}, ""),
                ("paraphrase_share", tr("Share of bundles in other words"), share, tr("1 is every bundle, 0 none.")),
            ),
        ),
        (
            tr("Scoring"),
            "scoring",
            (
                ("fit_scope", tr("Encoder fitted on"), {}, ""),
                (
                    "rarefy",
                    tr("Answers that R* looks at"),
                    {"none": tr("fixed")},
                    tr("Without its tick the size of the smallest dimension, or of a control with fewer answers."),
                ),
                ("partial_in_means", tr("Partial bundles enter means, marked"), {}, ""),
                ("high_coverage", tr("Valid scores for high coverage"), {}, ""),
            ),
        ),
        (
            tr("Confirmatory comparisons"),
            "confirmatory",
            (
                ("scores", tr("Means of each model that are tested"), {}, tr("All others are exploratory.")),
                (
                    "alternative",
                    tr("Found where the mean is"),
                    {},
                    tr("Framing is below 0 by chance only, and skewed scores feign that too often."),
                ),
                (
                    "alpha",
                    tr("Chance of any false finding"),
                    {"decimals": 3, "step": 0.01},
                    tr("Over all models and scores (Holm), at all looks together."),
                ),
                ("articles", tr("Articles planned"), {}, ""),
                ("looks", tr("Looks, at equal shares of them"), {}, ""),
                ("spending", tr("Spending of that chance"), {}, tr("O'Brien-Fleming's: next to nothing early.")),
            ),
        ),
    )
