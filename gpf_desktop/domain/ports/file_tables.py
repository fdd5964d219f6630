"""Tables of a file of answers that came from elsewhere (`gpf-desktop score --method NAME`)."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gpf_desktop.domain.ports.plug_in import PlugIn
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.tables import ScoredAnswers, TableOption


class FileTables(PlugIn, declares=True):
    """The tables of one method for a file of answers, which stand in an audit while they are made: `FILE_TABLES` of
    its folder's ``file_tables.py``; *name* is the method's."""

    @property
    @abstractmethod
    def does(self) -> str:
        """A description in some sentences: the columns that are read, and the tables that are written."""

    @property
    @abstractmethod
    def takes(self) -> tuple[TableOption, ...]:
        """The options that a user may give beside the file."""

    @property
    def writes(self) -> tuple[str, ...]:
        """Names of tables that it always makes: if one is there already, that is said before it begins."""
        return ()

    @abstractmethod
    def check(self, answers: Path, given: Mapping[str, str]) -> Mapping[str, str]:
        """The options by which *answers*, a table of the method's own columns, is imported. *given* holds the options
        that were given, by name.

        Raises `UserError` where something is wrong with either, `OtherColumnsError` for a file of other columns.
        """

    def settings(self, given: Mapping[str, str]) -> Sequence[tuple[str, Any]]:
        """The scorers, and the options of each, that the answers are scored by."""
        return ()

    @abstractmethod
    def tables(self, scores: ScoreTables, given: Mapping[str, str], told: HowFar) -> ScoredAnswers:
        """The tables of the audit that was made of the file, by the first of `settings`; *told* of texts that language
        models read, where some do: it may take minutes. Raises `UserError`."""
