"""Bytes as text, whatever is declared."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gpf_desktop.documents.encodings import decoded_once, decoding, text, utf8
from gpf_desktop.domain.articles import Document
from gpf_desktop.domain.errors import SourceError

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


@pytest.mark.parametrize("name", ["unicode_escape", "punycode", "idna", "rot13", "zlib", "nonsense"])
def test_that_codecs_that_are_no_document_encodings_are_not_used(name: str) -> None:
    body = f'<?xml version="1.0" encoding="{name}"?><a>+AGE- \\x41</a>'.encode()
    assert "+AGE- \\x41" in text(Document(body=body))


@given(st.binary(max_size=300), st.sampled_from(["", "text/xml; charset=utf-16", "text/html; charset=big5"]))
def test_that_any_bytes_become_valid_utf_8(body: bytes, content_type: str) -> None:
    assume(not body.startswith(b"+/v"))  # the mark of UTF-7, which is refused in a sentence
    utf8(Document(body=body, content_type=content_type)).decode("utf-8")


@pytest.mark.parametrize(
    ("name", "encoding", "words"),
    [
        ("x-sjis", "cp932", "日本の市議会"),
        ("windows-31j", "cp932", "①㈱日本"),
        ("shift_jis", "cp932", "①㈱日本"),
        ("windows-874", "cp874", "สภาเมือง"),
        ("tis-620", "cp874", "สภา “เมือง”"),
        ("iso-8859-11", "cp874", "สภา “เมือง”"),
        ("x-x-big5", "big5", "市議會公布"),
        ("x-gbk", "gbk", "市议会公布"),
        ("gb2312", "gbk", "朱镕基"),
        ("ks_c_5601-1987", "cp949", "똠방각하"),
        ("euc-kr", "cp949", "똠방각하"),
        ("x-cp1251", "cp1251", "Новости"),
        ("koi", "koi8-r", "Новости"),
        ("iso-8859-8-i", "iso-8859-8", "חדשות"),
        ("iso-8859-9", "cp1254", "“Işık”"),
        ("x-mac-ukrainian", "mac-cyrillic", "Новости"),
        ("latin1", "cp1252", "“Café” – €5"),
        ("us-ascii", "cp1252", "“Café” – €5"),
        ("latin-1", "cp1252", "“Café” – €5"),
        ("iso_8859_1", "cp1252", "“Café” – €5"),
        ("big5", "big5hkscs", "呢個係香港嘅新聞"),
        ("iso-2022-kr", "iso2022-kr", "한국"),
    ],
)
def test_that_labels_mean_what_they_mean_to_browsers(name: str, encoding: str, words: str) -> None:
    document = Document(body=f'<?xml version="1.0" encoding="{name}"?><a>{words}</a>'.encode(encoding))
    assert words in text(document)
    assert not decoding(document).note


@pytest.mark.parametrize(
    ("name", "special"),
    [
        ("euc-jp", b"\xad\xa1\xad\xea\xfc\xe2"),
        ("iso-2022-jp", b"\x1b$B-!-j|b\x1b(B"),
        ("x-euc-jp", b"\xad\xa1\xad\xea\xfc\xe2"),
    ],
)
def test_that_numbers_in_circles_and_rare_names_do_not_spoil_japanese_around_them(name: str, special: bytes) -> None:
    codec = "iso2022_jp" if "2022" in name else "euc_jp"
    words = "市議会が".encode(codec) + special + "家賃を決定".encode(codec)
    body = f'<?xml version="1.0" encoding="{name}"?><a>'.encode() + words + b"</a>"
    assert "<a>市議会が①㈱髙家賃を決定</a>" in text(Document(body=body))


def test_that_the_server_s_charset_is_read_in_whatever_letters() -> None:
    body = "Rada města: říká".encode("iso-8859-2")
    assert text(Document(body=body, content_type="text/xml; Charset=ISO-8859-2")) == "Rada města: říká"


def test_that_utf_8_with_a_stray_byte_of_latin_1_is_read_letter_by_letter_and_said_to_be_mixed() -> None:
    body = (
        b'<?xml version="1.0" encoding="ISO-8859-1"?><a>bes\xf8ge ' + ("Fans må blive hjemme " * 3).encode() + b"</a>"
    )
    document = Document(body=body)
    assert "besøge Fans må blive" in text(document)
    assert "mixes encodings" in decoding(document).note


@pytest.mark.parametrize("declared", ["utf-8", "iso-8859-1"])
def test_that_one_letter_of_utf_8_is_kept_beside_more_bytes_of_windows(declared: str) -> None:
    body = f'<?xml version="1.0" encoding="{declared}"?><t>Café '.encode() + "“x”".encode("cp1252") + b"</t>"
    assert text(Document(body=body)).endswith("<t>Café “x”</t>")


def test_that_characters_written_as_two_surrogates_in_utf_8_are_put_together() -> None:
    body = "Café, thé, forêt ".encode() * 3 + b"\xed\xa0\xbd\xed\xb8\x80"
    assert text(Document(body=body)).endswith("\U0001f600")


@pytest.mark.parametrize(
    ("language", "encoding", "words"),
    [
        ("ru", "cp1251", "Совет установил арендную плату"),
        ("ru-RU", "koi8-r", "Совет установил арендную плату"),
        ("pl", "cp1250", "Rada miasta ustaliła czynsze później"),
        ("cs", "cp1250", "Rada města určila nájemné, říká starosta"),
        ("ja", "cp932", "市議会が家賃を決定しました。"),
        ("ja", "euc-jp", "市議会が家賃を決定しました。"),
        ("zh-cn", "gbk", "市议会公布租金规定"),
        ("zh-TW", "big5", "市議會公布租金規定"),
        ("de", "cp1252", "Für Mieter gibt es Beratung über das Büro"),
        ("", "cp1251", "Совет установил арендную плату на следующий год. Жильцы получат консультации."),
        ("", "cp1252", "Für Mieter gibt es Beratung über das Büro – kostenlos, außerdem Öffnungszeiten"),
        ("", "cp1252", "Le conseil a fixé les loyers, les locataires reçoivent un conseil « gratuit »"),
        ("", "cp1250", "Rada miasta ustaliła czynsze. Żądania lokatorów zostały spełnione, później będą inne."),
        ("", "koi8-u", "Нова дорога відкриється навесні у місті"),
        ("", "cp932", "市議会が家賃を決定しました。借主は無料で相談できます。"),
        ("", "euc-jp", "市議会が家賃を決定しました。借主は無料で相談できます。"),
        ("", "cp1253", "Το δημοτικό συμβούλιο καθόρισε τα ενοίκια για το επόμενο έτος"),
    ],
)
def test_that_what_is_declared_nowhere_is_guessed_and_said_to_be(language: str, encoding: str, words: str) -> None:
    stated = f"<language>{language}</language>" if language else ""
    document = Document(body=f"<rss><channel>{stated}<title>{words}</title></channel></rss>".encode(encoding))
    assert words in text(document)
    assert "guessed" in decoding(document).note


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (b'<?xml version="1.0" encoding="utf-7"?><a>Caf+AOk-</a>', ""),
        (b"<a>Caf+AOk is open</a>", "text/xml; charset=UTF-7"),
        (b"<a>+IBw-Caf+AOk-+IB0-</a>", "text/xml; charset=unicode-1-1-utf-7"),
        (b"+/v8-<a>Cafe</a>", ""),
    ],
)
def test_that_utf_7_is_told_and_never_read_as_something_else(body: bytes, content_type: str) -> None:
    with pytest.raises(SourceError, match="UTF-7"):
        utf8(Document(body=body, content_type=content_type))


def test_that_plain_letters_under_a_label_of_utf_7_are_read() -> None:
    assert text(Document(body=b"<a>2 +- 2 - 1</a>", content_type="text/xml; charset=utf-7")) == "<a>2 +- 2 - 1</a>"


@pytest.mark.parametrize("words", ["Café", "it’s “open” – at last…", "Größe €5", "Łódź", "日本", "À Ï"])
def test_that_what_was_encoded_twice_is_read_once(words: str) -> None:
    twice = "".join(
        chr(byte) if byte in (0x81, 0x8D, 0x8F, 0x90, 0x9D) else bytes((byte,)).decode("cp1252")
        for byte in words.encode()
    )
    assert decoded_once(twice) == words
    assert decoded_once(words) == words


@pytest.mark.parametrize("words", ["Ãrea", "Â§ and é", "Â", "50 â‚¬ und Köln"])
def test_that_words_that_only_look_so_stay_as_they_are(words: str) -> None:
    assert decoded_once(words) == words
