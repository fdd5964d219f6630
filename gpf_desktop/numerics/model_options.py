"""The options that name a language model on this machine: the same in every scorer that reads texts by one."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpf_desktop.numerics.language_models import LanguageModel


def model_field(placeholder: str) -> Any:
    """The field of a model's name; *placeholder*: which kind of model, or a well-known one of it."""
    told = "A folder, an installed Python package that carries a model, or a model on huggingface.co."
    return field(default="", metadata={"help": told, "placeholder": placeholder})


@dataclass(frozen=True, kw_only=True)  # without slots: bases that have some cannot be joined with other options
class ModelOptions:
    """A model and how much of a text it reads at once."""

    model: str = model_field("a language model")
    revision: str = field(
        default="",
        metadata={"help": "Commit, tag or branch of a model on huggingface.co; empty: the newest that is here."},
    )
    longest: int = field(
        default=512,
        metadata={"help": "Tokens read at once; a longer answer is read in windows, averaged by their tokens."},
    )
    weights: str = field(
        default="", metadata={"help": "SHA-256 of the model's files, filled in when scoring begins.", "hidden": True}
    )

    def load(self) -> "LanguageModel":
        """The model, kept between calls. Raises `UserError` where it is not here, or holds other weights."""
        from gpf_desktop.numerics.language_models import load

        return load(self.model, self.revision, self.weights, self.longest)
