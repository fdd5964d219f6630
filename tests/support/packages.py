"""Installed packages, as pip leaves them, in a folder that a test puts on the path."""

from collections.abc import Mapping
from pathlib import Path


def install(site: Path, name: str, version: str, files: Mapping[str, str | bytes], entry_points: str = "") -> None:
    """Write *files* and what makes them a distribution; do it before *site* is put on the path."""
    for path, content in files.items():
        file = site / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n", encoding="utf-8")
    (info / "RECORD").write_text("".join(f"{path},,\n" for path in files), encoding="utf-8")
    (info / "entry_points.txt").write_text(entry_points, encoding="utf-8")
