"""The encoding of a text that states none: by its language where it says that, else by which makes words of it."""

import re

_SAMPLE = 1 << 16
_MARKUP = re.compile(rb"<[^>]*+>")
_LANGUAGE = re.compile(rb"""(?:<language>\s*+|\b(?:xml:)?lang\s*=\s*["'])([A-Za-z]{2,3})(?:[-_]([A-Za-z]{2,4}))?""")
# The WHATWG's table of legacy encodings by locale (HTML, "determining the character encoding", last step).
_BY_LANGUAGE = {
    "ar": "cp1256", "az": "cp1254", "ba": "cp1251", "be": "cp1251", "bg": "cp1251", "cs": "cp1250", "el": "cp1253",
    "et": "cp1257", "fa": "cp1256", "he": "cp1255", "hr": "cp1250", "hu": "cp1250", "ja": "cp932", "kk": "cp1251",
    "ko": "cp949", "ku": "cp1254", "ky": "cp1251", "lt": "cp1257", "lv": "cp1257", "mk": "cp1251", "pl": "cp1250",
    "ro": "cp1250", "ru": "cp1251", "sk": "cp1250", "sl": "cp1250", "sr": "cp1251", "tg": "cp1251", "th": "cp874",
    "tr": "cp1254", "uk": "cp1251", "vi": "cp1258", "zh": "gb18030",
}  # fmt: skip
_RIVALS = {"cp1251": "koi8_r", "cp932": "euc_jp"}
_TRADITIONAL = frozenset({b"tw", b"hk", b"mo", b"hant"})
_CANDIDATES = [
    "cp1252", "cp1251", "cp1250", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "koi8_r", "cp932", "gb18030",
    "big5hkscs", "cp949", "tis_620",
]  # fmt: skip
_LATIN = frozenset({"cp1250", "cp1254", "cp1257", "cp1258"})
_SIGN_IN_WORD = re.compile("[A-Za-zÀ-ÿ][¡-¿ƒ†‡ˆ‰](?=[A-Za-zÀ-ÿ])|[a-zà-ÿ][¡£¥¦¬¯¹³µ¶¼½¾¿]")
_MANY_SIGNS = 2
_MOSTLY = 0.5
_CYRILLIC_LOWER = re.compile("[а-яё]")
_KANA = re.compile("[\u3041-\u30ff]")
_HALF_WIDE = re.compile("[\uff61-\uff9f]")
"""Kana of half the width, of which no text is made: the small letters of KOI8 are read as such."""
_LABELS = {
    "cp874": "windows-874", "cp932": "shift_jis", "cp949": "euc-kr", "euc_jp": "euc-jp", "koi8_r": "koi8-r",
    "koi8_u": "koi8-u", "big5hkscs": "big5",
}  # fmt: skip


def stated_language(body: bytes) -> str:
    """The two or three letters of the language that *body* says it is in; empty where it says none."""
    stated = _LANGUAGE.search(body[:_SAMPLE])
    return stated[1].decode().lower() if stated else ""


def guessed(body: bytes) -> str:
    """Python's name of the likeliest encoding of *body*, which is no UTF-8 and states none; cp1252 where all fails.

    Only the first 64 kB are looked at.
    """
    sample = body[:_SAMPLE]
    stated = _LANGUAGE.search(sample)
    language = stated_language(sample)
    words = b" ".join(part for part in _MARKUP.split(sample) if not part.isascii())
    codec = _BY_LANGUAGE.get(language, "") if stated else ""
    if codec == "gb18030" and stated and (stated[2] or b"").lower() in _TRADITIONAL:
        codec = "big5hkscs"
    if codec:
        return _likelier(words, codec, _RIVALS.get(codec, ""))
    # Words in Latin letters have one or two of them beyond ASCII; in other scripts nearly all bytes lie there.
    foreign = b"".join(word for word in words.split() if not word.isascii())
    beyond = sum(byte > 127 for byte in foreign)
    sparse = beyond < 8 or beyond < 0.6 * len(foreign)
    if not sparse and _share(_KANA, words, "euc_jp") > 0.3:
        return "euc_jp"
    found = _by_words(words, [name for name in _CANDIDATES if not sparse or name == "cp1252" or name in _LATIN])
    if found == "cp932" and min(_share(_HALF_WIDE, words, found), _share(_CYRILLIC_LOWER, words, "koi8_u")) > _MOSTLY:
        return "koi8_u"
    # Where a text in Latin letters reads as well in what Western Europe uses, that is what it is in.
    if found in _LATIN and (language or not _SIGN_IN_WORD.search(words.decode("cp1252", "replace"))):
        return "cp1252"
    if found == "cp1252" and _signs(words, found) >= _MANY_SIGNS:
        # Signs within words (p³ynie) are letters of another of them (płynie).
        found = next((other for other in ("cp1250", "cp1257", "cp1254") if not _signs(words, other)), found)
    return {"tis_620": "cp874"}.get(found, found)


def label(codec: str) -> str:
    """The name that people know *codec* by."""
    return _LABELS.get(codec, codec.replace("cp12", "windows-12"))


def _by_words(words: bytes, candidates: list[str]) -> str:
    from charset_normalizer import from_bytes

    best = from_bytes(words, cp_isolation=candidates, enable_fallback=False).best()
    return best.encoding if best is not None else "cp1252"


def _likelier(words: bytes, codec: str, rival: str) -> str:
    """One script has two encodings: running text is in small letters, or in kana, in the right one only."""
    pattern = _CYRILLIC_LOWER if codec == "cp1251" else _KANA
    return rival if rival and _share(pattern, words, rival) > _share(pattern, words, codec) else codec


def _signs(words: bytes, codec: str) -> int:
    return len(_SIGN_IN_WORD.findall(words.decode(codec, "replace")))


def _share(pattern: re.Pattern[str], words: bytes, codec: str) -> float:
    """The share of the characters beyond ASCII that *pattern* knows; 0 where *codec* cannot read *words*."""
    decoded = words.decode(codec, "replace")
    if decoded.count("\ufffd") > len(words) // 200 + 1:
        return 0.0
    foreign = [character for character in decoded if ord(character) > 127]
    return len(pattern.findall(decoded)) / len(foreign) if foreign else 0.0
