"""The name that a reviewer at this computer is entered under."""

from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.option import Preference, PreferencePart


def _why_not(text: str) -> str:
    if len(text) <= 80 and text.isprintable():
        return ""
    return tr("A name is one line of at most 80 letters.")


OPTION = Preference(
    name="review.name",
    part=PreferencePart.REVIEW,
    kind=str,
    default="",
    shown=Shown(
        label="Your name as a reviewer",
        help="In audits that you read for the first time; reports show it. Empty: the name that you are signed in"
        " with. In an audit that has you already, rename yourself on Review.",
        placeholder="as you are signed in",
    ),
    why_not=_why_not,
)
