"""How far scoring by language models is, on a terminal."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.methods.gpf_livenews.scorers.tiny_models import write_classifier, write_encoder
from tests.methods.saged.test_file_tables import answers, written


def test_that_reading_by_classifiers_and_an_encoder_tells_how_far_it_is(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty", reason="Windows has no such terminals")
    named = tmp_path / "classifiers.yaml"
    folder = write_classifier(tmp_path / "classifier", ["positive", "negative"])
    named.write_text(f"mood:\n  model: {folder}\n  features:\n    mood: {{positive: 1}}\n", encoding="utf-8")
    rows = answers()
    for number, row in enumerate(rows):
        row["response"] += " good" * number
    encoder = write_encoder(tmp_path / "encoder")
    command = [sys.executable, "-m", "gpf_desktop", "score", str(written(rows, tmp_path)), "--method", "saged"]
    given = ["--encoder", str(encoder), "--classifiers", str(named), "--replicates", "0", "-o", str(tmp_path / "o")]
    mine, theirs = pty.openpty()
    done = subprocess.run([*command, *given], stdout=subprocess.PIPE, stderr=theirs, check=False)
    assert done.returncode == 0
    os.set_blocking(mine, False)
    said = os.read(mine, 65_536).decode()
    os.close(mine)
    os.close(theirs)
    told = [line.strip() for line in said.split("\r") if line.strip()]
    texts = len({text for row in rows for text in (row["response"], row["baseline"])})
    assert told[0] == f"16 of {2 * texts} texts read"
    assert f"{texts} of {2 * texts} texts read" in told
    assert told[-1] == f"{2 * texts} of {2 * texts} texts read"
    assert said.endswith("\r")
    assert "texts read" not in done.stdout.decode()
