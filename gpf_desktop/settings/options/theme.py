"""Colours of the window."""

from gpf_desktop.domain.options import Shown
from gpf_desktop.settings.option import Option, Part

OPTION = Option(
    name="look.theme",
    part=Part.LOOK,
    kind=str,
    default="system",
    shown=Shown(label="Theme", help="Also under View › Theme."),
    choices=(
        ("system", "As the system"),
        ("light", "Light"),
        ("dark", "Dark"),
        ("high contrast", "High contrast"),
    ),
)
