"""Which hosts the program contacts, and why: nothing else leaves this computer."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.proxies import is_loopback


@dataclass(frozen=True, slots=True, order=True)
class Contact:
    """One host."""

    host: str
    why: str


def contacted(models: Iterable[Endpoint], sources: Iterable[str]) -> tuple[Contact, ...]:
    """By the *models* of an audit and the addresses of its *sources*, and those that belong to no audit."""
    found = {_of_model(each) for each in models} | {_of_source(each) for each in sources}
    return (*sorted(each for each in found if each is not None), *_of_no_audit())


def _of_no_audit() -> tuple[Contact, ...]:
    return (
        Contact(
            "huggingface.co",
            tr("Only to download a language model for scoring; files lie on servers of that site."),
        ),
        Contact("*.wikipedia.org", tr("Only when sentences for SAGED are gathered from Wikipedia.")),
    )


def _of_model(endpoint: Endpoint) -> Contact | None:
    providers = catalogue.providers()
    known = providers.get(endpoint.provider)
    host = urlsplit(endpoint.base_url or (known.default_base_url if known is not None else "")).hostname or ""
    if not host:
        # Calibration models answer within the program.
        return None
    if is_loopback(host):
        return Contact(host, tr("This computer itself: questions to {model}.", model=endpoint.model))
    return Contact(host, tr("Questions to {model}, with its key where it has one.", model=endpoint.model))


def _of_source(address: str) -> Contact | None:
    host = urlsplit(address).hostname if address.startswith(("http://", "https://")) else None
    return Contact(host, tr("News: a source of this audit.")) if host else None
