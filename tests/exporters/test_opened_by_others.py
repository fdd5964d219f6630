"""Reports opened by programs that nobody here wrote: a second reader of PDF, a checker of PDF/UA, a browser."""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from gpf_desktop.domain.options import NoOptions
from gpf_desktop.exporters import html, pdf
from tests.support.reports import HOSTILE, written_report

pytestmark = pytest.mark.slow

BROWSER = Path(__file__).parents[1] / "support" / "browser.py"
WORDS = "\n".join(each for each in HOSTILE if each.isascii() and each.isprintable())


@pytest.fixture(scope="module")
def typeset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("typeset") / "report.pdf"
    pdf.EXPORTER.export(written_report(WORDS), target, NoOptions())
    return target


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext (poppler-utils) is not installed")
def test_that_pdftotext_reads_the_same_words_in_the_order_of_the_page(typeset: Path) -> None:
    told = subprocess.run(["pdftotext", "-enc", "UTF-8", str(typeset), "-"], capture_output=True, check=True)
    assert told.stderr == b""
    text = told.stdout.decode()
    pages = text.split("\f")[:-1]
    assert all(f"{number} / {len(pages)}" in page for number, page in enumerate(pages, start=1))
    assert "0.100 to 0.300 t n 40" in text.splitlines()
    said = "".join(text.split())
    assert all("".join(each.split()) in said for each in WORDS.splitlines())
    order = ("Executive summary", "Sign-off", "What was found", "How to read this report", "Answers side by side")
    last = [said.rindex("".join(each.split())) for each in order]
    assert last == sorted(last)


def test_that_a_checker_of_pdf_ua_finds_nothing_amiss(typeset: Path) -> None:
    page = pytest.importorskip("page", reason="page-validation is not installed")
    told = page.validate_pdf(typeset, profile="ua1")
    assert [(each.rule_id, each.message) for each in told.failures] == []
    assert told.is_compliant
    assert told.rules.passed > 100


@pytest.mark.skipif(find_spec("PySide6.QtWebEngineCore") is None, reason="the extra “browser” is not installed")
def test_that_a_browser_asks_for_nothing_runs_nothing_and_prints_the_page(tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    html.EXPORTER.export(written_report(WORDS), target, NoOptions())
    command = [sys.executable, str(BROWSER), str(target), str(tmp_path / "printed.pdf")]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QTWEBENGINE_DISABLE_SANDBOX": "1"}
    outcome = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120, check=False)
    assert outcome.returncode == 0, outcome.stderr
    told = json.loads(outcome.stdout)
    assert told["requests"] == [target.as_uri()]
    assert told["said"] == []
    assert all("".join(each.split()) in "".join(told["text"].split()) for each in WORDS.splitlines())
    assert told["scripts"] == 0
    assert (tmp_path / "printed.pdf").read_bytes().startswith(b"%PDF-")
