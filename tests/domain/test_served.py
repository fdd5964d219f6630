"""What is told of who answered: versions of what was asked for, other names, changes within rounds and between them."""

from datetime import UTC, datetime, timedelta

import pytest

from gpf_desktop.domain.served import (
    RoundAnswered,
    Served,
    ServedAnswers,
    ServedKind,
    is_version_of,
    notes,
    notes_of,
    versions,
)

START = datetime(2026, 11, 24, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("asked", "served"),
    [
        ("gpt-4o", "gpt-4o-2024-08-06"),
        ("gpt-4o", "GPT-4o"),
        ("openai/gpt-4o", "gpt-4o-2024-08-06"),
        ("openai/gpt-4o:free", "openai/gpt-4o"),
        ("openai:chat:gpt-4o", "gpt-4o-2024-08-06"),
        ("gpt-4", "gpt-4-0613"),
        ("claude-sonnet-4-0", "claude-sonnet-4-20250514"),
        ("claude-3-5-sonnet-latest", "claude-3-5-sonnet-20241022"),
        ("anthropic/claude-3.5-sonnet", "claude-3-5-sonnet-20241022"),
        ("gemini-2.0-flash", "gemini-2.0-flash-001"),
        ("gemini-2.5-pro", "models/gemini-2.5-pro-preview-05-06"),
        ("gemini-2.5-flash", "gemini-2.5-flash-preview-09-2025"),
        ("mistral-large-latest", "mistral-large-2411"),
        ("llama3", "llama3:latest"),
        ("Llama-3.2-1B-Instruct-Q4_K_M", "/srv/models/Llama-3.2-1B-Instruct-Q4_K_M.gguf"),
        ("qwen2.5", r"C:\models\qwen2.5.gguf"),
        ("X", "X-2026-01-01"),
    ],
)
def test_that_a_version_of_what_was_asked_for_is_told_as_one(asked: str, served: str) -> None:
    assert is_version_of(asked, served)


@pytest.mark.parametrize(
    ("asked", "served"),
    [
        ("gpt-4o", "gpt-4o-mini"),
        ("gpt-4o", "gpt-4o-mini-2024-07-18"),
        ("gpt-4", "gpt-4.1"),
        ("gpt-4", "gpt-4o"),
        ("claude-3", "claude-3-5"),
        ("gemini-2.5-pro", "gemini-2.5-flash"),
        ("llama3", "llama3:8b-instruct-q4_0"),
        ("llama-3-70b", "llama-3-8b"),
        ("deepseek/deepseek-chat", "other/deepseek-chat"),
        ("deepseek-chat", "qwen-max"),
        ("gpt-4o-2024-08-06", "gpt-4o-2024-05-13"),
        ("gpt-4o-2024-08-06", "gpt-4o"),
        ("latest", "gpt-4o"),
    ],
)
def test_that_another_model_is_told_as_another(asked: str, served: str) -> None:
    assert not is_version_of(asked, served)


def answers(n: int, at: int = 0, until: int | None = None, **told: str) -> ServedAnswers:
    first = START + timedelta(minutes=at)
    return ServedAnswers(
        served=Served(**told), answers=n, first=first, last=first if until is None else START + timedelta(minutes=until)
    )


def in_round(run: int, *told: ServedAnswers, asked: str = "gpt-4o", model: str = "openai/gpt-4o") -> RoundAnswered:
    return RoundAnswered(run=run, round=f"Week {run}", model=model, asked=asked, answering=True, told=told)


def kinds(*rounds: RoundAnswered) -> list[ServedKind]:
    return [note.kind for note in notes(rounds)]


def test_that_an_alias_that_resolves_to_one_version_weighs_on_nothing() -> None:
    (note,) = notes([in_round(1, answers(9, model="gpt-4o-2024-08-06"))])
    assert note.words == "Asked for gpt-4o, answered by gpt-4o-2024-08-06."
    assert not note.weighs
    assert notes([in_round(1, answers(9, model="gpt-4o"))]) == ()


def test_that_a_switch_in_the_middle_of_a_round_is_told_in_order_with_counts() -> None:
    told = answers(12, 0, 9, model="gpt-4o-2024-05-13"), answers(1_008, 10, 20, model="gpt-4o-2024-08-06")
    first, version = notes([in_round(1, *told)])
    assert first.words == (
        "Within “Week 1” the model that answered changed:"
        " gpt-4o-2024-05-13 (12 answers), then gpt-4o-2024-08-06 (1,008 answers)."
    )
    assert first.weighs
    assert version.kind is ServedKind.VERSION


def test_that_models_that_answer_in_turns_are_not_told_as_a_switch() -> None:
    told = answers(12, 0, 20, model="gpt-4o-2024-05-13"), answers(1, 10, 11, model="gpt-4o-2024-08-06")
    first, _ = notes([in_round(1, *told)])
    assert first.words == (
        "Within “Week 1” more than one model answered: gpt-4o-2024-05-13 (12 answers), gpt-4o-2024-08-06 (1 answer)."
    )


def test_that_another_model_between_rounds_is_told_once() -> None:
    old, new = answers(9, model="gpt-4o-2024-05-13"), answers(9, 60, model="gpt-4o-2024-08-06")
    found = notes([in_round(1, old), in_round(2, new), in_round(3, new)])
    assert [note.kind for note in found] == [ServedKind.BETWEEN_ROUNDS, ServedKind.VERSION]
    assert found[0].runs == (1, 2)
    assert found[0].words == (
        "Between “Week 1” and “Week 2” the model that answered changed from gpt-4o-2024-05-13 to gpt-4o-2024-08-06."
    )


def test_that_a_round_without_names_between_two_others_hides_no_change() -> None:
    old, new = answers(9, model="gpt-4o"), answers(9, 60, model="gpt-4o-mini")
    # A round of which nothing was told is none of those that are given.
    assert kinds(in_round(1, old), in_round(3, new)) == [ServedKind.BETWEEN_ROUNDS, ServedKind.OTHER_NAME]
    silent = answers(9, 30, fingerprint="fp_1")
    assert kinds(in_round(1, old), in_round(2, silent), in_round(3, new)) == [
        ServedKind.BETWEEN_ROUNDS,
        ServedKind.OTHER_NAME,
    ]


@pytest.mark.parametrize("asked", ["gpt-4o", "default"])
def test_that_a_name_that_was_not_asked_for_weighs_on_what_is_said(asked: str) -> None:
    (note,) = notes([in_round(1, answers(9, model="llama-3-8b"), asked=asked)])
    assert note.kind is ServedKind.OTHER_NAME
    assert note.weighs
    assert note.words == f"Asked for {asked}, but the server says that llama-3-8b answered."
    assert note.sentence == f"openai/gpt-4o: {note.words}"


def test_that_fingerprints_and_hosts_are_told_where_the_name_stays() -> None:
    prints = answers(5, 0, 3, model="gpt-4o", fingerprint="fp_1"), answers(5, 4, 9, model="gpt-4o", fingerprint="fp_2")
    (note,) = notes([in_round(1, *prints)])
    assert "the provider changed the model's set-up: fingerprint fp_1 (5 answers), then fp_2" in note.words
    hosts = answers(5, 0, 9, model="gpt-4o", host="Azure"), answers(5, 4, 9, model="gpt-4o", host="OpenAI")
    (note,) = notes([in_round(1, *hosts)])
    assert note.words == "Within “Week 1” more than one company ran the model: Azure (5 answers), OpenAI (5 answers)."
    (note,) = notes([in_round(1, prints[0]), in_round(2, prints[1])])
    assert note.words == "Between “Week 1” and “Week 2” the model's set-up changed: fingerprint fp_1, then fp_2."


def test_that_a_number_of_the_call_in_a_fingerprints_place_says_nothing() -> None:
    calls = [answers(1, n, model="gpt-4o", fingerprint=f"call-{n}") for n in range(40)]
    assert notes([in_round(1, *calls)]) == ()
    assert versions([in_round(1, *calls)]) == "its server named the same model"


def test_that_a_server_that_says_a_hundred_names_takes_one_sentence() -> None:
    many = [answers(2, n, model=f"m-{n}") for n in range(100)]
    first, other = notes([in_round(1, *many)])
    assert first.words.endswith("m-2 (2 answers) and 97 more.")
    assert other.words.endswith("m-2 and 97 more answered.")


def test_that_versions_name_all_that_was_said() -> None:
    told = answers(5, model="gpt-4o-2024-08-06", fingerprint="fp_1", host="Azure"), answers(5, 1, fingerprint="fp_2")
    words = versions([in_round(1, *told)])
    assert words == "asked for gpt-4o, answered by gpt-4o-2024-08-06; fingerprints fp_1, fp_2; run by Azure"
    assert versions([]) == ""


def test_that_models_are_told_of_each_by_itself() -> None:
    one, other = (
        in_round(1, answers(9, model="gpt-4o")),
        in_round(1, answers(9, model="o1"), asked="o1", model="openai/o1"),
    )
    assert notes([one, other]) == ()


def test_that_a_round_is_told_of_by_itself_and_against_those_before_it() -> None:
    odd, right = answers(9, model="gpt-4o-mini"), answers(9, 60, model="gpt-4o")
    every = [in_round(1, odd), in_round(2, right), in_round(3, odd)]
    assert [note.kind for note in notes_of(1, every)] == [ServedKind.OTHER_NAME]
    assert [note.kind for note in notes_of(2, every)] == [ServedKind.BETWEEN_ROUNDS]
    assert [note.kind for note in notes_of(3, every)] == [ServedKind.OTHER_NAME, ServedKind.BETWEEN_ROUNDS]
