"""A key is found in what a server says, however it is spelt."""

import base64
import codecs
import html
import json
import urllib.parse
from collections.abc import Callable

import pytest

from gpf_desktop.domain.key_echoes import without
from gpf_desktop.domain.models import Secret

KEYS = ["sk-canary-7391-juniper-cove", "s/k+ab=_9", "k.e-y1", "ab12", "ключ-ß-7"]


def _unicode_escaped(text: str) -> str:
    return "".join(f"\\u{int.from_bytes(unit):04x}" for unit in _units(text))


def _units(text: str) -> list[bytes]:
    data = text.encode("utf-16-be")
    return [data[at : at + 2] for at in range(0, len(data), 2)]


SPELLINGS: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "json": json.dumps,
    "json, all escaped": _unicode_escaped,
    "json, in capitals": lambda key: _unicode_escaped(key).upper().replace("\\U", "\\u"),
    "json, one escaped": lambda key: key[:1] + _unicode_escaped(key[1:2]) + key[2:],
    "json in json": lambda key: json.dumps(_unicode_escaped(key)),
    "json three deep": lambda key: json.dumps(json.dumps(_unicode_escaped(key))),
    "slash": lambda key: key.replace("/", r"\/"),
    "address": lambda key: urllib.parse.quote(key, safe=""),
    "address, all": lambda key: "".join(f"%{byte:02x}" for byte in key.encode()),
    "address, twice": lambda key: urllib.parse.quote("".join(f"%{byte:02X}" for byte in key.encode())),
    "html, decimal": lambda key: "".join(f"&#{ord(sign)};" for sign in key),
    "html, padded": lambda key: "".join(f"&#{ord(sign):06d};" for sign in key),
    "html, hexadecimal": lambda key: "".join(f"&#x{ord(sign):X};" for sign in key),
    "html, named": lambda key: key.replace("/", "&sol;").replace(".", "&period;").replace("_", "&lowbar;"),
    "html, twice": lambda key: html.escape("".join(f"&#{ord(sign)};" for sign in key)),
    "html in json": lambda key: "".join(f"&#{ord(sign)};" for sign in key).replace("&", "\\u0026"),
    "x escapes": lambda key: "".join(f"\\x{ord(sign):02x}" for sign in key),
    "braces": lambda key: "".join(f"\\u{{{ord(sign):x}}}" for sign in key),
    "mixed": lambda key: "".join(
        (sign, f"\\u{ord(sign):04x}", f"%{sign.encode()[0]:02x}" if sign.isascii() else sign)[at % 3]
        for at, sign in enumerate(key)
    ),
}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_that_a_key_is_taken_out_however_it_is_spelt(key: str, spelling: str) -> None:
    spelt = SPELLINGS[spelling](key)
    found = without(f"Your key {spelt} is wrong", Secret(key), "…")
    quotes = spelt[: len(spelt) - len(spelt.lstrip('"\\'))] if spelt.startswith('"') else ""
    left = found.replace("Your key ", "").replace(" is wrong", "").replace(quotes, "")
    assert left.strip('"\\') == "…"


@pytest.mark.parametrize("key", [key for key in KEYS if len(key) >= 8])
@pytest.mark.parametrize("before", ["", "u", "us", "user:"])
@pytest.mark.parametrize("after", ["", ":", "\n\n"])
@pytest.mark.parametrize(
    "pack", [base64.b64encode, base64.urlsafe_b64encode, base64.b32encode, lambda data: data.hex().encode()]
)
def test_that_a_key_is_taken_out_of_base64_and_hexadecimal_digits(
    key: str, before: str, after: str, pack: Callable[[bytes], bytes]
) -> None:
    for text in ("utf-8", "utf-16-le", "utf-16-be"):
        packed = pack((before + key + after).encode(text)).decode()
        assert without(f"Basic {packed}, said", Secret(key), "…") == "Basic …, said"


@pytest.mark.parametrize(
    "spell",
    [
        lambda key: key[::-1],
        lambda key: key.encode().hex(" "),
        lambda key: key.encode().hex(":").upper(),
        lambda key: base64.b32encode(key.encode()).decode().lower(),
    ],
)
def test_that_a_key_is_taken_out_backwards_and_as_a_dump_of_its_bytes(spell: Callable[[str], str]) -> None:
    assert "…" in without(f"sent {spell(KEYS[0])} here", Secret(KEYS[0]), "…")
    assert not any(
        part in without(f"sent {spell(KEYS[0])} here", Secret(KEYS[0]), "…")
        for part in ("2D:63", "repinuj", "37 33", "onwwg")
    )


@pytest.mark.parametrize("key", ["sk-Canary-7391-Juniper", "ключ-Ёлка-73"])
@pytest.mark.parametrize("spell", [str.upper, str.lower, str.title])
def test_that_a_key_in_capitals_or_small_letters_is_taken_out(key: str, spell: Callable[[str], str]) -> None:
    assert without(f"Your key {spell(key)} is wrong", Secret(key), "…") == "Your key … is wrong"


@pytest.mark.parametrize(
    "spell",
    [
        " ".join,
        "\u200b".join,
        "-".join,
        "\\n".join,
        lambda key: json.dumps(list(key)),
        lambda key: f"{key[:9]}\n    {key[9:]}",
        lambda key: f"{key[:9]}<wbr>{key[9:]}",
        lambda key: "".join(chr(ord(sign) + 0xFEE0) if "0" <= sign <= "z" else sign for sign in key),
        lambda key: key.replace("-", "\u2011"),
        lambda key: base64.b85encode(b"user:" + key.encode()).decode(),
        lambda key: base64.a85encode(key.encode()).decode(),
        lambda key: codecs.encode(key, "rot13"),
    ],
)
def test_that_a_key_is_taken_out_spaced_out_or_in_other_signs(spell: Callable[[str], str]) -> None:
    spelt = spell(KEYS[0])
    found = without(f"Your key ({spelt}) is wrong", Secret(KEYS[0]), "\0")
    assert "\0" in found
    assert max(map(len, found.replace("Your key (", "").replace(") is wrong", "").split("\0"))) <= 8
    assert found.startswith("Your key (")
    assert found.endswith(") is wrong")


def test_that_a_key_is_taken_out_wherever_it_stands_spaced_out() -> None:
    spaced = " ".join(KEYS[0])
    assert without(f"{spaced}, then {spaced}!", Secret(KEYS[0]), "…") == "…, then …!"


def test_that_a_short_key_in_other_letters_is_a_word() -> None:
    assert without("No TEST of it", Secret("test"), "…") == "No TEST of it"


def test_that_base64_within_json_is_found_with_its_slashes_escaped() -> None:
    key = "s~~?k??>>abc"
    packed = base64.b64encode(key.encode()).decode()
    assert "/" in packed
    assert without(packed.replace("/", r"\/"), Secret(key), "…") == "…"


@pytest.mark.parametrize("key", [None, "", "abc"])
def test_that_nothing_is_taken_out_for_a_key_that_is_none(key: str | None) -> None:
    text = "abc and abd"
    assert without(text, None if key is None else Secret(key), "…") == text


def test_that_other_words_stay_as_they_are() -> None:
    text = "Fish & chips, 50 % off \\ \u0073\u006b, c2stY2FuYXJ5, %73%6b"
    assert without(text, Secret("sk-canary-7391"), "…") == text


def test_that_a_mark_is_no_pattern() -> None:
    assert without("\\u0061bcd", Secret("abcd"), r"\1$API_KEY") == r"\1$API_KEY"
