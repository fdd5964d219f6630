"""How many days' copies of an audit are kept."""

from gpf_desktop.domain.options import Shown
from gpf_desktop.settings.option import Preference, PreferencePart

OPTION = Preference(
    name="work.daily_copies",
    part=PreferencePart.WORK,
    kind=int,
    default=7,
    shown=Shown(
        label="Daily copies kept",
        help="On each day that an audit is open in the window, a copy of it is kept; older ones go. 0: none.",
        least=0,
        most=365,
    ),
)
