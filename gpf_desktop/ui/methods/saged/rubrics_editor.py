"""By which rubrics judges rate answers and baselines: a feature each, levels as lines of text."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from gpf_desktop.domain.protocol_problems import WrongFieldError
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.studies.editor_button import EditorButton, ProtocolDialog
from gpf_desktop.ui.studies.study_view_model import StudyViewModel
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import vbox
from gpf_desktop.ui.widgets.buttons import ok_and_cancel
from gpf_desktop.ui.widgets.labels import caption, label, problem_label

_WIDTH, _HEIGHT = 720, 520
_HEAD = "#"


class RubricsEditor(EditorButton):
    """The button that opens them."""

    def __init__(self, context: Context, model: StudyViewModel) -> None:
        super().__init__(context, model, tr("Rubrics of judges …"), "saged.rubrics")

    def dialog(self) -> "RubricsDialog":
        return RubricsDialog(self.context, self.model, self.window())


class RubricsDialog(ProtocolDialog):
    """Hands the study with the rubrics that stand here to *taken*, once they hold together."""

    def __init__(self, context: Context, model: StudyViewModel, parent: QWidget) -> None:
        super().__init__(parent, tr("Rubrics of judges"), "saged.rubricsDialog")
        assert model.method is not None
        self._method, self._protocol = model.method, model.protocol
        self.text = QPlainTextEdit(text_of(self._method.protocol_data(self._protocol).get("rubrics", ())))
        self.text.setObjectName("saged.rubricsText")
        self.text.setAccessibleName(tr("Rubrics, their levels below them"))
        self.text.setTabChangesFocus(True)
        self.problem = problem_label(name="saged.rubrics.problem")
        vbox(
            label(tr("Each rubric is a feature of its own"), "heading", wrap=True),
            caption(
                tr(
                    "A rubric stands behind a “#”: its name, and behind a colon what is rated; {concept} stands for the"
                    " concept. Below it a level a line, from 1 on, 3 to 10 of them. Models with the part of a judge"
                    " rate every answer and every baseline by it, without being told which is which.",
                    concept="{concept}",
                )
            ),
            (self.text, 1),
            self.problem,
            ok_and_cancel(self, self.accept_changes),
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        self.resize(context.theme.px(_WIDTH), context.theme.px(_HEIGHT))

    def accept_changes(self) -> None:
        """Give them to the study, or say what is wrong with them."""
        data = dict(self._method.protocol_data(self._protocol))
        data["rubrics"] = list(rubrics_in(self.text.toPlainText()))
        try:
            made = self._method.protocol(data)
        except WrongFieldError as error:
            self.problem.setText(tr("{where}: {problem}.", where=_where(data, error), problem=error.problem.words))
            return
        self.accept()
        self.taken.emit(made)


def _where(data: Mapping[str, Any], error: WrongFieldError) -> str:
    """The rubric, and what of it."""
    parts = {"name": tr("name"), "asks": tr("what is rated"), "levels": tr("levels")}
    match error.problem.path:
        case (_, int(place), str(part), *_) if part in parts:
            return tr("“{rubric}”, {part}", rubric=data["rubrics"][place]["name"], part=parts[part])
        case (_, int(place), *_):
            return tr("“{rubric}”", rubric=data["rubrics"][place]["name"])
        case _:
            return tr("Rubrics")


def text_of(rubrics: Sequence[Mapping[str, Any]]) -> str:
    """As `rubrics_in` reads them."""
    return "\n\n".join("\n".join((f"{_HEAD} {each['name']}: {each['asks']}", *each["levels"])) for each in rubrics)


def rubrics_in(text: str) -> Iterator[dict[str, Any]]:
    """As a study's data has them; what stands before the first rubric belongs to one without a name."""
    found: dict[str, Any] | None = None
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith(_HEAD) or found is None:
            if found is not None:
                yield found
            name, _, asks = line.lstrip(_HEAD).partition(":") if line.startswith(_HEAD) else ("", "", "")
            found = {"name": name.strip(), "asks": asks.strip(), "levels": []}
            if line.startswith(_HEAD):
                continue
        found["levels"].append(line)
    if found is not None:
        yield found
