"""The window's own commands. Pages add theirs in files of their own (`ui/<page>/*_actions.py`)."""

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.actions import ActionSpec, Fact, Menu
from gpf_desktop.ui.shell.pages import PageSpec

_AUDIT = frozenset({Fact.AUDIT_OPEN})


def shell_actions(pages: tuple[PageSpec, ...]) -> tuple[ActionSpec, ...]:
    """The window's own commands and those that *pages* bring."""
    brought = (spec for page in pages for spec in page.actions())
    return (*_file(), *_edit(), *_view(pages), *brought, *_sample(), *_window(), *_help())


def _file() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(id="file.new", text=tr("&New audit …"), menu=Menu.FILE, keys=("Ctrl+N",), icon="file-new"),
        ActionSpec(id="file.open", text=tr("&Open …"), menu=Menu.FILE, keys=("Ctrl+O",), icon="folder-open"),
        ActionSpec(
            id="file.copy",
            text=tr("Save a &copy …"),
            menu=Menu.FILE,
            group=1,
            keys=("Ctrl+Shift+S",),
            icon="save-copy",
            needs=_AUDIT,
            words=tr("backup duplicate"),
        ),
        ActionSpec(
            id="file.export",
            text=tr("&Export data …"),
            menu=Menu.FILE,
            group=1,
            keys=("Ctrl+Shift+E",),
            icon="export",
            needs=_AUDIT,
            words=tr("csv json parquet tables answers scores"),
        ),
        ActionSpec(
            id="file.artifact",
            text=tr("Save an &artifact …"),
            menu=Menu.FILE,
            group=1,
            icon="export",
            needs=_AUDIT,
            words=tr("zip publish croissant reproduce share"),
        ),
        ActionSpec(
            id="file.import",
            text=tr("&Import answers …"),
            menu=Menu.FILE,
            icon="import",
            words=tr("csv xlsx parquet promptfoo inspect table"),
        ),
        ActionSpec(
            id="file.open_artifact",
            text=tr("Open an arti&fact …"),
            menu=Menu.FILE,
            icon="import",
            words=tr("zip reproduce"),
        ),
        ActionSpec(
            id="file.verify_artifact",
            text=tr("&Verify an artifact …"),
            menu=Menu.FILE,
            icon="check-circle",
            words=tr("zip seal recompute reproduce check"),
        ),
        ActionSpec(id="file.close", text=tr("C&lose audit"), menu=Menu.FILE, group=2, keys=("Ctrl+W",), needs=_AUDIT),
        ActionSpec(id="file.quit", text=tr("&Quit"), menu=Menu.FILE, group=3, keys=("Ctrl+Q",), words=tr("exit")),
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
            text=tr("&Practice run"),
            menu=Menu.RUN,
            group=3,
            icon="calibration",
            words=tr("calibration try demo"),
        ),
    )


def _edit() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            id="edit.undo",
            text=tr("&Undo"),
            menu=Menu.EDIT,
            keys=("Ctrl+Z",),
            icon="undo",
            needs=frozenset({Fact.CAN_UNDO}),
        ),
        ActionSpec(
            id="edit.redo",
            text=tr("&Redo"),
            menu=Menu.EDIT,
            keys=("Ctrl+Shift+Z", "Ctrl+Y"),
            icon="redo",
            needs=frozenset({Fact.CAN_REDO}),
        ),
        ActionSpec(
            id="edit.find", text=tr("&Find on this page"), menu=Menu.EDIT, group=1, keys=("Ctrl+F",), icon="search"
        ),
        ActionSpec(
            id="edit.palette",
            text=tr("Find a &command …"),
            menu=Menu.EDIT,
            group=1,
            keys=("Ctrl+K",),
            icon="palette",
            words=tr("palette"),
        ),
    )


def _view(pages: tuple[PageSpec, ...]) -> tuple[ActionSpec, ...]:
    theme = tr("&Theme")
    size = tr("Text &size")
    return (
        *(
            ActionSpec(
                id=f"view.{page.id}",
                text=page.title,
                menu=Menu.VIEW,
                keys=(f"Ctrl+{number}",),
                icon=page.icon,
                words=tr("go to page"),
            )
            for number, page in enumerate(pages, start=1)
        ),
        ActionSpec(
            id="view.back",
            text=tr("&Back"),
            menu=Menu.VIEW,
            group=1,
            keys=("Alt+Left",),
            icon="chevron-left",
            needs=frozenset({Fact.CAN_GO_BACK}),
        ),
        ActionSpec(
            id="view.forward",
            text=tr("&Forward"),
            menu=Menu.VIEW,
            group=1,
            keys=("Alt+Right",),
            icon="chevron-right",
            needs=frozenset({Fact.CAN_GO_FORWARD}),
        ),
        ActionSpec(
            id="view.inspector",
            text=tr("&Inspector"),
            menu=Menu.VIEW,
            group=2,
            keys=("Ctrl+I",),
            icon="inspector",
            checkable=True,
            needs=frozenset({Fact.HAS_INSPECTOR}),
        ),
        ActionSpec(id="view.next_pane", text=tr("&Next pane"), menu=Menu.VIEW, group=2, keys=("F6",)),
        ActionSpec(id="view.previous_pane", text=tr("&Previous pane"), menu=Menu.VIEW, group=2, keys=("Shift+F6",)),
        ActionSpec(
            id="theme.system",
            text=tr("As the &system"),
            menu=Menu.VIEW,
            group=3,
            submenu=theme,
            checkable=True,
            words=tr("theme colours"),
        ),
        ActionSpec(
            id="theme.light",
            text=tr("&Light"),
            menu=Menu.VIEW,
            group=3,
            submenu=theme,
            checkable=True,
            words=tr("theme colours"),
        ),
        ActionSpec(
            id="theme.dark",
            text=tr("&Dark"),
            menu=Menu.VIEW,
            group=3,
            submenu=theme,
            checkable=True,
            words=tr("theme colours night"),
        ),
        ActionSpec(
            id="theme.high_contrast",
            text=tr("&High contrast"),
            menu=Menu.VIEW,
            group=3,
            submenu=theme,
            checkable=True,
            words=tr("theme colours"),
        ),
        ActionSpec(
            id="text.larger",
            text=tr("&Larger"),
            menu=Menu.VIEW,
            group=3,
            submenu=size,
            keys=("Ctrl++", "Ctrl+="),
            words=tr("text font zoom in"),
        ),
        ActionSpec(
            id="text.smaller",
            text=tr("&Smaller"),
            menu=Menu.VIEW,
            group=3,
            submenu=size,
            keys=("Ctrl+-",),
            words=tr("text font zoom out"),
        ),
        ActionSpec(
            id="text.normal",
            text=tr("&Normal"),
            menu=Menu.VIEW,
            group=3,
            submenu=size,
            keys=("Ctrl+0",),
            words=tr("text font zoom reset"),
        ),
    )


def _window() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(id="window.full", text=tr("&Full screen"), menu=Menu.WINDOW, keys=("F11",), checkable=True),
        ActionSpec(id="window.minimise", text=tr("&Minimise"), menu=Menu.WINDOW, keys=("Ctrl+M",)),
        ActionSpec(
            id="window.dismiss",
            text=tr("&Dismiss the message"),
            menu=Menu.WINDOW,
            group=1,
            keys=("Ctrl+Shift+D",),
            icon="close",
        ),
    )


def _help() -> tuple[ActionSpec, ...]:
    return (
        ActionSpec(
            id="help.keys",
            text=tr("&Keyboard shortcuts"),
            menu=Menu.HELP,
            keys=("?", "F1"),
            icon="keyboard",
            words=tr("keys hotkeys"),
        ),
        ActionSpec(
            id="help.reading",
            text=tr("&How to read the scores"),
            menu=Menu.HELP,
            icon="help",
            words=tr("method claims meaning"),
        ),
        ActionSpec(
            id="help.check",
            text=tr("&Check the instrument …"),
            menu=Menu.HELP,
            icon="calibration",
            words=tr("calibration models planted framing test"),
        ),
        ActionSpec(
            id="help.about",
            text=tr("&About GPF Desktop"),
            menu=Menu.HELP,
            group=1,
            icon="info",
            words=tr("version licence"),
        ),
    )
