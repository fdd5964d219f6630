"""One code: its name, when it is used, and what it looks like."""

from collections.abc import Callable

from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from gpf_desktop.domain.codes import LONGEST_NAME, Code, plain_name
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import fill, vbox
from gpf_desktop.ui.widgets.buttons import ok_and_cancel
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.names import named

_WIDTH = 460
_TEXT = 84
Keep = Callable[[str, str, tuple[str, ...]], object]
"""What is called with name, definition and examples."""


class CodeEditor(TitledDialog):
    """Stays open, with what was typed in it, where the code is refused."""

    def __init__(self, theme: Theme, parent: QWidget, code: Code | None, keep: Keep) -> None:
        """*code* None: a new one. *keep* closes it by `accept`, or says what is wrong by `refuse`."""
        super().__init__(parent, tr("New code") if code is None else tr("Edit the code"), "codes.editor")
        self._keep = keep
        self.called = named(QLineEdit(maxLength=LONGEST_NAME), "codes.editor.name")
        self.definition = named(QPlainTextEdit(), "codes.editor.definition")
        self.examples = named(QPlainTextEdit(), "codes.editor.examples")
        if code is not None:
            self.called.setText(code.name)
            self.definition.setPlainText(code.definition)
            self.examples.setPlainText("\n".join(code.examples))
        self._name = FormField(tr("Name"), self.called, help=tr("A word or two."))
        for text in (self.definition, self.examples):
            text.setFixedHeight(theme.px(_TEXT))
        fill(
            vbox(parent=self, spacing=SPACE_2, margins=None),
            self._name,
            FormField(tr("Definition"), self.definition, help=tr("When to use it, and when not.")),
            FormField(tr("Examples"), self.examples, help=tr("One on each line.")),
            1,
            ok_and_cancel(self, self._accept, words=tr("Keep the code")),
        )
        self.resize(theme.px(_WIDTH), self.sizeHint().height())
        self.called.setFocus()

    def refuse(self, words: str) -> None:
        """Say why the code was not kept."""
        self._name.set_problem(words)
        self.called.setFocus()

    def _accept(self) -> None:
        if not plain_name(self.called.text()):
            self.refuse(tr("A code needs a name."))
            return
        examples = tuple(line.strip() for line in self.examples.toPlainText().splitlines() if line.strip())
        self._keep(self.called.text(), self.definition.toPlainText(), examples)
