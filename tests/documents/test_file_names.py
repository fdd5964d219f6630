"""Names of files made of words from outside."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.documents.file_names import LONGEST, safe_name


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
