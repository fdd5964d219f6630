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
        """A description in some sentences of the columns that are read; which files are is said for all methods."""

    @property
    @abstractmethod
    def takes(self) -> tuple[TableOption, ...]:
        """The options that a user may give beside the tables."""

    @property
    @abstractmethod
    def asked(self) -> tuple[AskedColumn, ...]:
        """The things that columns may be mapped to; empty if the columns have names of their own."""

    @abstractmethod
    def study(self, tables: Sequence[Path], given: Mapping[str, str], tell: Told) -> ImportedStudy:
        """The study that *tables* hold together; *given* holds the options that were given. Raises `UserError`."""

    def in_heads(self, heads: Sequence[Sequence[str]]) -> Mapping[str, str]:
        """The facts that *heads*, the names of each table's columns, tell where nothing is mapped: words by the name of
        an `AskedColumn`; empty if the tables have no shape that it knows."""
        return {}

    def read_in_heads(self, heads: Sequence[Sequence[str]]) -> Collection[str]:
        """The columns, in small letters, that are read beside those asked for, in tables of which `in_heads` tells
        something; empty if they have no shape that it knows."""
        return ()

    def passed_over(
        self, rows: Sequence[Mapping[str, str]], found: Mapping[str, str], given: Mapping[str, str]
    ) -> Collection[str]:
        """Columns that are not read for what stands in them, as their first *rows* show, though their names say what is
        asked for: *found*, by the names of `AskedColumn`; *given* is what was said beside the tables."""
        return ()
