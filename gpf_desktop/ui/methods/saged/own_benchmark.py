"""The button that opens the benchmark in the making."""

from gpf_desktop.domain.events import AuditClosed, AuditOpened
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.saged.benchmark_dialog import BenchmarkDialog
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.layouts import flowing


class OwnBenchmark(PlainWidget):
    """What is made is kept in the audit at each change."""

    def __init__(self, context: Context, study: StudyViewModel) -> None:
        super().__init__()
        self._context, self._study = context, study
        self.dialog: BenchmarkDialog | None = None
        self.open = button(tr("Make one of your texts …"), self._open, compact=True, name="saged.benchmark")
        context.bridge.subscribe(self, self._leave, AuditOpened, AuditClosed)
        vbox(
            flowing(self.open),
            caption(tr("From files, pages of Wikipedia, pasted text or this audit's news: sentences, then prompts.")),
            parent=self,
        )

    def _leave(self, _event: object) -> None:
        """Another audit has another benchmark, and writers of its own."""
        if self.dialog is not None:
            self.dialog.close()
            self.dialog.deleteLater()
            self.dialog = None

    def _open(self) -> None:
        if not self._context.engine.has_open_audit:
            return
        if self.dialog is None:
            self.dialog = BenchmarkDialog(self._context, self._study, self)
        self.dialog.show_again()
