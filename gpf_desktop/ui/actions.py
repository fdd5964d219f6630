"""Every command of the window, declared once: menus, keys, the palette and the list of keys all read from here.

ActionSpec       what a command is called, where it stands, its key, and which facts must hold
ActionRegistry   makes the QActions, keeps them enabled exactly while their facts hold, finds key conflicts
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtCore import QEvent, QObject, QSettings, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QWidget

from gpf_desktop.ui.theme import Theme


class Fact(StrEnum):
    """A fact about the window now; an action names those that it needs."""

    AUDIT_OPEN = "audit open"
    RUN_ACTIVE = "run active"
    RUN_RESUMABLE = "run resumable"
    RUN_HAS_GAPS = "run has gaps"
    RUN_CHOSEN = "run chosen"
    RUN_RATABLE = "answers of the run can be rated"
    BUNDLE_SHOWN = "bundle shown"
    SEVERAL_SELECTED = "several bundles selected"
    CAN_GO_BACK = "can go back"
    CAN_GO_FORWARD = "can go forward"
    CAN_UNDO = "can undo"
    CAN_REDO = "can redo"
    HAS_RESULTS = "has results"
    HAS_INSPECTOR = "has inspector"


_OF_AUDIT = frozenset(Fact) - {Fact.CAN_GO_BACK, Fact.CAN_GO_FORWARD, Fact.HAS_INSPECTOR}
"""What is true of an audit: nothing of it is, once that is left."""


class Menu(StrEnum):
    """The menu bar, left to right; HIDDEN actions are found in the palette and the list of keys only."""

    FILE = "File"
    EDIT = "Edit"
    VIEW = "View"
    RUN = "Run"
    REVIEW = "Review"
    REPORTS = "Reports"
    WINDOW = "Window"
    HELP = "Help"
    HIDDEN = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionSpec:
    """One command."""

    id: str
    """Stable, ``subject.verb``; settings keep rebound keys under it."""
    text: str
    """As in the menu, translated."""
    menu: Menu
    group: int = 0
    """A separator stands between groups of one menu."""
    submenu: str = ""
    """Title of a menu inside the menu; empty: directly in it."""
    keys: tuple[str, ...] = ()
    """Portable key sequences, the first one shown."""
    icon: str = ""
    needs: frozenset[Fact] = frozenset()
    page: str = ""
    """Works only while this page is shown; empty: everywhere."""
    home: str = ""
    """The page whose code handles it: shown and built first where it is not built yet."""
    at_home: bool = False
    """What it does is seen on that page alone, which is shown first wherever the command is given."""
    area: str = ""
    """Its keys work only while the keyboard is in one of the widgets given to `ActionRegistry.arm` under this name; the
    menu and the palette reach it from anywhere. Empty: in the whole window."""
    checkable: bool = False
    words: str = ""
    """Further words that the palette finds it by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """The meaning on one page of a command that works everywhere: undo takes back what was done there."""

    text: str
    do: Callable[[], object]
    enabled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two commands that one key would start at the same place."""

    key: str
    first: str
    second: str


def conflicts(keys: Mapping[str, tuple[str, ...]], pages: Mapping[str, str]) -> tuple[Conflict, ...]:
    """Clashes among *keys* (by action id); commands of two different *pages* may share a key."""
    found: list[Conflict] = []
    seen: dict[str, list[str]] = {}
    for action, sequences in keys.items():
        # A command's own two keys may be one in Qt's spelling, which is no clash with itself.
        for sequence in dict.fromkeys(normal(s) for s in sequences):
            for other in seen.setdefault(sequence, []):
                if not (pages[action] and pages[other] and pages[action] != pages[other]):
                    found.append(Conflict(key=sequence, first=other, second=action))
            seen[sequence].append(action)
    return tuple(found)


def normal(sequence: str) -> str:
    """*sequence* in Qt's portable spelling, so that "ctrl+k" and "Ctrl+K" are one."""
    return QKeySequence(sequence).toString(QKeySequence.SequenceFormat.PortableText)


class ActionRegistry(QObject):
    """The QActions of one window."""

    rebound = Signal(str)
    """An action's keys changed; carries its id."""
    page_changed = Signal()

    def __init__(self, specs: Iterable[ActionSpec], theme: Theme, settings: QSettings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        self._theme = theme
        self._facts: set[Fact] = set()
        self._page = ""
        self._specs: dict[str, ActionSpec] = {}
        self._actions: dict[str, QAction] = {}
        self._handlers: dict[str, Callable[[], object]] = {}
        self._meanings: dict[tuple[str, str], Meaning] = {}
        self._usual: dict[str, tuple[str, str]] = {}
        """By action: its text elsewhere, and the one that it has on the page shown."""
        self._fallback: Callable[[ActionSpec], object] | None = None
        for spec in specs:
            self.add(spec)

    def add(self, spec: ActionSpec) -> QAction:
        """Declare one more command; its id must be new."""
        if spec.id in self._specs:
            raise ValueError(f"two actions are called {spec.id}")
        action = QAction(spec.text, self)
        action.setObjectName(f"action.{spec.id}")
        action.setCheckable(spec.checkable)
        # By default a key that is held down gives its command again and again.
        action.setAutoRepeat(False)
        context = Qt.ShortcutContext
        action.setShortcutContext(context.WidgetWithChildrenShortcut if spec.area else context.WindowShortcut)
        if spec.icon:
            self._theme.put_icon(action, spec.icon)
            action.setIconVisibleInMenu(False)
        action.triggered.connect(lambda: self._started(spec.id))
        self._specs[spec.id] = spec
        self._actions[spec.id] = action
        self._show_keys(spec.id)
        self._refresh(spec.id)
        return action

    def attach(self, window: QWidget) -> None:
        """Make the key of every command without an area work in *window*."""
        window.addActions([self._actions[spec.id] for spec in self._specs.values() if not spec.area])

    def arm(self, area: str, *widgets: QWidget) -> None:
        """Let the keys of the commands of *area* work while one of *widgets*, or a part of it, has the keyboard."""
        actions = [self._actions[spec.id] for spec in self._specs.values() if spec.area == area]
        for widget in widgets:
            widget.addActions(actions)

    def on(self, action_id: str, handler: Callable[[], object]) -> None:
        """Start *handler* when the command is given. An action without a handler stays disabled."""
        self._handlers[action_id] = handler
        self._refresh(action_id)

    def off(self, action_id: str) -> None:
        """Forget the handler, so that the action is disabled again."""
        self._handlers.pop(action_id, None)
        self._refresh(action_id)

    def mean(self, action_id: str, page: str, meaning: Meaning | None) -> None:
        """Let the command do something else while *page* is shown, whatever facts hold; None: the usual again."""
        if meaning is None:
            self._meanings.pop((action_id, page), None)
        else:
            self._meanings[action_id, page] = meaning
        self._refresh(action_id)

    def set_fallback(self, fallback: Callable[[ActionSpec], object]) -> None:
        """Set the handler of commands that have a home but, its page not being built, no handler yet."""
        self._fallback = fallback
        for action_id in self._specs:
            self._refresh(action_id)

    def start(self, action_id: str) -> None:
        """Call the handler, where there is one and the command can be used now."""
        # Without the fallback, which calls this once its page is built: where that page has no handler either, the two
        # would call each other for ever.
        handler = self._handler(action_id)
        if handler is not None and self._actions[action_id].isEnabled():
            handler()

    def action(self, action_id: str) -> QAction:
        return self._actions[action_id]

    def spec(self, action_id: str) -> ActionSpec:
        return self._specs[action_id]

    def specs(self) -> tuple[ActionSpec, ...]:
        return tuple(self._specs.values())

    def keys(self, action_id: str) -> tuple[str, ...]:
        """The keys in force: rebound ones, else those declared."""
        stored = self._settings.value(f"keys/{action_id}")
        # An empty text is something else: a command whose keys were taken away.
        if stored is None:
            return self._specs[action_id].keys
        return tuple(part for part in str(stored).split(" | ") if part)

    def rebind(self, action_id: str, keys: tuple[str, ...]) -> tuple[Conflict, ...]:
        """Give the command other *keys*; refused, with the clashes, where they are taken."""
        all_keys = {each: self.keys(each) for each in self._specs} | {action_id: keys}
        clashes = tuple(c for c in self._conflicts(all_keys) if action_id in (c.first, c.second))
        if not clashes:
            # One text: a settings file gives a list of one back as a text, and a comma stands within a sequence of
            # several keys.
            self._settings.setValue(f"keys/{action_id}", " | ".join(keys))
            self._show_keys(action_id)
            self.rebound.emit(action_id)
        return clashes

    def reset_keys(self) -> None:
        """Back to the declared keys for every command."""
        others = [each for each, spec in self._specs.items() if self.keys(each) != spec.keys]
        self._settings.remove("keys")
        for action_id in others:
            self._show_keys(action_id)
            self.rebound.emit(action_id)

    def conflicts(self) -> tuple[Conflict, ...]:
        return self._conflicts({each: self.keys(each) for each in self._specs})

    def holds(self, fact: Fact) -> bool:
        return fact in self._facts

    def set_fact(self, fact: Fact, value: bool) -> None:
        """Say whether *fact* holds now; actions follow."""
        if value is (fact in self._facts):
            return
        self._facts.symmetric_difference_update({fact})
        for spec in self._specs.values():
            if fact in spec.needs or fact is Fact.AUDIT_OPEN:
                self._refresh(spec.id)

    def set_page(self, page: str) -> None:
        """Say which page is shown: single-letter keys belong to their page."""
        self._page = page
        meant = {action_id for action_id, _ in self._meanings} | self._usual.keys()
        for spec in self._specs.values():
            if spec.page or spec.id in meant:
                self._refresh(spec.id)
        self.page_changed.emit()

    def _conflicts(self, keys: Mapping[str, tuple[str, ...]]) -> tuple[Conflict, ...]:
        return conflicts(keys, {each: spec.page for each, spec in self._specs.items()})

    def _show_keys(self, action_id: str) -> None:
        self._actions[action_id].setShortcuts([QKeySequence(key) for key in self.keys(action_id)])

    def _refresh(self, action_id: str) -> None:
        spec, action = self._specs[action_id], self._actions[action_id]
        meaning = self._meanings.get((action_id, self._page))
        usual, shown = self._usual.pop(action_id, (action.text(), action.text()))
        # Where a page has given the command another text meanwhile, that one stays.
        if action.text() == shown:
            action.setText(usual)
        if meaning is not None:
            self._usual[action_id] = (action.text(), meaning.text)
            action.setText(meaning.text)
            action.setEnabled(meaning.enabled)
            return
        here = not spec.page or spec.page == self._page
        handled = action_id in self._handlers or bool(spec.home and self._fallback)
        left = spec.needs & _OF_AUDIT and Fact.AUDIT_OPEN not in self._facts
        action.setEnabled(here and spec.needs <= self._facts and handled and not left)

    def _handler(self, action_id: str) -> Callable[[], object] | None:
        meaning = self._meanings.get((action_id, self._page))
        return self._handlers.get(action_id) if meaning is None else meaning.do

    def _started(self, action_id: str) -> None:
        spec, handler = self._specs[action_id], self._handler(action_id)
        popup = QApplication.activePopupWidget()
        if spec.area and popup is not None:
            # Qt asks whom the keyboard belongs to and not what lies above it: the letter is the open menu's.
            self._hand_on(action_id, popup)
        elif (
            self._fallback is not None and spec.home and (handler is None or (spec.at_home and spec.home != self._page))
        ):
            self._fallback(spec)
        elif handler is not None:
            handler()

    def _hand_on(self, action_id: str, popup: QWidget) -> None:
        """Give the key of the command to *popup*, and leave the command as if it had not been given."""
        action = self._actions[action_id]
        if action.isCheckable():
            action.setChecked(not action.isChecked())
        pressed = action.shortcut()[0]  # type: ignore[index]
        key, held = pressed.key(), pressed.keyboardModifiers()
        text = "" if held else action.shortcut().toString().lower()
        # Of all: a menu hands an arrow that it has no use for to its menu bar, where it would be this command's again.
        application, keeps = QApplication.instance(), _KeepsKeys()
        assert application is not None
        application.installEventFilter(keeps)
        try:
            QApplication.sendEvent(popup.focusWidget() or popup, QKeyEvent(QEvent.Type.KeyPress, key, held, text))
        finally:
            application.removeEventFilter(keeps)


class _KeepsKeys(QObject):
    """Takes keys before they are looked up as those of commands."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().eventFilter(watched, event)
