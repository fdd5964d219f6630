"""The dialogs of Help that tell of the program itself, each made when it is asked for."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context


def help_dialogs(context: Context, window: QWidget) -> Mapping[str, Callable[[], object]]:
    """Functions that show each help dialog, by the id of its command."""
    return {
        "help.diagnose": partial(_diagnose, context, window),
        "help.log": partial(_log, context, window),
        "help.news": partial(_news, context, window),
        "help.licences": partial(_licences, context, window),
    }


def _diagnose(context: Context, window: QWidget) -> None:
    from gpf_desktop.engine.commands.about_program import diagnosis
    from gpf_desktop.ui.shell.program_text_dialog import ProgramTextDialog

    about = tr("What the program finds on this computer. Keys and the name of your home folder are taken out.")
    ProgramTextDialog(context, window, diagnosis, title=tr("Diagnose"), about=about, name="diagnosis").show()


def _log(context: Context, window: QWidget) -> None:
    from gpf_desktop.engine.commands.about_program import log
    from gpf_desktop.ui.shell.program_text_dialog import ProgramTextDialog

    about = tr("Faults inside the program, the newest first. Keys and the name of your home folder are taken out.")
    empty = tr("Nothing has gone wrong inside the program.")
    ProgramTextDialog(context, window, log, title=tr("Log of faults"), about=about, empty=empty, name="faults").show()


def _news(context: Context, window: QWidget) -> None:
    from gpf_desktop.engine.commands.about_program import changes
    from gpf_desktop.ui.shell.program_text_dialog import ProgramTextDialog

    empty = tr("The list of changes does not lie beside the program.")
    ProgramTextDialog(context, window, changes, title=tr("What's new"), empty=empty, markdown=True, name="news").show()


def _licences(context: Context, window: QWidget) -> None:
    from gpf_desktop.engine.commands.about_program import licences
    from gpf_desktop.ui.shell.program_text_dialog import LicencesDialog

    LicencesDialog(context, window, licences).show()
