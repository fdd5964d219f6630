"""Commands that only read work on an audit that is open in the window; the others say that it is."""

import json
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from shutil import copy

import pytest

from gpf_desktop.cli import main

pytestmark = pytest.mark.slow


@pytest.fixture
def held(small_audit: Path) -> Iterator[Path]:
    """Open in another program, which has just changed its title and not yet written that into the file itself."""
    script = (
        "import sys; from pathlib import Path; from gpf_desktop.storage import audits\n"
        "from gpf_desktop.storage.audit_file import AuditFile\n"
        "audit = AuditFile.open(Path(sys.argv[1]))\n"
        "audit.write(lambda connection: audits.rename(connection, 'As of now')).result()\n"
        "print('open', flush=True); sys.stdin.read(); audit.close()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(small_audit)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline().strip() == "open"
        yield small_audit
        holder.communicate()
    assert holder.returncode == 0


def gpf(*arguments: object) -> int:
    return main([*map(str, arguments)], show_window=lambda _: 99, show_demo=lambda _: 99)


def test_that_what_is_concluded_is_that_of_the_moment_and_nothing_stays_behind(
    held: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    before = {each: each.read_bytes() for each in held.parent.glob(f"{held.name}*")}
    assert gpf("conclusions", held, "--json") == 0
    told = capsys.readouterr()
    assert json.loads(told.out)
    assert "open in another program: read as it is now" in told.err
    assert gpf("export", held, "--output", tmp_path / "data") == 0
    assert "As of now" in "".join(each.read_text(encoding="utf-8-sig") for each in (tmp_path / "data").rglob("*.json"))
    assert list((tmp_path / "temporary").iterdir()) == []
    assert {each: each.read_bytes() for each in before if not each.name.endswith("-shm")} == {
        each: was for each, was in before.items() if not each.name.endswith("-shm")
    }


def test_that_a_command_that_writes_is_refused(held: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    form = tmp_path / "declarations.toml"
    assert gpf("declare", held) == 0
    form.write_text(capsys.readouterr().out, encoding="utf-8")
    assert gpf("declare", held, form) == 3
    assert "open in another" in capsys.readouterr().err


def test_that_scores_that_are_behind_are_brought_up_to_date_before_they_are_told(
    small_audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As a merge or an import leaves them that was killed while it scored."""

    def told(audit: Path) -> str:
        assert gpf("conclusions", audit, "--json") == 0
        assert "behind" not in capsys.readouterr().err
        assert gpf("export", audit, "-o", tmp_path / audit.stem, "--what", "scores", "--format", "csv") == 0
        capsys.readouterr()
        return (tmp_path / audit.stem / "scores.csv").read_text(encoding="utf-8-sig")

    half = Path(copy(small_audit, tmp_path / "half.gpf"))
    with closing(sqlite3.connect(half)) as connection, connection:
        connection.execute("DELETE FROM score_basis WHERE fit_group_id % 2")
        connection.execute("DELETE FROM score WHERE unit_id IN (SELECT b.id FROM bundle b WHERE b.fit_group_id % 2)")
    before = small_audit.read_bytes()
    assert told(half) == told(small_audit)
    assert small_audit.read_bytes() == before
