"""Stands in for the provider of models whose answers were imported: nothing can be asked of them."""

from gpf_desktop.domain.models import IMPORTED, Secret
from gpf_desktop.domain.planted_models import OwnProvider
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.domain.wire import Send


class ImportedModels(OwnProvider):
    """Known to the catalogue by name, and never offered."""

    name = IMPORTED
    title = Translated("Imported answers")

    async def ask(self, question: Question, _key: Secret | None, _send: Send) -> Outcome:
        detail = tr(
            "The answers of {model} were imported; it cannot be asked from here.", model=question.endpoint.model
        )
        return Miss(reason=Missing.UNREACHABLE, detail=detail)


IMPORTED_MODELS = ImportedModels()
