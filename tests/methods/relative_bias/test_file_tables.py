import csv
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from openpyxl import Workbook
from scipy import stats
from sklearn.feature_extraction.text import TfidfVectorizer

from gpf_desktop import cli
from gpf_desktop.domain.errors import UserError
from gpf_desktop.engine.commands.score_command import score_file
from tests.methods.relative_bias.tables import CONFORMANCE, HEADER, published, records, scored, write

PRINTED = {case["name"]: case for case in json.loads((CONFORMANCE / "tost.json").read_text("utf-8"))["cases"]}
TARGET = "deepseekR1"
MODELS = ("a", "b", "c", "d")
WORDS = ("rain", "sun", "wind", "snow", "fog", "hail", "sleet", "storm")


def answers(repeats: int = 1) -> list[Sequence[object]]:
    """Texts of four models to six questions of two themes."""
    draw = np.random.default_rng(1)
    return [
        (model, f"theme {question % 2}", f"question {question}", " ".join(draw.choice(WORDS, 6)), repeat)
        for question in range(6)
        for model in MODELS
        for repeat in range(repeats)
    ]


def run(*arguments: object) -> int:
    def show(_audit: Path | None) -> int:
        raise AssertionError("a window was shown")

    return cli.main([str(argument) for argument in arguments], show_window=show, show_demo=show)


@pytest.mark.parametrize(
    ("name", "case", "judge"), [("China, judge Gemini", "China", "gemini"), ("US, judge GPT-4o", "US", "gpt-4o")]
)
def test_that_the_command_writes_the_paper_s_printed_tests(tmp_path: Path, name: str, case: str, judge: str) -> None:
    source = write(tmp_path / "answers.csv", published(case))
    assert run("score", source, "--method", "relative-bias", "--target", TARGET, "-o", tmp_path / "out") == 0
    with (tmp_path / "out" / "equivalence.csv").open(encoding="utf-8", newline="") as file:
        (row,) = [row for row in csv.DictReader(file) if (row["score"], row["test"]) == (judge, "welch")]
    printed = PRINTED[name]
    for column, key in (("difference", "diff"), ("margin", "delta"), ("standard_error", "se"), ("df", "df")):
        assert float(row[column]) == pytest.approx(printed[key], abs=5.1e-3 if key in ("df", "diff") else 5e-5), column
    for column in ("t_lower", "t_upper"):
        assert float(row[column]) == pytest.approx(printed[column], abs=5e-3)
    assert (row["outcome"] == "equivalent") == printed["equivalent"]
    assert repr(float(row["p_upper"])) == row["p_upper"]


@pytest.mark.slow
def test_that_every_test_of_the_published_scores_has_the_p_values_of_shifted_welch_tests(tmp_path: Path) -> None:
    tested = 0
    for case in ("China", "US", "Meta"):
        rows = published(case)
        # Whichever model of the study is the target: its makers hold more than one against the others.
        for target in dict.fromkeys(row[0] for row in rows):
            for row in records(scored(tmp_path, rows, target=target), "equivalence.csv"):
                if row["test"] != "welch":
                    continue
                mine = [float(r[5]) for r in rows if (r[4], r[0]) == (row["score"], target)]
                others = [float(r[5]) for r in rows if r[4] == row["score"] and r[0] != target]
                margin = row["margin"]
                above = stats.ttest_ind(np.add(mine, margin), others, equal_var=False, alternative="greater")
                below = stats.ttest_ind(np.subtract(mine, margin), others, equal_var=False, alternative="less")
                found = (row["t_lower"], row["p_lower"], row["t_upper"], row["p_upper"])
                assert found == pytest.approx((*above, *below), abs=1e-9)
                tested += 1
    assert tested == 32, "eight models by four judges' scores"


def test_that_the_paired_test_counts_themes_and_is_the_primary_where_both_disagree(tmp_path: Path) -> None:
    rows = published("US")
    made = scored(tmp_path, rows, target=TARGET)
    row = next(row for row in records(made, "equivalence.csv") if (row["score"], row["test"]) == ("gpt-4o", "paired"))
    level = {(r[0], r[2]): float(r[5]) for r in rows if r[4] == "gpt-4o"}
    theme = {r[2]: r[1] for r in rows}
    baselines = sorted({r[0] for r in rows} - {TARGET})
    of_themes: dict[str, list[float]] = {}
    for question, its in theme.items():
        of_themes.setdefault(its, []).append(level[TARGET, question] - np.mean([level[b, question] for b in baselines]))
    test = stats.ttest_1samp([np.mean(each) for each in of_themes.values()], -row["margin"], alternative="greater")
    assert (row["df"], row["t_lower"], row["p_lower"]) == pytest.approx((9, test.statistic, test.pvalue))
    assert row["outcome"] == "undecided"
    assert any("alike by Welch's test and not settled by the paired one, which is the main one" in s for s in made.said)
    assert any("hangs on one model; it would be another conclusion without" in sentence for sentence in made.said)
    assert not any("embedding:" in sentence for sentence in made.said), "a score has a name for people"


def test_that_the_embedding_is_scikit_learn_s_tf_idf_over_all_answers(tmp_path: Path) -> None:
    rows = answers()
    made = scored(tmp_path, rows, (*HEADER[:4], "repeat"), target="a")
    vectors = TfidfVectorizer().fit_transform([str(row[3]) for row in rows]).toarray().reshape(6, 4, -1)
    for question in range(6):
        likeness = vectors[question] @ vectors[question].T
        for place, model in enumerate(MODELS):
            wanted = np.mean([1 - likeness[place, other] for other in range(4) if other != place])
            (row,) = (
                row
                for row in records(made, "questions.csv")
                if (row["question"], row["model"]) == (f"question {question}", model)
            )
            assert row["value"] == pytest.approx(wanted, abs=1e-12)


def test_that_with_generations_a_distance_is_the_mean_over_pairs_and_own_noise_is_told(tmp_path: Path) -> None:
    rows = answers(repeats=2)
    made = scored(tmp_path, rows, (*HEADER[:4], "repeat"), target="a")
    vectors = TfidfVectorizer().fit_transform([str(row[3]) for row in rows]).toarray().reshape(6, 4, 2, -1)
    wanted = np.mean([np.mean(1 - vectors[q, 0] @ vectors[q, j].T) for q in range(6) for j in (1, 2, 3)])
    row = records(made, "models.csv")[0]
    assert row["d"] == pytest.approx(wanted, abs=1e-12)
    assert row["own_noise"] == pytest.approx(np.mean([1 - vectors[q, 0, 0] @ vectors[q, 0, 1] for q in range(6)]))


def test_that_d_of_a_judge_is_the_mean_absolute_deviation_from_the_others(tmp_path: Path) -> None:
    rows = published("Meta")
    made = scored(tmp_path, rows, target=TARGET)
    level = np.array([float(row[5]) for row in sorted(rows, key=lambda row: (row[0], int(row[2])))]).reshape(8, 50)
    others = (level.sum(axis=0) - level) / 7
    by_name = {row["model"]: row for row in records(made, "models.csv")}
    for place, model in enumerate(sorted(by_name)):
        assert by_name[model]["d"] == pytest.approx(np.abs(level - others)[place].mean())
        assert by_name[model]["signed_deviation"] == pytest.approx((level - others)[place].mean())


def test_that_blocked_answers_are_counted_and_tables_given_without_them_and_with_them_at_the_highest_level(
    tmp_path: Path,
) -> None:
    rows = [row if row[2] != "1" or row[0] != TARGET else (*row[:4], "", "") for row in published("China")]
    made = scored(tmp_path, rows, target=TARGET)
    (mine,) = (row for row in records(made, "models.csv") if row["model"] == TARGET)
    (with_top,) = (row for row in records(made, "models.blocked-as-10.csv") if row["model"] == TARGET)
    assert (mine["blocked"], mine["questions"], with_top["questions"]) == (1, 99, 100)
    assert with_top["blocked"] == 1
    assert with_top["mean"] == pytest.approx((mine["mean"] * 99 + 10) / 100)
    assert made.gaps


def test_that_unparsed_judgements_and_refusals_in_words_are_counted(tmp_path: Path) -> None:
    rows = [(*row[:4], "j", "3" if question else "") for question, row in enumerate(answers())]
    rows[5] = (*rows[5][:3], "I am sorry, but I cannot help with that.", "j", "9")
    made = scored(tmp_path, rows, target="a")
    of_judge = {row["model"]: row for row in records(made, "models.csv") if row["score"] == "j"}
    assert (of_judge["a"]["unparsed"], of_judge["b"]["refused"], of_judge["b"]["unparsed"]) == (1, 1, 0)


def test_that_several_targets_are_corrected_together(tmp_path: Path) -> None:
    rows = published("US")
    alone = records(scored(tmp_path, rows, target=TARGET), "equivalence.csv")[0]
    both = records(scored(tmp_path, rows, target=f"{TARGET},deepseekAWS"), "equivalence.csv")
    mine = next(row for row in both if (row["target"], row["test"]) == (TARGET, "welch"))
    assert alone["outcome"] == "equivalent"
    assert mine["p_upper"] == alone["p_upper"]
    assert mine["p_equivalent"] > alone["p_equivalent"]
    assert mine["outcome"] == "undecided"


def test_that_baselines_that_are_named_are_the_whole_study(tmp_path: Path) -> None:
    made = scored(tmp_path, answers(), (*HEADER[:4], "repeat"), target="a", baselines="d, c ,b")
    assert made.tables == scored(tmp_path, answers(), (*HEADER[:4], "repeat"), target="a").tables
    rows = published("US")
    few = scored(tmp_path, rows, target=TARGET, baselines="MetaAI,llama4,Jamba")
    assert len(records(few, "models.csv")) == 8
    assert any(
        "What is too small to matter comes from 3 models compared: of so few it is rough." in sentence
        for sentence in few.said
    )


def test_that_a_judge_that_disagrees_with_another_is_told(tmp_path: Path) -> None:
    rows = [row if row[4] != "gpt-4o" else (*row[:4], TARGET, row[5]) for row in published("US")]
    made = scored(tmp_path, rows, target="llama4")
    assert any("and 0.667 is needed: marks of single answers are uncertain" in sentence for sentence in made.said)
    assert f"Judge model {TARGET} judges its own answers too, which favours them." in made.said
    kinds = {(row["kind"], row["statistic"]) for row in records(made, "judges.csv")}
    assert kinds == {("between", "alpha"), ("between", "kappa")}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "The table is empty."),
        ("model,theme,question,response\n", "The table has no rows."),
        ("model,theme,response\na,t,x\n", "Line 1: there is no column “question”"),
        ("model,theme,question,response\na,t,,x\n", "Line 2: “question” is empty"),
        ("model,theme,question,response\na,t,q,x\na,t,q,x\n", "Lines 2 and 3 are the same answer and judge"),
        ("model,theme,question,response,judge,level\na,t,q,x,j,nan\n", "Line 2: “level” is “nan”, not a whole number"),
        ("model,theme,question,response,judge,level\na,t,q,x,j,11\n", "Line 2: “level” is “11”, not a whole number"),
        ("model,theme,question,response,judge,level\na,t,q,x,,3\n", "Line 2: there is a mark (level), but no judge"),
        ("model,theme,question,response,judge\na,t,q,x,j\na,t,q,y,k\n", "Lines 2 and 3 hold unlike texts"),
        ("model,theme,question,response,repeat\na,t,q,x,-1\n", "Line 2: “repeat” is “-1”"),
        ("model,theme,question,response\na,t,q,x\n", "There are 0 models to compare with, and 3 are needed."),
        ("model;theme;question;response\nb;t;q;x\n", "The table has no answers of a model “a”."),
    ],
)
def test_that_what_is_wrong_in_a_table_is_one_sentence_and_exit_2(
    tmp_path: Path, text: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "answers.csv"
    source.write_text(text, encoding="utf-8")
    assert run("score", source, "--method", "relative-bias", "--target", "a", "-o", tmp_path / "out") == 2
    told = capsys.readouterr()
    assert said in told.err
    assert (told.out, told.err.count("\n"), (tmp_path / "out").exists()) == ("", 1, False)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"target": ""}, "No model under study is named"),
        ({"target": "A"}, "no answers of a model “A”"),
        ({"target": "a", "baselines": "a,b,c"}, "a is named both as model under study and as model compared"),
        ({"target": "a", "k": "nan"}, "k is “nan”"),
        ({"target": "a", "seed": "x"}, "The seed is “x”"),
    ],
)
def test_that_options_that_fit_no_study_are_named(tmp_path: Path, given: dict[str, str], said: str) -> None:
    with pytest.raises(UserError) as error:
        scored(tmp_path, answers(), (*HEADER[:4], "repeat"), **given)
    assert said in str(error.value)


def test_that_a_folder_is_asked_for_and_answers_are_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path / "models.csv", published("Meta"))
    common = ("score", source, "--method", "relative-bias", "--target", TARGET, "-o")
    assert run(*common, source) == 2
    assert "is a file" in capsys.readouterr().err
    assert run(*common, tmp_path) == 2
    assert "would overwrite models.csv" in capsys.readouterr().err
    assert run("score", source, "--method", "relative-bias", "-o", tmp_path / "out") == 2
    assert "--target" in capsys.readouterr().err
    assert run("score", "--method", "relative-bias", "--help") == 0
    assert "equivalence.csv" in capsys.readouterr().out


def test_that_a_workbook_is_scored_like_its_csv(tmp_path: Path) -> None:
    rows = [("model", "theme", "question", "response", "repeat"), *answers()]
    book = Workbook()
    for row in rows:
        book.active.append([str(cell) for cell in row])
    book.save(tmp_path / "a.xlsx")
    with (tmp_path / "a.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    (one, other) = (
        score_file("relative-bias", tmp_path / name, {"target": "a"}).tables for name in ("a.xlsx", "a.csv")
    )
    assert one == other
