"""BERT by numpy says what the definition says, worked out token by token in plain Python."""

from math import erf, exp, sqrt

import numpy as np
import pytest

from gpf_desktop.numerics.bert import Bert, BertShape

WIDTH, HEADS, LAYERS, WIDER, WORDS, PLACES = 4, 2, 2, 6, 7, 5
CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "layer_norm_eps": 1e-12,
    "max_position_embeddings": PLACES,
}
Vector = list[float]


def weights() -> dict[str, np.ndarray]:
    draw = np.random.default_rng(3)
    shapes = {
        "embeddings.word_embeddings.weight": (WORDS, WIDTH),
        "embeddings.position_embeddings.weight": (PLACES, WIDTH),
        "embeddings.token_type_embeddings.weight": (2, WIDTH),
        "embeddings.LayerNorm.weight": (WIDTH,),
        "embeddings.LayerNorm.bias": (WIDTH,),
    }
    for number in range(LAYERS):
        layer = f"encoder.layer.{number}."
        for part in ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"):
            shapes |= {f"{layer}{part}.weight": (WIDTH, WIDTH), f"{layer}{part}.bias": (WIDTH,)}
        shapes |= {f"{layer}intermediate.dense.weight": (WIDER, WIDTH), f"{layer}intermediate.dense.bias": (WIDER,)}
        shapes |= {f"{layer}output.dense.weight": (WIDTH, WIDER), f"{layer}output.dense.bias": (WIDTH,)}
        for part in ("attention.output.LayerNorm", "output.LayerNorm"):
            shapes |= {f"{layer}{part}.weight": (WIDTH,), f"{layer}{part}.bias": (WIDTH,)}
    return {name: draw.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


class Plain:
    """One text, number by number."""

    def __init__(self, given: dict[str, np.ndarray]) -> None:
        self.given = {name: array.astype(float).tolist() for name, array in given.items()}

    def dense(self, vector: Vector, name: str) -> Vector:
        rows, bias = self.given[f"{name}.weight"], self.given[f"{name}.bias"]
        return [sum(w * v for w, v in zip(row, vector, strict=True)) + b for row, b in zip(rows, bias, strict=True)]

    def normalised(self, vector: Vector, name: str) -> Vector:
        middle = sum(vector) / len(vector)
        spread = sqrt(sum((v - middle) ** 2 for v in vector) / len(vector) + 1e-12)
        scale, shift = self.given[f"{name}.weight"], self.given[f"{name}.bias"]
        return [(v - middle) / spread * w + b for v, w, b in zip(vector, scale, shift, strict=True)]

    def vectors(self, tokens: list[int]) -> list[Vector]:
        word, place, kind = (
            self.given[f"embeddings.{name}_embeddings.weight"] for name in ("word", "position", "token_type")
        )
        states = [
            self.normalised(
                [a + b + c for a, b, c in zip(word[token], place[at], kind[0], strict=True)], "embeddings.LayerNorm"
            )
            for at, token in enumerate(tokens)
        ]
        for number in range(LAYERS):
            states = self.layer(states, f"encoder.layer.{number}")
        return states

    def layer(self, states: list[Vector], name: str) -> list[Vector]:
        query, key, value = (
            [self.dense(state, f"{name}.attention.self.{part}") for state in states]
            for part in ("query", "key", "value")
        )
        size = WIDTH // HEADS
        after = []
        for at, state in enumerate(states):
            mixed: Vector = []
            for head in range(HEADS):
                own = slice(head * size, (head + 1) * size)
                likeness = [
                    exp(sum(a * b for a, b in zip(query[at][own], other[own], strict=True)) / sqrt(size))
                    for other in key
                ]
                share = [each / sum(likeness) for each in likeness]
                mixed += [sum(s * v[own][i] for s, v in zip(share, value, strict=True)) for i in range(size)]
            attended = self.dense(mixed, f"{name}.attention.output.dense")
            first = self.normalised(
                [a + b for a, b in zip(state, attended, strict=True)], f"{name}.attention.output.LayerNorm"
            )
            wide = [v * (1 + erf(v / sqrt(2))) / 2 for v in self.dense(first, f"{name}.intermediate.dense")]
            fed = self.dense(wide, f"{name}.output.dense")
            after.append(self.normalised([a + b for a, b in zip(first, fed, strict=True)], f"{name}.output.LayerNorm"))
        return after


@pytest.mark.parametrize("prefix", ["", "bert."])
def test_that_token_vectors_are_those_of_the_definition_whatever_stands_beside_a_text(prefix: str) -> None:
    given = weights()
    model = Bert({prefix + name: array for name, array in given.items()}, BertShape.of(CONFIG))
    tokens = np.array([[1, 5, 2, 6], [3, 4, 0, 0]])
    mask = np.array([[1, 1, 1, 1], [1, 1, 0, 0]])
    found = model.vectors(tokens, np.zeros_like(tokens), mask)
    plain = Plain(given)
    assert found[0] == pytest.approx(np.array(plain.vectors([1, 5, 2, 6])), abs=2e-4)
    assert found[1, :2] == pytest.approx(np.array(plain.vectors([3, 4])), abs=2e-4)


@pytest.mark.parametrize("odd", [{"model_type": "roberta"}, {"hidden_act": "relu"}, {"position_embedding_type": "x"}])
def test_that_other_kinds_of_model_are_refused(odd: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=next(iter(odd.values()))):
        BertShape.of({**CONFIG, **odd})
