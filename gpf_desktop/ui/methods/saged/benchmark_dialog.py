"""The steps in which a benchmark is made, from keywords to prompts; each can be gone back to."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QMenu, QTabWidget, QWidget

from gpf_desktop.domain.events import AuditClosed, AuditOpened
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.saged.benchmark_view_model import BenchmarkViewModel
from gpf_desktop.ui.methods.saged.keywords_step import KeywordsStep
from gpf_desktop.ui.methods.saged.prompts_step import PromptsStep
from gpf_desktop.ui.methods.saged.questions_step import QuestionsStep
from gpf_desktop.ui.methods.saged.table_bar import TableBar
from gpf_desktop.ui.methods.saged.words_step import WordsStep
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.editable_table import EditableTable
from gpf_desktop.ui.widgets.labels import caption, problem_label
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.plain import plain_entry
from gpf_desktop.ui.widgets.stop_focus import StopFocus
from gpf_desktop.ui.wording import moment

_WIDTH, _HEIGHT = 1100, 760
_MARGIN = 60


class BenchmarkDialog(QDialog):
    """Layout and connections."""

    def __init__(self, context: Context, study: StudyViewModel, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Make a benchmark"))
        self.setObjectName("saged.dialog")
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self._context = context
        self.model = BenchmarkViewModel(context, study, self)
        self.steps = QTabWidget()
        self.steps.setDocumentMode(True)
        self.keywords = KeywordsStep(context, self.model)
        self.sentences = SentencesStep(context, self.model, self.keywords.form.contact.text)
        self.words = WordsStep(context, self.model)
        self.questions = QuestionsStep(context, self.model)
        self.prompts = PromptsStep(context, self.model)
        self.steps.addTab(self.keywords, tr("1 Keywords and texts"))
        self.steps.addTab(self.sentences, tr("2 Sentences"))
        self.steps.addTab(self.words, tr("3 Words that stand for each other"))
        self.steps.addTab(self.questions, tr("4 Questions"))
        self.steps.addTab(self.prompts, tr("5 Prompts"))
        self.problem = problem_label(name="saged.problem")
        self.back = button(tr("Back"), lambda: self._step(-1), name="saged.back")
        self.further = button(tr("Next"), lambda: self._step(1), name="saged.further")
        self.earlier = button(tr("Earlier versions"), name="saged.versions")
        self.earlier.setToolTip(tr("What studies took; going back to one is a step that can be undone."))
        self.earlier.setMenu(QMenu(self.earlier))
        self.earlier.menu().aboutToShow.connect(self._list_versions)
        self.leave = button(tr("Close"), self.hide, name="saged.close")
        self.use = button(tr("Use in the study"), self._use, primary=True, name="saged.use")
        row = hbox(self.back, self.further, self.earlier, 1, self.leave, self.use)
        vbox((self.steps, 1), self.problem, row, parent=self, spacing=SPACE_3, margins=SPACE_4)
        self.steps.currentChanged.connect(lambda _: self._show())
        self.model.changed.connect(self._show)
        self.keywords.form.concept.setFocus()
        self._show()

    def show_again(self) -> None:
        """As large as the screen has room for."""
        if not self.isVisible():
            room = (self.screen() or QGuiApplication.primaryScreen()).availableGeometry()
            px = self._context.theme.px
            self.resize(min(px(_WIDTH), room.width() - _MARGIN), min(px(_HEIGHT), room.height() - _MARGIN))
        self.show()
        self.raise_()
        self.activateWindow()

    def _show(self) -> None:
        model, at = self.model, self.steps.currentIndex()
        self.problem.setText(model.problem)
        self.back.setEnabled(at > 0)
        self.further.setEnabled(at < self.steps.count() - 1)
        self.earlier.setVisible(bool(model.versions))
        self.use.setEnabled(bool(model.prompts.rows) and not model.running and not model.making)

    def _list_versions(self) -> None:
        menu = self.earlier.menu()
        menu.clear()
        for each in reversed(self.model.versions):
            prompts = trn("{n} prompt", "{n} prompts", each.prompts)
            words = f"{each.title} · {moment(each.at)} · {prompts}"
            # An ampersand in a menu marks the letter behind it.
            menu.addAction(plain_entry(words), partial(self.model.go_back_to, each))

    def _step(self, by: int) -> None:
        self.steps.setCurrentIndex(self.steps.currentIndex() + by)

    def _use(self) -> None:
        self.model.take(self.hide)


class SentencesStep(PlainWidget):
    """Layout and connections; *contact* gives whom Wikipedia may write to."""

    def __init__(self, context: Context, model: BenchmarkViewModel, contact: Callable[[], str]) -> None:
        super().__init__()
        self._model = model
        self.search = button(tr("Find sentences"), lambda: model.gather(contact()), name="saged.find")
        self.stop = button(tr("Stop"), model.cancel, name="saged.stop")
        self._turn = StopFocus(self.stop)
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
                + " "
                + tr("A prompt needs a verb behind the first six words, and more than three words behind the verb.")
            )


class OwnBenchmark(PlainWidget):
    """The button that makes a benchmark of one's own texts; the benchmark is kept in the audit at each change."""

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
