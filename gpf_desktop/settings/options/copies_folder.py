"""The folder in which the daily copies of audits are kept."""

from gpf_desktop.domain.options import Shown
from gpf_desktop.settings.option import Names, Preference, PreferencePart, no_folder

OPTION = Preference(
    name="folders.copies",
    part=PreferencePart.FOLDERS,
    kind=str,
    default="",
    shown=Shown(
        label="Folder of daily copies",
        help="Best on another disk than the audits. Empty: among this program's own files, in your account.",
        placeholder="this program's own files",
    ),
    names=Names.FOLDER,
    why_not=no_folder,
)
