"""Size of all text in the window."""

from gpf_desktop.domain.options import Shown
from gpf_desktop.settings.option import Preference, PreferencePart

OPTION = Preference(
    name="look.text_size",
    part=PreferencePart.LOOK,
    kind=int,
    default=100,
    shown=Shown(label="Text size", help="Also under View › Text size.", least=100, most=200, unit="%"),
)
