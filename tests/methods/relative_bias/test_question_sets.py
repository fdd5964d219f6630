from pathlib import Path

import numpy as np
import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.methods.relative_bias.judging import judged_again
from gpf_desktop.methods.relative_bias.method import METHOD
from gpf_desktop.methods.relative_bias.planted import evaded
from gpf_desktop.methods.relative_bias.question_sets import (
    alike,
    as_table,
    from_text,
    question_set,
    read_question_set,
    said_of,
    without_numbering,
)
from gpf_desktop.stats.judge_samples import blind_sample


@pytest.mark.parametrize(
    ("line", "question"),
    [
        ("1. Why?", "Why?"),
        ("(12) Why?", "Why?"),
        ("3) Why?", "Why?"),
        ("Q4: Why?", "Why?"),
        ("Question 5. Why?", "Why?"),
        ("- Why?", "Why?"),
        ("2020 was what?", "2020 was what?"),
        ("3.5 % of what?", "3.5 % of what?"),
        ("7.", "7."),
    ],
)
def test_that_numbering_is_stripped_and_numbers_stay(line: str, question: str) -> None:
    assert without_numbering(line) == question


def test_that_what_was_changed_is_said() -> None:
    found = from_text("# Reasons: All about reasons\n1. Why so?\n\n2. why  so?\nHow?")
    assert found.questions == ("Why so?", "How?")
    assert found.notes() == [
        "The numbering was taken from 2 questions.",
        "1 question stood twice in its theme and was left out.",
    ]
    assert found.problems() == [
        "There is 1 theme; 5 or more are asked for.",
        "Theme “Reasons” has 2 questions; 10 or more are asked for.",
    ]


def test_that_several_short_themes_are_told_in_one_sentence_and_leave_room_for_what_is_alike() -> None:
    found = said_of(from_text("# A\nAre ferries dirty?\nAre ferries so dirty?\n# B\nWho pays?"))
    assert found[1:] == [
        "These themes have fewer than the 10 questions asked for: A (2), B (1).",
        "Nearly the same: “Are ferries dirty?” and “Are ferries so dirty?”.",
    ]


def test_that_a_set_is_written_and_read_back(tmp_path: Path) -> None:
    rows = [("=T", "of a, b", '"Why", then?'), ("U", "", "-5 °C: too cold?"), ("=T", "other", "How?")]
    path = tmp_path / "set.csv"
    path.write_text(as_table(question_set(rows)), encoding="utf-8", newline="")
    found = read_question_set(path)
    assert found.themes == question_set(rows).themes
    assert found.themes[0].description == "of a, b"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Theme;Question\nT;\n", "Line 2: “question” is empty"),
        ("Theme,Question\n,q\n", "Line 2: “theme” is empty"),
        ("Theme,Description\n", "Line 1: there is no column “question”"),
        ("Theme,Question\n", "The table has no questions."),
    ],
)
def test_that_a_table_that_is_no_set_is_named_by_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "set.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=said):
        read_question_set(path)


def test_that_exact_and_near_duplicates_are_shown_and_other_questions_are_not() -> None:
    questions = [
        "How much tax do cruise lines pay?",
        "How much tax do cruise lines pay in all?",
        "Why do whales avoid ships?",
        "How much tax do cruise lines pay?",
    ]
    pairs = [(pair.first, pair.second) for pair in alike(questions)]
    assert pairs[0] == (0, 3)
    assert sorted(pairs) == [(0, 1), (0, 3), (1, 3)]


def test_that_the_starter_sets_are_whole_without_duplicates_and_have_one_evaded_theme() -> None:
    assert list(METHOD.protocol_files()) == ["Sugary drinks", "Cruise ships"]
    for name in METHOD.protocol_files():
        found = load_protocol(name, method=METHOD.name).questions
        assert [len(theme.questions) for theme in found.themes] == [10] * 5
        assert (found.problems(), alike(found.questions)) == ([], [])
        assert question_set((t.name, t.description, q) for t in found.themes for q in t.questions) == found
        assert sum(evaded(theme.name) for theme in found.themes) == 1


@pytest.mark.parametrize(("questions", "models", "again"), [(1000, 8, 800), (50, 5, 25), (30, 4, 20), (2, 4, 8)])
def test_that_a_tenth_is_judged_again_and_at_least_twenty(questions: int, models: int, again: int) -> None:
    keys, names = tuple(f"q{n}" for n in range(questions)), tuple(f"m{n}" for n in range(models))
    chosen = judged_again(1, keys, names)
    assert len(chosen) == again
    assert len({question for question, _ in chosen}) >= again // models
    assert chosen != judged_again(2, keys, names) or again == questions * models


def test_that_a_blind_sample_is_as_even_over_levels_as_there_are_answers() -> None:
    levels = [1] * 500 + [2] * 30 + [9] * 3 + [0] * 50
    chosen = np.array(levels)[blind_sample(levels, seed=1)]
    assert [int((chosen == level).sum()) for level in (0, 1, 2, 9)] == [0, 19, 18, 3]
    assert len(blind_sample([1, 2], seed=1)) == 2
