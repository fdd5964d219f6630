import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from gpf_desktop.cli import main
from gpf_desktop.cli.exits import BAD_INPUT, DONE
from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.commands.score_command import score_file
from tests.methods.contextual_stereoset.studies import BUDGETED, HEADER, planted, rows, write

CONTRASTS = ("model", "factor", "a", "b", "estimate", "low", "high", "p", "q", "items", "pairs")


def table(*models: str, items: int = 8) -> list[list[str]]:
    return [row for model in models for row in rows(planted(model, 3), items=items, contexts=BUDGETED, model=model)]


def no_window(*_given: object) -> int:
    raise AssertionError("a window")


def test_that_the_tables_have_the_columns_that_are_promised(tmp_path: Path) -> None:
    answers = table("typical", "refusing")
    scored = score_file("contextual-stereoset", write(tmp_path / "a.csv", answers), {})
    found = scored.tables
    assert found["contrasts.csv"].columns == CONTRASTS
    assert found["fingerprint.csv"].columns == ("model", "factor", "sigma", "sigma_excess", "p")
    assert found["choices.csv"].columns == (*HEADER[:7], "choice")
    assert [row[:7] for row in found["choices.csv"].rows] == [row[:7] for row in answers]
    assert {row[-1] for row in found["choices.csv"].rows} == {"S", "A", "U", "refused"}
    assert len(found["contrasts.csv"].rows) == 8
    for name, made in found.items():
        assert all(len(row) == len(made.columns) for row in made.rows), name
    assert len(found["comparisons.csv"].rows) == 4
    assert any("refusing: under 99%" in sentence for sentence in scored.said)
    assert not scored.gaps


def test_that_the_same_seed_gives_the_same_tables_and_another_other_intervals(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", table("typical", items=30))
    first, again, other = (
        score_file("contextual-stereoset", path, given).tables for given in ({}, {"seed": "1"}, {"seed": "2"})
    )
    assert first == again
    assert [row[4] for row in first["contrasts.csv"].rows] == [row[4] for row in other["contrasts.csv"].rows]
    assert [row[5:7] for row in first["contrasts.csv"].rows] != [row[5:7] for row in other["contrasts.csv"].rows]


def test_that_other_factors_and_no_factors_are_read(tmp_path: Path) -> None:
    header = ("model", "item", "type", "tone", "stereotype", "anti_stereotype", "unrelated", "order", "response")
    own = [
        ["m", f"i{i}", "race", tone, "x", "y", "z", "SAU", "A" if tone == "warm" else "B"]
        for i in range(6)
        for tone in ("cold", "warm")
    ]
    found = score_file("contextual-stereoset", write(tmp_path / "own.csv", own, header), {}).tables
    assert [row[1:5] for row in found["contrasts.csv"].rows] == [["tone", "warm", "cold", 1.0]]
    assert found["contrasts.csv"].rows[0][7] == pytest.approx(2 / 2**6)
    none = [[*row[:3], *row[4:]] for row in own[::2]]
    plain = score_file(
        "contextual-stereoset", write(tmp_path / "plain.csv", none, (*header[:3], *header[4:])), {}
    ).tables
    assert plain["contrasts.csv"].rows == []
    assert [row[1] for row in plain["shares.csv"].rows] == ["none"]


def test_that_a_table_without_any_choice_has_gaps_and_no_invented_number(tmp_path: Path) -> None:
    mute = [[*row[:-1], "?"] for row in table("steady", items=3)]
    scored = score_file("contextual-stereoset", write(tmp_path / "a.csv", mute), {})
    assert scored.gaps
    assert all(row[4] is None for row in scored.tables["contrasts.csv"].rows)


Change = Callable[[list[list[str]]], object]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda t: t[1].__setitem__(10, "SSA"), "Line 3: “SSA” is no order"),
        (lambda t: t[1].__setitem__(10, ""), "Line 3: “” is no order"),
        (lambda t: t[1].__setitem__(0, " "), "Line 3: “model” is empty"),
        (lambda t: t[1].__setitem__(8, ""), "Line 3: “anti_stereotype” is empty"),
        (lambda t: t[1].__setitem__(4, ""), "Line 3: “year” is empty, and other factors are not"),
        (lambda t: t[1].__setitem__(2, "height"), "Line 3: item “i0” has another type, text or options than on line 2"),
        (lambda t: t.append(t[0]), "Lines 2 and 602 answer the same question"),
        (lambda t: t.clear(), "The table has no rows"),
        (lambda t: t[1].pop(), "Line 3 has 11 fields"),
    ],
)
def test_that_what_is_wrong_is_named_by_line(tmp_path: Path, change: Change, words: str) -> None:
    answers = table("steady")
    change(answers)
    with pytest.raises(UserError, match=words):
        score_file("contextual-stereoset", write(tmp_path / "a.csv", answers), {})


@pytest.mark.parametrize("missing", ["model", "item", "type", "stereotype", "unrelated", "order", "response"])
def test_that_a_missing_column_is_named(tmp_path: Path, missing: str) -> None:
    header = [name if name != missing else "other" for name in HEADER]
    with pytest.raises(UserError, match=f"no column “{missing}”"):
        score_file("contextual-stereoset", write(tmp_path / "a.csv", table("steady", items=1), header), {})


def test_that_a_column_that_is_no_factor_is_named(tmp_path: Path) -> None:
    in_context = [row for row in table("steady", items=15) if row[3]]
    numbered = [[*row, str(number)] for number, row in enumerate(in_context)]
    with pytest.raises(UserError, match="“note” has more than 1000 different values: it is no factor"):
        score_file("contextual-stereoset", write(tmp_path / "a.csv", numbered, (*HEADER, "note")), {})


@pytest.mark.parametrize("seed", ["x", "-1", "1.5", "9999999999"])
def test_that_a_seed_is_a_whole_number(tmp_path: Path, seed: str) -> None:
    with pytest.raises(UserError, match="not a whole number"):
        score_file("contextual-stereoset", write(tmp_path / "a.csv", table("steady", items=1)), {"seed": seed})


def test_that_the_command_writes_the_tables_and_refuses_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "a.csv", table("typical"))
    typed = ["score", str(path), "--method", "contextual-stereoset", "-o", str(tmp_path / "out")]
    assert main([*typed, "--seed", "4"], show_window=no_window, show_demo=no_window) == DONE
    with (tmp_path / "out" / "contrasts.csv").open(encoding="utf-8", newline="") as file:
        written = list(csv.reader(file))
    assert tuple(written[0]) == CONTRASTS
    made = score_file("contextual-stereoset", path, {"seed": "4"}).tables["contrasts.csv"]
    assert [[float(cell) for cell in row[4:]] for row in written[1:]] == [list(row[4:]) for row in made.rows]
    assert main(typed, show_window=no_window, show_demo=no_window) == BAD_INPUT
    assert "is there already" in capsys.readouterr().err
    path.write_text("model,item\nm,i\n")
    typed[-1] = str(tmp_path / "other")
    assert main(typed, show_window=no_window, show_demo=no_window) == BAD_INPUT
    assert "there are no columns “type”" in capsys.readouterr().err
