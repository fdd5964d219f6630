"""Ctrl+,: what the user prefers, on one page that is made of the declared options."""

from collections.abc import Callable, Mapping
from itertools import groupby
from pathlib import Path

from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QLabel, QWidget

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.collect.contacted_hosts import Contact, contacted
from gpf_desktop.settings.option import Value
from gpf_desktop.settings.preferences import HERE, declared
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_open, ask_to_save
from gpf_desktop.ui.preferences.extras_section import ExtrasSection
from gpf_desktop.ui.preferences.option_field import OptionField
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, by_width, fill, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.fields import SearchField
from gpf_desktop.ui.widgets.labels import caption, heading, label, secondary, show_words
from gpf_desktop.ui.widgets.layouts import EndsFlow, clear_layout, flowing, marked_lines, scrolling

_SUFFIX = "json"


class PreferencesDialog(TitledDialog):
    """Every change holds at once and can be taken back for as long as the page is open."""

    def __init__(self, context: Context, open_keys: Callable[[], object], parent: QWidget) -> None:
        """*open_keys* shows the list of keys, where they are changed."""
        super().__init__(parent, tr("Preferences"), "preferences")
        self._context = context
        self._before: list[dict[str, Value]] = []
        """What was chosen before each change that can be taken back."""
        self.search = SearchField(context.theme, tr("Find a preference"))
        self.search.sought.connect(self._show_found)
        self.fields = {name: OptionField(one, HERE, self._change) for name, one in declared().items()}
        self._parts: list[tuple[QLabel, list[OptionField]]] = []
        column = vbox(spacing=SPACE_3, margins=(0, 0, SPACE_4, 0))
        for part, fields in groupby(self.fields.values(), key=lambda field: field.option.part):
            of_part = list(fields)
            title = heading(part.words)
            self._parts.append((title, of_part))
            fill(column, title, *of_part)
        self._none = secondary(tr("No preference has these words."), name="preferences.none")
        column.addWidget(self._none)
        self.extras = ExtrasSection(context)
        column.addWidget(self.extras)
        self._rest = PlainWidget()
        self._hosts = PlainWidget()
        self._lines = marked_lines(self._hosts)
        vbox(
            heading(tr("Keys")),
            flowing(button(tr("Keyboard shortcuts …"), open_keys, name="preferences.keys")),
            heading(tr("Privacy")),
            caption(
                tr(
                    "The hosts of this audit, and those that belong to none. A site may lead on to servers of its own."
                    " Nothing is sent about how you use the program."
                )
            ),
            self._hosts,
            parent=self._rest,
            spacing=SPACE_3,
        )
        column.addWidget(self._rest)
        column.addStretch(1)
        content = QWidget()
        content.setLayout(column)
        self.undo = button(tr("Undo"), self.take_back, name="preferences.undo")
        self.all_defaults = button(tr("All to defaults"), self._reset, name="preferences.reset")
        self.said = label(wrap=True, name="preferences.said")
        self.said.hide()
        ending = PlainWidget()
        ending.setSizePolicy(by_width())
        EndsFlow(
            ending,
            self.undo,
            self.all_defaults,
            button(tr("Import …"), self._ask_import, name="preferences.import"),
            button(tr("Export …"), self._ask_export, name="preferences.export"),
            button(tr("Close"), self.close, primary=True, name="preferences.close"),
            ends=1,
        )
        vbox(
            self.search,
            (scrolling(content), 1),
            self.said,
            ending,
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        QShortcut(QKeySequence(QKeySequence.StandardKey.Undo), self, self.take_back)
        # Menus change some of them too.
        leave = HERE.follow(self._changed)
        self.destroyed.connect(leave)
        room = (parent.screen() or self.screen()).availableSize()
        self.resize(min(context.theme.px(640), room.width() - 80), min(context.theme.px(620), room.height() - 80))
        self._show_found("")
        self._show_state()
        self._show_hosts(contacted((), ()))
        context.bridge.run(self._read_hosts, then=self._show_hosts, owner=self, anywhere=True)

    def take_back(self) -> None:
        """Undo the last change that was made here."""
        if self._before:
            before = self._before.pop()
            try:
                HERE.put_back(before)
            except GpfError as error:
                self._before.append(before)
                self._say(str(error))
            self._show_state()

    def export_to(self, path: Path) -> None:
        """Write what was chosen and the keys that were changed as one file; no key of a provider is in it."""
        actions = self._context.actions
        changed = {spec.id: " | ".join(actions.keys(spec.id)) for spec in actions.specs()}
        keys = {each: keys for each, keys in changed.items() if keys != " | ".join(actions.spec(each).keys)}
        try:
            HERE.write_to(path, keys)
            self._say(tr("Exported to {name}. Keys of providers are not in it.", name=path.name))
        except GpfError as error:
            self._say(str(error))

    def import_from(self, path: Path) -> None:
        """Take over what `export_to` wrote."""
        read: list[Mapping[str, str] | None] = []
        try:
            self._change(lambda: read.append(HERE.read_from(path)))
        except GpfError as error:
            self._say(str(error))
            return
        refused = [] if read[0] is None else self._take_over(read[0])
        words = tr("Imported from {name}.", name=path.name)
        if refused:
            words += " " + trn(
                "{n} key was left as it is: it belongs to another command.",
                "{n} keys were left as they are: they belong to other commands.",
                len(refused),
            )
        self._say(words)

    def _take_over(self, keys: Mapping[str, str]) -> list[str]:
        """Give commands the *keys* that are told, all others their own; those whose keys are taken keep theirs."""
        actions = self._context.actions
        known = {spec.id for spec in actions.specs()}
        wanted = {each: tuple(filter(None, of.split(" | "))) for each, of in keys.items() if each in known}
        actions.reset_keys()
        # Freed first: two commands may have changed places.
        for each in wanted:
            actions.rebind(each, ())
        refused = [each for each, of in wanted.items() if actions.rebind(each, of)]
        for each in refused:
            actions.rebind(each, actions.spec(each).keys)
        return refused

    def _change(self, do: Callable[[], object]) -> None:
        """Raises what *do* raises; then nothing has changed."""
        before = HERE.chosen()
        do()
        if HERE.chosen() != before:
            self._before.append(before)
        self._show_state()

    def _reset(self) -> None:
        try:
            self._change(lambda: HERE.reset(*declared()))
        except GpfError as error:
            self._say(str(error))

    def _changed(self, name: str) -> None:
        self.fields[name].show_value()
        self._show_state()

    def _show_state(self) -> None:
        for field in self.fields.values():
            field.default.setEnabled(HERE.is_set(field.option.name))
        self.undo.setEnabled(bool(self._before))
        self.all_defaults.setEnabled(bool(HERE.chosen()))

    def _show_found(self, typed: str) -> None:
        for title, fields in self._parts:
            for field in fields:
                field.setVisible(field.matches(typed))
            title.setVisible(any(field.matches(typed) for field in fields))
        self.extras.setVisible(self.extras.matches(typed))
        further = tr("keys keyboard shortcuts privacy hosts network").casefold()
        self._rest.setVisible(all(each in further for each in typed.casefold().split()))
        parts = (self.extras, self._rest, *self.fields.values())
        self._none.setVisible(all(part.isHidden() for part in parts))

    def _read_hosts(self) -> tuple[Contact, ...]:
        audit = self._context.engine.current
        if audit is None:
            return contacted((), ())
        models = [row.model.endpoint for row in audit.models.models()]
        return contacted(models, [row.address for row in audit.sources.sources()])

    def _show_hosts(self, found: tuple[Contact, ...]) -> None:
        clear_layout(self._lines)
        for row, each in enumerate(found):
            self._lines.addWidget(label(each.host), row, 0)
            self._lines.addWidget(label(each.why, "secondary", wrap=True), row, 1)

    def _say(self, words: str) -> None:
        show_words(self.said, words)

    def _ask_export(self) -> None:
        ask_to_save(
            self, tr("Export preferences"), f"JSON (*.{_SUFFIX})", _SUFFIX, self.export_to, suggested="preferences.json"
        )

    def _ask_import(self) -> None:
        ask_to_open(self, tr("Import preferences"), f"JSON (*.{_SUFFIX})", self.import_from)
