"""The folder in which dialogs that open and save files begin."""

from gpf_desktop.domain.options import Shown
from gpf_desktop.settings.option import Names, Preference, PreferencePart, no_folder

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
    why_not=no_folder,
)
