"""The places of a sentence's verbs, by a tagger that comes with its model.

English, German and Dutch are tagged by the Hanover Tagger (Wartena 2019), whose package holds its models. Where the
auditor has spaCy with a model of the language, that is asked instead; which one it was is recorded.
"""

import importlib.util
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

TOKENS: Final = re.compile(r"\w+(?:['’.\-]\w+)*|[^\w\s]")
_HANOVER: Final = {
    "en": ("morphmodel_en.pgz", re.compile(r"V"), re.compile(r"N|AJ|VV|UNC")),
    "de": ("morphmodel_ger.pgz", re.compile(r"V"), re.compile(r"N|ADJ|VV|FM")),
    "nl": ("morphmodel_dutch.pgz", re.compile(r"WW"), re.compile(r"N|ADJ|WW|SPEC")),
}
"""By language, the model's file and how its tags begin (CLAWS 5, STTS, CGN): of verbs; of nouns, names, adjectives and
full verbs."""
_SPACY: Final = {"en": "en_core_web_sm", "de": "de_core_news_sm", "nl": "nl_core_news_sm", "fr": "fr_core_news_sm"}


@dataclass(frozen=True, slots=True)
class Tagger:
    """Says of each word of a sentence whether it is a verb."""

    name: str
    """With its version, as it is recorded."""
    verbs: Callable[[Sequence[str]], Sequence[bool]]
    """Of a sentence's tokens in order."""
    tells: Callable[[str], bool]
    """Whether a word by itself says something: a noun, name, adjective or full verb."""


@cache
def tagger(language: str = "en") -> Tagger:
    """The tagger for *language*, two letters. Raises `UserError` where there is none."""
    package = _SPACY.get(language, "")
    if package and importlib.util.find_spec("spacy") and importlib.util.find_spec(package):
        return _spacy(package)
    if language in _HANOVER:
        return _hanover(language)
    raise UserError(
        tr("There is no part-of-speech tagger for the language “{language}”.", language=language),
        tr("Install spaCy with a model of it, or ask questions in place of split sentences."),
    )


def _hanover(language: str) -> Tagger:
    from importlib.metadata import version

    from HanTa.HanoverTagger import HanoverTagger

    file, verb, full = _HANOVER[language]
    model = HanoverTagger(file)

    def verbs(tokens: Sequence[str]) -> list[bool]:
        return [bool(verb.match(tag)) for _, _, tag in model.tag_sent(list(tokens))]

    def tells(word: str) -> bool:
        return bool(full.match(model.analyze(word)[1]))

    return Tagger(f"Hanover Tagger {version('HanTa')}, {file}", verbs, tells)


def _spacy(package: str) -> Tagger:
    spacy: Any = importlib.import_module("spacy")
    model = spacy.load(package, disable=["parser", "ner", "lemmatizer"])

    def verbs(tokens: Sequence[str]) -> list[bool]:
        # Of our tokens and not of spaCy's: verbs fall on the words that `split_sentence` counts.
        words = spacy.tokens.Doc(model.vocab, list(tokens))
        for _, pipe in model.pipeline:
            words = pipe(words)
        return [word.pos_ in {"VERB", "AUX"} for word in words]

    def tells(word: str) -> bool:
        return not model.vocab[word].is_stop

    return Tagger(f"spaCy {spacy.__version__}, {package} {model.meta['version']}", verbs, tells)
