"""Where dialogs that open and save files begin."""

from pathlib import Path

from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.option import Names, Preference, PreferencePart


def _why_not(text: str) -> str:
    return "" if not text or Path(text).is_dir() else tr("There is no folder {path}.", path=text)


OPTION = Preference(
    name="folders.audits",
    part=PreferencePart.FOLDERS,
    kind=str,
    default="",
    shown=Shown(
        label="Folder of audits",
        help="Where dialogs for files begin after a start. Empty: your documents.",
        placeholder="your documents",
    ),
    names=Names.FOLDER,
    why_not=_why_not,
)
