"""Finds the language model that the auditor names, and says exactly which weights those are.

A name is a folder, an installed Python package that carries a model (its code is not run), or a model on
huggingface.co that was downloaded before. Nothing here uses the network.
"""

import hashlib
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any, Final, TypeVar

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.extras import ENCODERS, extras
from gpf_desktop.domain.text import tr

Options = TypeVar("Options")

ONNX: Final = ("model.onnx", "onnx/model.onnx")
OTHER_FORMATS: Final = ("model.safetensors", "pytorch_model.bin")
"""Weights that need a framework of gigabytes; models published with these alone are refused."""
TOKENIZER: Final = "tokenizer.json"
BESIDE: Final = ("config.json", "sentence_bert_config.json", "1_Pooling/config.json")
"""Small files that say how a model is used; weights without them still load."""
_HUB_NAME: Final = re.compile(r"[\w.-]+/[\w.-]+")


class NotHereError(UserError):
    """The model is on huggingface.co and not on this machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A model on this machine."""

    folder: Path
    file: Path
    """The weights, in ONNX."""
    revision: str
    """The package's version or the commit on huggingface.co; empty for a folder."""

    @property
    def digest(self) -> str:
        """SHA-256 of the weights, the tokeniser and the files beside them."""
        stamps = tuple((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in self._files())
        return _digest(self.folder, stamps)

    def _files(self) -> list[Path]:
        names = (self.folder / TOKENIZER, *(self.folder / name for name in BESIDE))
        return [self.file, *(path for path in names if path.is_file())]


def find(model: str, revision: str = "") -> Weights:
    """The model called *model* (at *revision*). Raises `NotHereError`, and `UserError` where it is nowhere or unfit."""
    name = model.strip()
    if not name:
        raise UserError(
            tr("No model is named."),
            tr("Name a folder, an installed package that carries a model, or a model on huggingface.co."),
        )
    # A folder first: a package or a model of that name may be installed as well, and the auditor pointed at this one.
    if _is_folder(name):
        return _in_folder(Path(name), "", name)
    package = _package(name)
    if package is not None:
        return package
    if _HUB_NAME.fullmatch(name):
        return _downloaded(name, revision)
    raise UserError(
        tr(
            "“{name}” is no folder, no installed package with a model, and no name on huggingface.co.",
            name=name,
        ),
        tr("Models there are called like “sentence-transformers/all-MiniLM-L6-v2”."),
    )


def identify(options: Options) -> Options:
    """*options* with the revision and the digest of the weights behind their model's name; others as they are.

    Where a digest is there already, the weights must still be those. Raises as `find` does.
    """
    given: Any = options
    if not hasattr(given, "weights"):
        return options
    found = find(given.model, given.revision)
    if given.weights and given.weights != found.digest:
        raise UserError(
            tr("“{name}” holds other weights than those that the earlier scores were made with.", name=given.model),
            tr("Score again with the model as it is now, or put the earlier weights back."),
        )
    made: Options = replace(given, revision=found.revision, weights=found.digest)
    return made


def _in_folder(folder: Path, revision: str, name: str) -> Weights:
    file = _onnx_in(folder)
    if file is None:
        other = next((each for each in OTHER_FORMATS if (folder / each).is_file()), None)
        if other is not None:
            raise only_in(other, name)
    if file is None or not (folder / TOKENIZER).is_file():
        raise UserError(
            tr("“{name}” holds no model: model.onnx or tokenizer.json is missing.", name=name),
            tr("Choose a model that was exported to ONNX."),
        )
    return Weights(folder=folder, file=file, revision=revision)


def _onnx_in(folder: Path) -> Path | None:
    return next((folder / each for each in ONNX if (folder / each).is_file()), None)


def only_in(format_: str, name: str) -> UserError:
    """The error for a model whose weights are in the file *format_* alone."""
    return UserError(
        tr("“{name}” has its weights in {file} alone, and no model.onnx.", name=name, file=format_),
        tr("Export it to ONNX and put model.onnx beside its tokenizer.json, or choose a model that has both."),
    )


def _package(name: str) -> Weights | None:
    """The model in the files of an installed package; None where there is no such package."""
    try:
        found = metadata.distribution(name)
    except (metadata.PackageNotFoundError, ValueError):
        return None
    # Packages that were installed without a record have no list of files.
    folders = [Path(str(found.locate_file(file))).parent for file in found.files or () if file.name == TOKENIZER]
    if folders:
        return _in_folder(next((each for each in folders if _onnx_in(each)), folders[0]), found.version, name)
    raise UserError(
        tr("The package “{name}” {version} carries no model.", name=name, version=found.version),
        tr("Name one that has model.onnx and tokenizer.json among its files."),
    )


def _downloaded(name: str, revision: str) -> Weights:
    """The weights in the cache that programs on this machine share, so that a model is fetched once for all of them."""
    try:
        from huggingface_hub import try_to_load_from_cache
    except ImportError as error:
        raise extras()[ENCODERS].lacking() from error
    words = try_to_load_from_cache(name, TOKENIZER, revision=revision.strip() or None)
    # Neither None (not here) nor the library's mark of a file known not to exist is a path.
    folders = [Path(words).parent] if isinstance(words, str) else []
    # What was fetched by its commit, as the program does, no branch in the cache points at.
    for folder in folders if revision.strip() else [*folders, *_snapshots(name)]:
        if _onnx_in(folder) and (folder / TOKENIZER).is_file():
            # Snapshots stand in folders that are named by their commit, also where a branch was asked for.
            return _in_folder(folder, folder.name, name)
    raise NotHereError(tr("“{name}” is not on this machine.", name=name), tr("Download it from huggingface.co first."))


def _snapshots(name: str) -> list[Path]:
    """The folders of all commits of *name* that are here, the one that came last first."""
    from huggingface_hub import constants

    model = Path(constants.HF_HUB_CACHE) / f"models--{name.replace('/', '--')}"
    return sorted((model / "snapshots").glob("*"), key=lambda folder: folder.stat().st_mtime, reverse=True)


@lru_cache(maxsize=8)
def _digest(folder: Path, stamps: tuple[tuple[str, int, int], ...]) -> str:
    """Read once as long as size and time of every file stay as in *stamps*."""
    whole = hashlib.sha256()
    for path, size, _ in stamps:
        # Name and size before the content, so that the same bytes cut otherwise into files have another digest.
        whole.update(f"{Path(path).relative_to(folder).as_posix()}\x1f{size}\x1f".encode())
        with Path(path).open("rb") as file:
            while piece := file.read(1 << 20):
                whole.update(piece)
    return whole.hexdigest()


def _is_folder(name: str) -> bool:
    try:
        return Path(name).is_dir()
    except (OSError, ValueError):
        # A name that no folder can have.
        return False
