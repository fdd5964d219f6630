"""S of SAGED: the sentences in which a concept's keywords stand."""

from collections.abc import Callable

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.saged.benchmark_view_model import BenchmarkViewModel
from gpf_desktop.ui.methods.saged.table_bar import TableBar
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.editable_table import EditableTable
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.stop_turn import StopTurn


class SentencesStep(PlainWidget):
    """Layout and connections; *contact* gives whom Wikipedia may write to."""

    def __init__(self, context: Context, model: BenchmarkViewModel, contact: Callable[[], str]) -> None:
        super().__init__()
        self._model = model
        self.search = button(tr("Find sentences"), lambda: model.gather(contact()), name="saged.find")
        self.stop = button(tr("Stop"), model.cancel, name="saged.stop")
        self._turn = StopTurn(self.stop)
        self.said = caption(name="saged.gathered")
        self.table = EditableTable(
            context.theme, model.sentences, says=tr("Sentences"), wide=("sentence",), name="saged.sentences"
        )
        bar = TableBar.of_rows(model, self.table, ("concept", "keyword", "sentence"), kinds=tr("Tables"))
        parts = (flowing(self.search, self.stop), self.said, (bar, 1))
        vbox(*parts, parent=self, spacing=SPACE_3, margins=(0, SPACE_3, 0, 0))
        model.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        model = self._model
        self._turn.show({self.search: True}, running=model.running)
        if model.running:
            far = "" if model.of is None else tr("{done} of {of} places", done=model.done, of=model.of)
            self.said.setText(tr("Looking for sentences … {far}", far=far).strip())
        else:
            self.said.setText(
                model.said["gathered"]
                or tr("Sentences of 6 to 60 words that hold a keyword; those of one concept after another are added.")
            )
