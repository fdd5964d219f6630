"""Changes a round's spend cap and limits, and pauses one provider while it is asked."""

from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QSpinBox, QWidget

from gpf_desktop.domain.models import Limits
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.preferences import HERE
from gpf_desktop.ui.runs.runs_view_model import RunsViewModel
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button, ok_and_cancel
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.editors import real_box, show_money, whole_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, heading, secondary
from gpf_desktop.ui.wording import count


class CapDialog(TitledDialog):
    """Shown beside the running round; nothing waits for it."""

    def __init__(self, parent: QWidget, model: RunsViewModel) -> None:
        super().__init__(parent, tr("Limits and cap"), "runs.capDialog")
        self._model = model
        assert model.run is not None, "there is a button only where a round is shown"
        # Another one may be in sight when this is accepted: a schedule shows the round that it begins.
        self._of = model.run.id
        progress = model.progress
        cap = None if progress is None else progress.spend_cap
        self._capped = QCheckBox(tr("Pause when the spend reaches a cap"))
        self._capped.setChecked(cap is not None)
        self._box = real_box(0.01, 1e6, "$", decimals=2, step=1.0)
        show_money(self._box, cap or 10.0)
        self._box.setEnabled(cap is not None)
        self._capped.toggled.connect(self._box.setEnabled)
        buttons = ok_and_cancel(self)
        self.accepted.connect(self._take)
        counted = tr("Counted from each answer's usage and your prices.")
        column = vbox(
            self._capped,
            FormField(tr("Spend cap"), self._box, help=counted),
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        self._limits = [LimitFields(account, limits) for account, limits in model.limits.items()]
        if self._limits:
            column.addWidget(heading(tr("Limits")))
            column.addWidget(caption(tr("Without a number the program finds the pace that each provider allows.")))
        for fields in self._limits:
            column.addWidget(fields)
        providers = sorted({line.model.partition("/")[0] for line in progress.models}) if progress else []
        if model.active and len(providers) > 1:
            column.addWidget(heading(tr("Pause one provider")))
            column.addWidget(caption(tr("Its models are asked again when the round is resumed; the others go on.")))
            row = QHBoxLayout()
            for provider in providers:
                row.addWidget(button(provider, partial(self._hold, provider), compact=True))
            row.addStretch(1)
            column.addLayout(row)
        if model.has_jobs:
            words = tr(
                "What is answered is kept. The rest is asked one by one, at the ordinary price, when you resume."
            )
            row = hbox(button(tr("Cancel batch jobs"), self._cancel_jobs, compact=True, name="runs.cancelJobs"), 1)
            fill(column, heading(tr("Batch jobs")), caption(words), row)
        column.addWidget(buttons)

    def _take(self) -> None:
        self._model.set_cap(self._of, self._box.value() if self._capped.isChecked() else None)
        for fields in self._limits:
            if (limits := fields.limits()) != fields.before:
                self._model.set_limits(self._of, fields.account, limits)

    def _cancel_jobs(self) -> None:
        self._model.cancel_jobs(self._of)
        self.reject()

    def _hold(self, provider: str) -> None:
        self._model.hold(provider)
        self.reject()


class LimitFields(PlainWidget):
    """Nothing set reads "automatic", or what the preference has in its place."""

    def __init__(self, account: str, limits: Limits) -> None:
        super().__init__()
        self.account = account
        self.before = limits
        preferred = HERE.get("rounds.calls_at_once")
        unset = "" if preferred is None else tr("{n}, as in Preferences", n=count(preferred))
        self._at_once = _box(limits.in_flight, unset)
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
            self.before,
            in_flight=self._at_once.value() or None,
            requests_per_minute=self._requests.value() or None,
            tokens_per_minute=self._tokens.value() or None,
        )


def _box(value: float | None, unset: str = "") -> QSpinBox:
    box = whole_box(0, 100_000_000)
    box.setSpecialValueText(unset or tr("automatic"))
    box.setValue(round(value or 0))
    return box
