"""The window's own commands. Pages add theirs in files of their own (`ui/<page>/*_actions.py`)."""

from functools import partial

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu
from gpf_desktop.ui.shell.pages import PageSpec

_AUDIT = frozenset({Fact.AUDIT_OPEN})


def shell_actions(pages: tuple[PageSpec, ...]) -> tuple[ActionSpec, ...]:
    """The window's own commands and those that *pages* bring."""
    brought = (spec for page in pages for spec in page.actions())
    return (*_file(), *_edit(), *_view(pages), *brought, *_sample(), *_window(), *_help())


def _file() -> tuple[ActionSpec, ...]:
    command = partial(ActionSpec, menu=Menu.FILE)
    return (
        command(id="file.new", text=tr("&New audit …"), keys=("Ctrl+N",), icon="file-new"),
        command(id="file.open", text=tr("&Open …"), keys=("Ctrl+O",), icon="folder-open"),
        command(
            id="file.copy",
            text=tr("Save a &copy …"),
            group=1,
            keys=("Ctrl+Shift+S",),
            icon="save-copy",
            needs=_AUDIT,
            words=tr("backup duplicate"),
        ),
        command(
            id="file.copies",
            text=tr("Dail&y copies …"),
            group=1,
            icon="save-copy",
            words=tr("backup restore"),
        ),
        command(
            id="file.export",
            text=tr("&Export data …"),
            group=1,
            keys=("Ctrl+Shift+E",),
            icon="export",
            needs=_AUDIT,
            words=tr("csv json parquet tables answers scores"),
        ),
        command(
            id="file.artifact",
            text=tr("Save &a shared file …"),
            group=1,
            icon="export",
            needs=_AUDIT,
            words=tr("zip publish croissant reproduce share"),
        ),
        command(
            id="file.import",
            text=tr("&Import answers …"),
            icon="import",
            words=tr("csv xlsx ods zip parquet promptfoo inspect table"),
        ),
        command(
            id="file.import_folder",
            text=tr("Import a fol&der of answers …"),
            icon="import",
            words=tr("csv tables export helm several"),
        ),
        command(
            id="file.open_artifact", text=tr("Open a shared &file …"), icon="import", words=tr("artifact zip reproduce")
        ),
        command(
            id="file.verify_artifact",
            text=tr("&Verify a shared file …"),
            icon="check-circle",
            words=tr("artifact zip seal check code recompute reproduce"),
        ),
        command(id="file.close", text=tr("C&lose audit"), group=2, keys=("Ctrl+W",), needs=_AUDIT),
        command(id="file.quit", text=tr("&Quit"), group=3, keys=("Ctrl+Q",), words=tr("exit")),
    )


def _sample() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            id="sample.open",
            text=tr("Open the &sample audit"),
            menu=Menu.FILE,
            icon="document",
            words=tr("example demo tour"),
        ),
        ActionSpec(
            id="sample.practice",
            text=tr("&Practice round"),
            menu=Menu.RUN,
            group=3,
            icon="calibration",
            words=tr("calibration try demo"),
        ),
    )


def _edit() -> tuple[ActionSpec, ...]:
    command = partial(ActionSpec, menu=Menu.EDIT)
    return (
        command(id="edit.undo", text=tr("&Undo"), keys=("Ctrl+Z",), icon="undo", needs=frozenset({Fact.CAN_UNDO})),
        command(
            id="edit.redo",
            text=tr("&Redo"),
            keys=("Ctrl+Shift+Z", "Ctrl+Y"),
            icon="redo",
            needs=frozenset({Fact.CAN_REDO}),
        ),
        command(id="edit.find", text=tr("&Find on this page"), group=1, keys=("Ctrl+F",), icon="search"),
        command(
            id="edit.palette",
            text=tr("Find a &command …"),
            group=1,
            keys=("Ctrl+K",),
            icon="palette",
            words=tr("palette"),
        ),
        command(
            id="edit.preferences",
            text=tr("&Preferences …"),
            group=2,
            keys=("Ctrl+,",),
            icon="settings",
            words=tr("settings options proxy theme certificates"),
        ),
    )


def _view(pages: tuple[PageSpec, ...]) -> tuple[ActionSpec, ...]:
    command = partial(ActionSpec, menu=Menu.VIEW)
    theme = partial(ActionSpec, menu=Menu.VIEW, group=3, submenu=tr("&Theme"), checkable=True)
    size = partial(ActionSpec, menu=Menu.VIEW, group=3, submenu=tr("Text &size"))
    return (
        *(
            command(
                id=f"view.{page.id}", text=page.title, keys=(f"Ctrl+{number}",), icon=page.icon, words=tr("go to page")
            )
            for number, page in enumerate(pages, start=1)
        ),
        command(
            id="view.back",
            text=tr("&Back"),
            group=1,
            keys=("Alt+Left",),
            icon="chevron-left",
            needs=frozenset({Fact.CAN_GO_BACK}),
        ),
        command(
            id="view.forward",
            text=tr("&Forward"),
            group=1,
            keys=("Alt+Right",),
            icon="chevron-right",
            needs=frozenset({Fact.CAN_GO_FORWARD}),
        ),
        command(
            id="view.inspector",
            text=tr("&Inspector"),
            group=2,
            keys=("Ctrl+I",),
            icon="inspector",
            checkable=True,
            needs=frozenset({Fact.HAS_INSPECTOR}),
        ),
        command(id="view.next_pane", text=tr("&Next pane"), group=2, keys=("F6",)),
        command(id="view.previous_pane", text=tr("&Previous pane"), group=2, keys=("Shift+F6",)),
        theme(id="theme.system", text=tr("As the &system"), words=tr("theme colours")),
        theme(id="theme.light", text=tr("&Light"), words=tr("theme colours")),
        theme(id="theme.dark", text=tr("&Dark"), words=tr("theme colours night")),
        theme(id="theme.high_contrast", text=tr("&High contrast"), words=tr("theme colours")),
        size(id="text.larger", text=tr("&Larger"), keys=("Ctrl++", "Ctrl+="), words=tr("text font zoom in")),
        size(id="text.smaller", text=tr("&Smaller"), keys=("Ctrl+-",), words=tr("text font zoom out")),
        size(id="text.normal", text=tr("&Normal"), keys=("Ctrl+0",), words=tr("text font zoom reset")),
    )


def _window() -> tuple[ActionSpec, ...]:
    command = partial(ActionSpec, menu=Menu.WINDOW)
    return (
        command(id="window.full", text=tr("&Full screen"), keys=("F11",), checkable=True),
        command(id="window.minimise", text=tr("&Minimise"), keys=("Ctrl+M",)),
        command(id="window.dismiss", text=tr("&Dismiss the message"), group=1, keys=("Ctrl+Shift+D",), icon="close"),
    )


def _help() -> tuple[ActionSpec, ...]:
    command = partial(ActionSpec, menu=Menu.HELP)
    return (
        command(
            id="help.manual", text=tr("&Manual"), keys=("F1",), icon="help", words=tr("help guide handbook first audit")
        ),
        command(id="help.keys", text=tr("&Keyboard shortcuts"), keys=("?",), icon="keyboard", words=tr("keys hotkeys")),
        command(
            id="help.reading",
            group=1,
            text=tr("&How to read the scores"),
            icon="info",
            words=tr("method claims meaning"),
        ),
        command(
            id="help.check",
            group=1,
            text=tr("&Check the test …"),
            icon="calibration",
            words=tr("instrument calibration built-in test models planted framing"),
        ),
        command(
            id="help.diagnose",
            group=2,
            text=tr("&Diagnose …"),
            icon="check-circle",
            words=tr("doctor machine versions disk key store display fault"),
        ),
        command(
            id="help.log", group=2, text=tr("&Log of faults …"), icon="document", words=tr("crash error report details")
        ),
        command(id="help.news", text=tr("What's &new"), group=3, icon="info", words=tr("changes version changelog")),
        command(id="help.licences", text=tr("L&icences"), group=3, icon="document", words=tr("libraries qt lgpl")),
        command(id="help.about", text=tr("&About GPF Desktop"), group=3, icon="info", words=tr("version licence")),
    )
