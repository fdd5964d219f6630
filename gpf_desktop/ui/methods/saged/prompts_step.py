"""A of SAGED: prompts with their baselines, and what a branch changed."""

import re
from difflib import SequenceMatcher
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QLineEdit

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.saged.benchmark_view_model import BenchmarkViewModel
from gpf_desktop.ui.methods.saged.prompt_origins import PromptSource, source_of
from gpf_desktop.ui.methods.saged.table_bar import TableBar
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, splitter, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.editable_table import EditableTable
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, label, problem_label
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.span_text import Mark, Span, SpanTextView

_WORDS = re.compile(r"\w+|[^\w\s]")
_NAME = 360
_NEEDED = ("domain", "concept", "keyword", "source_tag", "prompt", "baseline")


class PromptsStep(PlainWidget):
    """Layout and connections."""

    def __init__(self, context: Context, model: BenchmarkViewModel) -> None:
        super().__init__()
        self._model = model
        self.make = button(
            tr("Make prompts of the sentences"), partial(model.make, PromptSource.SENTENCES), name="saged.make"
        )
        self.ask = button(
            tr("Make prompts of the questions"), partial(model.make, PromptSource.QUESTIONS), name="saged.ask"
        )
        self.again = button(tr("Branch these prompts"), partial(model.make, PromptSource.PROMPTS), name="saged.again")
        self.again.setToolTip(
            tr("Puts the words of step 3 for each other in the prompts that stand here; branches are made anew.")
        )
        self.name = QLineEdit()
        self.name.setPlaceholderText(tr("My benchmark"))
        self.name.textChanged.connect(lambda text: model.say("name", text))
        self.said = caption(name="saged.made")
        self.behind = problem_label(name="saged.behind")
        self.table = EditableTable(
            context.theme, model.prompts, says=tr("Prompts"), wide=("prompt", "baseline"), name="saged.prompts"
        )
        bar = TableBar.of_rows(model, self.table, _NEEDED, kinds=tr("Benchmarks"))
        self.source = SpanTextView(context.theme, says=tr("What the source says"), framed=True, name="saged.source")
        self.branch = SpanTextView(context.theme, says=tr("What the branch says"), framed=True, name="saged.branch")
        self.heading = label("", "heading", wrap=True)
        below = column_of(self.heading, self.source, self.branch, spacing=SPACE_2)
        named = FormField(tr("Name of the benchmark"), self.name, name="saged.name")
        named.setMaximumWidth(context.theme.px(_NAME))
        vbox(
            named,
            flowing(self.make, self.ask, self.again),
            self.said,
            self.behind,
            (splitter((bar, 3), (below, 2), orientation=Qt.Orientation.Vertical), 1),
            parent=self,
            spacing=SPACE_3,
            margins=(0, SPACE_3, 0, 0),
        )
        self.table.chosen.connect(self._show_row)
        model.changed.connect(self._show)
        model.filled.connect(self._fill)
        self._fill()
        self._show()

    def _fill(self) -> None:
        if self.name.text() != self._model.said["name"]:
            with QSignalBlocker(self.name):
                self.name.setText(self._model.said["name"])

    def _show(self) -> None:
        model = self._model
        # While prompts are made these stay as they are: one that was pressed keeps the keyboard.
        self.make.setEnabled(bool(model.sentences.rows))
        self.ask.setEnabled(bool(model.questions.rows))
        self.again.setEnabled(bool(model.prompts.rows) and bool(model.words.rows))
        self.said.setText(
            (tr("Making prompts …") if model.making else model.made)
            or tr("The prompt is the beginning of a sentence. The baseline is the whole of it: what the source says.")
        )
        changed = tr(
            "What these prompts were made of was changed since: make them again, or they ask what stood there."
        )
        self.behind.setText(changed if model.behind else "")
        self._show_row(self.table.currentIndex().row())

    def _show_row(self, at: int) -> None:
        model = self._model
        if not 0 <= at < len(model.prompts.rows):
            self.heading.setText(tr("Choose a prompt to see what its branch changed."))
            self.source.show_text("", ())
            self.branch.show_text("", ())
            return
        row = dict(zip(model.prompts.columns, model.prompts.rows[at], strict=True))
        source = source_of(model.prompts, model.sentences, at)
        self.heading.setText(row["branch"] or tr("{concept}: the source's own sentence", concept=row["concept"]))
        old, new = differences(source, row["baseline"]) if source else ((), ())
        self.source.setVisible(bool(source))
        self.source.show_text(source, old)
        self.branch.show_text(row["baseline"], new)


def differences(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Words of *old* that *new* has not in their place, and those that *new* has there."""
    before, after = list(_WORDS.finditer(old)), list(_WORDS.finditer(new))
    # Left to itself it begins no match at words that are frequent in a text of 200 words or more.
    matcher = SequenceMatcher(None, [each.group() for each in before], [each.group() for each in after], autojunk=False)
    gone: list[Span] = []
    come: list[Span] = []
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            continue
        if b > a:
            gone.append(Span(start=before[a].start(), end=before[b - 1].end(), mark=Mark.MISSING_HERE))
        if d > c:
            come.append(Span(start=after[c].start(), end=after[d - 1].end(), mark=Mark.ONLY_HERE))
    return tuple(gone), tuple(come)
