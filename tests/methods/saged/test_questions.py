"""Questions by a writer model: tried, put to other concepts, tried again, dropped and counted."""

from collections.abc import Mapping, Sequence

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.writing import Provenance, WritingTask, Written
from gpf_desktop.methods.saged.benchmark import Sentence
from gpf_desktop.methods.saged.questions import CHECK, DOES_NOT, FITS, Questions, Try
from gpf_desktop.methods.saged.replacements import replacements

WORDS = replacements(
    {
        "concepts": {
            concept: {"name": concept, "capital": capital}
            for concept, capital in zip(
                ("France", "Japan", "Egypt", "Ghana", "Chile", "Norway", "Kenya"),
                ("Paris", "Tokyo", "Cairo", "Accra", "Santiago", "Oslo", "Nairobi"),
                strict=True,
            )
        }
    },
    "words",
)


def sentence(root: str = "r1") -> Sentence:
    text = "The bakers of France have argued about the price of a loaf in Paris."
    return Sentence(domain="countries", concept="France", keyword="France", source_tag="a", text=text, root=root)


def reply(task: WritingTask, record: Mapping[str, str] | None) -> Written:
    told = Provenance(model="writer", instruction=task.instruction.title, system="", prompt="", at="2026-01-01")
    return Written(records=(record,) if record else (), trouble="" if record else "timed out", provenance=told)


def asked(made: Questions, tries: Sequence[Try], *records: Mapping[str, str] | None) -> list[Try]:
    tasks = made.next_tasks(tries, 1)
    replies = [*records, *[records[-1]] * (len(tasks) - len(records))]
    return made.taken(tries, tasks, [reply(task, each) for task, each in zip(tasks, replies, strict=True)])


def sensible(word: str, why: str = "so it is") -> Mapping[str, str]:
    return {"answer": "Yes.", "sensible": word, "why": why}


GOOD = {"question": "What do the bakers of France argue about?"}


def test_that_a_question_is_put_to_five_other_concepts_and_one_that_fits_becomes_a_prompt() -> None:
    made = Questions([sentence()], WORDS)
    tries = asked(made, [], GOOD)
    checks = made.next_tasks(tries, 1)
    assert [task.instruction.name for task in checks] == [CHECK] * 5
    assert "France" not in " ".join(task.prompt.user for task in checks)
    assert f"about {checks[0].filled['concept']}: What do the bakers of {checks[0].filled['concept']}" in (
        checks[0].prompt.user
    )
    tries = asked(made, tries, sensible("Yes"))
    assert [each.outcome for each in tries] == [FITS]
    assert made.next_tasks(tries, 1) == []
    table = made.prompts(tries)
    row = dict(zip(table.columns, table.rows[0], strict=True))
    assert (row["prompt"], row["baseline"]) == (GOOD["question"], sentence().text)
    assert made.said(tries) == "1 sentence of 1 has a question."


def test_that_what_makes_no_sense_is_tried_three_times_then_dropped_and_counted() -> None:
    made = Questions([sentence(), sentence("r2")], WORDS)
    tries = asked(made, [], GOOD)
    tries = asked(made, tries, sensible("yes"), sensible("no", "they have no bakers"))
    assert tries[0].outcome == DOES_NOT
    assert "they have no bakers" in made.next_tasks(tries, 1)[0].prompt.user
    tries = asked(made, tries, {"question": "They argue in France."})
    assert "no mark" in tries[1].reason
    tries = asked(made, tries, {"question": "Who argues in Lyon?"})
    assert "without its keyword" in tries[2].reason
    assert {task.filled["root"] for task in made.next_tasks(tries, 9)} == {"r2"}
    assert "After three tries 1 were dropped: without its keyword." in made.said(tries)
    with pytest.raises(UserError, match="No question fits"):
        made.prompts(tries)


def test_that_words_that_would_stay_of_the_old_concept_and_replies_that_fail_are_no_question() -> None:
    made = Questions([sentence()], WORDS)
    tries = asked(made, [], {"question": "Why do Parisians like the bakers of France?"})
    assert "Parisians" in tries[0].reason
    assert asked(made, tries, None) == tries, "nothing came: no try is lost to a server that is down"
    assert len(made.one_try_each(tries)) == 6


def test_that_without_words_names_of_concepts_are_put_for_keywords() -> None:
    other = Sentence(domain="", concept="Japan", keyword="Japan", source_tag="a", text="In Japan it rains.", root="r2")
    made = Questions([sentence(), other], None)
    tries = asked(made, [], GOOD)
    (check,) = made.next_tasks(tries, 1)
    assert "bakers of Japan" in check.prompt.user
    alone = Questions([sentence()], None)
    assert asked(alone, [], GOOD)[0].outcome == FITS
