"""Bytes as text, whatever is declared."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.documents.encodings import text, utf8
from gpf_desktop.domain.ports import Document

WORDS = "Café «d’été» – 日本"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_that_unicode_is_recognised_by_its_bytes(encoding: str) -> None:
    assert text(Document(body=f"<a>{WORDS}</a>".encode(encoding))) == f"<a>{WORDS}</a>"


@pytest.mark.parametrize(("encoding", "words"), [("cp1251", "Новости"), ("euc-jp", "日本"), ("iso-2022-jp", "日本")])
def test_that_the_declaration_in_the_document_is_used(encoding: str, words: str) -> None:
    body = f'<?xml version="1.0" encoding="{encoding}"?><a>{words}</a>'.encode(encoding)
    assert words in text(Document(body=body))


def test_that_the_servers_declaration_is_used_where_the_document_has_none() -> None:
    body = "Новости".encode("koi8-r")
    assert text(Document(body=body, content_type="text/plain; charset=koi8-r")) == "Новости"


def test_that_utf_8_wins_over_a_wrong_declaration() -> None:
    body = f'<?xml version="1.0" encoding="iso-8859-1"?><a>{WORDS}</a>'.encode()
    assert WORDS in text(Document(body=body, content_type="text/xml; charset=ascii"))


def test_that_windows_text_under_a_utf_8_declaration_is_read() -> None:
    body = '<?xml version="1.0" encoding="utf-8"?><a>“Café”</a>'.encode("cp1252")
    assert "“Café”" in text(Document(body=body))


def test_that_a_few_broken_bytes_do_not_spoil_the_rest() -> None:
    assert text(Document(body=WORDS.encode() * 3 + b"\xff")).startswith(WORDS)


def test_that_a_character_cut_in_two_at_the_end_is_left_out() -> None:
    assert text(Document(body="Café".encode()[:-1], cut=True)) == "Caf"


@pytest.mark.parametrize("name", ["unicode_escape", "punycode", "idna", "rot13", "zlib", "utf-7", "nonsense"])
def test_that_codecs_that_are_no_document_encodings_are_not_used(name: str) -> None:
    body = f'<?xml version="1.0" encoding="{name}"?><a>+AGE- \\x41</a>'.encode()
    assert "+AGE- \\x41" in text(Document(body=body))


@given(st.binary(max_size=300), st.sampled_from(["", "text/xml; charset=utf-16", "text/html; charset=big5"]))
def test_that_any_bytes_become_valid_utf_8(body: bytes, content_type: str) -> None:
    utf8(Document(body=body, content_type=content_type)).decode("utf-8")
