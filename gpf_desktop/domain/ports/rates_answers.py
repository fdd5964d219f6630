"""Methods whose answers can be rated, or turned into vectors, by models that are asked once the answers are there."""

from abc import abstractmethod
from typing import Any

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.judging import LevelForm
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.plug_in import Ability


class RatesAnswers(Ability, of=Method):
    """A method that lets judges and encoders join a round whose answers are there, or were imported."""

    @property
    @abstractmethod
    def judging_fields(self) -> tuple[str, ...]:
        """Fields of its protocol that judges alone are told: what may change as long as nobody judged by them."""

    @abstractmethod
    def judging_lacks(self, protocol: Any) -> str:
        """A sentence about what judges need to be told and *protocol* leaves out; empty: nothing."""

    @abstractmethod
    def mark_form(self, protocol: Any, coordinates: Coordinates) -> LevelForm | None:
        """The form by which a judge's reply at *coordinates* is read; None if it marks no answer as it was given."""

    def judging_controls(self, controls: Any) -> Any:
        """*controls* of an import, with the checks of judges that a round of one's own has."""
        return controls
