"""A question to those who read with names hidden, before names are shown, written or copied."""

from collections.abc import Callable

from PySide6.QtWidgets import QMessageBox, QWidget

from gpf_desktop.domain.hidden_names import names_hidden
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.widgets.dialogs import GoOn, ask_whether


def ask_of_names(parent: QWidget, then: Callable[[], object]) -> QMessageBox | None:
    """Go on with *then*, which writes or copies names of models and readers: at once, or once that is allowed."""
    if not names_hidden():
        then()
        return None
    return ask_whether(
        parent,
        QMessageBox.Icon.Question,
        tr("Names are hidden while you read."),
        tr("What you write or copy here names models and readers, and may tell whose answers you have still to read."),
        "names.asked",
        GoOn(tr("Go on"), QMessageBox.ButtonRole.AcceptRole, "names.tell", then),
    )
