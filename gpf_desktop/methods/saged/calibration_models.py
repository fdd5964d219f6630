"""The planted models as a provider: no key, no network, the same answer every time."""

from gpf_desktop.domain.planted_models import PlantedProvider
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.text import Translated
from gpf_desktop.methods.saged.planted import CREDULOUS, JUDGE, MODELS, WRITER, answer, judgement, written


class PlantedModels(PlantedProvider):
    """Models of planted tone, a judge and a writer."""

    name = "saged-calibration"
    title = Translated("Built-in test models for SAGED")

    def known_models(self) -> tuple[str, ...]:
        return (*MODELS, JUDGE, CREDULOUS, WRITER)

    def say(self, question: Question) -> str:
        model, prompt, told = question.endpoint.model, question.prompt, question.coordinates or {}
        if model in (JUDGE, CREDULOUS):
            return judgement(model, prompt.system, prompt.user)
        if model == WRITER:
            return written(told)
        return answer(model, str(told.get("concept", "")), prompt.system, prompt.user, seed=question.seed or 0)


PROVIDER = PlantedModels()
