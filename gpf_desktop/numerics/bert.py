"""Token vectors of a BERT model (Devlin et al. 2019) by numpy alone, from weights under their usual names.

Enough for sentence encoders that ship as safetensors, without a runtime of gigabytes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Halves = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class BertShape:
    """What a model's config.json says of it."""

    layers: int
    heads: int
    epsilon: float
    positions: int

    @classmethod
    def of(cls, config: Mapping[str, Any]) -> "BertShape":
        """Raises `ValueError` for what is no BERT of the plain kind."""
        kind, activation = config.get("model_type"), config.get("hidden_act")
        position = config.get("position_embedding_type", "absolute")
        if kind != "bert" or activation != "gelu" or position != "absolute":
            raise ValueError(f"model_type {kind}, hidden_act {activation}, position_embedding_type {position}")
        return cls(
            layers=int(config["num_hidden_layers"]),
            heads=int(config["num_attention_heads"]),
            epsilon=float(config["layer_norm_eps"]),
            positions=int(config["max_position_embeddings"]),
        )


class Bert:
    """A model ready to run."""

    def __init__(self, weights: Mapping[str, Halves], shape: BertShape) -> None:
        """*weights* by their names in the file, with or without the prefix ``bert.``. Raises `KeyError`."""
        plain = {name.removeprefix("bert."): np.asarray(array, np.float32) for name, array in weights.items()}
        self._shape = shape
        self._words = plain["embeddings.word_embeddings.weight"]
        self._places = plain["embeddings.position_embeddings.weight"]
        self._kinds = plain["embeddings.token_type_embeddings.weight"]
        self._norm = plain["embeddings.LayerNorm.weight"], plain["embeddings.LayerNorm.bias"]
        self._layers = [_Layer(plain, f"encoder.layer.{number}", shape) for number in range(shape.layers)]

    def vectors(self, tokens: Ints, kinds: Ints, mask: Ints) -> Halves:
        """The last layer's states (texts, tokens, width) of *tokens* (texts, tokens); *mask*: 1 for a text's own."""
        length = tokens.shape[1]
        states = self._words[tokens] + self._places[:length] + self._kinds[kinds]
        states = _normalised(states, *self._norm, self._shape.epsilon)
        bias = np.where(mask[:, None, None, :] > 0, np.float32(0), np.float32(-1e9))
        for layer in self._layers:
            states = layer.apply(states, bias)
        return states


class _Layer:
    def __init__(self, weights: Mapping[str, Halves], name: str, shape: BertShape) -> None:
        def dense(part: str) -> tuple[Halves, Halves]:
            return np.ascontiguousarray(weights[f"{name}.{part}.weight"].T), weights[f"{name}.{part}.bias"]

        self._shape = shape
        parts = [dense(f"attention.self.{part}") for part in ("query", "key", "value")]
        self._heads_in = np.concatenate([weight for weight, _ in parts], axis=1), np.concatenate([b for _, b in parts])
        self._heads_out = dense("attention.output.dense")
        self._wide, self._narrow = dense("intermediate.dense"), dense("output.dense")
        self._norms = [
            (weights[f"{name}.{part}.LayerNorm.weight"], weights[f"{name}.{part}.LayerNorm.bias"])
            for part in ("attention.output", "output")
        ]

    def apply(self, states: Halves, bias: Halves) -> Halves:
        attended = _dense(self._attention(states, bias), *self._heads_out)
        states = _normalised(states + attended, *self._norms[0], self._shape.epsilon)
        fed = _dense(_gelu(_dense(states, *self._wide)), *self._narrow)
        return _normalised(states + fed, *self._norms[1], self._shape.epsilon)

    def _attention(self, states: Halves, bias: Halves) -> Halves:
        texts, tokens, width = states.shape
        split = _dense(states, *self._heads_in).reshape(texts, tokens, 3, self._shape.heads, -1)
        query, key, value = (split[:, :, part].transpose(0, 2, 1, 3) for part in range(3))
        scores = query @ key.transpose(0, 1, 3, 2)
        scores *= np.float32(1 / np.sqrt(width // self._shape.heads))
        scores += bias
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        mixed: Any = (scores @ value).transpose(0, 2, 1, 3).reshape(texts, tokens, width)
        return np.asarray(mixed, np.float32)


def _dense(states: Halves, weight: Halves, bias: Halves) -> Halves:
    out: Halves = states @ weight
    out += bias
    return out


def _gelu(values: Halves) -> Halves:
    from scipy.special import erf

    out: Halves = erf(values * np.float32(1 / np.sqrt(2)))
    out += 1
    out *= values
    out *= np.float32(0.5)
    return out


def _normalised(states: Halves, weight: Halves, bias: Halves, epsilon: float) -> Halves:
    centred = states - states.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(epsilon))
    out: Halves = centred / spread * weight + bias
    return out
