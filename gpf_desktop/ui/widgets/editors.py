"""One editor for each type that a declared option may have."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, GroupedMetadata, Gt, Le
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QWidget,
)

from gpf_desktop.domain.money import digits_of
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox

# A spin box holds a C int.
_MOST = 2_147_483_647
_LINES = 4
_INSET = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Editor:
    """A widget with the ways in and out."""

    widget: QWidget
    get: Callable[[], Any]
    set: Callable[[Any], None]
    changed: Any
    """The widget's signal."""


class OptionalEditor(PlainWidget):
    """An editor behind a tick box: without the tick the value is None."""

    changed = Signal()

    def __init__(self, inner: Editor, says: str) -> None:
        super().__init__()
        self._inner = inner
        self.tick = QCheckBox(says)
        self.tick.toggled.connect(self._ticked)
        inner.changed.connect(lambda *_: self.changed.emit())
        inner.widget.setEnabled(False)
        hbox(self.tick, (inner.widget, 1), parent=self)

    def value(self) -> Any:
        return self._inner.get() if self.tick.isChecked() else None

    def set_value(self, value: Any) -> None:
        self.tick.setChecked(value is not None)
        if value is not None:
            self._inner.set(value)

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self.tick.setAccessibleName(f"{name}: {self.tick.text()}")
        self._inner.widget.setAccessibleName(name)

    def _ticked(self, on: bool) -> None:
        self._inner.widget.setEnabled(on)
        self.changed.emit()


def editor_for(kind: Any, shown: Shown) -> Editor:
    """An editor for values of type *kind*, as they are *shown*.

    Bounds that *kind* is annotated with are the editor's. Raises TypeError for a type that no form can edit.
    """
    if get_origin(kind) is Annotated:
        plain, *said = get_args(kind)
        return editor_for(plain, replace(shown, **_bounds(said, shown.decimals)))
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType) and NoneType in arguments:
        inner = editor_for(next(each for each in arguments if each is not NoneType), shown)
        optional = OptionalEditor(inner, tr(shown.none) or tr("set"))
        return Editor(widget=optional, get=optional.value, set=optional.set_value, changed=optional.changed)
    if shown.choices:
        return choice_editor([(str(each), each) for each in shown.choices])
    if origin is Literal:
        return choice_editor([(str(each), each) for each in arguments])
    if origin is tuple:
        return _some(get_args(arguments[0])) if get_origin(arguments[0]) is Literal else _lines(shown)
    return _plain(kind, shown)


class TicksEditor(PlainWidget):
    """Some of several values, each with a tick. They stand in the order in which they are offered, once one is ticked;
    until then in that of the file that they are from."""

    changed = Signal()

    def __init__(self, choices: Sequence[tuple[str, Any]]) -> None:
        super().__init__()
        self._value: tuple[Any, ...] = ()
        self.ticks = {value: QCheckBox(words) for words, value in choices}
        for tick in self.ticks.values():
            tick.toggled.connect(self._ticked)
        vbox(*self.ticks.values(), parent=self)

    def value(self) -> tuple[Any, ...]:
        return self._value

    def set_value(self, value: tuple[Any, ...]) -> None:
        for each, tick in self.ticks.items():
            with QSignalBlocker(tick):
                tick.setChecked(each in value)
        self._value = value

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        for tick in self.ticks.values():
            tick.setAccessibleName(f"{name}: {tick.text()}")

    def _ticked(self, _on: bool) -> None:
        self._value = tuple(value for value, tick in self.ticks.items() if tick.isChecked())
        self.changed.emit()


def words_for(value: Any) -> str:
    """The words for a choice: its own ``words``, or its stored value, which is English."""
    said = getattr(value, "words", None)
    if said or isinstance(value, Enum):
        return str(said or tr(str(value.value)))
    return tr(str(value).replace("_", " ").capitalize())


def _bounds(said: Iterable[Any], decimals: int) -> dict[str, Any]:
    """The least and the most of an annotation; what is to be above a number starts a step of the last decimal on."""
    found: dict[str, Any] = {}
    for each in said:
        match each:
            case GroupedMetadata():
                found |= _bounds(each, decimals)
            case Ge(ge):
                found["least"] = ge
            case Gt(gt):
                found["least"] = float(gt) + 10**-decimals  # type: ignore[arg-type]
            case Le(le):
                found["most"] = le
    return found


def _plain(kind: Any, shown: Shown) -> Editor:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return choice_editor([(words_for(each), each) for each in kind])
    if kind is bool:
        tick = QCheckBox(tr(shown.label))
        return Editor(widget=tick, get=tick.isChecked, set=tick.setChecked, changed=tick.toggled)
    least = shown.least or 0
    if kind is int:
        whole = whole_box(int(least), _MOST if shown.most is None else int(shown.most), shown.unit)
        return Editor(widget=whole, get=whole.value, set=whole.setValue, changed=whole.valueChanged)
    if kind is float:
        most = 1e9 if shown.most is None else shown.most
        real = real_box(float(least), float(most), shown.unit, decimals=shown.decimals, step=shown.step)
        return Editor(widget=real, get=real.value, set=real.setValue, changed=real.valueChanged)
    if kind is str and shown.lines > 1:
        text = QPlainTextEdit(tabChangesFocus=True)
        return Editor(widget=text, get=text.toPlainText, set=text.setPlainText, changed=text.textChanged)
    if kind is str:
        line = QLineEdit(placeholderText=shown.placeholder)
        return Editor(widget=line, get=line.text, set=line.setText, changed=line.textChanged)
    raise TypeError(f"no form can edit an option of type {kind}")


def whole_box(minimum: int = 0, maximum: int = _MOST, unit: str = "") -> QSpinBox:
    """A box for a whole number."""
    box = QSpinBox()
    box.setRange(minimum, maximum)
    box.setGroupSeparatorShown(True)
    _finish(box, box.lineEdit())
    _show_unit(box, unit)
    return box


def real_box(
    minimum: float = 0.0, maximum: float = 1e9, unit: str = "", *, decimals: int = 3, step: float = 0.1
) -> QDoubleSpinBox:
    """A box for a number with *decimals* places."""
    box = QDoubleSpinBox()
    box.setDecimals(decimals)
    box.setRange(minimum, maximum)
    box.setSingleStep(step)
    _finish(box, box.lineEdit())
    _show_unit(box, unit)
    return box


def _show_unit(box: QSpinBox | QDoubleSpinBox, unit: str) -> None:
    """As the same unit stands in sentences: $10.00, 34%."""
    if unit == "$":
        box.setPrefix(unit)
    elif unit:
        box.setSuffix(tr("{number}%", number="") if unit == "%" else f" {unit}")


def show_money(box: QDoubleSpinBox, dollars: float) -> None:
    """Put *dollars* into a box with two decimals or more: all that they have, or to look at them would round them."""
    digits = digits_of(dollars)
    box.setDecimals(digits)
    if box.minimum() > 0.0:
        box.setMinimum(10.0**-digits)
    box.setValue(dollars)


def _finish(box: QWidget, line: QLineEdit) -> None:
    # The style sheet does not reach the field inside a spin box.
    line.setTextMargins(_INSET, 0, 0, 0)
    # Qt's default takes the keyboard with the wheel: scrolling past the box would change its number.
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


def choice_editor(choices: list[tuple[str, Any]]) -> Editor:
    """One of several values, each with its words."""
    box = QComboBox()
    for words, value in choices:
        box.addItem(words, value)
    # Beside the box, since PySide hands a `StrEnum` member that is an item's data back as a plain text.
    values = [value for _, value in choices]
    return Editor(
        widget=box,
        get=lambda: values[box.currentIndex()],
        set=lambda value: box.setCurrentIndex(values.index(value)),
        changed=box.currentIndexChanged,
    )


def _some(values: Sequence[Any]) -> Editor:
    """Some of *values*."""
    ticks = TicksEditor([(words_for(each), each) for each in values])
    return Editor(widget=ticks, get=ticks.value, set=ticks.set_value, changed=ticks.changed)


def _lines(shown: Shown) -> Editor:
    """A tuple of texts, one per line."""
    text = QPlainTextEdit(tabChangesFocus=True, placeholderText=shown.placeholder or tr("one per line"))
    lines = shown.lines if shown.lines > 1 else _LINES
    text.setMaximumHeight(text.fontMetrics().lineSpacing() * lines + 16)
    return lines_in(text)


def lines_in(text: QPlainTextEdit) -> Editor:
    """The texts in *text*, one per line; empty lines say nothing."""
    return Editor(
        widget=text,
        get=lambda: tuple(line.strip() for line in text.toPlainText().splitlines() if line.strip()),
        set=lambda values: text.setPlainText("\n".join(values)),
        changed=text.textChanged,
    )
