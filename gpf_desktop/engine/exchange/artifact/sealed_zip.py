"""A zip that is the same bytes for the same content, and whose last 64 characters seal all bytes before them.

The zip's comment is the SHA-256, in hexadecimal digits, of everything in front of it: a change of one byte anywhere,
in a header or between files too, is found. `manifest.json` has the SHA-256 of each file, so that it is told which one
was changed. Nothing is ever unpacked to the disk under a name that the zip gives.
"""

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

FORMAT: Final = "gpf-artifact"
VERSION: Final = 1
MANIFEST: Final = "manifest.json"
_SEAL: Final = 64
# The earliest moment that a zip can name; the real one would change the bytes of every artifact.
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)
_LARGEST: Final = 64 * 2**30
"""Bytes, unpacked: ten times what 100,000 bundles take."""
LONGEST_LINE: Final = 48 * 2**20
"""Bytes of one row: an answer and its reasoning at their longest, every character escaped."""
_PIECE: Final = 2**20
_LEVEL: Final = 4
"""Of compression: on answers 1.07 times the size of level 6 in .4 of its time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A file of the artifact, as the manifest has it."""

    name: str
    bytes: int
    sha256: str


class SealedZipWriter:
    """Writes files in the order in which they are added, then the manifest and the seal."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self._members: list[Member] = []

    @property
    def members(self) -> tuple[Member, ...]:
        return tuple(self._members)

    @contextmanager
    def file(self, name: str) -> Iterator["HashedFile"]:
        """A file under way, for bytes."""
        # Rows stream in, so that the size is not known here, and a file that passes 2 GiB without the wide header is
        # refused.
        with self._zip.open(_info(name), "w", force_zip64=True) as raw:
            hashed = HashedFile(raw)
            yield hashed
        self._members.append(Member(name=name, bytes=hashed.bytes, sha256=hashed.digest.hexdigest()))

    def add(self, name: str, text: str) -> None:
        with self.file(name) as file:
            file.write(text.encode())

    def close(self, about: Mapping[str, object]) -> str:
        """Write the manifest, which holds *about* too, close the zip and seal it; the seal."""
        files = [{"name": each.name, "bytes": each.bytes, "sha256": each.sha256} for each in self._members]
        manifest = {"format": FORMAT, "version": VERSION, **about, "files": files}
        with self._zip.open(_info(MANIFEST), "w", force_zip64=True) as raw:
            raw.write((json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode())
        # The comment holds its place with its final length, or the length in front of it would change after the hash is
        # taken.
        self._zip.comment = b"0" * _SEAL
        self._zip.close()
        # Read back from the file: zipfile goes back to each header once the size is known, so that a hash of the bytes
        # as they are written would be another.
        seal = _hash_before_seal(self._path)
        with self._path.open("r+b") as file:
            file.seek(-_SEAL, io.SEEK_END)
            file.write(seal.encode())
        return seal

    def abandon(self) -> None:
        """Give up what was written."""
        self._zip.close()


class HashedFile:
    """Passes bytes on, counting and hashing them."""

    def __init__(self, raw: IO[bytes]) -> None:
        self._raw = raw
        self.bytes = 0
        self.digest = hashlib.sha256()

    def write(self, data: bytes) -> None:
        self._raw.write(data)
        self.bytes += len(data)
        self.digest.update(data)


class SealedZip:
    """An artifact to read from. Made by `opened`."""

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self.path = path
        self._zip = archive
        self.seal = archive.comment.decode("ascii", "replace")
        self.manifest = self._manifest()
        self.members = {each.name: each for each in _members(path, self.manifest)}
        self._check_members()

    def seal_found(self) -> str:
        """The seal that the bytes of the file have now."""
        return _hash_before_seal(self.path)

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a file, without their ends. Raises `UserError` where it is not what the manifest says."""
        digest, size, member = hashlib.sha256(), 0, self._member(name)
        try:
            # By itself a part of a zip looks for the ends of its lines a hundred bytes at a time.
            with io.BufferedReader(self._zip.open(name), _PIECE) as file:  # type: ignore[type-var]
                # At most so many bytes of a line without an end are held: it is not handed out, and the sizes below
                # disagree.
                while line := file.readline(LONGEST_LINE):
                    size += len(line)
                    digest.update(line)
                    if size > member.bytes or not line.endswith(b"\n"):
                        break
                    yield line[:-1]
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError) as error:
            raise _changed(self.path, name) from error
        # Only the last line tells; by now the rows are handed out, and who put them somewhere has to take them back.
        if size != member.bytes or digest.hexdigest() != member.sha256:
            raise _changed(self.path, name)

    def text(self, name: str) -> str:
        return "".join(f"{line.decode()}\n" for line in self.lines(name))

    def agrees(self, name: str) -> bool:
        """Whether a file is what the manifest says."""
        member, digest, size = self._member(name), hashlib.sha256(), 0
        try:
            with self._zip.open(name) as file:
                # A file that unpacks to more than its manifest says is not read further.
                while size <= member.bytes and (piece := file.read(_PIECE)):
                    size += len(piece)
                    digest.update(piece)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError):
            return False
        return size == member.bytes and digest.hexdigest() == member.sha256

    def _member(self, name: str) -> Member:
        found = self.members.get(name)
        if found is None:
            raise no_artifact(self.path, tr("{name} is missing in it", name=name))
        return found

    def _manifest(self) -> Mapping[str, Any]:
        try:
            info = self._zip.getinfo(MANIFEST)
            # zipfile never hands out more of a part than its header declares, so that what is declared bounds what is
            # read.
            if info.file_size > LONGEST_LINE:
                raise ValueError("too large")
            found = json.loads(self._zip.read(info))
            if found["format"] != FORMAT:
                raise ValueError("format")
            version = int(found["version"])
        # A manifest from outside may be any JSON: brackets without end are a RecursionError, a list in place of an
        # object a TypeError.
        except (KeyError, ValueError, TypeError, RuntimeError, zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise no_artifact(self.path, tr("its manifest cannot be read")) from error
        if version > VERSION:
            raise UserError(
                tr("{file} was made by a newer program.", file=self.path.name), tr("Install the newest GPF Desktop.")
            )
        return found  # type: ignore[no-any-return]

    def _check_members(self) -> None:
        names = [info.filename for info in self._zip.infolist()]
        # Lists and not sets: a name that stands twice in the zip, of which readers may take either, is found too.
        if sorted(names) != sorted([*self.members, MANIFEST]):
            raise no_artifact(self.path, tr("it holds other files than its manifest lists"))
        if sum(member.bytes for member in self.members.values()) > _LARGEST:
            raise no_artifact(self.path, tr("it is larger than any shared file can be"))


@contextmanager
def opened(path: Path) -> Iterator[SealedZip]:
    """The artifact at *path*. Raises `UserError` where it is none."""
    try:
        archive = zipfile.ZipFile(path)
    except FileNotFoundError:
        raise UserError(tr("There is no file {path}.", path=str(path)), tr("Check its name.")) from None
    except IsADirectoryError:
        raise UserError(tr("{path} is a folder.", path=str(path)), tr("Name the zip itself.")) from None
    except (zipfile.BadZipFile, ValueError, RuntimeError, EOFError) as error:
        raise no_artifact(path, tr("it is no zip that can be read")) from error
    with archive:
        yield SealedZip(path, archive)


def no_artifact(path: Path, why: str) -> UserError:
    return UserError(
        tr("{file} is not a shared file of GPF Desktop, or was changed: {why}.", file=path.name, why=why),
        tr("Ask for the file that “Save a shared file” wrote."),
    )


def _changed(path: Path, name: str) -> UserError:
    return no_artifact(path, tr("{name} is not what its manifest says", name=name))


def _members(path: Path, manifest: Mapping[str, Any]) -> list[Member]:
    try:
        return [
            Member(name=str(each["name"]), bytes=int(each["bytes"]), sha256=str(each["sha256"]))
            for each in manifest["files"]
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise no_artifact(path, tr("its manifest cannot be read")) from error


def _info(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.compress_type = zipfile.ZIP_DEFLATED
    # What the archive is told holds for files that it names itself; the public name is 3.13's.
    info._compresslevel = _LEVEL  # type: ignore[attr-defined]
    # Unix, wherever it is written: Python puts the system it runs on there, and Windows would give other bytes.
    info.create_system = 3
    info.external_attr = 0o644 << 16
    return info


def _hash_before_seal(path: Path) -> str:
    digest, left = hashlib.sha256(), path.stat().st_size - _SEAL
    with path.open("rb") as file:
        while left > 0 and (piece := file.read(min(_PIECE, left))):
            digest.update(piece)
            left -= len(piece)
    return digest.hexdigest()
