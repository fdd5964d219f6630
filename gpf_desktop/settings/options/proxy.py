"""The proxy that stands before the network."""

from urllib.parse import urlsplit

from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.option import Preference, PreferencePart

DIRECT = "direct"
"""No proxy, whatever the system names."""


def _why_not(text: str) -> str:
    if text in ("", DIRECT):
        return ""
    try:
        parts = urlsplit(text)
        whole = parts.scheme in ("http", "https") and parts.hostname and parts.path in ("", "/") and parts.port != 0
        secret = parts.username or parts.password
    except ValueError:
        whole = secret = None
    if not whole:
        return tr("“{text}” is no address of a proxy: type one such as http://proxy.example:8080.", text=text[:80])
    if secret:
        # Settings are kept as plain text, and exported.
        return tr("A password is not kept in settings: name such a proxy in the environment variable HTTPS_PROXY.")
    return ""


OPTION = Preference(
    name="network.proxy",
    part=PreferencePart.NETWORK,
    kind=str,
    default="",
    shown=Shown(
        label="Proxy",
        help="Such as http://proxy.example:8080. Empty: the system's. “direct”: none. "
        "This computer itself is always reached directly.",
        placeholder="the system's",
    ),
    why_not=_why_not,
)
