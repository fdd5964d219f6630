"""A model may be named as a folder, an installed package or a name on huggingface.co; its weights are then known."""

from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.methods.gpf_livenews.scorers.sentence_encoder import SCORER, EncoderOptions
from gpf_desktop.numerics.weights import NotHereError, find, identify
from tests.methods.gpf_livenews.scorers.bundles import by_name, group_of, plain
from tests.support.packages import install


def model_files(folder: Path) -> Path:
    """Files that look like a model as far as finding goes."""
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(b"weights")
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    return folder


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


def test_that_a_folder_is_known_by_its_weights_alone(tmp_path: Path) -> None:
    one, same = model_files(tmp_path / "one"), model_files(tmp_path / "same")
    other = model_files(tmp_path / "other")
    (other / "model.onnx").write_bytes(b"Weights")
    digests = [find(str(folder)).digest for folder in (one, same, other)]
    assert digests[0] == digests[1] != digests[2]
    (same / "config.json").write_text("{}", encoding="utf-8")
    assert find(str(same)).digest != digests[0]


def test_that_the_model_of_an_installed_package_is_found_without_running_the_package(site: Path) -> None:
    model_files(site / "carrier" / "model")
    code = "raise RuntimeError('imported')"
    install(site, "carrier", "0.3", {"carrier/__init__.py": code, "carrier/model/tokenizer.json": "{}"})
    found = find("carrier")
    assert (found.folder, found.revision) == (site / "carrier" / "model", "0.3")


def test_that_a_package_without_a_model_is_refused_by_name_and_version(site: Path) -> None:
    install(site, "bare", "2.0", {"bare/__init__.py": ""})
    with pytest.raises(UserError, match=r"“bare” 2\.0 carries no model"):
        find("bare")


def test_that_a_name_that_is_nothing_is_refused_in_words() -> None:
    with pytest.raises(UserError, match="no installed package with a model"):
        find("no-such-thing-at-all")
    with pytest.raises(UserError, match="No model is named"):
        find("  ")


def test_that_a_setting_names_its_weights_and_refuses_others_later(tmp_path: Path) -> None:
    folder = model_files(tmp_path / "model")
    known = identify(EncoderOptions(model=str(folder)))
    assert len(known.weights) == 64
    assert identify(known) == known
    (folder / "model.onnx").write_bytes(b"retrained")
    with pytest.raises(UserError, match="other weights"):
        identify(known)


def test_that_a_model_of_the_hub_is_taken_from_the_cache_and_never_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    constants = pytest.importorskip("huggingface_hub.constants")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(NotHereError, match="not on this machine"):
        find("someone/encoder")
    commit = "c0ffee" * 6 + "cafe"
    model_files(tmp_path / "models--someone--encoder" / "snapshots" / commit)
    assert find("someone/encoder", commit).revision == commit
    assert find("someone/encoder").revision == commit, "fetched by its commit, as the program does"
    half = tmp_path / "models--someone--encoder" / "snapshots" / ("0" * 40)
    half.mkdir()
    (half / "tokenizer.json").write_text("{}", encoding="utf-8")
    assert find("someone/encoder").revision == commit, "of the newest the weights did not come"
    with pytest.raises(NotHereError):
        find("someone/encoder", "main")
    refs = tmp_path / "models--someone--encoder" / "refs"
    refs.mkdir()
    (refs / "main").write_text(commit, encoding="utf-8")
    assert find("someone/encoder").revision == commit


def test_that_the_encoder_of_a_package_tells_like_from_unlike(site: Path) -> None:
    tiny = pytest.importorskip("tests.methods.gpf_livenews.scorers.tiny_models", exc_type=ImportError)
    tiny.write_encoder(site / "carrier" / "model")
    tokenizer = (site / "carrier" / "model" / "tokenizer.json").read_bytes()
    install(site, "carrier", "0.3", {"carrier/model/tokenizer.json": tokenizer})
    options = identify(EncoderOptions(model="carrier"))
    assert options.revision == "0.3"
    like, unlike = (
        by_name(SCORER.score([group_of([plain(["good news", other])])], options))["semantic_dispersion"]
        for other in ("news good", "bad house")
    )
    assert like == pytest.approx(0) != unlike


@pytest.mark.parametrize("file", ["model.safetensors", "pytorch_model.bin"])
def test_that_weights_in_another_format_alone_are_refused_with_what_is_needed(site: Path, file: str) -> None:
    folder = model_files(site / "carrier")
    beside = folder / "model.onnx"
    (folder / file).write_bytes(b"weights")
    assert find(str(folder)).file == beside
    beside.unlink()
    install(site, "carrier", "0.3", {"carrier/tokenizer.json": "{}"})
    for name in (str(folder), "carrier"):
        with pytest.raises(UserError, match=f"in {file} alone") as refused:
            find(name)
        assert "Export it to ONNX" in refused.value.remedy
