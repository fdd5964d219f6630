"""The cap that a round begins with."""

from gpf_desktop.domain.options import Shown
from gpf_desktop.settings.option import Preference, PreferencePart

OPTION = Preference(
    name="rounds.spend_cap",
    part=PreferencePart.ROUNDS,
    kind=float,
    default=None,
    begins=10.0,
    shown=Shown(
        label="Spend cap of a new round",
        help="In US dollars. Offered when a round is set up, and changed there for that round alone.",
        least=0.01,
        most=1_000_000,
        decimals=2,
        step=1.0,
        unit="$",
        none="always offer",
    ),
)
