"""Stands in for the provider of models whose answers were imported: nothing can be asked of them."""

from collections.abc import Sequence

from gpf_desktop.domain.imports import IMPORTED
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports import NoOptions
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.domain.wire import Send


class ImportedModels:
    """Known to the catalogue by name, and never offered."""

    name = IMPORTED
    version = "1"
    options = NoOptions
    default_base_url = ""
    key_url = ""
    needs_key = False
    synthetic = False
    parameters: frozenset[str] = frozenset()
    title = Translated("Imported answers")

    def known_models(self) -> tuple[str, ...]:
        return ()

    async def ask(self, question: Question, key: Secret | None, send: Send) -> Outcome:  # noqa: ARG002 - the port's
        detail = tr(
            "The answers of {model} were imported; it cannot be asked from here.", model=question.endpoint.model
        )
        return Miss(reason=Missing.UNREACHABLE, detail=detail)

    async def list_models(self, endpoint: Endpoint, key: Secret | None, send: Send) -> Sequence[str]:  # noqa: ARG002
        return ()


IMPORTED_MODELS = ImportedModels()
