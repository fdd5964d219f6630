"""The hosts that the program contacts, and why: nothing else leaves this computer."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.proxies import is_loopback, proxy_of, shown


@dataclass(frozen=True, slots=True, order=True)
class Contact:
    """A host that the program contacts, and why."""

    host: str
    why: str


def contacted(models: Iterable[Endpoint], sources: Iterable[str]) -> tuple[Contact, ...]:
    """Hosts contacted for the *models* of an audit and for the addresses of its *sources*, those that belong to no
    audit, and proxies."""
    asked = {_of_model(each) for each in models} | {_of_source(each) for each in sources}
    found = (*sorted(each for each in asked if each is not None), *_of_no_audit())
    # Which host that is only pip knows.
    added = Contact(tr("the index of pip"), tr("Only when a further library is added; as pip is set up here."))
    return (*found, added, *_proxies(each.host for each in found))


def _proxies(hosts: Iterable[str]) -> Iterator[Contact]:
    """Proxies that stand before *hosts*: what is sent to those hosts goes through them."""
    before: dict[str, list[str]] = {}
    for host in hosts:
        name = host.removeprefix("*.")
        for proxy in dict.fromkeys(proxy_of(name, secure=secure) for secure in (True, False)):
            before.setdefault(shown(proxy), []).append(host)
    for proxy, reached in before.items():
        if proxy:
            through = ", ".join(dict.fromkeys(reached))
            yield Contact(proxy, tr("The proxy of this computer: it passes on what goes to {hosts}.", hosts=through))


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
    return Contact(host, tr("News: a source of this audit; it may lead on to other hosts.")) if host else None
