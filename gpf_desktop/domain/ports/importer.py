"""Tables of answers read into an audit as a finished round."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from gpf_desktop.domain.imports import AskedColumn, ImportedStudy, Told
from gpf_desktop.domain.ports.plug_in import PlugIn
from gpf_desktop.domain.tables import TableOption


class Importer(PlugIn, declares=True):
    """Reads tables of answers for one method: `IMPORTER` of its folder's ``importing.py``; *name* is the method's."""

    @property
    @abstractmethod
    def does(self) -> str:
        """Which columns are read, in some sentences; which files are is said for all methods."""

    @property
    @abstractmethod
    def takes(self) -> tuple[TableOption, ...]:
        """What a user may say of its tables."""

    @property
    @abstractmethod
    def asked(self) -> tuple[AskedColumn, ...]:
        """What its columns may be mapped to; empty where they have names of their own."""

    @abstractmethod
    def study(self, tables: Sequence[Path], given: Mapping[str, str], tell: Told) -> ImportedStudy:
        """What *tables* hold together; *given* holds the options that were given. Raises `UserError`."""

    def in_heads(self, heads: Sequence[Sequence[str]]) -> Mapping[str, str]:
        """What *heads*, the names of each table's columns, say where nothing is mapped: by the names of `AskedColumn`,
        in words; empty where the tables have no shape that it knows."""
        return {}

    def read_in_heads(self, heads: Sequence[Sequence[str]]) -> Collection[str]:
        """Of tables of which `in_heads` says something, the columns that are read beside those that are asked for, in
        small letters; none where they have no shape that it knows."""
        return ()

    def passed_over(
        self, rows: Sequence[Mapping[str, str]], found: Mapping[str, str], given: Mapping[str, str]
    ) -> Collection[str]:
        """Columns that are not read for what stands in them, as their first *rows* show, though their names say what is
        asked for: *found*, by the names of `AskedColumn`; *given* is what was said beside the tables."""
        return ()
