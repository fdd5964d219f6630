"""The certificates that are trusted: those of the file that the environment names, else those that this computer trusts
and those that the user's preferences add.

A company or a university that reads its own traffic, or runs a model server of its own, has put its certificate where
browsers find it; a list that travels with a library does not know it.
"""

import os
import ssl
import sys
from functools import lru_cache
from pathlib import Path
from typing import Final

from gpf_desktop.domain.text import tr
from gpf_desktop.settings.preferences import HERE

_FILES: Final = (
    "/etc/ssl/cert.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
    "/etc/pki/tls/cert.pem",
    "/etc/ssl/certs/ca-certificates.crt",
    "/etc/ssl/ca-bundle.pem",
)
"""Where the distributions of Linux keep them all in one: a program that was frozen brings an OpenSSL that looks where
it was built."""


def trusted() -> ssl.SSLContext:
    """The TLS context that connections are made with: one for all, made anew when other files are named.

    Raises `OSError` for files that cannot be used; `ssl.SSLError` is one kind of it.
    """
    file, folder = os.environ.get("SSL_CERT_FILE", ""), os.environ.get("SSL_CERT_DIR", "")
    own = "" if file or folder else HERE.get("network.certificates")
    return _made(file, folder, own, Path(own).stat().st_mtime_ns if own else 0)


def untrusted_in(error: BaseException) -> ssl.SSLCertVerificationError | None:
    """The certificate's refusal among what *error* came of; None where it came of something else."""
    seen: BaseException | None = error
    while seen is not None and not isinstance(seen, ssl.SSLCertVerificationError):
        seen = seen.__cause__ or seen.__context__
    return seen


def what_to_trust(error: ssl.SSLCertVerificationError) -> str:
    """A sentence that says what to do about a certificate that is not trusted."""
    # OpenSSL's numbers of what it finds: not yet valid, expired, and made out to another name or address.
    match getattr(error, "verify_code", 0):
        case 9 | 10:
            return tr("Check the clock of this computer; if it is right, tell whoever runs the server.")
        case 62 | 63 | 64:
            return tr("Check the address: this certificate was made out to another one.")
        case _:
            return tr(
                "Behind a company's own network, have its certificate added to those that this computer trusts. "
                "Or name its file in the preferences (network.certificates) or in the variable SSL_CERT_FILE."
            )


@lru_cache(maxsize=4)
def _made(file: str, folder: str, own: str, _changed: int) -> ssl.SSLContext:
    if file or folder:
        context = ssl.create_default_context(cafile=file or None, capath=None if file else folder)
    elif sys.platform in ("win32", "darwin"):
        # Their stores are asked at each handshake and cannot be read as a whole.
        import truststore

        context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    else:
        # Not truststore, which reads all files again for each connection: 20 ms on the loop that every call runs on.
        context = ssl.create_default_context(cafile=_file_of_the_system())
    # From Python 3.13 on certificates without an authority's key identifier are refused, as no browser does: many that
    # companies made for themselves have none.
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    if own:
        context.load_verify_locations(own)
    context.set_alpn_protocols(["http/1.1"])
    return context


def _file_of_the_system() -> str | None:
    """None where OpenSSL finds certificates by itself; the list of a library where this computer has none at all."""
    found = ssl.get_default_verify_paths()
    if found.cafile or (found.capath and any(Path(found.capath).glob("*.0"))):
        return None
    import certifi

    return next(filter(os.path.isfile, _FILES), None) or certifi.where()
