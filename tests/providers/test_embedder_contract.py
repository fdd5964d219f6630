"""What every embedder promises, asked of each against a loopback server that is strict about its API."""

import asyncio
import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

from gpf_desktop.domain.embeddings import Embedded, EmbeddingOrder
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.options import shown_in
from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.retries import NoRetry, RateLimited
from gpf_desktop.engine.core.catalogue import embedders, providers
from gpf_desktop.engine.models.sending import Sender
from tests.providers.rigs import OF_THIS_MACHINE
from tests.support.embedding_servers import EMBEDDINGS, serve_vectors, vector_of
from tests.support.http_server import LoopbackServer, Reply
from tests.support.provider_servers import KEY, MODEL

TEXTS = ("The river rises.", "The river rises slowly. Größe ✓", "Nothing is known.")


@pytest.fixture(params=sorted(EMBEDDINGS))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def embed(
    name: str,
    server: LoopbackServer | None,
    texts: Sequence[str] = TEXTS,
    *,
    model: str = MODEL,
    key: str = KEY,
    not_supported: frozenset[str] = frozenset(),
    **options: object,
) -> Embedded | Miss:
    base_url = server.url(EMBEDDINGS[name].base_path) if server is not None else ""
    endpoint = Endpoint(provider=name, model=model, base_url=base_url, options=options)
    order = EmbeddingOrder(texts=texts, endpoint=endpoint, not_supported=not_supported)

    async def once() -> Embedded | Miss:
        sender = Sender()
        try:
            return await embedders()[name].embed(order, Secret(key) if key else None, sender.sending(20.0))
        finally:
            await sender.aclose()

    return asyncio.run(once())


def numbers(vector: bytes) -> list[float]:
    return list(struct.unpack(f"<{len(vector) // 4}f", vector))


def test_that_every_embedder_belongs_to_a_provider_and_is_tested_against_its_api() -> None:
    synthetic = {name for name, each in providers().items() if each.synthetic}
    assert set(embedders()) - synthetic - OF_THIS_MACHINE == set(EMBEDDINGS)
    for each in embedders().values():
        assert each.name in providers()
        assert each.most_texts > 0
        assert each.most_characters >= 50_000
        assert all(shown.help for shown in shown_in(each.options).values())


def test_that_texts_are_sent_to_the_letter_and_each_has_its_own_vector(name: str, http_server: LoopbackServer) -> None:
    calls = serve_vectors(http_server, EMBEDDINGS[name])
    found = embed(name, http_server)
    assert isinstance(found, Embedded), found
    assert calls == [list(TEXTS)]
    assert [numbers(each) for each in found.vectors] == [vector_of(text) for text in TEXTS]
    assert found.usage.prompt == sum(len(text.split()) for text in TEXTS)
    assert found.sent["model"] == MODEL
    assert "river" not in str(found.sent)
    assert KEY not in http_server.requests[-1].path


def test_that_without_a_key_none_is_sent(name: str, http_server: LoopbackServer) -> None:
    serve_vectors(http_server, EMBEDDINGS[name], key="")
    assert isinstance(embed(name, http_server, key=""), Embedded)
    assert not {"authorization", "x-goog-api-key"} & http_server.requests[-1].headers.keys()


def test_that_settings_are_sent_by_the_api_s_own_names_and_left_out_where_refused(
    name: str, http_server: LoopbackServer
) -> None:
    dialect = EMBEDDINGS[name]
    serve_vectors(http_server, dialect)
    values: dict[str, object] = {"dimensions": 8, "task_type": "CLUSTERING"}
    for ours, wire in dialect.parameters.items():
        found = embed(name, http_server, **{ours: values[ours]})
        assert isinstance(found, Embedded), found
        assert found.sent[wire] == values[ours]
        body = str(http_server.requests[-1].json())
        assert f"'{wire}': {values[ours]!r}" in body
        without = embed(name, http_server, not_supported=frozenset({ours}), **{ours: values[ours]})
        assert isinstance(without, Embedded)
        assert without.not_supported == (ours,)
        assert f"'{wire}'" not in str(http_server.requests[-1].json())
        words = f"Unsupported parameter: '{wire}' is not supported with this model."
        http_server.route(dialect.call_path, Reply.of_json(dialect.error(400, words), status=400))
        refused = embed(name, http_server, **{ours: values[ours]})
        assert isinstance(refused, Miss)
        assert refused.refused_parameter == ours
        serve_vectors(http_server, dialect)


def test_that_errors_are_misses_in_the_server_s_words_without_the_key(name: str, http_server: LoopbackServer) -> None:
    dialect = EMBEDDINGS[name]
    for status, retry in ((401, NoRetry), (429, RateLimited)):
        body = dialect.error(status, f"Wrong: {KEY}")
        http_server.route(dialect.call_path, Reply.of_json(body, status=status, headers={"Retry-After": "3"}))
        miss = embed(name, http_server)
        assert isinstance(miss, Miss)
        assert miss.status == status
        assert isinstance(miss.retry, retry)
        assert miss.detail.startswith("Wrong")
        assert KEY not in miss.detail
    http_server.route(dialect.call_path, Reply(body="<html>no"))
    miss = embed(name, http_server)
    assert isinstance(miss, Miss)
    assert miss.reason is Missing.UNREADABLE


@pytest.mark.parametrize("spoil", ["one too few", "not finite", "unlike lengths", "all zeros"])
def test_that_vectors_that_are_not_beyond_doubt_are_none(name: str, spoil: str, http_server: LoopbackServer) -> None:
    dialect = EMBEDDINGS["openai-compatible" if name == "openai" else name]
    body = dialect.answer(TEXTS)
    rows = next(value for value in body.values() if isinstance(value, list))
    if spoil == "one too few":
        del rows[0]
    else:
        wrong = {"not finite": [1e300] * 8, "unlike lengths": [1.0] * 7, "all zeros": [0.0] * 8}[spoil]
        rows[0] = (
            {**rows[0], **{key: wrong for key in ("embedding", "values") if key in rows[0]}}
            if isinstance(rows[0], dict)
            else wrong
        )
    http_server.route(EMBEDDINGS[name].call_path, Reply.of_json(body))
    miss = embed(name, http_server)
    assert isinstance(miss, Miss)
    assert miss.reason is Missing.UNREADABLE
    assert "usable vectors" in miss.detail


def test_that_an_encoder_on_this_machine_gives_unit_vectors_and_says_which_weights_it_has(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    from tests.methods.gpf_livenews.scorers.tiny_models import write_encoder

    folder = str(write_encoder(tmp_path / "tiny"))
    found = embed("local-encoder", None, ("good news", "bad house", "good"), model=folder)
    assert isinstance(found, Embedded), found
    assert [sum(each**2 for each in numbers(vector)) for vector in found.vectors] == pytest.approx([1, 1, 1])
    assert numbers(found.vectors[2]) == [1, 0, 0]
    local = embedders()["local-encoder"]
    endpoint = Endpoint(provider="local-encoder", model=folder)
    assert len(local.fingerprint(endpoint)) == 64
    nowhere = embed("local-encoder", None, model="nowhere at all")
    assert isinstance(nowhere, Miss)
    assert "nowhere at all" in nowhere.detail
