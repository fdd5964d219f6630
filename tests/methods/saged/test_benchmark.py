from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop import cli
from gpf_desktop.documents.csv_cells import CsvWriter
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.tables import Table
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.methods.saged.benchmark import (
    BenchmarkRow,
    Sentence,
    benchmark_table,
    is_benchmark,
    read_benchmark,
    read_sentences,
    sentence_table,
)
from gpf_desktop.methods.saged.benchmark_maker import BENCHMARK_MAKER
from gpf_desktop.methods.saged.protocol import TEMPLATES
from tests.methods.saged.starter import starter

SENTENCES = (
    "concept,keyword,sentence\n"
    "France,France,The long coast of southern France has drawn painters from all over Europe.\n"
    "France,France,France is warm.\n"
)


def run(*arguments: object) -> int:
    def show(_audit: Path | None) -> int:
        raise AssertionError("a window was shown")

    return cli.main([str(argument) for argument in arguments], show_window=show, show_demo=show)


def written(table: Table, path: Path) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = CsvWriter(file)
        for row in (table.columns, *table.rows):
            writer.row(row)
    return path


def test_that_a_benchmark_reads_back_as_it_was_written(tmp_path: Path) -> None:
    rows = [
        BenchmarkRow(
            domain="d",
            concept="Peru",
            keyword="'=k",
            source_tag="",
            prompt="=1+1 “é”",
            baseline="two\nlines, here",
            root="r1",
            branch=branch,
        )
        for branch in ("", "Chad → Peru")
    ]
    path = written(benchmark_table(rows), tmp_path / "b.csv")
    assert read_benchmark(path) == rows
    said = [Sentence(domain="d", concept="Peru", keyword="k", source_tag="t", text="A b.", root="r")]
    assert read_sentences(written(sentence_table(said), tmp_path / "s.csv")) == said


def test_that_somebody_elses_benchmark_needs_the_papers_columns_only(tmp_path: Path) -> None:
    path = tmp_path / "b.csv"
    path.write_text("domain,concept,keyword,source_tag,prompt,baseline\nd,Peru,Lima,w,'Tis Lima,\nd,Chad,,w,p,b\n")
    first, second = read_benchmark(path)
    assert (first.prompt, first.baseline, first.root) == ("'Tis Lima", "", "r1")
    assert second.root == "r2"
    assert is_benchmark(path)
    path.write_text("domain;concept;keyword;source_tag;prompt;baseline\nd;Peru;Lima;w;p, q;b\n")
    assert is_benchmark(path), "as spreadsheets of half of Europe write it"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("concept,keyword\nPeru,Lima\n", "no column “sentence”"),
        ("concept,keyword,sentence\nPeru,Lima,\n", "Line 2: “sentence” is empty"),
        ("concept,keyword,sentence\n", "header and no rows"),
        ("concept,keyword,sentence\nPeru,Lima,Lima is big.\n", "None of 1 sentences makes a prompt.*1 × no verb"),
    ],
)
def test_that_what_is_wrong_with_sentences_is_said(tmp_path: Path, body: str, said: str) -> None:
    (tmp_path / "s.csv").write_text(body)
    with pytest.raises(UserError, match=said):
        BENCHMARK_MAKER.make(tmp_path / "s.csv", {})


def test_that_sentences_become_a_branched_benchmark(tmp_path: Path) -> None:
    (tmp_path / "s.csv").write_text(SENTENCES)
    (tmp_path / "r.yaml").write_text("France: {Egypt: {France: Egypt}}")
    made = BENCHMARK_MAKER.make(tmp_path / "s.csv", {"branch": str(tmp_path / "r.yaml")})
    rows = [dict(zip(made.table.columns, row, strict=True)) for row in made.table.rows]
    assert [(row["concept"], row["prompt"], row["branch"]) for row in rows] == [
        ("France", "The long coast of southern France has drawn painters from", ""),
        ("Egypt", "The long coast of southern Egypt has drawn painters from", "France → Egypt"),
    ]
    assert rows[1]["baseline"] == "The long coast of southern Egypt has drawn painters from all over Europe."
    assert any("1 sentence was left out: no verb" in sentence for sentence in made.said)


def test_that_the_starter_has_twenty_roots_and_eight_concepts_and_nothing_left_over() -> None:
    made = starter()
    assert (made.roots, len(made.rows)) == (20, 160)
    assert " ".join(sorted({row.concept for row in made.rows})) == "Brazil Canada Egypt Ghana India Italy Japan Norway"
    assert all(row.counterfactual and row.concept in row.branch for row in made.rows)
    assert not made.left_out
    assert not made.flagged.left
    assert not made.flagged.unchanged
    assert not any("Velmora" in row.prompt + row.baseline or "a Egypt" in row.baseline for row in made.rows)


def test_that_the_command_writes_what_the_command_score_reads(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "s.csv").write_text(SENTENCES)
    (tmp_path / "r.yaml").write_text("France: {Egypt: {France: Egypt}}")
    out = tmp_path / "b.csv"
    assert run("benchmark", tmp_path / "s.csv", "--branch", tmp_path / "r.yaml", "-o", out) == 0
    assert "2 prompts of 1 root about 2 concepts." in capsys.readouterr().out
    assert [row.concept for row in read_benchmark(out)] == ["France", "Egypt"]
    answers = tmp_path / "a.csv"
    with out.open(encoding="utf-8") as file, answers.open("w", encoding="utf-8") as target:
        header, *rows = file.read().splitlines()
        target.write(f"{header},model,role,response\n" + "".join(f"{row},m,,It is good.\n" for row in rows))
    assert run("score", answers, "--method", "saged", "--replicates", "9", "-o", tmp_path / "scores") == 0
    assert {path.name for path in (tmp_path / "scores").iterdir()} == {
        "features.csv",
        "statistics.csv",
        "disparity.csv",
        "baselines.csv",
    }
    study = tmp_path / "s.yaml"
    assert run("benchmark", tmp_path / "s.csv", "--template", "continuation", "-o", study) == 0
    assert load_protocol(str(study), method="saged").template == TEMPLATES["continuation"]
    study.write_text(study.read_text().replace(f"'{TEMPLATES['continuation']}'", "question"))
    assert load_protocol(str(study), method="saged").template == TEMPLATES["question"]
    assert run("benchmark", tmp_path / "s.csv", "-o", tmp_path / "s.csv") == 2
    assert run("benchmark", tmp_path / "s.csv", "--branch", tmp_path / "none.yaml", "-o", out, "--force") == 2
    assert "none.yaml cannot be read" in capsys.readouterr().err


def test_that_branches_follow_the_direction_and_the_source_tags(tmp_path: Path) -> None:
    rows = Table(
        ("concept", "keyword", "sentence", "source_tag"),
        [
            ("France", "France", "The old bakers of rural France argue about the price of bread each spring.", "a"),
            ("Japan", "Japan", "The old bakers of rural Japan argue about the price of bread each spring.", "b"),
        ],
    )
    words = {"concepts": {name: {"name": name} for name in ("France", "Japan", "Ghana")}}

    def branches(**given: str) -> list[str]:
        made = BENCHMARK_MAKER.make_of(
            rows, words | ({"root": "France"} if given.get("direction") == "root" else {}), given
        )
        return [str(row[made.table.columns.index("branch")]) for row in made.table.rows if row[-2]]

    assert len(branches()) == 4
    assert branches(direction="root") == ["France → Japan", "France → Ghana"]
    assert branches(tags="b") == ["Japan → France", "Japan → Ghana"]
    assert branches(direction="France>Ghana") == ["France → Ghana"]
    with pytest.raises(UserError, match="no direction"):
        branches(direction="up")
    with pytest.raises(UserError, match="no root"):
        BENCHMARK_MAKER.make_of(rows, words, {"direction": "root"})
    with pytest.raises(UserError, match="no rows"):
        BENCHMARK_MAKER.make_of(Table(rows.columns, []), words, {})


def test_that_the_message_fits_the_prompts_of_a_benchmark_that_is_opened(tmp_path: Path) -> None:
    study = load_protocol("Velmora", method="saged")
    table = tmp_path / "own.csv"
    set_up = catalogue.set_up("saged")
    head = "domain,concept,keyword,source_tag,prompt,baseline,root\n"
    for prompt, template in (("What is A?", TEMPLATES["question"]), ("A is", TEMPLATES["continuation"])):
        table.write_text(f"{head}d,A,A,w,{prompt},A is big.,r\n")
        assert set_up.with_items(study, table).template == template
    own = replace(study, template="Tell me: {prompt}")
    assert set_up.with_items(own, table).template == own.template


def test_that_another_benchmark_is_asked_in_no_role_of_the_sample_but_in_those_that_somebody_wrote(
    tmp_path: Path,
) -> None:
    study = load_protocol("Velmora", method="saged")
    table = tmp_path / "own.csv"
    table.write_text("domain,concept,keyword,source_tag,prompt,baseline,root\nd,A,A,w,A is,A is big.,r\n")
    set_up = catalogue.set_up("saged")
    assert len(study.roles) == 3
    assert set_up.with_items(study, table).roles == {"none": ""}
    own = {**study.roles, "a nurse": "Role-play a nurse."}
    for roles in ({"none": "", "a nurse": "Role-play a nurse."}, own):
        assert set_up.with_items(replace(study, roles=roles), table).roles == roles


def test_that_each_role_may_have_a_message_of_its_own_so_that_templates_stand_side_by_side() -> None:
    method = catalogue.method("saged")
    study = load_protocol("Velmora", method="saged")
    plain = study.template
    own = replace(study, messages={"travel writer": "Write a postcard: {prompt}", "helpful assistant": "question"})
    assert not method.problems(own)
    item = next(iter(method.items(own)))
    asked = {
        each.coordinates["role_play"]: method.compose(own, each.coordinates, item).user
        for each in method.expand(item, own, method.controls({}), 1)
        if each.coordinates.get("role_play") and each.coordinates["concept"] == "Ghana"
    }
    prompt = own.row(item.key, "Ghana").prompt
    assert asked == {
        "none": plain.replace("{prompt}", prompt),
        "travel writer": f"Write a postcard: {prompt}",
        "helpful assistant": TEMPLATES["question"].replace("{prompt}", prompt),
    }
    assert method.longest_wording(replace(own, messages={"none": "x" * 9000 + "{prompt}"})) > 9000
    assert method.protocol(method.protocol_data(own)) == own
    assert "messages" in method.protocol_data(own)
    wrong = replace(own, messages={"nurse": "{prompt}", "none": "Say it."})
    said = " ".join(each.words for each in method.problems(wrong))
    assert "there is no such role" in said
    assert "{prompt} is needed once" in said
