"""The planted models as a provider: no key, no network, the same answer every time."""

from typing import Final

from gpf_desktop.domain.planted_models import PlantedProvider
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.text import Translated
from gpf_desktop.methods.contextual_stereoset.planted import MODELS, answer
from gpf_desktop.methods.contextual_stereoset.protocol import ORDER

_NO_LEVELS: Final = frozenset({"model", "item", "repeat", "context", "wording", ORDER})


class PlantedModels(PlantedProvider):
    """Models that choose at planted rates, take the first letter, refuse or ramble."""

    name = "stereoset-calibration"
    title = Translated("Built-in test models for Contextual StereoSet")

    def known_models(self) -> tuple[str, ...]:
        return MODELS

    def say(self, question: Question) -> str:
        told = question.coordinates or {}
        levels = {name: str(level) for name, level in told.items() if name not in _NO_LEVELS}
        order = str(told.get(ORDER) or "SAU")
        item = str(told.get("item", ""))
        return answer(question.endpoint.model, item, question.prompt.user, levels, order, question.seed or 0)


PROVIDER = PlantedModels()
