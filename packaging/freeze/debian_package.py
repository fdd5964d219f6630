"""The Debian package of a folder that `build.py bundle` made."""

import gzip
import hashlib
import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Final

from bootstrapping.system import NEEDS, Group

from freeze import contents

HERE: Final = Path(__file__).parent
PROJECT: Final = HERE.parents[1]
OTHER_NAMES: Final = {"libglib2.0-0": "libglib2.0-0t64 | libglib2.0-0"}
"""Of packages that newer releases call otherwise."""
BESIDES: Final = ("libgssapi-krb5-2", "libwayland-cursor0", "libwayland-egl1")
"""What Qt's network and Wayland parts need and Debian's own Python brings along, which is not there here."""
_KEY_STORES: Final = "gnome-keyring | kwalletmanager | keepassxc"
_GLIBC: Final = re.compile(rb"GLIBC_2\.(\d{1,2})\b")
_SIZES: Final = (16, 22, 24, 32, 48, 64, 128, 256, 512)
_CONTROL: Final = """\
Package: {name}
Version: {version}
Section: science
Priority: optional
Architecture: {architecture}
Installed-Size: {kilobytes}
Depends: {depends}
Recommends: {recommends}
Maintainer: The authors of GPF Desktop
Description: find out whether a language model answers different people differently
 GPF Desktop asks language models the same questions for different people,
 measures how far the answers differ, and puts those side by side that moved
 most, for people to read, judge and report. It has four published methods:
 GPF-LiveNews, Relative Bias, Contextual StereoSet and SAGED.
 .
 The package brings its own Python and libraries.
"""
_COPYRIGHT: Final = """\
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: GPF Desktop
Comment: /usr/share/doc/gpf-desktop/licences holds the licences of all
 libraries in this package, and the list LIBRARIES names their terms.
 Qt and Qt for Python are used under the LGPL 3: their libraries lie as files
 of their own in /usr/lib/gpf-desktop/_internal and may be replaced.

Files: *
Copyright: The authors of GPF Desktop
License: Apache-2.0
 On Debian systems the text is in /usr/share/common-licenses/Apache-2.0.
"""


def build(bundle: Path, place: Path) -> Path:
    """The package of *bundle*, made in *place*. Raises `CalledProcessError` and `OSError`."""
    root = place / "deb"
    shutil.rmtree(root, ignore_errors=True)
    version, architecture = _version(), _said("dpkg", "--print-architecture")
    program = root / "usr/lib" / contents.NAME
    shutil.copytree(bundle, program, symlinks=True, ignore=shutil.ignore_patterns("licences", "help"))
    _link(root / "usr/bin" / contents.NAME, f"../lib/{contents.NAME}/{contents.NAME}")
    _for_desktops(root / "usr/share", bundle, version)
    documents = root / "usr/share/doc" / contents.NAME
    shutil.copytree(bundle / "licences", documents / "licences")
    (documents / "copyright").write_text(_COPYRIGHT, "utf-8")
    _packed(PROJECT / "CHANGELOG.md", documents / "changelog.gz")
    _may_be_read_by_all(root)
    files = sorted(each for each in root.rglob("*") if each.is_file() and not each.is_symlink())
    told = root / "DEBIAN"
    told.mkdir()
    (told / "control").write_text(
        _CONTROL.format(
            name=contents.NAME,
            version=version,
            architecture=architecture,
            kilobytes=sum(-(-each.stat().st_size // 1024) for each in files),
            depends=", ".join(depends(_newest_glibc(program))),
            recommends=", ".join(recommends()),
        ),
        "utf-8",
    )
    sums = [
        f"{hashlib.md5(each.read_bytes(), usedforsecurity=False).hexdigest()}  {each.relative_to(root)}"
        for each in files
    ]
    (told / "md5sums").write_text("\n".join(sums) + "\n", "utf-8")
    package = place / f"{contents.NAME}_{version}_{architecture}.deb"
    subprocess.run(
        ["dpkg-deb", "--root-owner-group", "-Zxz", "-z9", "-Sextreme", "--build", str(root), str(package)], check=True
    )
    shutil.rmtree(root)
    return package


def depends(glibc: str) -> tuple[str, ...]:
    """What the window needs of the system, as control files write it."""
    packages = dict.fromkeys(need.package for need in NEEDS if need.group in {Group.QT, Group.DISPLAY})
    return (f"libc6 (>= {glibc})", *(OTHER_NAMES.get(each, each) for each in packages), *BESIDES)


def recommends() -> tuple[str, ...]:
    """A store for keys, and fonts for answers in any script."""
    packages = dict.fromkeys(need.package for need in NEEDS if need.group is Group.DESKTOP)
    return tuple(_KEY_STORES if each == "gnome-keyring" else each for each in packages)


def _for_desktops(share: Path, bundle: Path, version: str) -> None:
    """The entry, its description, the type of audits, icons, the manual page and the completion."""
    _copied(HERE / "linux" / "gpf-desktop.desktop", share / "applications")
    described = next((HERE / "linux").glob("*.metainfo.xml"))
    day = time.strftime("%Y-%m-%d", time.gmtime())
    (share / "metainfo").mkdir()
    text = described.read_text("utf-8").replace("@VERSION@", version).replace("@DAY@", day)
    (share / "metainfo" / described.name).write_text(text, "utf-8")
    _copied(PROJECT / "resources/mime/packages/gpf-desktop.xml", share / "mime/packages")
    hicolor, drawing = share / "icons/hicolor", PROJECT / "resources/gpf-desktop.svg"
    for folder, name in (("apps", contents.NAME), ("mimetypes", "application-x-gpf-audit")):
        _copied(drawing, hicolor / "scalable" / folder, f"{name}.svg")
        for size in _SIZES:
            _copied(bundle.parents[1] / f"icons/{size}.png", hicolor / f"{size}x{size}" / folder, f"{name}.png")
    (share / "man/man1").mkdir(parents=True)
    _packed(bundle / "help/gpf-desktop.1", share / "man/man1/gpf-desktop.1.gz")
    _copied(bundle / "help/gpf-desktop.bash", share / "bash-completion/completions", contents.NAME)


def _newest_glibc(program: Path) -> str:
    """The version that the newest symbol named in any of the libraries asks for."""
    found = {17}
    for file in (program / contents.NAME, *program.rglob("*.so*")):
        found |= {int(minor) for minor in _GLIBC.findall(file.read_bytes())}
    return f"2.{max(found)}"


def _version() -> str:
    text = (PROJECT / "gpf_desktop/__init__.py").read_text("utf-8")
    found = re.search(r'__version__ = "([^"]+)"', text)
    if found is None:
        raise LookupError("gpf_desktop/__init__.py names no version")
    # "1.0rc1" comes before "1.0".
    return re.sub(r"(?<=\d)(a|b|rc|\.dev)(?=\d)", r"~\1", found[1])


def _may_be_read_by_all(root: Path) -> None:
    for each in (root, *root.rglob("*")):
        if not each.is_symlink():
            runs = each.is_dir() or (os.access(each, os.X_OK) and ".so" not in each.name)
            each.chmod(0o755 if runs else 0o644)


def _copied(file: Path, folder: Path, name: str = "") -> None:
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, folder / (name or file.name))


def _packed(file: Path, target: Path) -> None:
    # Without a time, so that the same files make the same package.
    target.write_bytes(gzip.compress(file.read_bytes(), mtime=0))


def _link(place: Path, target: str) -> None:
    place.parent.mkdir(parents=True)
    place.symlink_to(target)


def _said(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
