"""Nothing is destroyed by where a command is told to write: every command by the arguments that it declares."""

import argparse
import ast
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import platformdirs
import pytest

from gpf_desktop import cli
from gpf_desktop.cli.command import Command, Parser, parser_of
from gpf_desktop.cli.targets import Output
from gpf_desktop.documents.targets import check_audit, check_target
from gpf_desktop.domain.errors import GpfError, UserError
from gpf_desktop.engine.core import catalogue
from gpf_desktop.storage.audit_file import AuditFile

METHODS = {"import": ["relative-bias", "saged"], "score": ["relative-bias", "saged", "contextual-stereoset"]}
"""Commands whose arguments depend on the method, with further ones than their own."""
PACKAGE = Path(cli.__file__).parents[1]
OWN_FILES = {
    "documents/packed_tables.py",
    "engine/commands/sentences_command.py",
    "exporters/data_files.py",
    "methods/contextual_stereoset/check.py",
    "methods/saged/check.py",
    "storage/reserved_space.py",
    "ui/theme/style_sheet.py",
}
"""What writes into folders that the program made a moment before, or its own hidden files."""


def commands() -> tuple[Command, ...]:
    return cli.commands_of(lambda _: 0)


def run(*arguments: object) -> int:
    return cli.main([str(each) for each in arguments], show_window=lambda _: 0, show_demo=lambda _: 0)


def declared() -> Iterator[tuple[str, list[str], Parser]]:
    for command in commands():
        for method in ["", *METHODS.get(command.name, ())]:
            typed = ["--method", method] if method else []
            yield command.name, typed, parser_of(command, typed)


def outputs(*kinds: Output) -> list[object]:
    found = [
        pytest.param(name, typed, dest, id=" ".join([name, *typed[1:], dest]))
        for name, typed, parser in declared()
        for dest, kind in parser.outputs.items()
        if kind in kinds
    ]
    assert found
    return found


def typed_for(name: str, typed: list[str], into: dict[str, Path], read: Path) -> list[str]:
    """A command line of *name* with all that it needs: outputs by *into*, and *read* for whatever it reads."""
    parser = parser_of(next(each for each in commands() if each.name == name), typed)
    line = [name, *typed]
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction) or action.dest in {"method", "json", "force"}:
            continue
        if action.dest in into:
            value = [str(into[action.dest])]
        elif action.required or (action.type is Path and action.dest not in parser.outputs):
            value = [str(read)]
        else:
            continue
        line += [action.option_strings[0], *value] if action.option_strings else value
    return line


def needed(parser: Parser, but: str, folder: Path) -> dict[str, Path]:
    """Places for the outputs that have to be named beside *but*."""
    return {
        action.dest: folder / f"{action.dest}.out"
        for action in parser._actions
        if action.required and action.dest in parser.outputs and action.dest != but
    }


@pytest.fixture
def audit(tmp_path: Path) -> Path:
    path = tmp_path / "audit.gpf"
    AuditFile.create(path, title="precious").close()
    return path


def disguises(audit: Path) -> dict[str, Path]:
    """The same audit by other names and ways, and what belongs to it."""
    folder = audit.parent
    (folder / "link.csv").symlink_to(audit)
    os.link(audit, folder / "hard.csv")
    (folder / "plain.csv").write_bytes(audit.read_bytes())
    (folder / "sub").mkdir()
    return {
        "itself": audit,
        "another spelling": folder / "sub" / ".." / "audit.gpf",
        "a link": folder / "link.csv",
        "a hard link": folder / "hard.csv",
        "an audit called otherwise": folder / "plain.csv",
        "its journal": folder / "audit.gpf-wal",
        "its old journal": folder / "audit.gpf-journal",
        "its memory": folder / "audit.gpf-shm",
        "its lock": folder / ".audit.gpf.lock",
    }


@pytest.mark.parametrize("typed", [["artifact", "a.gpf"], ["import", "t.csv"], ["plan", "p.toml"]])
def test_that_a_name_that_ends_as_a_folder_is_no_file(
    typed: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(*typed, "-o", "results/") == 2
    assert "“results/” is a folder; give the name of a file in it" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", " ", "-"])
@pytest.mark.parametrize(
    ("name", "typed", "dest"), outputs(Output.FILE, Output.FOLDER, Output.AUDITS, Output.NEW_AUDIT, Output.OWN_AUDIT)
)
def test_that_no_command_takes_an_empty_name_or_a_dash_for_a_file(
    name: str,
    typed: list[str],
    dest: str,
    text: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = tmp_path / "read.toml"
    read.write_text("model,response\n")
    monkeypatch.chdir(tmp_path)
    parser = parser_of(next(each for each in commands() if each.name == name), typed)
    placeholder = tmp_path / "placeholder"
    line = typed_for(name, typed, {**needed(parser, dest, tmp_path), dest: placeholder}, read)
    assert run(*(text if each == str(placeholder) else each for each in line)) == 2
    assert ("standard output" if text == "-" else "it is empty") in capsys.readouterr().err
    assert [each.name for each in tmp_path.iterdir()] == ["read.toml"]


def test_that_a_file_beside_is_not_taken_for_one_that_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made.zip").write_text("kept\n")
    AuditFile.create(tmp_path / "audit.gpf", title="Evening").close()
    monkeypatch.chdir(tmp_path)
    assert run("artifact", "audit.gpf", "-o", "made.zip") == 2
    assert "made.zip is there already" in capsys.readouterr().err


def test_that_a_link_that_leads_nowhere_is_no_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    AuditFile.create(tmp_path / "audit.gpf", title="Evening").close()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere" / "x")
    assert run("tables", str(tmp_path / "audit.gpf"), "-o", str(tmp_path / "link")) == 2
    assert "is a link that leads nowhere" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "typed", "dest"), outputs(Output.FILE, Output.NEW_AUDIT))
def test_that_no_command_writes_over_an_audit(
    name: str, typed: list[str], dest: str, audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read = tmp_path / "read.toml"
    read.write_text("model,response\n")
    before = audit.read_bytes()
    parser = parser_of(next(each for each in commands() if each.name == name), typed)
    force = ["--force"] if parser.outputs[dest] is Output.FILE else []
    for what, target in disguises(audit).items():
        line = typed_for(name, typed, {**needed(parser, dest, tmp_path), dest: target}, read)
        assert run(*line, *force) == 2, what
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1), what
        assert any(words in said.err for words in ("is an audit", "belongs to the audit", "there already")), said.err
        assert audit.read_bytes() == before
        assert (tmp_path / "plain.csv").read_bytes() == before


@pytest.mark.parametrize(("name", "typed", "dest"), outputs(Output.FILE))
def test_that_no_command_writes_over_what_it_reads_nor_without_force_over_anything(
    name: str, typed: list[str], dest: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read, other = tmp_path / "read.toml", tmp_path / "other.html"
    read.write_text("kept\n")
    other.write_text("kept too\n")
    (tmp_path / "link.html").symlink_to(read)
    os.link(read, tmp_path / "hard.html")
    parser = parser_of(next(each for each in commands() if each.name == name), typed)
    more = needed(parser, dest, tmp_path)
    reads = any(action.type is Path and action.dest not in parser.outputs for action in parser._actions)
    reads = reads or any(action.required and action.dest not in parser.outputs for action in parser._actions)
    for target in (read, tmp_path / "." / "read.toml", tmp_path / "link.html", tmp_path / "hard.html"):
        line = typed_for(name, typed, {**more, dest: target}, read)
        if reads:
            assert run(*line, "--force") == 2
            assert "would overwrite" in capsys.readouterr().err
        assert run(*line) == 2
        assert read.read_text() == "kept\n"
    capsys.readouterr()
    assert run(*typed_for(name, typed, {**more, dest: other}, read)) == 2
    assert "is there already" in capsys.readouterr().err
    assert other.read_text() == "kept too\n"


@pytest.mark.parametrize(
    ("name", "typed", "dest"), outputs(Output.FILE, Output.FOLDER, Output.AUDITS, Output.NEW_AUDIT, Output.OWN_AUDIT)
)
def test_that_a_place_where_nothing_can_be_is_one_sentence(
    name: str, typed: list[str], dest: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read = tmp_path / "read.toml"
    read.write_text("x\n")
    parser = parser_of(next(each for each in commands() if each.name == name), typed)
    folder = parser.outputs[dest] in {Output.FOLDER, Output.AUDITS}
    places = [tmp_path / ("n" * 300), tmp_path / ("ü" * 140), tmp_path / "no folder" / "x", read / "x"]
    places += [tmp_path / "a\nb.html", tmp_path / "x\u202elmth.gpf", tmp_path / "a\0b.html"]
    # Windows hands over half a character as it is.
    places.append(tmp_path / "a\ud800b.html")
    (tmp_path / "circle.html").symlink_to(tmp_path / "circle.html")
    places.append(tmp_path / "circle.html")
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.html")
        places.append(tmp_path / "pipe.html")
    for place in [*places, *([read] if folder else [tmp_path])]:
        line = typed_for(name, typed, {**needed(parser, dest, tmp_path), dest: place}, read)
        if name == "demo":
            line.append("--no-window")
        assert run(*line) in {2, 3}, place
        said = capsys.readouterr()
        assert (said.out, said.err.count("\n")) == ("", 1), place
        assert said.err[:-1].isprintable(), place


@pytest.mark.parametrize("letter", ["n", "ü"])
def test_that_an_audit_s_name_leaves_room_for_the_names_of_what_lies_beside_it(tmp_path: Path, letter: str) -> None:
    """The last one that is let through: the audit is made, is read while it is open, and each companion fits."""
    most = os.pathconf(tmp_path, "PC_NAME_MAX") if hasattr(os, "pathconf") else 255
    each = len(letter.encode())
    longest = letter * ((most - len(".backup-format-999") - len(".gpf")) // each)
    path = tmp_path / f"{longest}.gpf"
    for check in (check_audit, check_target):
        with pytest.raises(UserError, match="is too long"):
            check(tmp_path / f"{longest}{letter}.gpf")
        check(path)
    audit = AuditFile.create(path, title="long")
    for end in ("-wal", "-shm"):
        assert path.with_name(path.name + end).exists()
    audit.close()
    for companion in (f"{path.name}-journal", f".{path.name}.reserved", f"{path.name}.backup-format-999"):
        path.with_name(companion).touch()


def test_that_no_settings_or_keys_of_the_program_are_replaced(
    audit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("user_config_path", "user_data_path"):
        monkeypatch.setattr(platformdirs, name, lambda *_, **_of: tmp_path / "own")
    kept = tmp_path / "own" / "settings.json"
    kept.parent.mkdir()
    kept.write_text('{"settings": {}}\n')
    (tmp_path / "link.html").symlink_to(kept)
    for target in (kept, tmp_path / "link.html"):
        assert run("artifact", audit, "-o", target, "--force") == 2
        assert "keeps its settings and keys" in capsys.readouterr().err
    assert kept.read_text() == '{"settings": {}}\n'


@pytest.mark.parametrize("name", [command.name for command in commands()])
def test_that_what_no_command_can_read_is_bad_input_wherever_it_stands(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    odd = [tmp_path / ("n" * 300)]
    if hasattr(os, "mkfifo"):
        # Whoever opens it waits for somebody who writes.
        os.mkfifo(tmp_path / "pipe")
        odd.append(tmp_path / "pipe")
        os.mknod(tmp_path / "socket", stat.S_IFSOCK | 0o600)
        odd.append(tmp_path / "socket")
        # Through a link, as a table that never ends.
        (tmp_path / "zeros").symlink_to("/dev/zero")
        odd.append(tmp_path / "zeros")
    parser = parser_of(next(each for each in commands() if each.name == name), [])
    for each in odd:
        line = typed_for(name, [], needed(parser, "", tmp_path), each)
        if len(line) == 1:
            return
        if name == "demo":
            line.append("--no-window")
        assert run(*line) == 2, each
        assert capsys.readouterr().err.count("\n") == 1


def test_that_whatever_names_a_file_to_write_is_declared_as_output() -> None:
    for name, typed, parser in declared():
        for action in parser._actions:
            writes = {"-o", "--output", "--out", "--save", "--picture"} & set(action.option_strings) or any(
                option.startswith(("--save-", "--write-")) for option in action.option_strings
            )
            assert not writes or action.dest in parser.outputs, (name, typed, action.dest)


def test_that_files_are_written_through_the_one_function_alone() -> None:
    """Whatever opens a file for writing gets its path from `whole_file`, which calls it ``beside``."""
    found = []
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _writes(node, node.func):
                written = node.func.value
                if not (isinstance(written, ast.Name) and written.id == "beside"):
                    found.append(path.relative_to(PACKAGE).as_posix())
    assert set(found) <= OWN_FILES


def _writes(node: ast.Call, called: ast.Attribute) -> bool:
    if called.attr in {"write_text", "write_bytes"}:
        return True
    modes = [each.value for each in node.args[:1] if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return called.attr == "open" and any(set(mode) & set("wax") and len(mode) < 4 for mode in modes)


def test_that_the_open_audit_keeps_its_locks_and_is_written_over_by_nothing(tmp_path: Path) -> None:
    audit = AuditFile.create(tmp_path / "open.gpf", title="open")
    try:
        (tmp_path / "link.pdf").symlink_to(audit.path)
        os.link(audit.path.with_name("open.gpf-wal"), tmp_path / "journal.pdf")
        for target in ("open.gpf", "link.pdf", "open.gpf-wal", "journal.pdf", ".open.gpf.lock", ".open.gpf.reserved"):
            with pytest.raises(UserError):
                check_target(tmp_path / target, replaces=True)
        with pytest.raises(GpfError, match="open in another"):
            AuditFile.open(audit.path)
    finally:
        audit.close()


@pytest.mark.slow
def test_that_a_former_export_stays_without_force(
    small_audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    audit, into = small_audit, tmp_path / "tables"
    line = ("tables", audit, "-o", into, "--format", "csv")
    assert run(*line) == 0
    kept = {path.name: path.read_bytes() for path in into.iterdir()}
    (into / "dictionary.csv").write_text("mine")
    assert run(*line) == 2
    assert "dictionary.csv is there already" in capsys.readouterr().err
    (into / "dictionary.csv").unlink()
    assert run(*line) == 2
    assert not (into / "dictionary.csv").exists()
    (into / "dictionary.csv").symlink_to(audit)
    before = audit.read_bytes()
    assert run(*line, "--force") == 2
    (into / "dictionary.csv").unlink()
    assert run(*line, "--force") == 0
    assert {path.name: path.read_bytes() for path in into.iterdir()} == kept
    assert audit.read_bytes() == before


def test_that_of_a_folder_only_what_is_read_counts_as_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ports.txt").write_text("Velmora is a country of ports. Velmora trades with everyone.")
    monkeypatch.chdir(tmp_path)
    line = ("sentences", ".", "--concept", "Velmora", "-o")
    assert run(*line, "s.csv") == 0
    assert run(*line, "s.csv") == 2
    assert "Choose another name, or replace it with --force." in capsys.readouterr().err
    assert run(*line, "s.csv", "--force") == 0
    before = (tmp_path / "ports.txt").read_bytes()
    assert run(*line, "ports.txt", "--force") == 2
    assert (tmp_path / "ports.txt").read_bytes() == before


@pytest.mark.parametrize("method", ["relative-bias", "contextual-stereoset", "saged"])
def test_that_tables_that_are_there_are_found_before_anything_is_scored(
    method: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = catalogue.file_tables_of(method).writes[0]
    (tmp_path / "scores").mkdir()
    (tmp_path / "scores" / first).write_text("mine")
    # No table at all: whoever begins to read it complains of that.
    (tmp_path / "answers.csv").write_text("nothing")
    line = ("score", tmp_path / "answers.csv", "--method", method, "-o", tmp_path / "scores")
    given = ("--target", "a") if method == "relative-bias" else ()
    assert run(*line, *given) == 2
    assert f"{first} is there already" in capsys.readouterr().err


def test_that_the_command_line_s_option_is_named_on_the_command_line_alone(tmp_path: Path) -> None:
    (tmp_path / "there.csv").touch()
    with pytest.raises(UserError) as raised:
        check_target(tmp_path / "there.csv")
    assert "--" not in str(raised.value)


def test_that_one_file_is_not_written_twice_by_two_spellings(
    audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "same").symlink_to(tmp_path)
    for spelling in ("./report.html", "sub/../report.html", "same/report.html"):
        line = ("report", audit, "-o", tmp_path / "report.html", "--save-draft", f"{tmp_path}/{spelling}")
        assert run(*line) == 2, spelling
        assert "written twice" in capsys.readouterr().err
    assert not (tmp_path / "report.html").exists()


def test_that_declarations_make_no_audit_of_a_name_that_was_mistyped(tmp_path: Path) -> None:
    (tmp_path / "form.toml").write_text('[declaration]\nauditor = "Ana"\n')
    assert run("declare", tmp_path / "missing.gpf", tmp_path / "form.toml") == 2
    assert [each.name for each in tmp_path.iterdir()] == ["form.toml"]


def test_that_a_command_that_is_refused_leaves_every_byte_of_its_audit(
    audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keyless = tmp_path / "keyless.toml"
    keyless.write_text('[[sources]]\nurl = "sample:news"\n[[models]]\nprovider = "openai"\nmodel = "gpt-4o-mini"\n')
    before = audit.read_bytes()
    for line, said in {
        ("test", audit): "nothing to test against",
        ("rate", audit, "--judge", "calibration/neutral"): "can be rated",
        ("demo", audit, "--no-window"): "not the sample",
        ("run", keyless, "--audit", audit): "There is no key",
    }.items():
        assert run(*line) == 2, line
        assert said in capsys.readouterr().err
        assert audit.read_bytes() == before, line


def test_that_the_annex_beside_a_brief_replaces_nothing_unasked(
    audit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "r annex.html").write_text("mine")
    (tmp_path / "draft annex.html").write_text("")
    assert run("report", audit, "--kind", "both", "-o", tmp_path / "r.html") == 2
    assert "r annex.html is there already" in capsys.readouterr().err
    line = ("--draft", tmp_path / "draft annex.html", "-o", tmp_path / "draft.html", "--force")
    assert run("report", audit, "--kind", "both", *line) == 2
    assert "would overwrite" in capsys.readouterr().err
    assert (tmp_path / "r annex.html").read_text() == "mine"


_KILLED = """
import os, sys
from pathlib import Path
from gpf_desktop.__main__ import main

replaced, replace = 0, Path.replace
def dies(self, target):
    global replaced
    replaced += Path(target).suffix == sys.argv[1]
    if replaced == 2:
        os._exit(9)
    return replace(self, target)
Path.replace = dies
sys.exit(main(sys.argv[2:]))
"""


@pytest.mark.slow
def test_that_a_command_killed_between_its_last_renames_is_run_again_as_it_is(
    small_audit: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, end = small_audit.parent, ".parquet"
    line = "export audit.gpf -o out --parted --format parquet --what runs,bundles,answers"
    done = subprocess.run([sys.executable, "-c", _KILLED, end, *line.split()], cwd=folder, check=False)
    assert done.returncode == 9
    monkeypatch.chdir(folder)
    assert len(list(folder.rglob(f"*{end}"))) >= 1
    assert run(*line.split()) == 0, capsys.readouterr().err
    assert not [each.name for each in folder.rglob(".*") if not each.name.endswith(".lock")]
    assert run(*line.split()) == 2
