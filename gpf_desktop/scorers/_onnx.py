"""Runs a language model that the user has in a folder, through ONNX Runtime (the optional extra ``encoders``)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

Floats = NDArray[np.float64]

_AT_ONCE: Final = 16
_MODELS: Final = ("model.onnx", "onnx/model.onnx")


@dataclass(frozen=True, slots=True)
class OnnxModel:
    """A model and its tokeniser."""

    session: Any
    tokenizer: Any

    def outputs(self, texts: Sequence[str]) -> Iterator[tuple[list[int], Floats, Floats]]:
        """Batch by batch: places in *texts*, the model's first output, the attention mask (1: a token of the text).

        Texts of like length go together, since short ones are padded to the longest.
        """
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        names = {each.name for each in self.session.get_inputs()}
        for begin in range(0, len(order), _AT_ONCE):
            places = order[begin : begin + _AT_ONCE]
            encoded = self.tokenizer.encode_batch([texts[place] for place in places])
            mask = np.array([each.attention_mask for each in encoded], np.int64)
            given = {
                "input_ids": np.array([each.ids for each in encoded], np.int64),
                "attention_mask": mask,
                "token_type_ids": np.array([each.type_ids for each in encoded], np.int64),
            }
            first = self.session.run(None, {name: given[name] for name in names})[0]
            yield places, np.asarray(first, np.float64), mask.astype(np.float64)


@lru_cache(maxsize=2)
def load(folder: str, longest: int) -> OnnxModel:
    """The model in *folder* (``model.onnx``, ``tokenizer.json``); texts are cut at *longest* tokens.

    Raises `UserError` where the extra is not installed, or the folder does not hold such a model.
    """
    try:
        import onnxruntime
        from tokenizers import Tokenizer
    except ImportError as error:
        raise UserError(
            tr("Encoder models need two packages that are not installed."),
            tr("Install them with: pip install “gpf-desktop[encoders]”."),
        ) from error
    model = next((Path(folder) / name for name in _MODELS if folder and (Path(folder) / name).is_file()), None)
    words = Path(folder) / "tokenizer.json"
    if model is None or not words.is_file():
        raise UserError(
            tr("“{folder}” is no folder with a model: it lacks model.onnx or tokenizer.json.", folder=folder),
            tr("Choose the folder of a model that was exported to ONNX."),
        )
    try:
        settings = onnxruntime.SessionOptions()
        settings.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(model), settings, providers=["CPUExecutionProvider"])
        tokenizer = Tokenizer.from_file(str(words))
    except Exception as error:  # both libraries raise their own plain Exceptions
        raise UserError(
            tr("The model in “{folder}” cannot be loaded.", folder=folder),
            tr("Export it to ONNX again, with its tokenizer.json."),
            details=str(error),
        ) from error
    tokenizer.enable_truncation(longest)
    tokenizer.enable_padding()
    return OnnxModel(session, tokenizer)
