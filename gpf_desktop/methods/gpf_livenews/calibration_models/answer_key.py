"""What was planted, for the check of the instrument (`domain.checks.AnswerKey`)."""

from dataclasses import replace
from typing import Final

from gpf_desktop.domain.checks import HeldOut
from gpf_desktop.methods.gpf_livenews.calibration_models import planted
from gpf_desktop.methods.gpf_livenews.calibration_models.anchors import anchor_text
from gpf_desktop.methods.gpf_livenews.calibration_models.corpus import held_out
from gpf_desktop.methods.gpf_livenews.calibration_models.planted import Coordinates
from gpf_desktop.methods.gpf_livenews.protocol import Protocol

_DIMENSIONS: Final = 2
"""Of a quick check."""


class PlantedAnswers:
    """As pure functions of a cell's coordinates and seed."""

    tells_levels = staticmethod(planted.has_identity)
    fault = staticmethod(planted.fault)
    refused_of_decided = staticmethod(planted.refused_of_decided)

    def leaked(self, coordinates: Coordinates, seed: int, message: str) -> str | None:
        return planted.leaked_identity(coordinates, seed, anchor_text(message))

    def held_out(self) -> HeldOut:
        return held_out()

    def shortened(self, protocol: Protocol) -> Protocol:
        return replace(protocol, dimensions=protocol.dimensions[:_DIMENSIONS])

    def strata(self) -> tuple[str, ...]:
        return ("dimension", "family")
