"""Libraries that not every installation has: what each is for, whether it is here, and how it comes."""

import sys
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

PARQUET: Final = "parquet"
ENCODERS: Final = "encoders"
CLUSTER: Final = "cluster"


@dataclass(frozen=True, slots=True, kw_only=True)
class Extra:
    """A set of further libraries, under its name in ``pyproject.toml``, where it asks for the same."""

    name: str
    title: str
    purpose: str
    requirements: tuple[str, ...]
    """As pip reads them; each begins with the name of a library that others look after."""
    megabytes: int
    """On the disk, with what it brings along."""

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of its libraries that are not installed."""
        names = [each.partition(">")[0] for each in self.requirements]
        return tuple(name for name in names if find_spec(name.replace("-", "_")) is None)

    @property
    def addable(self) -> bool:
        """Whether it can be added: nothing can be added to a program that was installed whole."""
        return not getattr(sys, "frozen", False)

    def remedy(self, instead: str = "") -> str:
        """A remedy for a missing extra: how to add it, or what serves *instead* if nothing can be added."""
        if not self.addable:
            return instead or tr("This installation cannot take it in; one by Python's pip can.")
        told = tr("Add it under Preferences, “Further libraries”, or with: gpf-desktop add {name}", name=self.name)
        return f"{told}. {instead}" if instead else told

    def lacking(self, instead: str = "") -> UserError:
        """The error that says that it is missing, with `remedy`."""
        return UserError(
            tr("{title} need a library that is not installed: {names}.", title=self.title, names=self.names()),
            self.remedy(instead),
        )

    def names(self) -> str:
        """The names of the libraries that are missing; of all if none is."""
        return ", ".join(self.missing or (each.partition(">")[0] for each in self.requirements))


def extras() -> dict[str, Extra]:
    """Every extra, by name."""
    listed = (
        Extra(
            name=PARQUET,
            title=tr("Parquet files"),
            purpose=tr("Exports and imports tables as Parquet. CSV and JSON lines hold the same without it."),
            requirements=("pyarrow>=17",),
            megabytes=170,
        ),
        Extra(
            name=ENCODERS,
            title=tr("Language models on this computer"),
            purpose=tr("Runs sentence encoders and classifiers for variants of scores; models are fetched by name."),
            requirements=("onnxruntime>=1.18", "tokenizers>=0.20", "huggingface-hub>=2"),
            megabytes=90,
        ),
        Extra(
            name=CLUSTER,
            title=tr("Scores on a cluster"),
            purpose=tr("Has answers scored by the workers of a Dask cluster."),
            requirements=("distributed>=2024.8",),
            megabytes=30,
        ),
    )
    return {each.name: each for each in listed}
