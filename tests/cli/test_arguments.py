"""What is typed after `gpf-desktop`: understood, or named in one sentence; a window only where one is asked for."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from gpf_desktop import cli
from gpf_desktop.engine.core.catalogue import importers
from gpf_desktop.engine.core.protocols import load_protocol, write_protocol

Window = list[tuple[str, Path | None]]


def begin(*arguments: object) -> tuple[int, Window]:
    shown: Window = []

    def show(kind: str, audit: Path | None) -> int:
        shown.append((kind, audit))
        return 0

    code = cli.main(
        [str(argument) for argument in arguments],
        show_window=lambda audit: show("window", audit),
        show_demo=lambda audit: show("demo", audit),
    )
    return code, shown


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--hepl"], "There is no option --hepl. Did you mean --help?"),
        (["-x"], "There is no option -x."),
        (["rnu", "plan.toml", "--audit", "a.gpf"], "There is no command or file “rnu”. Did you mean run?"),
        (["run", "--auditt=a.gpf", "plan.toml"], "There is no option --auditt. Did you mean --audit?"),
        (["run", "plan.toml"], "required: --audit. Help: gpf-desktop run --help"),
        (["demo", "a.gpf", "b.gpf"], "Unrecognized arguments: b.gpf"),
        (["demo", "--no-win"], "Did you mean --no-window?"),
        (["score", "a.csv", "-o", "b.csv", "--rarefy", "1"], "“1” is not a whole number from 2"),
        (["score", "a.csv", "-o", "b.csv", "--rarefy", "m"], "“m” is not a whole number from 2"),
        (["rate", "a.gpf", "--judge", "x/y", "--spend-cap", "inf"], "“inf” is no sum of dollars above 0"),
        (["write", "x/y", "-o", "s.yaml", "--spend-cap", "-0.0"], "“-0.0” is no sum of dollars above 0"),
        (["fetch", ""], "The source is empty."),
        (["fetch", "/"], "/ is a folder. Give the name of a file in it."),
        (["verify", ""], "it is empty, and a name is needed"),
        (["import", __file__, "-o", "b.gpf", "--map", ""], "--map: it is empty, and a name is needed"),
        (["report", "a.gpf", "-o", "r.html", "--draft", " "], "it is empty, and a name is needed"),
        (["fetch", "x.xml", "--limit", "0"], "“0” is not a whole number from 1"),
        (["score", "nothere.csv", "-o", "b.csv"], "nothere.csv cannot be read"),
        (["run", "nothere.toml", "--audit", "a.gpf"], "Check the name and the permissions of the file."),
        (["prices", "nothere.yaml"], "Check the name and the permissions of the file."),
        (["assign", "a.gpf", "--to", "a\udcffb", "-o", "b"], "“a?b” holds bytes that are no text."),
        (["import", "a.csv", "-o", "b.gpf", "--name", "\udcff"], "“?” holds bytes that are no text."),
        (["config", "--import", "nothere.json"], "Check the name and the permissions of the file."),
    ],
)
def test_that_a_slip_is_one_sentence_and_exit_2_without_a_window(
    arguments: Sequence[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert begin(*arguments) == (2, [])
    said = capsys.readouterr()
    assert says in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


@pytest.mark.parametrize("text", ["x", "[1]", "name: [", "name: 3"])
def test_that_what_is_no_protocol_is_told_where_an_import_goes_by_it(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    protocol, table = tmp_path / "p.yaml", tmp_path / "t.csv"
    protocol.write_text(text)
    table.write_text("model,article,headline,identity,dimension,family,response\na,h,H,Hindu,Faith,Impact,Words.\n")
    assert begin("import", table, "--protocol", protocol, "-o", tmp_path / "a.gpf") == (2, [])
    assert f"The protocol {protocol} cannot be read" in capsys.readouterr().err


def test_that_two_files_and_a_folder_open_no_window(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "a.gpf", tmp_path / "b.gpf"
    first.touch()
    second.touch()
    assert begin(first, second) == (2, [])
    assert "A window opens one audit, and 2 are named." in capsys.readouterr().err
    assert begin(tmp_path) == (2, [])
    assert "is a folder" in capsys.readouterr().err


def test_that_a_window_is_shown_where_one_is_asked_for(tmp_path: Path) -> None:
    audit = tmp_path / "a.gpf"
    audit.touch()
    assert begin() == (0, [("window", None)])
    assert begin(audit) == (0, [("window", audit)])
    assert begin("--", audit) == (0, [("window", audit)])
    assert begin("demo") == (0, [("demo", None)])
    assert begin("demo", "--", tmp_path / "copy.gpf") == (0, [("demo", tmp_path / "copy.gpf")])


@pytest.mark.parametrize("flag", ["-V", "--version"])
def test_that_the_version_is_told(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert begin(flag) == (0, [])
    assert capsys.readouterr().out.startswith("gpf-desktop ")


@pytest.mark.parametrize("command", ["demo", "run", "score", "report", "fetch", "check"])
def test_that_help_says_what_a_command_does_and_its_exit_codes(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert begin(command, "--help") == (0, [])
    said = capsys.readouterr().out
    assert said.startswith(f"usage: gpf-desktop {command} ")
    codes = said[said.index("exit codes:") :]
    assert codes.splitlines()[1].split()[0] == "0"
    assert all(f"\n  {code} " in codes for code in (" 2", " 3", "70"))
    assert begin("--help") == (0, [])
    assert f"\n  {command} " in capsys.readouterr().out


@pytest.mark.parametrize("method", sorted(importers()))
def test_that_an_import_tells_its_method_s_columns_behind_the_programs_that_all_read(
    method: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert begin("import", "--method", method, "--help") == (0, [])
    said = " ".join(capsys.readouterr().out.split())
    assert said.count("HELM") == said.count("DeepEval") == 1
    assert said.index("DeepEval") < said.index(importers()[method].does)


@pytest.mark.parametrize(
    ("target", "says"),
    [("r.odt", "cannot be written as “.odt”"), ("nodir/r.html", "There is no folder"), ("a.html", "is a folder")],
)
def test_that_report_looks_at_its_target_before_the_audit(
    target: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.html").mkdir()
    assert begin("report", tmp_path / "nothere.gpf", "-o", tmp_path / target) == (2, [])
    said = capsys.readouterr().err
    assert says in said
    assert "nothere.gpf" not in said


def test_that_what_two_protocols_say_differently_is_listed_with_both_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shipped = load_protocol("Sugary drinks", method="relative-bias")
    file = tmp_path / "mine.yaml"
    file.write_text(write_protocol(replace(shipped, margin_k=0.75), "relative-bias"), encoding="utf-8")
    assert begin("diff", "Sugary drinks", file, "--method", "relative-bias")[0] == 1
    assert capsys.readouterr().out == f"margin k\n  - {shipped.margin_k}\n  + 0.75\n"
    assert begin("diff", file, file, "--method", "relative-bias", "--json")[0] == 0
    assert capsys.readouterr().out.strip() == "[]"
