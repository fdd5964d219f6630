"""The form for one model: address and key, the model itself, and what is set for it alone."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QPushButton, QWidget

from gpf_desktop.domain.model_tests import ModelFault
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.models import presets
from gpf_desktop.settings.keys import Kept
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.models.editor_view_model import EditorViewModel
from gpf_desktop.ui.models.model_picker import ModelPicker
from gpf_desktop.ui.models.own_settings import OwnSettings
from gpf_desktop.ui.models.test_card import TestCard
from gpf_desktop.ui.models.wording import kept_words
from gpf_desktop.ui.shell.passphrase import PassphraseDialog
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.badge import synthetic_badge
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, hbox, vbox
from gpf_desktop.ui.widgets.buttons import allow, button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, heading, problem_label, show_words
from gpf_desktop.ui.widgets.layouts import flowing, restyle, scrolling
from gpf_desktop.ui.widgets.section import CollapsibleSection
from gpf_desktop.ui.widgets.side_by_side import SideBySide


class ModelEditor(PlainWidget):
    """Left the fields, right the test; nothing is kept before "Save"."""

    def __init__(self, context: Context, model: EditorViewModel) -> None:
        super().__init__()
        self._context, self._model = context, model
        self._filled = -1
        self._filled_for = (0, "", "")
        self._landed = 0
        self._lent = False
        """Cancel has the keyboard for the buttons that rest while a test runs."""
        self._make_fields()
        self.own = OwnSettings(context, model)
        self._lay_out()
        self._connect()

    def show_model(self) -> None:
        """Paint the view-model's state; the fields are filled when another model is shown."""
        model = self._model
        if model.generation != self._filled:
            self._filled = model.generation
            self._fill()
        self.title.setText(model.title)
        self.synthetic.setVisible(model.provider.synthetic)
        here = model.provider.runs_here
        self._reach.setVisible(not here)
        line = self.model.lineEdit()
        assert line is not None, "the box is editable"
        line.setPlaceholderText(tr("a folder, an installed package, or a name on huggingface.co") if here else "")
        store = model.models.store
        others = () if model.draft.key_account else model.accounts
        words = kept_words(model.kept, store, locked=model.locked, variable=model.draft.key_env, accounts=others)
        self.kept.setText(words)
        can_forget = model.kept in (Kept.STORE, Kept.SESSION)
        focused = self.window().focusWidget()
        if (not model.locked and focused is self.unlock) or (not can_forget and focused is self.forget):
            self.key.setFocus()
        self.unlock.setVisible(model.locked)
        self.seal.setVisible(model.models.storeless)
        _list_in(self.account, self._model.accounts)
        self.forget.setVisible(can_forget)
        self.key.setPlaceholderText("" if model.kept is Kept.NOWHERE else "•" * 12)
        self._show_list()
        self._show_preset()
        self.problem.setText(model.problem)
        self.test_button.setText(model.test_words)
        self._press(self.test_button, primary=not model.passed)
        self._press(self.save, primary=model.passed)
        self.save.setText(model.save_words)
        self._rest_buttons()
        self.test_card.show_model()
        self.own.show_model()
        if model.begun != self._landed and self.isVisible():
            self._landed = model.begun
            self._left.verticalScrollBar().setValue(0)
            # Without a fault too: with what was pressed gone, Qt would hand the keyboard to the rail.
            self._land(self.at_fault())

    def at_fault(self) -> QWidget:
        """The widget at which the fault is mended: the field, the button that unfolds it, or Test where the form
        cannot mend it.
        """
        match self._model.fault:
            case ModelFault.NO_KEY | ModelFault.BAD_KEY:
                return self.key
            case ModelFault.UNKNOWN_MODEL:
                return self.model
            case ModelFault.TIMED_OUT:
                return self.own.limits_section.head
            case ModelFault.REFUSED:
                return self.own.decoding_section.head
            case (
                ModelFault.NO_CREDIT
                | ModelFault.SHUT
                | ModelFault.RATE_LIMITED
                | ModelFault.DAY_USED_UP
                | ModelFault.PLAN_USED_UP
                | ModelFault.OTHER
            ):
                return self.test_button
            case _:
                return self.address

    def _land(self, place: QWidget) -> None:
        section = place.parent()
        if isinstance(section, CollapsibleSection):
            section.set_open(True)
        place.setFocus()
        self._left.ensureWidgetVisible(place)

    def _rest_buttons(self) -> None:
        """Test and Save rest while a test runs, and what mends the address goes: the keyboard comes back to them."""
        model = self._model
        rests = model.running and (self.test_button.hasFocus() or self.save.hasFocus())
        if rests or (self.test_card.repair.hasFocus() and not model.shown_test.address):
            # Before they are disabled or hidden: Qt would hand the keyboard on to the rail.
            self._lent = True
            self.cancel.setFocus()
        allow(self.test_button, model.why_no_test)
        allow(self.save, model.lacks or ("" if model.can_save else model.test_words))
        show_words(self.lacks, model.lacks)
        if self._lent and not model.running:
            self._lent = False
            if self.cancel.hasFocus():
                (self.save if model.passed else self.test_button).setFocus()

    @staticmethod
    def _press(one: QPushButton, *, primary: bool) -> None:
        """Make *one* the button to press next, or not."""
        if one.property("primary") is not primary:
            one.setProperty("primary", primary)
            restyle(one)

    def _make_fields(self) -> None:
        self.title = heading("")
        self.synthetic = synthetic_badge(self._context.theme)
        self.address, self.vendor, self.key = QLineEdit(), QLineEdit(), QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.address_field = FormField(tr("Address"), self.address, name="models.address")
        self.preset = QComboBox()
        self.preset.addItem(tr("Another server"))
        for each in presets.presets():
            self.preset.addItem(each.title, each)
        self.preset.setMaxVisibleItems(self.preset.count())
        self.preset_field = FormField(tr("Service"), self.preset, name="models.preset")
        self.preset_note = caption(name="models.presetNote")
        self.picker = ModelPicker(self._model)
        self.vendor_field = FormField(
            tr("Vendor"),
            self.vendor,
            help=tr("Groups models in the vendor summary; empty: the provider."),
            name="models.vendor",
        )
        self.account = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.account_field = FormField(
            tr("Account"),
            self.account,
            help=tr("Only where you have several keys for this address: a name for each, shared by all your audits."),
            name="models.account",
        )
        self.key_field = FormField(tr("Key"), self.key, name="models.key")
        self.seal = button(tr("Keep keys in a file …"), self._seal, compact=True, name="models.keyFile")
        self.unlock = button(tr("Unlock the key store …"), self._model.unlock, compact=True, name="models.unlock")
        self.kept = caption(name="models.kept")
        self.get_key = link(tr("Get a key"), self._get_key, name="models.getKey")
        self.save_key = button(tr("Keep key"), self._save_key, compact=True, name="models.saveKey")
        self.forget = button(tr("Forget key"), self._model.forget_key, compact=True, name="models.forgetKey")
        self.model = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
        self.model_field = FormField(
            tr("Model"), self.model, help=tr("Pick one, or type any name."), name="models.model"
        )
        self.list = button(tr("List models"), self._list, compact=True, name="models.list")
        self.listed = caption(name="models.listed")
        self.problem = problem_label(name="models.problem")
        self.test_card = TestCard(self._context, self._model)
        self.lacks = caption(name="models.lacks")
        self.test_button = button(tr("Test"), self._test, name="models.runTest")
        self.save = button(tr("Save"), self._save, name="models.save")
        self.cancel = button(tr("Cancel"), self._model.cancel, name="models.cancel")

    def _lay_out(self) -> None:
        left = QWidget()
        form = vbox(self._reach_card(), self._model_card(), self.own, 1, parent=left, spacing=SPACE_3)
        self._form = form
        side = QWidget()
        self._right = vbox(parent=side, spacing=SPACE_3)
        self._tested = (self.lacks, self.test_card, self.problem)
        self._buttons = flowing(self.cancel, self.test_button, self.save)
        for widget in (self._buttons, *self._tested):
            self._right.addWidget(widget)
        self._right.addStretch(1)
        self._side = scrolling(side, "models.side")
        self._left = scrolling(left, "models.form")
        self._columns = SideBySide(self._context.theme, self._left, self._side)
        self._columns.turned.connect(self._turn)
        self._outer = vbox(hbox(self.title, self.synthetic, 1), (self._columns, 1), parent=self, spacing=SPACE_3)
        self._turn(self._columns.stacked)

    def _turn(self, stacked: bool) -> None:
        """Below each other, the form and its test are one to scroll through, and the buttons stay in sight.

        Beside the form they stand above the test, whose words would push them from under the mouse.
        """
        into = self._form if stacked else self._right
        if not stacked:
            self._right.insertWidget(0, self._buttons)
        first = into.count() - 1 if stacked else 1
        for at, widget in enumerate(self._tested):
            if into.indexOf(widget) < 0:
                into.insertWidget(first + at, widget)
        if stacked and self._outer.indexOf(self._buttons) < 0:
            self._outer.addWidget(self._buttons)
        self._side.setVisible(not stacked)

    def _reach_card(self) -> Card:
        reach = Card(tr("Server and key"))
        for widget in (self.preset_field, self.address_field, self.preset_note):
            reach.body.addWidget(widget)
        self._key_part = PlainWidget()
        vbox(
            self.account_field,
            self.key_field,
            self.kept,
            flowing(self.unlock, self.save_key, self.forget, self.seal, self.get_key),
            parent=self._key_part,
            spacing=SPACE_2,
        )
        reach.body.addWidget(self._key_part)
        self._reach = reach
        return reach

    def _model_card(self) -> Card:
        which = Card(tr("Which model"))
        fill(which.body, self.model_field, hbox(self.list, (self.listed, 1)), self.picker, self.vendor_field)
        return which

    def _connect(self) -> None:
        model = self._model
        self.address.textChanged.connect(lambda text: model.change(base_url=text))
        self.account.editTextChanged.connect(lambda text: model.change(key_account=text))
        self.vendor.textChanged.connect(lambda text: model.change(vendor=text))
        self.model.editTextChanged.connect(lambda text: model.change(model=text))
        self.key.returnPressed.connect(self._save_key)
        self.preset.activated.connect(self._choose)
        # Over the box's own list, so that names are completed too that a server lists later.
        completer = QCompleter(self.model.model(), self.model)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.model.setCompleter(completer)

    def _fill(self) -> None:
        """Show the draft and the provider's own fields, without telling the view-model what it knows."""
        draft, provider = self._model.draft, self._model.provider
        blockers = [QSignalBlocker(each) for each in (self.address, self.vendor, self.model, self.account)]
        self.account.setEditText(draft.key_account)
        if self.address.text() != draft.base_url:
            # Set to what stands there it would move the cursor to its end.
            self.address.setText(draft.base_url)
        self.address.setPlaceholderText(provider.default_base_url)
        self.vendor.setText(draft.vendor)
        self.vendor.setPlaceholderText(provider.name)
        form = (self._model.begun, draft.base_url, draft.key_account)
        # A key that was typed was meant for the address and account that stood there.
        if form != self._filled_for:
            self.key.clear()
        self._filled_for = form
        self.model.clear()
        self.model.setEditText(draft.model)
        # From here on signals pass again: the blockers end with their last reference.
        del blockers
        self._reach.setVisible(not provider.synthetic)
        self.preset_field.setVisible(self._model.offers_presets)
        self.own.fill()

    def _show_preset(self) -> None:
        preset = self._model.preset
        self.preset.setCurrentIndex(0 if preset is None else presets.presets().index(preset) + 1)
        words = "" if preset is None else preset.note
        show_words(self.preset_note, words)
        self.get_key.setVisible(bool(self._model.key_url))

    def _choose(self, at: int) -> None:
        if at or self._model.preset is not None:
            self._model.choose(self.preset.itemData(at))

    def _show_list(self) -> None:
        opens = self._model.offers_listed and not self.picker.isVisible()
        self.picker.show_model()
        if opens and self.list.hasFocus():
            # Once it has its room.
            QTimer.singleShot(0, self, lambda: self._left.ensureWidgetVisible(self.picker))
        _list_in(self.model, self._model.listed)
        self.listed.setText(self._model.list_words)
        provider = self._model.provider
        self.list.setVisible(not (provider.known_models() or provider.runs_here))

    def _save_key(self) -> None:
        self._model.save_key(self._typed_key())

    def _seal(self) -> None:
        begin = partial(self._model.begin_file, typed_key=self._typed_key)
        PassphraseDialog(self._context.theme, self.window(), begin, new=True).open()

    def _test(self) -> None:
        self._model.run_test(self._typed_key())

    def _list(self) -> None:
        self._model.list_models(self._typed_key())

    def _save(self) -> None:
        self._model.save(self._typed_key())

    def _typed_key(self) -> str:
        """The key in the field, which forgets it."""
        key = self.key.text()
        self.key.clear()
        return key

    def _get_key(self) -> None:
        QDesktopServices.openUrl(QUrl(self._model.key_url))


def _list_in(box: QComboBox, names: Sequence[str]) -> None:
    """Have *box*, which can be typed into, list *names*."""
    if [box.itemText(at) for at in range(box.count())] != list(names):
        with QSignalBlocker(box):
            # With its list Qt empties the field of an editable box too: what is typed there is put back.
            text = box.currentText()
            box.clear()
            box.addItems(list(names))
            box.setEditText(text)
