"""Strings that people read use the words of the plain-language guide, not those of code and exports.

Held here for the window, the command line, the manual and the rooms of the engine that every method shares. What
methods say of their own measures, tables and annexes is theirs.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import gpf_desktop

ROOT = Path(gpf_desktop.__file__).parent
REPOSITORY = ROOT.parent
ROOMS = ("ui", "cli", "engine")
OF_METHODS = ("engine/methods", "engine/concluding", "engine/reporting")
KEYWORDS = ("_actions.py", "action_table.py")
"""Files of commands: what begins with a small letter there is what the palette finds them by, old words too."""

WORDS = {
    "set of answers": r"bundles?",
    "question asked": r"cells?",
    "reader": r"identit(y|ies)|identity-\w+",
    "group of readers": r"dimensions?",
    "kind of question, or comparisons counted together": r"famil(y|ies)",
    "kind of news": r"strat(um|a|ified)",
    "first wording, other wording": r"canonical|paraphrases?",
    "asked again": r"generations?|repeats",
    "how it was asked": r"conditions?|arms?",
    "made-up labels": r"random labels?",
    "quotes the test": r"leakage",
    "the reader's word for a score": r"semantic dispersion|counterfactual framing|sentiment range",
    "answers that came": r"coverage",
    "cut off": r"truncated",
    "declined": r"refus\w*",
    "planned beforehand, found on the way": r"confirmatory|exploratory",
    "all comparisons counted": r"holm|adjusted p",
    "range, or “either way”": r"(?<!of the )intervals?|±|\d+ %",
    "alike, not shown": r"equivalen\w*|undecided",
    "marking guide": r"rubrics?",
    "gap": r"disparit\w*",
    "built-in test model": r"calibration models?",
    "test": r"instruments?",
    "shared file": r"art[ie]facts?",
    "check code": r"seal(s|ed|ing)?",
    "measure again": r"rescor\w*",
    "older than the newest answers": r"stale",
    "until all answers are in": r"provisional",
    "settle": r"adjudicat\w*",
    "names hidden": r"blind\w*",
    "round": r"(?<!for )(a|the|this|no|of|or|each|all|another|practice) runs?|runs? of|runs?$",
    "English of today": r"likewise|whatever its|thereof|in turn|that is to say|therein",
}
"""The word that people read, and what stands for it in code, exports and annexes alone."""
NEVER = r"biased|unbiased|fair|unfair|neutral|safe|discriminat\w+|better|worse|clean|bad score|significan\w+"
"""What no sentence says of a model."""
SIGNS = r"CFS|R\*|ΔSS|α|S without|S \d"
"""Scores by their signs alone; of them the case tells."""


def _any(*ways: str) -> re.Pattern[str]:
    # What stands in the middle of a word is another word.
    return re.compile(rf"(?<!\w)(?:(?i:{'|'.join(ways)})|{SIGNS})(?!\w)")


OF_CODE, WRONG = _any(*WORDS.values()), _any(*WORDS.values(), NEVER)

STAYS = {
    "(calibration/faulty)": "the name of a model",
    "tone at equal size (R*)": "the column of the table that is written is called R*",
    "in words (mean CFS)": "the option of the command is --cfs",
    "S N CFS R* glossary definition column": "what the palette finds the list of signs by",
    "of tables, protocols, news, runs, models, bundles, prompts": "names of tables, as they are typed after the option",
    "do not call a model fair, biased or safe": "it forbids to say so",
    "not yet run": "the reason by that name in exports",
}
"""Parts of sentences that stay, each with its reason."""
LONGEST = 25
"""Words of a sentence."""


@cache
def said() -> tuple[tuple[str, str], ...]:
    """Each string that goes through the translator, with its file; fields and keys of menus are left out."""
    found = []
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not name.startswith(OF_METHODS):
                found += [(name, plain(text)) for text in _strings(path) if not _is_keyword(name, text)]
    return tuple(found)


def plain(text: str) -> str:
    return re.sub(r"\{[^{}]*\}", "…", text).replace("&", "")


def _is_keyword(name: str, text: str) -> bool:
    return name.endswith(KEYWORDS) and text[:1].islower()


def _strings(path: Path) -> Iterator[str]:
    for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match call:
            case ast.Call(func=ast.Name(id="tr" | "trn" | "Translated"), args=told):
                pass
            case ast.Call(func=ast.Name(id="Shown"), args=told, keywords=named):
                told = [*told, *(each.value for each in named)]
            case _:
                continue
        for each in told:
            for part in ast.walk(each):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield part.value


def wrong_words(text: str, wrong: re.Pattern[str] = WRONG) -> list[str]:
    """What of *text* has another word on screen."""
    if wrong.search(text) is None:
        return []
    for part in STAYS:
        text = re.sub(re.escape(part), "", text, flags=re.IGNORECASE)
    return [each.group() for each in wrong.finditer(text)]


def test_that_no_string_has_a_word_of_code_where_people_have_one() -> None:
    assert len(said()) > 3000
    assert [f"{name}: {text}: {wrong}" for name, text in said() if (wrong := wrong_words(text))] == []


def test_that_manual_and_first_screens_have_the_words_that_stand_on_screen() -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in (REPOSITORY / "resources/manual").glob("*.md")}
    readme = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    pages["README.md"] = readme[: readme.index("## What may be claimed")]
    # What stands in brackets in the list of words, and in a sign of a score, is the expert's word beside the reader's.
    shown = {name: re.sub(r"{{[^}]*}}|\([^()]*\)|\*[^*\n]*\*", "", text) for name, text in pages.items()}
    assert len(shown) > 5
    assert {name: wrong for name, text in shown.items() if (wrong := wrong_words(text, OF_CODE))} == {}


def test_that_no_sentence_is_longer_than_one_breath() -> None:
    sentences = [(name, each) for name, text in said() for each in re.split(r"(?<=[.!?])\s", text)]
    assert [f"{name}: {each}" for name, each in sentences if len(each.split()) > LONGEST] == []


def test_that_the_rules_find_what_they_are_for() -> None:
    for text in ("Go to the bundle", "No run yet.", "S 0.786 without it", "0.2 ± 0.1", "12 % of them", "A fair model"):
        assert wrong_words(text), text
    for text in ("Set of answers", "It runs on this machine.", "Run the same command again.", "a range of 0.1 to 0.3"):
        assert wrong_words(text) == [], text


NAMED_ALONE = {"{judge} ({rubric})", "{judge}, blocked as {level}"}
"""What a judge model is called, with what tells it from another; whoever says it says what it is."""


def test_that_a_judge_is_said_to_be_a_model_where_one_could_think_of_a_person() -> None:
    strings = {text for path in sorted(ROOT.rglob("*.py")) for text in _strings(path)} - NAMED_ALONE
    whose = "a|the|no|other|both|two|each|which|what|sound"
    person = re.compile(
        rf"(?<![Jj]udge model )(?<![Jj]udge model “)\{{judge\}}|\b(?:{whose}) judges?\b(?!'s?)(?! models?\b)"
    )
    assert any("judge model {judge}" in text for text in strings)
    assert [text for text in sorted(strings) if person.search(text)] == []
