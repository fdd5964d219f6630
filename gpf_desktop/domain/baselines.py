"""What a source says itself, to be read above each answer that is held against it."""

from typing import Any, runtime_checkable
from typing import Protocol as Port

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.items import StudyItem


@runtime_checkable
class Baselines(Port):
    """A method whose answers each have a text that they are held against."""

    def baseline(self, protocol: Any, coordinates: Coordinates, item: StudyItem) -> str:
        """That of the answer at *coordinates*; empty: it has none."""
        ...

    def baseline_title(self, protocol: Any, coordinates: Coordinates, item: StudyItem) -> str:
        """Who says it, in a word or two."""
        ...
