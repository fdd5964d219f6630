"""The command that shows what no catalogue could translate."""

import re
import subprocess
import sys
from getpass import getuser

import pytest

DATA = re.compile(
    rf"Evening news|GPF-LiveNews|gpf-untranslated-|OpenAI|Anthropic|Google Gemini|Ollama|{re.escape(getuser())}"
)
"""Names of files, protocols, providers and of who is logged in, which are the same in every language."""


@pytest.mark.slow
def test_that_a_new_audit_shows_no_sentence_that_cannot_be_translated() -> None:
    pages = ("home", "models", "runs", "review", "results", "reports")
    command = [sys.executable, "-m", "tests.screenshots.untranslated", "--states", "closed", "new", "--only", *pages]
    done = subprocess.run(command, capture_output=True, text=True, timeout=250, check=False)
    assert done.returncode == 0, done.stderr
    shown = [line for line in done.stdout.splitlines() if "-form:" not in line]
    assert shown, "the names at least"
    assert [line for line in shown if not DATA.search(line)] == []
