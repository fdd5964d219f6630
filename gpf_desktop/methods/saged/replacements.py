"""Replacement pairs: which words of one concept stand for which of another.

A file gives either each concept's words by slot, of which every two concepts make pairs,

    domain: countries
    concepts:
      France: {name: France, adjective: French, capital: Paris}
      Japan: {name: Japan, adjective: Japanese, capital: Tokyo}

or the pairs themselves, old concept first:

    pairs:
      France:
        Japan: {France: Japan, French: Japanese, Paris: Tokyo}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gpf_desktop.documents.encodings import file_text
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.tables import Table, TopicWords
from gpf_desktop.domain.text import tr

Pairs = Mapping[str, str]
"""What is put for what."""
PAIR_COLUMNS: Final = ("old concept", "new concept", "old word", "new word")
_OWN_KEYS: Final = frozenset({"domain", "root"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacements:
    """The pairs of words to put for each other when one concept of a domain takes another's place."""

    domain: str = ""
    root: str = ""
    """A concept that texts are about and nobody compares, as an invented country; empty: there is none."""
    pairs: Mapping[str, Mapping[str, Pairs]]
    """By old concept and new one."""

    @property
    def concepts(self) -> tuple[str, ...]:
        """The concepts that are compared, in the order of the file."""
        named = [name for old, news in self.pairs.items() for name in (old, *news)]
        return tuple(name for name in dict.fromkeys(named) if name != self.root)

    def news_of(self, old: str) -> tuple[str, ...]:
        """Concepts that can take the place of *old*. Raises `UserError` where none can."""
        news = tuple(name for name in self.pairs.get(old, {}) if name != self.root)
        if not news:
            raise UserError(
                tr("There are no replacements for “{concept}”.", concept=old),
                tr("The file has {concepts}. Add it there.", concepts=", ".join(self.pairs)),
            )
        return news

    def words_of(self, concept: str) -> tuple[str, ...]:
        """Every word of *concept* that anything is put for."""
        return tuple(dict.fromkeys(word for pairs in self.pairs.get(concept, {}).values() for word in pairs))


def read_replacements(path: Path) -> Replacements:
    """The replacements in the YAML file *path*. Raises `UserError`."""
    return replacements(_data_in(path), str(path))


def words_in(path: Path) -> TopicWords:
    """The words in the YAML file *path*: a column a slot, or a row a pair, as it gives them. Raises `UserError`."""
    data = _data_in(path)
    found = replacements(data, path.name)
    if "concepts" not in data:
        pairs = [
            (old, new, word, its)
            for old, news in found.pairs.items()
            for new, words in news.items()
            for word, its in words.items()
        ]
        return TopicWords(table=Table(PAIR_COLUMNS, pairs), root=found.root, domain=found.domain)
    concepts = {str(name): _slots(str(name), given, path.name) for name, given in data["concepts"].items()}
    slots = list(dict.fromkeys(slot for words in concepts.values() for slot in words))
    rows = [(name, *(", ".join(words.get(slot, ())) for slot in slots)) for name, words in concepts.items()]
    return TopicWords(table=Table(("concept", *slots), rows), root=found.root, domain=found.domain)


def _data_in(path: Path) -> Any:
    import yaml

    try:
        return yaml.safe_load(file_text(path))
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        raise UserError(
            tr("{path}, line {line}, is not YAML.", path=str(path), line=mark.line + 1 if mark else 1),
            tr("Give each concept its words by slot, as in “France: {name: France, adjective: French}”."),
            details=str(error),
        ) from error


def replacements(data: Any, where: str) -> Replacements:
    """The replacements that plain *data* holds. Raises `UserError`, calling it *where*."""
    given = data if isinstance(data, Mapping) else {}
    found = _from_slots(given["concepts"], where) if "concepts" in given else _from_pairs(given, where)
    made = Replacements(domain=str(given.get("domain") or ""), root=str(given.get("root") or ""), pairs=found)
    if made.root and made.root not in made.pairs:
        raise UserError(
            tr("{where}: the root “{concept}” has no words.", where=where, concept=made.root),
            tr("Name a concept of the file."),
        )
    return made


def _from_slots(concepts: Any, where: str) -> Mapping[str, Mapping[str, Pairs]]:
    if not isinstance(concepts, Mapping) or len(concepts) < 2:
        raise UserError(
            tr("{where} has no map “concepts” of at least two concepts.", where=where),
            tr("Give each concept its words by slot: name, adjective, people, places."),
        )
    slots = {str(concept): _slots(str(concept), given, where) for concept, given in concepts.items()}
    return {
        old: {
            new: {
                # A concept with fewer words of a kind has its last one stand for the others' further ones.
                word: theirs[slot][min(number, len(theirs[slot]) - 1)]
                for slot, words in mine.items()
                if slot in theirs
                for number, word in enumerate(words)
            }
            for new, theirs in slots.items()
            if new != old
        }
        for old, mine in slots.items()
    }


def _slots(concept: str, given: Any, where: str) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(given, Mapping) or not given:
        raise UserError(
            tr("{where}: “{concept}” has no words by slot.", where=where, concept=concept),
            tr("Write, for example, name, adjective and people with a word each."),
        )
    found = {str(slot): _words(words, where, concept) for slot, words in given.items()}
    every = [word for words in found.values() for word in words]
    twice = [word for word in every if every.count(word) > 1]
    if twice:
        raise UserError(
            tr("{where}: “{word}” stands twice at “{concept}”.", where=where, word=twice[0], concept=concept),
            tr("Keep it in one slot: otherwise nobody could say what takes its place."),
        )
    return found


def _from_pairs(given: Mapping[str, Any], where: str) -> Mapping[str, Mapping[str, Pairs]]:
    found = given.get("pairs", {name: value for name, value in given.items() if name not in _OWN_KEYS})
    if not isinstance(found, Mapping) or not found:
        raise UserError(
            tr("{where} has neither “concepts” nor “pairs”.", where=where),
            tr("Give each concept its words by slot, as in “France: {name: France, adjective: French}”."),
        )
    return {
        str(old): {
            str(new): {
                _words(word, where, old)[0]: _one_word(its, word, where, new)
                for word, its in _map(pairs, where, new).items()
            }
            for new, pairs in _map(news, where, old).items()
        }
        for old, news in found.items()
    }


def _one_word(given: Any, old: object, where: str, concept: object) -> str:
    found = _words(given, where, concept)
    if len(found) > 1:
        raise UserError(
            tr(
                "{where}: several words are put for “{word}” at “{concept}”: {words}.",
                where=where,
                word=old,
                concept=concept,
                words=", ".join(found),
            ),
            tr("Keep one of them: otherwise nobody could say which takes its place."),
        )
    return found[0]


def _map(value: Any, where: str, concept: object) -> Mapping[Any, Any]:
    if not isinstance(value, Mapping) or not value:
        raise UserError(
            tr("{where}: what stands at “{concept}” is no map of pairs.", where=where, concept=concept),
            tr("Write old concept, new concept, and under them the old word and the new one."),
        )
    return value


def _is_word(given: Any) -> bool:
    # A bare NO or YES is a truth value to YAML, which Python counts among the whole numbers.
    return isinstance(given, (str, int)) and not isinstance(given, bool) and bool(str(given).strip())


def _words(given: Any, where: str, concept: object) -> tuple[str, ...]:
    each = given if isinstance(given, list) else [given]
    if not each or not all(_is_word(word) for word in each):
        raise UserError(
            tr("{where}: “{given}” at “{concept}” is no word.", where=where, given=str(given)[:40], concept=concept),
            tr("Write a word, or a list of words; words such as yes or no in quotation marks."),
        )
    return tuple(" ".join(str(word).split()) for word in each)
