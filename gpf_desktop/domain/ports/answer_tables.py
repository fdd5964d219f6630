"""Scores of tables of answers that came from elsewhere (`gpf-desktop score --method NAME`)."""

from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path

from gpf_desktop.domain.ports.plug_in import PlugIn
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.tables import ScoredAnswers, TableOption


class AnswerTables(PlugIn, declares=True):
    """Scores tables of answers for one method: `ANSWER_TABLES` of its folder's ``answer_tables.py``; *name* is
    the method's."""

    @property
    @abstractmethod
    def does(self) -> str:
        """A description in some sentences: the columns that are read, and the tables that are written."""

    @property
    @abstractmethod
    def takes(self) -> tuple[TableOption, ...]:
        """The options that a user may give beside the tables."""

    @property
    def writes(self) -> tuple[str, ...]:
        """Names of tables that it always makes: if one is there already, that is said before it begins."""
        return ()

    @abstractmethod
    def score_table(self, answers: Path, given: Mapping[str, str], told: HowFar) -> ScoredAnswers:
        """The tables of *answers*; *given* holds the options that were given, by name. Raises `UserError`.

        *told* of texts that language models read, where some do: it may take minutes.
        """
