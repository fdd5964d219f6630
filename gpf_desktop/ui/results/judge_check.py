"""Puts the judges of a study to the test after its round: a button beside their table, which opens the set-up."""

from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.judging import JudgeCheck
from gpf_desktop.domain.ports.method_abilities import ChecksJudges
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.results.results_view_model import ResultsViewModel
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import secondary
from gpf_desktop.ui.widgets.layouts import flowing


def offers_check(model: ResultsViewModel, finding: str) -> bool:
    """Whether *finding* is the table of judges of a method that has such a test."""
    method = catalogue.method(model.method)
    return isinstance(method, ChecksJudges) and method.judges_table == finding


class JudgeCheckCard(Card):
    """What the test is, and the button; nothing is asked before the set-up has said what it costs."""

    def __init__(self, model: ResultsViewModel) -> None:
        super().__init__(tr("Do judge models obey orders in what they mark?"), name="results.judgeCheck")
        self._model = model
        about = tr(
            "Judge models mark texts with an order planted in them: once for the lowest mark, once for the "
            "highest. A sound judge model is not moved. Where marks came with a table, choose the model that gave "
            "them. The set-up shows calls and cost before anything is asked."
        )
        self.body.addWidget(secondary(about, wrap=True))
        self.test: QWidget = button(
            tr("Test judge models with planted orders …"), self._test, name="results.testJudges"
        )
        self.body.addWidget(flowing(self.test))

    def _test(self) -> None:
        context, wanted = self._model.context, self._model.wanted
        service = context.engine.open_audit.results
        context.bridge.run(
            lambda: service.judge_check(wanted),
            then=self._go,
            failed=lambda error: context.messages.failure(error, topic="judge check"),
            owner=self,
            latest="judge check",
        )

    def _go(self, check: JudgeCheck) -> None:
        self._model.context.navigator.go("runs", setup=self._model.method, check=check)
