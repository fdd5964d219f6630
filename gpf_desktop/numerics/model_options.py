"""The options that name a language model on this machine: the same in every scorer that reads texts by one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from gpf_desktop.domain.options import Shown

if TYPE_CHECKING:
    from gpf_desktop.numerics.language_models import LanguageModel


def model_shown(placeholder: str) -> Shown:
    """How the name of a model is shown; *placeholder*: which kind of model, or a well-known one of it."""
    return Shown(
        label="Model",
        help="A folder, an installed Python package that carries a model, or a model on huggingface.co.",
        placeholder=placeholder,
    )


@dataclass(frozen=True, kw_only=True)  # without slots: bases that have some cannot be joined with other options
class ModelOptions:
    """A model and how much of a text it reads at once."""

    model: Annotated[str, model_shown("a language model")] = ""
    revision: Annotated[
        str,
        Shown(
            label="Revision", help="Commit, tag or branch of a model on huggingface.co; empty: the newest that is here."
        ),
    ] = ""
    longest: Annotated[
        int,
        Shown(
            label="Longest", help="Tokens read at once; a longer answer is read in windows, averaged by their tokens."
        ),
    ] = 512
    weights: Annotated[
        str, Shown(label="Weights", help="SHA-256 of the model's files, filled in when scoring begins.", hidden=True)
    ] = ""

    def load(self) -> "LanguageModel":
        """The model, kept between calls. Raises `UserError` where it is not here, or holds other weights."""
        from gpf_desktop.numerics.language_models import load

        return load(self.model, self.revision, self.weights, self.longest)
