"""The command that pictures the pages."""

import subprocess
import sys
from pathlib import Path

from PySide6.QtGui import QImage

from tests.screenshots.scenes import STATES


def test_that_one_command_pictures_a_page_in_every_state_theme_and_size(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.screenshots", str(tmp_path), "--only", "home"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 0, done.stderr
    pictures = {path.stem: QImage(str(path)) for path in tmp_path.glob("*.png")}
    assert set(pictures) == {
        f"{scene}-{theme}-{size}"
        for scene in ("closed-home", "new-home", "sample-home", "sample-home-error")
        for theme in ("light", "dark")
        for size in ("1280x720", "1920x1080")
    }
    for name, picture in pictures.items():
        assert name.endswith(f"{picture.width()}x{picture.height()}")
    corner = {name: picture.pixelColor(2, 2).lightness() for name, picture in pictures.items()}
    assert all((lightness > 128) is ("-light-" in name) for name, lightness in corner.items())


def test_that_an_audit_of_another_method_is_pictured_by_what_every_audit_has() -> None:
    another = STATES["sample"].of_another(("saged",))
    names = [scene.name for scene in another]
    assert len(set(names)) == len(names)
    assert {"sample-protocol-saged-form", "sample-runs-setup", "sample-review-queue", "sample-results-tables"} <= {
        *names
    }
    assert not any("gpf-livenews" in name for name in names)
    assert {scene.page for scene in another} == {scene.page for scene in STATES["sample"].scenes}
