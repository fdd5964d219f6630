"""Certificates that are trusted beside the system's."""

from pathlib import Path

from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.text import tr
from gpf_desktop.settings.option import Names, Preference, PreferencePart


def _why_not(text: str) -> str:
    if not text:
        return ""
    if not Path(text).is_file():
        return tr("There is no file {name}.", name=text)
    import ssl

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(text)
    except OSError:
        return tr("{name} holds no certificates in the format PEM.", name=text)
    return ""


OPTION = Preference(
    name="network.certificates",
    part=PreferencePart.NETWORK,
    kind=str,
    default="",
    shown=Shown(
        label="Further certificates",
        help="A file (PEM) with the certificates of your company or university, trusted beside the system's. "
        "The environment variable SSL_CERT_FILE wins over both.",
        placeholder="the system's alone",
    ),
    names=Names.FILE,
    why_not=_why_not,
)
