"""Names of files made of words from outside."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.documents.file_names import LONGEST, safe_name, shared_name


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("Evening news, November", "Evening news, November"),
        ("../x", "x"),
        ("..\\..\\x", "x"),
        ("/etc/passwd", "etc passwd"),
        ("CON", "CON file"),
        ("com1.txt", "com1 txt"),
        ("nul", "nul file"),
        ("a:b", "a b"),
        ("\u202egpj.exe", "gpj exe"),
        ("...", "file"),
        ("", "file"),
        ("a\x00b\nc", "abc"),
        ("日本語の報告", "日本語の報告"),
        ("x" * 300, "x" * LONGEST),
    ],
)
def test_that_a_name_is_safe_and_stays_readable(words, name):
    assert safe_name(words) == name


@given(st.text())
def test_that_any_words_make_one_name_inside_the_folder(words):
    name = safe_name(words)
    assert name
    assert len(name.encode("utf-8", "surrogatepass")) <= 4 * (LONGEST + 5)
    assert not set(name) & set('<>:"/\\|?*.\0\n\r\t')
    assert name == name.strip()
    assert name.casefold() not in ("con", "prn", "aux", "nul", "com1", "lpt9")


@pytest.mark.parametrize(
    ("files", "name"),
    [
        (["bias/ClaudeSonnet (2).csv"], "ClaudeSonnet (2)"),
        (["China/ClaudeSonnet.csv", "China/DeepSeek.csv", "China/Llama4.csv"], "China"),
        (["x/us_questions_claude.csv", "x/us_questions_gpt4.csv"], "us_questions"),
        (["x/claude-bias study.csv", "x/gpt-bias study.csv"], "bias study"),
        (["x/answers1.csv", "x/answers2.csv"], "x"),
        (["x/a/answers (2).csv", "x/b/answers (2).csv"], "answers (2)"),
        (["x/a/one.csv", "x/b/two.csv"], "x"),
        (["/one.csv", "/two.csv"], "one"),
    ],
)
def test_that_several_files_are_named_after_what_they_share(files: list[str], name: str) -> None:
    assert shared_name([Path(file) for file in files]) == name
