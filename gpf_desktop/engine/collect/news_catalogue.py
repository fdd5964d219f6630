"""The sources that ship with the program as addresses, with what is known about each publisher."""

from dataclasses import dataclass
from functools import cache

from gpf_desktop.domain.resources import resources


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogueSource:
    """One source that can be ticked."""

    title: str
    ways: tuple[str, ...]
    """Addresses, tried in this order (`discovery.detect_first`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Publisher:
    """A publisher with its sources."""

    name: str
    known: str
    """What to expect of its sources, for people."""
    sources: tuple[CatalogueSource, ...]


@cache
def news_catalogue() -> tuple[Publisher, ...]:
    """Every publisher of ``resources/news/catalogue.yaml``, in its order."""
    import yaml

    read = yaml.safe_load((resources() / "news" / "catalogue.yaml").read_text(encoding="utf-8"))
    return tuple(
        Publisher(
            name=publisher["name"],
            known=publisher["known"],
            sources=tuple(
                CatalogueSource(title=source["title"], ways=tuple(source["ways"])) for source in publisher["sources"]
            ),
        )
        for publisher in read["publishers"]
    )
