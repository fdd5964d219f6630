"""A loopback server that speaks like huggingface.co, with two public models.

``someone/encoder`` has everything; ``someone/unexported`` has no ONNX weights.
"""

import hashlib

from tests.support.http_server import LoopbackServer, Reply, Request

COMMIT = "c0ffee" * 6 + "cafe"
FILES = {
    "README.md": b"not wanted",
    "pytorch_model.bin": b"not wanted either",
    "model.safetensors": b"not wanted beside ONNX",
    "onnx/model.onnx": b"weights " * 4000,
    "tokenizer.json": b"{}",
    "config.json": b'{"model_type": "bert"}',
}
WANTED = {"onnx/model.onnx", "tokenizer.json", "config.json"}

MODELS = {"someone/encoder": tuple(FILES), "someone/unexported": tuple(name for name in FILES if "onnx" not in name)}


def _listed(file: str) -> dict[str, object]:
    """With the digest of a large one, as the hub says it."""
    content = FILES[file]
    large = {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content), "pointerSize": 134}
    return {"rfilename": file, "size": len(content)} | ({"lfs": large} if file.endswith("onnx") else {})


def serve(http_server: LoopbackServer) -> LoopbackServer:
    """Any other name is unknown."""

    def info(request: Request) -> Reply:
        name = next((name for name in MODELS if request.path.startswith(f"/api/models/{name}")), None)
        if name is not None:
            siblings = [_listed(file) for file in MODELS[name]]
            told = {"id": name, "sha": COMMIT, "siblings": siblings}
            return Reply.of_json({**told, "private": False, "tags": [], "downloads": 1})
        return Reply(status=404, headers={"X-Error-Code": "RepoNotFound"})

    def file(request: Request) -> Reply:
        content = FILES[request.path.partition(f"/resolve/{COMMIT}/")[2]]
        return Reply(
            body=b"" if request.method == "HEAD" else content,
            headers={
                "ETag": f'"{hashlib.sha256(content).hexdigest()}"',
                "X-Repo-Commit": COMMIT,
                "X-Linked-Size": str(len(content)),
                "Accept-Ranges": "bytes",
            },
        )

    http_server.route("/api/models/*", info)
    http_server.route("/someone/encoder/resolve/*", file)
    return http_server
