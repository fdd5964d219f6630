"""Runs a language model on this machine through ONNX Runtime (the optional extra ``encoders``)."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.extras import ENCODERS, extras
from gpf_desktop.domain.text import tr
from gpf_desktop.numerics.weights import TOKENIZER, find

Run = Callable[[Mapping[str, Ints]], NDArray[Any]]
"""From token ids, types and attention mask, each (texts, tokens), to the model's first output."""

_AT_ONCE: Final = 16
_READ_AT_ONCE: Final = 256


@dataclass(frozen=True, slots=True)
class LanguageModel:
    """A model and its tokeniser."""

    folder: Path
    run: Run
    tokenizer: Any

    def windows(self, texts: Sequence[str]) -> Iterator[tuple[list[int], Floats, Floats]]:
        """Batch by batch: a place in *texts* for each window, the model's first output, the attention mask.

        A text longer than the model reads has several windows. Those of like length go together, since short ones are
        padded to the longest.
        """
        for begin in range(0, len(texts), _READ_AT_ONCE):
            encoded = self.tokenizer.encode_batch(list(texts[begin : begin + _READ_AT_ONCE]))
            found = [
                (begin + place, window)
                for place, whole in enumerate(encoded)
                for window in (whole, *whole.overflowing)
                if sum(window.attention_mask)
            ]
            found.sort(key=lambda each: sum(each[1].attention_mask))
            for start in range(0, len(found), _AT_ONCE):
                yield self._of_windows(found[start : start + _AT_ONCE])

    def _of_windows(self, windows: Sequence[tuple[int, Any]]) -> tuple[list[int], Floats, Floats]:
        mask = np.array([each.attention_mask for _, each in windows], np.int64)
        # Windows were padded to the longest of a larger batch; padding stands on one side of all of them.
        used = np.flatnonzero(mask.any(axis=0))
        given = {
            "input_ids": np.array([each.ids for _, each in windows], np.int64)[:, used],
            "attention_mask": mask[:, used],
            "token_type_ids": np.array([each.type_ids for _, each in windows], np.int64)[:, used],
        }
        first = np.asarray(self.run(given), np.float64)
        return [place for place, _ in windows], first, mask[:, used].astype(np.float64)

    def said(self, name: str) -> Mapping[str, Any]:
        """The contents of the file *name* beside the weights; empty where it is not there or unreadable."""
        return _said(self.folder, name)


def load(model: str, revision: str, weights: str, longest: int) -> LanguageModel:
    """The model called *model*; a window of a text has *longest* tokens, or as many as the model itself reads.

    *weights*: the digest that they must have, where scores say which made them. Raises `UserError`.
    """
    found = find(model, revision)
    if weights and found.digest != weights:
        raise UserError(
            tr("“{name}” holds other weights than those named in the setting.", name=model),
            tr("Score again with the model as it is now."),
        )
    return _loaded(found.folder, found.file, longest)


@lru_cache(maxsize=2)
def _loaded(folder: Path, file: Path, longest: int) -> LanguageModel:
    try:
        from tokenizers import Tokenizer

        run = _onnx(file)
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    except ImportError as error:
        raise extras()[ENCODERS].lacking() from error
    except Exception as error:  # these libraries raise their own plain Exceptions
        raise _unloadable(folder, error) from error
    own = [_said(folder, "sentence_bert_config.json").get("max_seq_length")]
    own.append(_said(folder, "config.json").get("max_position_embeddings"))
    tokenizer.enable_truncation(min([longest, *(int(each) for each in own if each)]))
    tokenizer.enable_padding()
    return LanguageModel(folder, run, tokenizer)


def _onnx(file: Path) -> Run:
    import onnxruntime

    settings = onnxruntime.SessionOptions()
    # Chunks are scored in several processes at once: threads of each model would only crowd the cores.
    settings.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(file), settings, providers=["CPUExecutionProvider"])
    names = {each.name for each in session.get_inputs()}

    def run(given: Mapping[str, Ints]) -> NDArray[Any]:
        # Exports differ in what they take: some know no token types.
        first: NDArray[Any] = session.run(None, {name: given[name] for name in names})[0]
        return first

    return run


def _said(folder: Path, name: str) -> Mapping[str, Any]:
    try:
        content = json.loads((folder / name).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _unloadable(folder: Path, error: Exception) -> UserError:
    return UserError(
        tr("The model in “{folder}” cannot be loaded.", folder=str(folder)),
        tr("Export it to ONNX again, with its tokenizer.json."),
        details=str(error),
    )
