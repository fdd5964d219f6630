"""How a method speaks of the control that is read beside its bundles."""

from typing import Protocol as Port
from typing import runtime_checkable


@runtime_checkable
class ControlWords(Port):
    """A method some of whose bundles have a control (`Method.control_arm`)."""

    @property
    def control_title(self) -> str:
        """What stands over its answer, in a word or two."""
        ...

    @property
    def control_about(self) -> str:
        """What it is beside the bundle, in a sentence."""
        ...

    @property
    def controls_tell(self) -> str:
        """What a round's controls are for, in a sentence or two: stands beneath the choice to ask them."""
        ...

    @property
    def control_left_out(self) -> str:
        """That the round did not ask it, in a sentence."""
        ...

    @property
    def control_itself(self) -> str:
        """That a bundle is the control, in a sentence."""
        ...
