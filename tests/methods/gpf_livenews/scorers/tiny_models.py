"""Models small enough to be written down: each word has a vector, and a classifier adds its words up."""

import json
from pathlib import Path

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
tokenizers = pytest.importorskip("tokenizers")

WORDS = ["[PAD]", "[UNK]", "good", "bad", "news", "house"]
VECTORS = np.array([[9, 9, 9], [0, 0, 1], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, 1, 1]], np.float32)


def write_encoder(folder: Path) -> Path:
    """Looks each word's vector up; padding has a vector that would show if it were pooled."""
    lookup = onnx.helper.make_node("Gather", ["vectors", "input_ids"], ["last_hidden_state"])
    return _write(folder, [lookup], "last_hidden_state", [onnx.numpy_helper.from_array(VECTORS, "vectors")])


def write_classifier(folder: Path, labels: list[str]) -> Path:
    """Adds up over words: "good" for the first class, "bad" for the second, padding for none."""
    votes = np.zeros((len(WORDS), len(labels)), np.float32)
    votes[WORDS.index("good"), 0] = votes[WORDS.index("bad"), 1] = 2
    lookup = onnx.helper.make_node("Gather", ["votes", "input_ids"], ["each"])
    axes = onnx.numpy_helper.from_array(np.array([1]), "axes")
    total = onnx.helper.make_node("ReduceSum", ["each", "axes"], ["logits"], keepdims=0)
    _write(folder, [lookup, total], "logits", [onnx.numpy_helper.from_array(votes, "votes"), axes])
    named = {str(number): label for number, label in enumerate(labels)}
    (folder / "config.json").write_text(json.dumps({"id2label": named}), encoding="utf-8")
    return folder


def _write(folder: Path, nodes: list[object], output: str, constants: list[object]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    ids = onnx.helper.make_tensor_value_info("input_ids", onnx.TensorProto.INT64, ["batch", "tokens"])
    first = onnx.helper.make_tensor_value_info(output, onnx.TensorProto.FLOAT, None)
    graph = onnx.helper.make_graph(nodes, "tiny", [ids], [first], constants)
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, str(folder / "model.onnx"))
    vocabulary = {word: number for number, word in enumerate(WORDS)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
