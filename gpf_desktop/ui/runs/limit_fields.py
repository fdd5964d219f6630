"""The limits of one account: calls at once, requests a minute, tokens a minute."""

from dataclasses import replace

from PySide6.QtWidgets import QSpinBox

from gpf_desktop.domain.models import Limits
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.editors import whole_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import secondary


class LimitFields(PlainWidget):
    """Nothing set reads "automatic"."""

    def __init__(self, account: str, limits: Limits) -> None:
        super().__init__()
        self.account = account
        self._before = limits
        self._at_once = _box(limits.in_flight)
        self._requests = _box(limits.requests_per_minute)
        self._tokens = _box(limits.tokens_per_minute)
        row = hbox(spacing=SPACE_2)
        for title, box, name in (
            (tr("Calls at once"), self._at_once, "limits.atOnce"),
            (tr("Requests a minute"), self._requests, "limits.requests"),
            (tr("Tokens a minute"), self._tokens, "limits.tokens"),
        ):
            row.addWidget(FormField(title, box, name=name))
        vbox(secondary(" ".join(account.split()), wrap=True), row, parent=self, spacing=SPACE_1)

    def limits(self) -> Limits:
        # Not made anew: an account has limits that no field here is for.
        return replace(
            self._before,
            in_flight=self._at_once.value() or None,
            requests_per_minute=self._requests.value() or None,
            tokens_per_minute=self._tokens.value() or None,
        )


def _box(value: float | None) -> QSpinBox:
    box = whole_box(0, 100_000_000)
    box.setSpecialValueText(tr("automatic"))
    box.setValue(round(value or 0))
    return box
