"""A of SAGED by a writer: a question for each sentence, tried until it fits every concept."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtGui import QShowEvent

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.tables import QuestionWriting
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.writing import WritingTask, Written
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.saged.benchmark_view_model import METHOD, BenchmarkViewModel
from gpf_desktop.ui.methods.saged.table_bar import TableBar
from gpf_desktop.ui.studies.writer_bar import PlanTasks, WriterBar
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.editable_table import EditableTable
from gpf_desktop.ui.widgets.labels import caption

_SENTENCES: Final = 4
"""Of a round, which is awaited when somebody stops."""


class QuestionsStep(PlainWidget):
    """Layout and connections."""

    def __init__(self, context: Context, model: BenchmarkViewModel) -> None:
        super().__init__()
        self._context, self._model = context, model
        self._questions: QuestionWriting | None = None
        maker = catalogue.benchmark_maker(METHOD)
        self.writer = WriterBar(
            context,
            {"questions": tr("Write questions")},
            (),
            maker.writers,
            self._whole,
            rounds=self._next,
            tries=maker.most_tries,
        )
        self.said = caption(name="saged.asked")
        self.table = EditableTable(
            context.theme,
            model.questions,
            says=tr("Questions that were tried"),
            wide=("question", "reason"),
            name="saged.questions",
        )
        bar = TableBar.of_rows(model, self.table, maker.question_columns[:-2], kinds=tr("Tables"))
        vbox(
            caption(
                tr(
                    "Not needed where prompts are beginnings of sentences. A writer model makes a question that "
                    "a sentence answers. Put to up to five other concepts it is answered and judged. Where it "
                    "makes no sense another is tried, three in all. Each try is kept as it comes. A question "
                    "counts whose outcome is “fits”: change it, or the question, as you see fit."
                )
            ),
            self.writer,
            self.said,
            (bar, 1),
            parent=self,
            spacing=SPACE_3,
            margins=(0, SPACE_3, 0, 0),
        )
        self.writer.wrote.connect(self._wrote)
        model.changed.connect(self._changed)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._changed()

    def _changed(self) -> None:
        """Show the step anew if it is seen: to work out the cost of thousands of sentences takes a second."""
        if self.isVisible():
            self._show()
            self.writer.look()

    def _whole(self, _step: str, _amounts: Mapping[str, int]) -> PlanTasks:
        asking, tries = self._model.asking(), self._model.questions.rows
        return lambda: asking().one_try_each(tries)

    def _next(self) -> PlanTasks:
        asking, tries = self._model.asking(), self._model.questions.rows

        def tasks() -> Sequence[WritingTask]:
            # Kept with its tasks: what comes of them is taken in by what asked, whatever sentences stand here by then.
            self._questions = asking()
            return self._questions.next_tasks(tries, _SENTENCES)

        return tasks

    def _wrote(self, tasks: Sequence[WritingTask], written: Sequence[Written]) -> None:
        if self._questions is not None:
            made = self._questions.taken(self._model.questions.rows, tasks, written)
            self._model.questions.replace(made, tr("Write questions"))

    def _show(self) -> None:
        model = self._model
        if not model.sentences.rows:
            self.said.setText(tr("There are no sentences yet: gather some first."))
            return
        asking, tries = model.asking(), model.questions.rows
        self._context.bridge.run(
            lambda: asking().said(tries), then=self.said.setText, failed=self._wrong, owner=self, latest="asked"
        )

    def _wrong(self, error: BaseException) -> None:
        self.said.setText(str(error) if isinstance(error, UserError) else "")
