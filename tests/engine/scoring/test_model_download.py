"""A model is fetched from a hub that speaks like huggingface.co, where the extra is installed."""

import errno
from collections.abc import Iterator
from concurrent.futures import CancelledError
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import StorageError, UserError
from gpf_desktop.domain.events import Event, TaskCancelled, TaskFailed, TaskProgressed, TaskSucceeded
from gpf_desktop.engine.scoring.model_download import DOWNLOAD_TASK, ModelDownload
from gpf_desktop.numerics.weights import find
from tests.support.http_server import LoopbackServer, Reply
from tests.support.model_hub import COMMIT, FILES, WANTED, serve
from tests.support.open_context import OpenBench

constants = pytest.importorskip("huggingface_hub.constants")


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenBench]:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
    with OpenBench(tmp_path) as context:
        yield context


@pytest.fixture
def hub(http_server: LoopbackServer) -> LoopbackServer:
    return serve(http_server)


@pytest.mark.slow
def test_that_the_size_is_told_before_anything_is_fetched(opened: OpenBench, hub: LoopbackServer) -> None:
    offer = ModelDownload(opened.context, hub.url("")).offer("someone/encoder")
    assert offer.revision == COMMIT
    assert {name for name, _ in offer.files} == WANTED
    assert offer.bytes == sum(len(FILES[name]) for name in WANTED)
    assert all("/resolve/" not in request.path for request in hub.requests)


def test_that_just_what_scoring_needs_is_fetched_and_found_afterwards(opened: OpenBench, hub: LoopbackServer) -> None:
    download = ModelDownload(opened.context, hub.url(""))
    offer = download.offer("someone/encoder")
    assert download.start(offer).result(timeout=250) == COMMIT
    fetched = {
        request.path.partition(f"/resolve/{COMMIT}/")[2] for request in hub.requests if "/resolve/" in request.path
    }
    assert fetched == WANTED
    found = find("someone/encoder", COMMIT)
    assert found.file.read_bytes() == FILES["onnx/model.onnx"]
    progress = opened.of(TaskProgressed)
    assert [event.done for event in progress] == sorted(event.done for event in progress)
    assert progress[-1].done == progress[-1].of == offer.bytes
    (ended,) = opened.of(TaskSucceeded)
    assert ended.task == DOWNLOAD_TASK
    assert all("authorization" not in request.headers for request in hub.requests)


def test_that_a_model_without_onnx_weights_is_refused_before_anything_is_fetched(
    opened: OpenBench, hub: LoopbackServer
) -> None:
    with pytest.raises(UserError, match=r"in model\.safetensors alone, and no model\.onnx"):
        ModelDownload(opened.context, hub.url("")).offer("someone/unexported")


def test_that_a_model_that_is_not_there_and_a_hub_out_of_reach_are_told_in_words(
    opened: OpenBench, hub: LoopbackServer
) -> None:
    with pytest.raises(UserError, match="no public model “nobody/nothing”"):
        ModelDownload(opened.context, hub.url("")).offer("nobody/nothing")
    with pytest.raises(UserError, match="cannot be reached"):
        ModelDownload(opened.context, "http://127.0.0.1:9").offer("someone/encoder")


def test_that_a_download_that_breaks_off_ends_with_a_sentence(opened: OpenBench, hub: LoopbackServer) -> None:
    download = ModelDownload(opened.context, hub.url(""))
    offer = download.offer("someone/encoder")
    hub.route("/someone/encoder/resolve/*", Reply(status=403))
    with pytest.raises(UserError, match="cannot be reached"):
        download.start(offer).result(timeout=250)
    (failed,) = opened.of(TaskFailed)
    assert "someone/encoder" in failed.what


def test_that_what_is_not_the_listed_file_is_taken_away_and_fetched_anew(
    opened: OpenBench, hub: LoopbackServer
) -> None:
    download = ModelDownload(opened.context, hub.url(""))
    offer = download.offer("someone/encoder")
    assert set(offer.digests) == {"onnx/model.onnx"}
    # Another file of the same length, as a faulty cache on the way gives it.
    other = replace(offer, digests={"onnx/model.onnx": "0" * 64})
    with pytest.raises(UserError, match="not the file that huggingface") as caught:
        download.start(other).result(timeout=250)
    assert caught.value.details.endswith(f"listed {'0' * 64}")
    with pytest.raises(UserError):
        find("someone/encoder", COMMIT)
    before = sum("model.onnx" in request.path for request in hub.requests)
    assert download.start(offer).result(timeout=250) == COMMIT
    assert sum("model.onnx" in request.path for request in hub.requests) > before


def test_that_a_disk_without_room_is_told_as_what_it_is(
    opened: OpenBench, hub: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    download = ModelDownload(opened.context, hub.url(""))
    offer = download.offer("someone/encoder")
    monkeypatch.setattr("huggingface_hub.hf_hub_download", full)
    with pytest.raises(StorageError, match="is full"):
        download.start(offer).result(timeout=250)


def test_that_a_download_can_be_stopped(opened: OpenBench, hub: LoopbackServer) -> None:
    heard: list[Event] = []

    def hear(event: Event) -> None:
        heard.append(event)
        if len(heard) == 1:
            download.cancel()

    download = ModelDownload(replace(opened.context, emit=hear), hub.url(""))
    running = download.start(download.offer("someone/encoder"))
    with pytest.raises(CancelledError):
        running.result(timeout=250)
    download.close()
    assert TaskCancelled(task=DOWNLOAD_TASK) in heard
    assert not any(isinstance(event, TaskSucceeded) for event in heard)
    with pytest.raises(UserError, match="not on this machine"):
        find("someone/encoder", COMMIT)
