"""Where the daily copies of audits are kept."""

from pathlib import Path

from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.option import Names, Preference, PreferencePart


def _why_not(text: str) -> str:
    return "" if not text or Path(text).is_dir() else tr("There is no folder {path}.", path=text)


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
    why_not=_why_not,
)
