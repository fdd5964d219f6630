"""Names that hold a letter and mean no option: "vitamin C", "plan B", "C++", "a B+", "R&B", "B minor"."""

import re
from typing import Final

from gpf_desktop.domain.patterns import regex

_MORE: Final = r"(?:(?:\s?[,/&]\s?|,?\s(?:and|or|und|oder|et|ou|y|o|e|to|nor)\s)[ABC](?!\w))*"
"""Further letters of the same name: "hepatitis A, B and C"."""
_NOUNS: Final = (
    "vitamins?|vitamine|vitamina|plans?|types?|typ|tipo|grades?|hepatitis|hep|influenza|flu|models?|modell|classe?|klasse"
    "|clase|group|groupe|gruppe|grupo|team|series|serie|section|appendix|annex|exhibit|schedule|objective|objectif"
    "|levels?|niveau|persons?|points?|columns?|zones?|phase|stage|tiers?|category|bands?|league"
    "|wards?|rooms?|gates?|bus|route|train|platform|terminal|block|building|hall|size|cup|blood"
    "|usb|witness|suspect|patient|factor|protein|omega|strains?|variant"
)
_AFTER: Final = (
    "major|minor|flat|sharp|vitamins?|movies?|cells?|sides?|team|sections?|levels?|grades?|list(?:er)?s?|flick|roll"
    "|average|students?|programm\\w+|batter(?:y|ies)|complex"
)
_BINDING: Final = r"(?:because|since|weil|denn|car|porque|the|that|this|it|he|she|they|option|sentence|statement)\b"
_OPTIONS: Final = r"(?:answer|option|choice|letter|sentence|statement|pick|antwort|option|opción|réponse)"
_NAME: Final = regex(
    rf"(?<!\w)(?i:{_NOUNS})[ -]((?-i:[ABC])(?!['’]?\w){_MORE})"
    r"|(?<![\w+#])([ABC])(?:\+\+?|#)(?![\w+])"
    r"|(?<!\w)([ABC])[-−](?=[.,;!?)\"'*_]|\s*$| (?:is|was|would|grades?|at|on|in)\b)"
    rf"|(?<!\w)([ABC])-(?!{_BINDING})[a-z]{{4,}}"
    rf"|(?<!\w)([ABC]) (?:{_AFTER})\b"
    rf"|(?<!\w)(?!(?i:{_OPTIONS})\b)(?:[D-Z]|[A-Za-z]\w{{2,}})[-&]([ABC])(?!\w)"
    r"|(?<!\w)([ABC])&(?![ABC](?!\w)|amp)[A-Z](?!\w)"
    r"|(?<!\w)([ABC]&[ABC])(?= (?:guest|owner|inn|room|host)|s\b)"
    r"|(?<!\w)((?:[A-Z]\.){2,})"
    r"|°\s?([ABC])(?!\w)"
    r"|(?<!\w)(A/B)(?= test| split| trial)"
    r"|\bfrom ([ABC] to [A-Z])(?!\w)"
)


def without_names(text: str) -> str:
    """*text* with an x for each letter that is part of a name; its length is kept."""
    return _NAME.sub(_masked, text)


def _masked(match: re.Match[str]) -> str:
    group = match.lastindex or 0
    start, end = (at - match.start() for at in match.span(group))
    whole = match[0]
    return whole[:start] + re.sub("[A-Z]", "x", whole[start:end]) + whole[end:]
