"""Has a writer model write a part of a study: which model, how much of it, what it costs, and how far it is."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QSpinBox, QWidget

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import TaskProgressed
from gpf_desktop.domain.models import Endpoint, TargetModel
from gpf_desktop.domain.studies import Number
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.writing import WritingCost, WritingTask, Written, trouble_of
from gpf_desktop.engine.scoring.method_tables import write_table
from gpf_desktop.ui.bridge import Pending
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_save
from gpf_desktop.ui.theme.tokens import SPACE_1
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.editors import whole_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.widgets.stop_focus import StopFocus
from gpf_desktop.ui.wording import count, count_of, money

_TASK = "writing"
_WRITER, _WIDEST_WRITER = 300, 520
"""Wide enough for a model's name, which comes after the layout."""
PlanTasks = Callable[[], Sequence[WritingTask]]
"""What a step asks for. Raises `UserError` where it cannot be asked for now. Not called on the window's thread."""


class WriterBar(PlainWidget):
    """Hands tasks, and what came of each, to *wrote*; whoever listens puts it where an auditor sees and edits it."""

    wrote = Signal(object, object)

    def __init__(
        self,
        context: Context,
        steps: Mapping[str, str],
        amounts: Sequence[Number],
        calibration: Sequence[Endpoint],
        plan: Callable[[str, Mapping[str, int]], PlanTasks],
        *,
        rounds: Callable[[], PlanTasks] | None = None,
        tries: int = 1,
    ) -> None:
        """*steps*: by name, what its button says; *plan* is asked for each with the amounts as they stand.

        Where each task rests on what came of earlier ones, *rounds* says what is asked next, until nothing is, and
        *plan* what is asked in all, which may be up to *tries* times.
        """
        super().__init__()
        self._context, self._titles, self._plan = context, dict(steps), plan
        self._rounds, self._tries = rounds, tries
        self._left: float | None = None
        self._writing = context.engine.open_audit.writing
        self._models: list[TargetModel] = []
        self._future: Future[list[Written]] | None = None
        self._tasks: Sequence[WritingTask] = ()
        self._came: list[tuple[WritingTask, Written]] = []
        """Of the round that is asked."""
        self._stopping = False
        self._busy = False
        self._at_most: dict[str, float | None] = {}
        self._costs: dict[str, str] = {}
        """What is said that each step costs."""
        self._asking = self._costing = Pending()
        self._costing.cancel()
        self._due = ""
        """The step that was pressed while its cost was worked out anew."""
        self._trouble = ""
        self.writer = QComboBox(minimumContentsLength=12)
        self.writer.setMinimumWidth(context.theme.px(_WRITER))
        self.writer.setMaximumWidth(context.theme.px(_WIDEST_WRITER))
        # Models are listed after the first show, by which a box goes otherwise: their names would be cut off.
        self.writer.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.amounts: dict[str, QSpinBox] = {}
        fields: list[QWidget] = [FormField(tr("Writer"), self.writer, name="writer.model")]
        for each in amounts:
            box = self.amounts[each.name] = whole_box(each.least, each.most)
            box.setValue(each.default)
            box.valueChanged.connect(self.look)
            fields.append(FormField(each.title, box, name=f"writer.{each.name}"))
        self.steps = {
            name: button(title, partial(self._write, name), name=f"writer.step{place}")
            for place, (name, title) in enumerate(steps.items(), start=1)
        }
        self.stop = button(tr("Stop"), self.cancel, name="writer.stop")
        self._turn = StopFocus(self.stop)
        self.said = caption(name="writer.said")
        self.calls = button(
            tr("Save calls so far …"),
            lambda: ask_to_save(self, tr("Save what writers were asked"), tr("Tables") + " (*.csv)", "csv", self.save),
            compact=True,
            name="writer.calls",
        )
        self.calls.setToolTip(plain_tip(tr("All that writers were asked in this audit, with tokens and dollars.")))
        vbox(
            flowing(*fields),
            flowing(*self.steps.values(), self.stop, self.calls),
            self.said,
            parent=self,
            spacing=SPACE_1,
        )
        self.writer.currentIndexChanged.connect(self.look)
        context.bridge.subscribe(self, self._progressed, TaskProgressed)
        self.calls.hide()
        self._show_busy(busy=False)
        # Until it is known what they would cost.
        for step in self.steps.values():
            step.setEnabled(False)
        context.bridge.run(lambda: self._writing.writers(calibration), then=self._listed, owner=self)

    @property
    def busy(self) -> bool:
        return self._busy

    def look(self) -> None:
        """Say anew what writing would cost: what there is to write may have changed."""
        model = self._model()
        if self.busy or model is None:
            return
        amounts = {name: box.value() for name, box in self.amounts.items()}
        plans = {name: self._plan(name, amounts) for name in self.steps}

        def read() -> tuple[dict[str, WritingCost | str], bool]:
            costs = {name: self._cost(plan, model) for name, plan in plans.items()}
            return costs, self._writing.asked_anything()

        self._costing = self._context.bridge.run(
            read, then=lambda found: self._costed(*found), failed=self._not_costed, owner=self, latest="writer"
        )

    def cancel(self) -> None:
        """Ask for nothing more, and keep what comes of what was begun; once more: wait for that no longer."""
        if not self.busy:
            return
        if self._future is not None and not self._stopping:
            self._stopping = True
            self.stop.setText(tr("Stop at once"))
            self.said.setText(
                tr("Stopping: what was begun is awaited and kept. Stopped at once, it may be billed and is lost.")
            )
            return
        self._asking.cancel()
        # The bridge tells nobody of a future that was cancelled, so what is to end is ended here.
        if self._future is not None:
            if not self._future.cancel() and self._future.done():
                # All has come: it is handed over as soon as it is told of.
                return
            self._hand_over(tuple(self._came))
        self._ended()

    def _model(self) -> TargetModel | None:
        place = self.writer.currentIndex()
        return self._models[place] if 0 <= place < len(self._models) else None

    def _listed(self, models: list[TargetModel]) -> None:
        self._models = models
        self.writer.clear()
        for model in models:
            self.writer.addItem(tr("{model} (synthetic)", model=model.label) if model.synthetic else model.label)
        self.look()

    def _cost(self, plan: PlanTasks, model: TargetModel) -> WritingCost | str:
        """The cost of a step; or words on why it cannot be asked for."""
        try:
            return self._writing.outlook(plan(), model)
        except UserError as error:
            return str(error)

    def save(self, file: Path) -> None:
        """Write to *file*, as CSV, what writers were asked in this audit."""
        self._context.bridge.run(
            lambda: write_table(self._writing.account_table(), file), failed=self._failed, owner=self
        )

    def _costed(self, found: Mapping[str, WritingCost | str], asked: bool) -> None:
        # Worked out before a step was begun: it would enable the buttons again.
        if self.busy:
            return
        self.calls.setVisible(asked)
        due, self._due = self._due, ""
        before, self._costs = self._costs, {}
        for name, cost in found.items():
            told = isinstance(cost, WritingCost)
            self.steps[name].setEnabled(told)
            self.steps[name].setToolTip(plain_tip("" if told else str(cost)))
            if isinstance(cost, WritingCost):
                self._at_most[name] = None if cost.at_most is None else cost.at_most * self._tries
                self._costs[name] = _cost_words(cost, self._tries)
        open_ones = [f"{self._titles[name]}: {words}" for name, words in self._costs.items()]
        lines = open_ones or [str(list(found.values())[-1])]
        self.said.setText("\n".join(filter(None, (self._trouble, *lines))))
        # Not where it costs something else than was said when it was pressed: that is to be read first.
        if due in self._costs and self._costs[due] == before.get(due):
            self._write(due)

    def _not_costed(self, error: BaseException) -> None:
        self._due = ""
        self._context.bridge.report(error)

    def _write(self, step: str) -> None:
        model = self._model()
        if model is None or self.busy:
            return
        if not self._costing.over:
            self._due = step
            return
        plan = self._plan(step, {name: box.value() for name, box in self.amounts.items()})
        self._trouble = ""
        self._left = None if model.synthetic else self._at_most.get(step)
        self._show_busy(busy=True)
        self._ask(self._rounds() if self._rounds is not None else plan, model)

    def _ask(self, plan: PlanTasks, model: TargetModel) -> None:
        self._asking = self._context.bridge.run(
            plan, then=lambda tasks: self._start(tasks, model), failed=self._failed, owner=self
        )

    def _start(self, tasks: Sequence[WritingTask], model: TargetModel) -> None:
        # Stopped while it was worked out what to ask.
        if not self.busy:
            return
        if not tasks:
            self._ended()
            return
        engine = self._context.engine
        self._tasks, self._came = tasks, []
        came = self._came
        self._future = self._writing.write(
            tasks,
            model,
            spend_cap=self._left,
            tell=lambda done, of: engine.announce(TaskProgressed(task=_TASK, done=done, of=of)),
            came=lambda *each: came.append(each),
            # Of a round, which is short, one part is worth nothing without the others.
            wanted=lambda: self._rounds is not None or not self._stopping,
        )
        self._context.bridge.follow(
            self._future, then=lambda written: self._written(written, model), failed=self._failed, owner=self
        )

    def _progressed(self, event: TaskProgressed) -> None:
        if event.task == _TASK and event.of is not None and self.busy and not self._stopping:
            self.said.setText(tr("Writing: {done} calls answered", done=count_of(event.done, event.of)))

    def _written(self, written: list[Written], model: TargetModel) -> None:
        tasks, self._future = self._tasks, None
        self._trouble = trouble_of(written)
        # A round of which nothing came changes no row: its tasks would be the next ones too, without an end.
        goes_on = self._rounds is not None and not self._stopping and any(each.records for each in written)
        asked = tuple(pair for pair in zip(tasks, written, strict=True) if pair[1].provenance.calls)
        if not goes_on:
            self._show_busy(busy=False)
        # Taken in first, since the next round is asked of the rows as they stand then.
        self._hand_over(asked)
        if goes_on and self._rounds is not None:
            if self._left is not None:
                # The cap that was said is of all rounds together.
                self._left -= sum(each.provenance.dollars or 0.0 for each in written)
            self._ask(self._rounds(), model)
        else:
            self.look()

    def _hand_over(self, came: Sequence[tuple[WritingTask, Written]]) -> None:
        if came:
            self.wrote.emit([task for task, _ in came], [written for _, written in came])
            self._writing.taken([written for _, written in came])

    def _failed(self, error: BaseException) -> None:
        self._trouble = str(error) if isinstance(error, UserError) else ""
        self._ended()
        if not self._trouble:
            self._context.messages.failure(error, topic=_TASK)

    def _ended(self) -> None:
        self._future = None
        self._show_busy(busy=False)
        self.look()

    def _show_busy(self, *, busy: bool) -> None:
        self._busy, self._stopping = busy, False
        self.stop.setText(tr("Stop"))
        self._turn.show(dict.fromkeys((self.writer, *self.amounts.values(), *self.steps.values()), True), running=busy)
        if busy:
            self.said.setText(tr("Writing …"))


def _cost_words(cost: WritingCost, tries: int) -> str:
    calls = trn("{n} call", "{n} calls", cost.calls, shown=count(cost.calls))
    if tries > 1:
        calls = tr("{calls}, up to {n} times that", calls=calls, n=tries)
    if cost.low is None or cost.high is None or cost.at_most is None:
        return tr("{calls}, price unknown: enter it on Models", calls=calls)
    if not cost.at_most:
        return tr("{calls}, nothing to pay", calls=calls)
    return tr(
        "{calls}, {low} to {high}, never more than {most}",
        calls=calls,
        low=money(cost.low),
        high=money(cost.high * tries),
        most=money(cost.at_most * tries),
    )
