"""The Dask cluster that computes."""

from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.option import Preference, PreferencePart

_SCHEMES = ("tcp://", "tls://", "ws://", "wss://")


def why_not_cluster(text: str) -> str:
    """The fault of *text* as a cluster's address or file, as a sentence; empty: none."""
    if not text or text.endswith(".json") or (text.startswith(_SCHEMES) and text.partition("://")[2]):
        return ""
    return tr(
        "“{text}” is no cluster: type an address such as tcp://host:8786, or its scheduler file (.json).",
        text=text[:80],
    )


OPTION = Preference(
    name="work.cluster",
    part=PreferencePart.WORK,
    kind=str,
    default="",
    shown=Shown(
        label="Cluster",
        help="Address or file of a Dask scheduler whose workers compute scores, such as tcp://host:8786. Answers are "
        "sent there, keys never. Empty: this computer alone. From the next start on.",
        placeholder="this computer",
    ),
    why_not=why_not_cluster,
)
