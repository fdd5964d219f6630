"""Colours of the window."""

from gpf_desktop.domain.options import Shown
from gpf_desktop.settings.option import Preference, PreferencePart

OPTION = Preference(
    name="look.theme",
    part=PreferencePart.LOOK,
    kind=str,
    default="system",
    shown=Shown(label="Colour theme", help="Also under View › Theme."),
    choices=(
        ("system", "As the system"),
        ("light", "Light"),
        ("dark", "Dark"),
        ("high contrast", "High contrast"),
    ),
)
