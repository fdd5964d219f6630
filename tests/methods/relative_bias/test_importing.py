"""Tables of studies that were asked elsewhere become audits with the numbers that the tables give."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl import Workbook

from gpf_desktop import cli
from gpf_desktop.documents.packed_tables import files_in
from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.figures import Intervals
from gpf_desktop.domain.findings import Estimate
from gpf_desktop.domain.imports import MAPPED
from gpf_desktop.domain.judging import JudgeReply
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import import_tables
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.methods.relative_bias.comparing import TargetVerdict
from gpf_desktop.methods.relative_bias.importing import study_in
from gpf_desktop.methods.relative_bias.method import METHOD
from gpf_desktop.storage import vectors
from tests.methods.relative_bias.tables import HEADER, published, records, scored, write

TARGET = "deepseekR1"
WIDE = ("Question", "Theme", "Description", "Alpha_Response", "Bias Score (Judged by J)", "Explanation")


def run(*arguments: object) -> int:
    def show(_audit: Path | None) -> int:
        raise AssertionError("a window was shown")

    return cli.main([str(argument) for argument in arguments], show_window=show, show_demo=show)


@pytest.mark.slow
def test_that_an_imported_study_has_the_tests_of_its_table(tmp_path: Path) -> None:
    source, audit = write(tmp_path / "us.csv", published("US")), tmp_path / "us.gpf"
    common = ("import", source, "--method", "relative-bias", "-o", audit)
    assert run(*common, "--target", TARGET, "--domain", "the US") == 0
    assert run(*common) == 2
    wanted = records(scored(tmp_path, published("US"), target=TARGET), "equivalence.csv")
    with Headless(quiet=True) as headless:
        open_audit = headless.enter(audit, to_read=True)
        found = open_audit.results.findings(ResultsFilter())["relative_bias_tests"].rows
        assert [row.values["outcome"] for row in found] == [TargetVerdict(row["outcome"]).words for row in wanted]
        for column in ("mean_target", "mean_baselines", "standard_error", "df", "t_lower", "t_upper", "p_upper"):
            assert [row.values[column] for row in found] == pytest.approx([row[column] for row in wanted]), column
        assert {row.values["target"] for row in found} == {TARGET}
        (one,) = open_audit.rounds.runs()
        assert str(one.state) == "finished"


def test_that_what_the_table_does_not_tell_is_left_open(tmp_path: Path) -> None:
    rows = [(model, "taxes", "Who pays?", f"{model} says so", "j", 4) for model in "abcd"]
    study = study_in([write(tmp_path / "answers.csv", rows)], {}).protocol
    # What counts as bias would go to the judges of the next study.
    assert (study.domain, study.counts_as_bias) == ("", "")
    assert METHOD.protocol_facts(study) == "1 question of 1 theme"
    assert METHOD.protocol_facts(replace(study, domain="the US")) == "1 question of 1 theme about the US"
    # The question is the item's: quoted above it would be what nobody was asked.
    assert METHOD.wording(study, Coordinates.of(theme="taxes"), ()).before == ""


def test_that_every_table_says_what_judges_are_worth_and_counts_blocked_answers_both_ways(tmp_path: Path) -> None:
    rows = [
        (model, f"theme {question % 2}", f"question {question}", f"{model} says {question}", judge, 1 + place)
        for question in range(6)
        for place, model in enumerate("abcd")
        for judge in ("j", "k")
    ]
    rows = [row for row in rows if row[::2][:2] != ("a", "question 0")] + [("a", *rows[0][1:3], "", "", "")]
    rows = [(*row, "" if row[3] else "content_filter") for row in rows]
    audit = tmp_path / "study.gpf"
    with Headless(quiet=True) as headless:
        import_tables(
            headless,
            [write(tmp_path / "answers.csv", rows, (*HEADER, "finish"))],
            "relative-bias",
            {"target": "a"},
            audit,
        )
    with Headless(quiet=True) as headless:
        found = headless.enter(audit, to_read=True).results.findings(ResultsFilter())
    means = {
        row.values["score"]: (row.values["questions"], row.values["mean"], row.values["blocked"])
        for row in found["relative_bias_models"].rows
        if row.values["model"] == "a"
    }
    for score, questions, mean in (("Judge model j", 5, 1.0), ("Judge model j, blocked as 10", 6, 2.5)):
        counted, estimate, blocked = means[score]
        assert (counted, blocked) == (questions, 1)
        assert isinstance(estimate, Estimate)
        assert estimate.value == mean
    worth = (
        "Agreement of judge model j with itself: not known; with other judge models: 1.00 (k); "
        "with people who rated with the marks hidden: not known."
    )
    for name in ("tests", "models", "levels", "themes", "correlations", "left_out"):
        scores = {row.values["score"] for row in found[f"relative_bias_{name}"].rows}
        assert "Judge model j, blocked as 10" in scores, name
        assert worth in found[f"relative_bias_{name}"].notes, name
    without = [row.values["without"] for row in found["relative_bias_left_out"].rows]
    assert set(without) == {"b", "c", "d"}
    every = found["relative_bias_every_target"].rows
    assert {row.values["target"] for row in every} == set("abcd")
    assert {row.values["target"] for row in found["relative_bias_tests"].rows} == {"a"}
    for name in ("models", "levels", "deviations"):
        figures = found[f"relative_bias_{name}"].figures
        assert figures
        assert {figure.accent for figure in figures} == {("model", "a")}, name  # type: ignore[union-attr]


def test_that_distances_and_levels_are_drawn_on_scales_of_their_own_and_no_interval_leaves_them(
    tmp_path: Path,
) -> None:
    # One theme far from the others: over two themes Student's interval of the target's mean is wide.
    rows = [
        (model, theme, f"{theme} {n}?", f"{model} says {n}", "judge", "10" if (model, theme) == ("a", "T") else "1")
        for theme in "TU"
        for n in range(3)
        for model in "abcd"
    ]
    with Headless(quiet=True) as headless:
        import_tables(headless, [write(tmp_path / "t.csv", rows)], "relative-bias", {}, tmp_path / "a.gpf")
    with Headless(quiet=True) as headless:
        open_audit = headless.enter(tmp_path / "a.gpf", to_read=True)
        found = open_audit.results.findings(ResultsFilter(), ("relative_bias_models",))["relative_bias_models"]
    assert all(figure.accent is None for figure in found.figures if isinstance(figure, Intervals))
    assert [(figure.title, figure.where) for figure in found.figures if isinstance(figure, Intervals)] == [
        ("By words: how far from the others, by model", ("score", "By words")),
        ("Judge model judge: how far from the others, by model", ("score", "Judge model judge")),
        ("Judge model judge: marked higher or lower, by model", ("score", "Judge model judge")),
    ]
    (values,) = (
        row.values for row in found.rows if row.values["score"] == "Judge model judge" and row.values["model"] == "a"
    )
    lows = {}
    for key, value in (("mean", 5.5), ("d", 4.5), ("signed", 4.5)):
        estimate = values[key]
        assert isinstance(estimate, Estimate)
        assert estimate.interval is not None
        assert estimate.value == value
        lows[key] = estimate.interval.low
    assert (lows["mean"], lows["d"]) == (1.0, 0.0)
    assert lows["signed"] < 0


def test_that_the_published_study_s_own_files_are_read_together(tmp_path: Path) -> None:
    rows = [
        ("1. Why?", "T", "about T", "Because.", "7", "One-sided, it is."),
        ("2. How?", "T", "about T", "So.", "Bias Score: 3/10", ""),
        ("3. Who?", "U", "", "I won't say.", "3-4", "Unclear."),
        ("4. When?", "U", "", "", "", ""),
    ]
    first = write(tmp_path / "alpha.csv", rows, WIDE)
    second = write(
        tmp_path / "beta.csv",
        [(*row[:3], "Else.", "2", "") for row in rows],
        ("Question", "Theme", "Description", "Beta_Response", "Bias Score", "Explanation"),
    )
    study = study_in([first, second], {"judge": "J", "name": "Both"})
    assert [(item.stratum, item.title) for item in study.items] == [
        ("T", "Why?"),
        ("T", "How?"),
        ("U", "Who?"),
        ("U", "When?"),
    ]
    assert study.protocol.themes[0].description == "about T"
    alpha = [each for each in study.answers if each.model == "Alpha"]
    assert [(each.text, each.missing) for each in alpha] == [
        ("Because.", ""),
        ("So.", ""),
        ("I won't say.", ""),
        ("", ""),
    ]
    judged = {
        (each.answer.coordinates["answer_of"], study.items[each.item].title): each.text
        for each in study.answers
        if each.model == "J"
    }
    assert judged["imported/Alpha", "Why?"] == "Bias Score: 7\nExplanation: One-sided, it is."
    assert judged["imported/Alpha", "How?"].startswith("Bias Score: 3\n")
    assert judged["imported/Alpha", "Who?"].startswith("Bias Score: -\n")
    assert sum(name == "imported/Beta" for name, _ in judged) == 4


def test_that_models_side_by_side_in_one_file_keep_their_own_levels(tmp_path: Path) -> None:
    header = (*WIDE, "Beta_Response", *WIDE[4:])
    table = write(tmp_path / "both.csv", [("Why?", "T", "", "So.", "7", "One-sided.", "Else.", "2", "")], header)
    levels = {
        each.answer.coordinates["answer_of"]: each.text
        for each in study_in([table], {"name": "Both"}).answers
        if each.model == "J"
    }
    assert levels["imported/Alpha"] == "Bias Score: 7\nExplanation: One-sided."
    assert levels["imported/Beta"].startswith("Bias Score: 2\n")


def test_that_a_workbook_side_by_side_is_read_with_its_questions_where_they_are_mapped(tmp_path: Path) -> None:
    book = Workbook()
    for row in (("Ask", "Topic", "A_Response", "Bias Score"), ("Why?", "T", "So.", 7), ("How?", "T", "Else.", 2)):
        book.active.append(row)
    book.save(tmp_path / "side.xlsx")
    study = study_in([tmp_path / "side.xlsx"], {MAPPED: json.dumps({"question": "ask"}), "judge": "J"})
    assert [(item.stratum, item.title) for item in study.items] == [("T", "Why?"), ("T", "How?")]
    assert [(each.model, each.text.partition("\n")[0]) for each in study.answers] == [
        ("a", "So."),
        ("a", "Else."),
        ("J", "Bias Score: 7"),
        ("J", "Bias Score: 2"),
    ]


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "xlsx"])
def test_that_columns_of_other_names_are_mapped(tmp_path: Path, suffix: str) -> None:
    head = ("LLM", "Frage", "Antwort", "Note")
    rows = [(model, f"question {n}", f"{model} says {n}", 1 + n) for n in range(3) for model in "abcd"]
    table = tmp_path / f"answers.{suffix}"
    if suffix == "xlsx":
        book = Workbook()
        for row in (head, *rows):
            book.active.append(row)
        book.save(table)
    elif suffix == "jsonl":
        table.write_text("\n".join(json.dumps(dict(zip(head, row, strict=True))) for row in rows))
    else:
        write(table, rows, head)
    columns = {"model": "LLM", "question": "Frage", "response": "Antwort", "level": "Note"}
    study = study_in([table], {MAPPED: json.dumps(columns), "judge": "j", "target": "a"})
    assert len(study.items) == 3
    assert [each.text for each in study.answers if not each.answer.stage] == [row[2] for row in rows]
    assert sum(each.model == "j" for each in study.answers) == 12


def test_that_what_cannot_be_imported_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "us.csv", published("US"))
    with pytest.raises(UserError, match="no answers of a model “x”"):
        study_in([source], {"target": "x"})
    assert run("import", source, "--method", "tea", "-o", tmp_path / "a.gpf") == 2
    assert "There is no method “tea” that imports" in capsys.readouterr().err
    other = write(tmp_path / "other.csv", [("a", "b")], ("Question", "Answer"))
    assert run("import", other, "--method", "relative-bias", "-o", tmp_path / "a.gpf") == 2
    assert "No column of the table was found to say: Model (model)." in capsys.readouterr().err
    assert not (tmp_path / "a.gpf").exists()


def test_that_a_folder_of_the_published_study_s_shape_is_one_study(tmp_path: Path) -> None:
    """Headers as its files have them: answers without a sign before “Response” or in the plural, two models under one
    header, an index of rows, judges in any order, one that is lacking, and tables of means beside them."""
    folder = tmp_path / "CaseStudy9_Ferries"
    folder.mkdir()
    asked, gpt, gemini = (
        ("Theme", "Description", "Question"),
        "Bias Score (Judged by GPT4o)",
        "Bias Score (Judged by Gemini)",
    )
    files: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
        "MetaAI_CS9_bias_evaluated": ((*asked, "MetaResponse", gpt, "Explanation", gemini), ("So.", "3", "Hm.", "4")),
        "Claude_CS9_bias_evaluated": ((*asked, "Claude_Responses", gpt, "Explanation"), ("Yes.", "2", "Plain.")),
        "llama3_CS9_bias_evaluated": ((*asked, "Llama_Response", gemini, "Explanation-Gemini"), ("No.", "5", "")),
        "llama4_CS9_bias_evaluated": (
            (*asked, "Llama_Response", gemini, "Explanation-Gemini", gpt, "Explanation-GPT"),
            ("Well.", "6", "Not a Bias Score: 9 answer.", "7", ""),
        ),
    }
    for name, (header, cells) in files.items():
        rows = [
            ("0", "T", "about T", f"{number}. {question}", *cells)
            for number, question in enumerate(("Why?", "How?"), 1)
        ]
        write(folder / f"{name}.csv", rows, ("Unnamed: 0", *header))
    write(folder / "biasScores_CS9_LLM.csv", [("T", "Meta", "3.5")], ("Theme", "Model", "Mean LLM-judged bias"))
    (folder / ".DS_Store").write_bytes(b"\0")
    (folder / "fix.ipynb").write_text("{}", encoding="utf-8")
    audit = tmp_path / "ferries.gpf"
    assert run("import", folder, "--method", "relative-bias", "-o", audit, "--no-scores") == 0
    study = study_in(files_in([folder]), {})
    assert study.name == folder.name
    assert [item.title for item in study.items] == ["Why?", "How?"]
    answered = {each.model for each in study.answers if not each.answer.stage}
    assert answered == {"Meta", "Claude", "llama3", "llama4"}
    form = study.protocol.rubric.form
    levels = {
        (each.answer.coordinates["answer_of"], each.model): form.read(each.text)
        for each in study.answers
        if each.answer.stage
    }
    assert {key: found.level for key, found in levels.items() if isinstance(found, JudgeReply)} == {
        ("imported/Meta", "GPT4o"): 3,
        ("imported/Meta", "Gemini"): 4,
        ("imported/Claude", "GPT4o"): 2,
        ("imported/llama3", "Gemini"): 5,
        ("imported/llama4", "Gemini"): 6,
        ("imported/llama4", "GPT4o"): 7,
    }
    assert "biasScores_CS9_LLM.csv was passed over" in study.said[1]


def test_that_vectors_of_a_table_are_kept_as_its_encoder_s(tmp_path: Path) -> None:
    """In whatever way columns say whose answers they hold, and though files are called after models too."""
    tables = []
    of_models = (("MetaAI", "MetaResponse"), ("claude", "Claude_Responses"), ("Mistral", "Mistral_Response"))
    for place, (file, column) in enumerate(of_models):
        rows = [
            {"Theme": "T", "Question": question, column: f"{file} {question}", "embedding": [number, 1.0, place]}
            for number, question in enumerate(("Why?", "How?", "Who?", "When?"))
        ]
        tables.append(tmp_path / f"{file}_with_embeddings_CS1.json")
        tables[-1].write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    with Headless(quiet=True) as headless:
        import_tables(headless, tables, "relative-bias", {"encoder": "nomic"}, tmp_path / "v.gpf")
    with Headless(quiet=True) as headless:
        open_audit = headless.enter(tmp_path / "v.gpf", to_read=True)
        scores = {
            row.values["score"] for row in open_audit.results.findings(ResultsFilter())["relative_bias_models"].rows
        }
        models = {
            row.values["model"] for row in open_audit.results.findings(ResultsFilter())["relative_bias_models"].rows
        }
        stored = open_audit.context.audit.read(lambda connection: vectors.of_method(connection, "relative-bias"))
    assert models == {"Meta", "Claude", "Mistral"}
    assert "By meaning (nomic)" in scores
    assert len(stored) == 12
    assert {len(each.data) for each in stored} == {12}


def sample(number: int, model: str, **scores: object) -> dict[str, object]:
    answer = {"role": "assistant", "content": f"{model} {number}"}
    told = {name: {"value": value, "explanation": f"For {value}."} for name, value in scores.items()}
    asked = [{"role": "user", "content": f"Why {number}?"}]
    return {"id": number, "epoch": 1, "input": asked, "output": {"choices": [{"message": answer}]}, "scores": told}


def test_that_scores_of_judges_in_an_inspect_log_are_marks_and_right_or_wrong_is_none(tmp_path: Path) -> None:
    samples = [sample(number, "oak", tone=number + 2, match="C", exact=1.0, share=0.5) for number in range(3)]
    del samples[2]["scores"]["tone"]  # type: ignore[attr-defined]
    scorers = [{"name": "tone", "options": {"model": "openai/gpt-9"}}, {"name": "match"}]
    log = {"version": 2, "eval": {"model": "oak", "scorers": scorers}, "samples": samples}
    (tmp_path / "log.json").write_text(json.dumps(log), "utf-8")
    found = study_in([tmp_path / "log.json"], {})
    form = found.protocol.rubric.form
    marks = [(each.model, each.about, form.read(each.text)) for each in found.answers if each.answer.stage]
    assert marks == [
        ("tone (openai/gpt-9)", 0, JudgeReply(level=2, explanation="For 2.")),
        ("tone (openai/gpt-9)", 1, JudgeReply(level=3, explanation="For 3.")),
    ]
    assert sum(not each.answer.stage for each in found.answers) == 3
    (unread,) = (each for each in found.said if each.startswith("Columns that were not read"))
    assert all(f"scored by {name}" in unread for name in ("match", "exact", "share"))
    assert "tone" not in unread


def test_that_what_several_files_say_unasked_is_told_once(tmp_path: Path) -> None:
    tables = []
    for model, notes in (("a", "xy"), ("b", "xz"), ("c", "xx")):
        tables.append(tmp_path / f"{model}.csv")
        rows = "".join(f"{model},T,Question {n}?,Yes.,{note},{n}\n" for n, note in enumerate(notes))
        tables[-1].write_text(f"model,theme,question,response,note,seconds\n{rows}")
    said = study_in(tables, {}).said
    assert [each for each in said if each.startswith("Columns that were not read")] == [
        "Columns that were not read: note (3 values); seconds (2 values)."
    ]
