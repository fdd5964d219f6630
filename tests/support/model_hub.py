"""A loopback server that speaks like huggingface.co, with one public model, ``someone/encoder``."""

import hashlib

from tests.support.http_server import LoopbackServer, Reply, Request

COMMIT = "c0ffee" * 6 + "cafe"
FILES = {
    "README.md": b"not wanted",
    "pytorch_model.bin": b"not wanted either",
    "model.safetensors": b"weights " * 4000,
    "tokenizer.json": b"{}",
    "config.json": b'{"model_type": "bert"}',
}
WANTED = {"model.safetensors", "tokenizer.json", "config.json"}


def serve(http_server: LoopbackServer) -> LoopbackServer:
    """Any other name is unknown."""
    siblings = [{"rfilename": name, "size": len(content)} for name, content in FILES.items()]
    told = {"id": "someone/encoder", "sha": COMMIT, "siblings": siblings, "private": False, "tags": [], "downloads": 1}

    def info(request: Request) -> Reply:
        if request.path.startswith("/api/models/someone/encoder"):
            return Reply.of_json(told)
        return Reply(status=404, headers={"X-Error-Code": "RepoNotFound"})

    def file(request: Request) -> Reply:
        content = FILES[request.path.rpartition("/")[2]]
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
