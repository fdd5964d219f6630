"""How many calls to one account are in flight at most."""

from gpf_desktop.domain.options import Shown
from gpf_desktop.settings.option import Preference, PreferencePart

OPTION = Preference(
    name="rounds.calls_at_once",
    part=PreferencePart.ROUNDS,
    kind=int,
    default=None,
    begins=8,
    shown=Shown(
        label="Calls at once",
        help=(
            "To one account, where its model says nothing else. Not set: as many as the provider takes. "
            "A round that is running takes a change when it is resumed."
        ),
        least=1,
        most=500,
        none="at most",
    ),
)
