"""Every sentence gets out whatever the output's encoding is, as on a Windows code page."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpf_desktop import cli
from gpf_desktop.storage.audit_file import AuditFile
from tests.support.warm_program import run_program

ARABIC = "أسعار الإيجار ترتفع 😀"
FEED = f"""<rss version="2.0"><channel><title>{ARABIC}</title><item><title>{ARABIC} في المدينة كلها</title>
<description>{ARABIC} هذا العام أكثر من العام الماضي بكثير، قالت البلدية يوم الثلاثاء.</description>
</item></channel></rss>"""


def gpf(*arguments: object, encoding: str = "cp1252") -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-X", "utf8=0", "-m", "gpf_desktop", *map(str, arguments)]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    return subprocess.run(command, capture_output=True, timeout=250, check=False, env=environment)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["cp1252", "ascii", "utf-8"])
def test_that_arabic_is_printed_as_words_and_as_json(tmp_path: Path, encoding: str) -> None:
    feed = tmp_path / f"{ARABIC}.xml"
    feed.write_text(FEED, encoding="utf-8")
    told = gpf("fetch", feed, encoding=encoding)
    assert (told.returncode, told.stderr) == (0, b"")
    assert ("\\u0623" in told.stdout.decode(encoding)) == (encoding != "utf-8")
    as_json = gpf("fetch", feed, "--json", encoding=encoding)
    assert json.loads(as_json.stdout.decode(encoding))[0]["headline"].startswith(ARABIC)
    lost = gpf("fetch", tmp_path / f"{ARABIC}2.xml", encoding=encoding)
    assert lost.returncode == 2
    assert lost.stderr.count(b"\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(sys.platform in {"win32", "darwin"}, reason="names of files are text there")
def test_that_a_name_that_is_no_text_is_told(tmp_path: Path) -> None:
    named = os.fsencode(tmp_path) + b"/\xff\xfe.csv"
    for encoding in ("utf-8", "cp1252"):
        done = gpf("score", os.fsdecode(named), "-o", tmp_path / "s.csv", encoding=encoding)
        assert (done.returncode, done.stderr.count(b"\n")) == (2, 1)
        assert b"\\udcff" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("closed", ["2>&-", "2>/dev/full"])
def test_that_a_log_that_takes_no_words_ends_nothing(tmp_path: Path, closed: str) -> None:
    AuditFile.create(tmp_path / "a.gpf", title="Evening round").close()
    for typed, code in ((f"doctor {tmp_path}/a.gpf", 0), (f"fetch {tmp_path}/nowhere.xml", 2)):
        command = f"exec {sys.executable} -m gpf_desktop {typed} {closed}"
        done = subprocess.run(["/bin/sh", "-c", command], stdout=subprocess.PIPE, timeout=250, check=False)
        assert (done.returncode, b"gpf-desktop:" in done.stdout) == (code, False), done.stdout


@pytest.mark.slow
def test_that_the_help_of_every_command_and_the_sample_are_printed_on_a_code_page(tmp_path: Path) -> None:
    assert gpf("--help").returncode == 0
    assert gpf("methods").returncode == 0
    assert gpf("methods", "--json").returncode == 0
    done = gpf("demo", tmp_path / "a.gpf", "--no-window")
    assert (done.returncode, b"Traceback" in done.stderr) == (0, False)
    for command in cli.commands_of(lambda _: 0):
        shown = run_program(command.name, "--help", env={**os.environ, "PYTHONIOENCODING": "ascii"})
        assert (shown.returncode, shown.stderr) == (0, "")
