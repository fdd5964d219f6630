#!/usr/bin/env python3
"""Builds what people install, on the system that it runs on. Everything goes into build/freeze/.

    python packaging/freeze/build.py                 the folder, on Linux the Debian package too, and the wheel
    python packaging/freeze/build.py bundle          the folder alone; likewise deb (of the folder that is there), wheel
    python packaging/freeze/build.py sizes           what the folder's parts take

Needs a Python of those that the program runs on, with its shared library (`--enable-shared`; python.org's and the
systems' own have it); for the package also `dpkg-deb`, `strip`, `as` and `ld`. Libraries come as
packaging/constraints.txt pins them.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections import Counter
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(PACKAGING))

from freeze import contents  # noqa: E402

PROJECT = PACKAGING.parent
HERE = PACKAGING / "freeze"
PLACE = PROJECT / "build" / "freeze"
ENVIRONMENT = PLACE / "venv"
BUNDLE = PLACE / "dist" / contents.NAME
PYINSTALLER = "pyinstaller>=6.22,<7"


def main(arguments: list[str]) -> int:
    """Do what is named, in order; the exit code."""
    on_linux = sys.platform == "linux"
    steps = {"bundle": bundle, "deb": deb, "wheel": wheel, "sizes": sizes}
    usual = ["bundle", *(["deb"] if on_linux else []), "wheel", "sizes"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("steps", nargs="*", metavar="STEP", choices=[*steps, []], help=f"any of {', '.join(steps)}")
    for step in parser.parse_args(arguments).steps or usual:
        steps[step]()
    return 0


def python() -> Path:
    """The Python with everything that ships and what builds it, and nothing else."""
    inside = ENVIRONMENT / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not inside.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    extras = ",".join(contents.EXTRAS)
    pinned = ["-c", str(PACKAGING / "constraints.txt")]
    run(inside, "-m", "pip", "install", "--quiet", *pinned, PYINSTALLER, "hatchling", f"{PROJECT}[{extras}]")
    # The version may be the same while the program is not.
    run(inside, "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall", PROJECT)
    return inside


def bundle() -> None:
    """The folder that needs no Python, with the licences of all that is in it."""
    if sys.platform != "win32" and not (sysconfig.get_config_var("Py_ENABLE_SHARED") or sys.platform == "darwin"):
        raise SystemExit("This Python has no shared library; take one that was built with --enable-shared.")
    inside = python()
    run(inside, HERE / "icons.py", PLACE / "icons")
    work = ["--distpath", BUNDLE.parent, "--workpath", PLACE / "work", "--noconfirm", "--log-level", "WARN"]
    run(inside, "-m", "PyInstaller", *work, HERE / "gpf-desktop.spec")
    if sys.platform == "linux":
        lighten(BUNDLE / "_internal")
    run(inside, HERE / "finish.py", BUNDLE)


def lighten(inside: Path) -> None:
    """Takes out of the libraries what is in them for nothing, and puts a link where one lies there a second time.

    Symbols that some makers left in go; others have none, and some break when they are touched.
    """
    from freeze import icu_data

    for library in [each for pattern in contents.NOT_STRIPPED for each in inside.glob(pattern)]:
        if not library.is_symlink():
            run("strip", "--strip-unneeded", library)
    for library in inside.glob("PySide6/Qt/lib/libicudata.so.*"):
        icu_data.slim(library, contents.languages(), PLACE / "icu")
    for second, first in contents.doubles(each for each in inside.glob("*.libs/*") if not each.is_symlink()):
        second.unlink()
        second.symlink_to(os.path.relpath(first, second.parent))


def deb() -> None:
    """The Debian package of the folder."""
    from freeze import debian_package

    print(debian_package.build(BUNDLE, PLACE))


def wheel() -> None:
    """What `pipx install` and `uv tool install` take."""
    run(python(), "-m", "hatchling", "build", "-t", "wheel", "-d", PLACE, cwd=PROJECT)


def sizes() -> None:
    """What the parts of the folder take, the largest first, in MB."""
    inside = BUNDLE / "_internal"
    parts: Counter[str] = Counter()
    for file in BUNDLE.rglob("*"):
        if file.is_file() and not file.is_symlink():
            part = file.relative_to(inside).parts[0] if inside in file.parents else file.name
            parts[part] += file.stat().st_size
    for part, size in parts.most_common(30):
        print(f"{size / 1e6:7.1f}  {part}")
    print(f"{sum(parts.values()) / 1e6:7.1f}  in all")
    for package in sorted((*PLACE.glob("*.deb"), *PLACE.glob("*.whl"))):
        print(f"{package.stat().st_size / 1e6:7.1f}  {package.name}")


def run(*words: str | Path, cwd: Path | None = None) -> None:
    """Raises `CalledProcessError`."""
    subprocess.run([str(word) for word in words], check=True, cwd=cwd)


if __name__ == "__main__":
    if shutil.which("strip") is None and sys.platform == "linux":
        raise SystemExit("The program “strip” is missing; Debian has it in the package binutils.")
    sys.exit(main(sys.argv[1:]))
