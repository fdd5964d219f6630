"""How many processes score."""

from gpf_desktop.domain.options import Shown
from gpf_desktop.settings.option import Preference, PreferencePart

OPTION = Preference(
    name="work.scoring_workers",
    part=PreferencePart.WORK,
    kind=int,
    default=None,
    begins=2,
    shown=Shown(
        label="Processes for scoring",
        help="From the next start on. Not set: half of the processor's cores beside a window, all but one for "
        "commands. Each takes some 200 MB of memory.",
        least=1,
        most=64,
        none="a number of my own",
    ),
)
