"""A format of reports."""

from abc import abstractmethod
from pathlib import Path
from typing import Any

from gpf_desktop.domain.ports.plug_in import WithOptions
from gpf_desktop.domain.reports import Report


class Exporter(WithOptions, declares=True):
    """Writes a report in one format."""

    @property
    @abstractmethod
    def suffix(self) -> str:
        """The suffix of the files that it writes: ``.html``."""

    @property
    @abstractmethod
    def marks_synthetic(self) -> bool:
        """Whether a report with synthetic answers says so on every page or sheet; where not, it is not written."""

    @abstractmethod
    def export(self, report: Report, target: Path, options: Any) -> None:
        """Writes *target* whole (beside, then renamed). Raises `StorageError`."""
