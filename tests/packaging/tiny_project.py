"""A project as small as can be, set up by the real bootstrap with real venv and pip, and no download.

Its build backend stands in the project itself. While ``TINY_ASK`` names a URL, building waits for an answer from
there, so that a test can stop a set-up half-way.
"""

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

from bootstrapping.machine import base_python

from tests.support.surroundings import ORIGINAL

ROOT = Path(__file__).parents[2]

PYPROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "gpf-desktop"
version = "1"
"""

BACKEND = """
import os, urllib.request, zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    if url := os.environ.get("TINY_ASK"):
        urllib.request.urlopen(url)
    name, info = "gpf_desktop-1-py3-none-any.whl", "gpf_desktop-1.dist-info"
    requires = os.environ.get("TINY_REQUIRES", "")
    lines = ["Metadata-Version: 2.1", "Name: gpf-desktop", "Version: 1", "Provides-Extra: test"]
    lines += [f"Requires-Dist: {requires}"] * bool(requires)
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        wheel.writestr("gpf_desktop_here.pth", os.getcwd())
        wheel.writestr(f"{info}/METADATA", "\\n".join(lines) + "\\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(f"{info}/RECORD", "")
    return name
"""

MAIN = """
import os, sys
print("started with", sys.argv[1:], "in", os.getcwd())
sys.exit(7 if "fail" in sys.argv else 0)
"""


class TinyProject:
    """Made in *folder*, which must not exist yet."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT / "packaging", folder / "packaging", ignore=shutil.ignore_patterns("__pycache__"))
        (folder / "gpf_desktop").mkdir()
        files = {"pyproject.toml": PYPROJECT, "backend.py": BACKEND, "gpf_desktop/__main__.py": MAIN}
        for name, text in files.items():
            (folder / name).write_text(text, "utf-8")

    @property
    def stamp(self) -> Path:
        return self.folder / ".venv" / "gpf-setup.json"

    def begin(self, *arguments: str, **surroundings: str) -> "subprocess.Popen[str]":
        """Start the bootstrap as the user would, from another folder, in a process group of its own."""
        return subprocess.Popen(
            [base_python(), str(self.folder / "packaging" / "bootstrap.py"), *arguments],
            cwd=self.folder.parent,
            env={**_without_path(ORIGINAL), "CI": "true", "QT_QPA_PLATFORM": "offscreen", **surroundings},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def start(self, *arguments: str, **surroundings: str) -> "subprocess.CompletedProcess[str]":
        """Run the bootstrap to its end."""
        with self.begin(*arguments, **surroundings) as process:
            out, err = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)


def _without_path(surroundings: Mapping[str, str]) -> dict[str, str]:
    # It would put the real program in the tiny one's place.
    return {name: value for name, value in surroundings.items() if name != "PYTHONPATH"}


def kill(process: "subprocess.Popen[str]") -> None:
    """As a pulled plug would: the process and all that it started, at once."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
