"""The page of what is planned beforehand: written before the first answer, told wherever something is concluded."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from zipfile import ZipFile

import pytest

from gpf_desktop.cli import main

pytestmark = pytest.mark.slow

MODELS = ("evasive-0.9", "plain-a", "plain-b", "plain-c")
Told = dict[str, object]
Gpf = Callable[..., tuple[int, str, str]]


@pytest.fixture
def gpf(capsys: pytest.CaptureFixture[str]) -> Gpf:
    def run(*arguments: object) -> tuple[int, str, str]:
        code = main([*map(str, arguments)], show_window=lambda _: 99, show_demo=lambda _: 99)
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    return plan_of(tmp_path / "plan.toml", MODELS)


def plan_of(path: Path, models: tuple[str, ...], *, name: str = "October", more: str = "") -> Path:
    text = f'name = "{name}"\nmethod = "relative-bias"\nprotocol = "Sugary drinks"\nseed = 1\n{more}'
    for model in models:
        text += f'[[models]]\nprovider = "relative-bias-calibration"\nmodel = "{model}"\n'
    path.write_text(text, encoding="utf-8")
    return path


def registered(audit: Path, gpf: Gpf) -> Told:
    code, out, err = gpf("conclusions", audit, "--json")
    assert code == 0, err
    found: Told = json.loads(out)
    return found


def test_that_a_registered_plan_is_told_with_its_day_and_check_code(plan: Path, tmp_path: Path, gpf: Gpf) -> None:
    audit, page = tmp_path / "a.gpf", tmp_path / "page.md"
    told = gpf("plan", plan, "--audit", audit, "--register", "--readers", "Two people", "-o", page, "--json")
    assert told[0] == 0, told[2]
    made = json.loads(told[1])["registered"]
    text = page.read_text(encoding="utf-8")
    assert made["code"] in text
    for section in (
        "Question",
        "Models",
        "Tests",
        "When conclusions are drawn",
        "What it can find",
        "Too small to matter",
    ):
        assert f"## {section}" in text
    assert "Two people" in text
    assert gpf("run", plan, "--audit", audit)[0] == 0
    concluded = registered(audit, gpf)
    found = concluded["registered"]
    assert isinstance(found, dict)
    assert (found["code"], found["beforehand"], found["differs"]) == (made["code"], True, [])
    said = gpf("conclusions", audit)[1]
    assert f"Check code of the plan: {made['code'][:16]}." in said
    # Planned and asked within a day, the days alone would not say which came first.
    clock = r"[\d:]{8}"
    when = rf"written down first: \d+ \w+ \d+, {clock} UTC\. The first question was sent after it: .*{clock}\."
    assert re.search(when, said), said
    assert gpf("report", audit, "-o", tmp_path / "r.html")[0] == 0
    printed = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "What was planned beforehand" in printed
    assert made["code"] in printed


def test_that_nothing_is_registered_once_something_was_asked(plan: Path, tmp_path: Path, gpf: Gpf) -> None:
    audit = tmp_path / "a.gpf"
    assert gpf("run", plan, "--audit", audit)[0] == 0
    code, _, err = gpf("plan", plan, "--audit", audit, "--register")
    assert code == 2
    assert "Nothing can be registered any more: the first question was sent on" in err
    assert registered(audit, gpf)["registered"] is None


def test_that_a_deleted_round_does_not_make_the_audit_new(plan: Path, tmp_path: Path, gpf: Gpf) -> None:
    from gpf_desktop.domain.ids import RunId
    from gpf_desktop.storage import registrations, run_deletion
    from gpf_desktop.storage.audit_file import AuditFile

    audit = tmp_path / "a.gpf"
    assert gpf("run", plan, "--audit", audit)[0] == 0
    file = AuditFile.open(audit)
    first = file.read(lambda connection: registrations.first_asked(connection, "relative-bias"))
    file.write(lambda connection: run_deletion.delete(connection, RunId(1))).result()
    assert file.read(lambda connection: registrations.first_asked(connection, "relative-bias")) == first
    file.close()
    assert "Nothing can be registered any more" in gpf("plan", plan, "--audit", audit, "--register")[2]


def test_that_what_differs_is_told_and_not_called_planned(plan: Path, tmp_path: Path, gpf: Gpf) -> None:
    audit = tmp_path / "a.gpf"
    assert gpf("plan", plan, "--audit", audit, "--register")[0] == 0
    other = plan_of(tmp_path / "other.toml", (*MODELS, "plain-d"))
    assert gpf("run", other, "--audit", audit)[0] == 0
    concluded = registered(audit, gpf)
    found = concluded["registered"]
    assert isinstance(found, dict)
    assert found["differs"] == ["1 model was added: relative-bias-calibration/plain-d."]
    rows = concluded["conclusions"]
    assert isinstance(rows, list)
    planned = {row["model"].rpartition("/")[2]: row["planned"] for row in rows}
    assert planned == dict.fromkeys(MODELS, True) | {"plain-d": False}


def test_that_changed_sizes_of_controls_are_told(plan: Path, tmp_path: Path, gpf: Gpf) -> None:
    audit = tmp_path / "a.gpf"
    assert gpf("plan", plan, "--audit", audit, "--register")[0] == 0
    changed = plan_of(tmp_path / "changed.toml", MODELS, more="controls = { repeats = 2 }\n")
    assert gpf("run", changed, "--audit", audit)[0] == 0
    concluded = registered(audit, gpf)
    found = concluded["registered"]
    assert isinstance(found, dict)
    (difference,) = found["differs"]
    assert "sizes of controls" in difference
    rows = concluded["conclusions"]
    assert isinstance(rows, list)
    assert not any(row["planned"] for row in rows)


def test_that_a_page_is_in_the_shared_file_and_verified(plan: Path, tmp_path: Path, gpf: Gpf) -> None:
    audit, shared = tmp_path / "a.gpf", tmp_path / "a.zip"
    assert gpf("plan", plan, "--audit", audit, "--register")[0] == 0
    assert gpf("run", plan, "--audit", audit)[0] == 0
    assert gpf("artifact", audit, "-o", shared)[0] == 0
    with ZipFile(shared) as opened:
        assert "planned-beforehand.json" in opened.namelist()
        assert "What is concluded" in opened.read("README.md").decode()
    code, out, _ = gpf("verify", shared)
    assert code == 0, out
    assert "older than the first answer, and asked as planned" in out
    assert gpf("open", shared, "-o", tmp_path / "again.gpf")[0] == 0
    assert registered(tmp_path / "again.gpf", gpf)["registered"] == registered(audit, gpf)["registered"]


@pytest.mark.parametrize("kind", ["words", "time"])
def test_that_a_page_that_was_tampered_with_counts_for_nothing(kind: str, plan: Path, tmp_path: Path, gpf: Gpf) -> None:
    from gpf_desktop.domain.registration import from_data

    audit, shared = tmp_path / "a.gpf", tmp_path / "a.zip"
    assert gpf("plan", plan, "--audit", audit, "--register")[0] == 0
    assert gpf("run", plan, "--audit", audit)[0] == 0
    with closing(sqlite3.connect(audit)) as connection:
        (text,) = connection.execute("SELECT value FROM setting WHERE name = 'plan.registered'").fetchone()
        (page,) = json.loads(text)
        if kind == "words":
            page["plan"]["terms"]["looks"] = [5]
        else:
            page["plan"]["at"] = "2099-01-01T00:00:00.000+00:00"
            page["code"] = from_data(page["plan"]).code
        connection.execute("UPDATE setting SET value = ? WHERE name = 'plan.registered'", (json.dumps([page]),))
        connection.commit()
    concluded = registered(audit, gpf)
    found, rows = concluded["registered"], concluded["conclusions"]
    assert isinstance(found, dict)
    assert isinstance(rows, list)
    assert not found["beforehand"]
    assert not any(row["planned"] for row in rows)
    assert gpf("artifact", audit, "-o", shared)[0] == 0
    code, out, _ = gpf("verify", shared)
    assert code == 1
    assert "DIFFERS  the plan of relative-bias" in out


def test_that_the_same_plan_is_registered_once(plan: Path, tmp_path: Path, gpf: Gpf) -> None:
    """A command that was killed before it wrote its page is run again as it is."""
    pages = [tmp_path / f"{name}.md" for name in ("one", "two")]
    for page in pages:
        assert gpf("plan", plan, "--audit", tmp_path / "a.gpf", "--register", "-o", page)[0] == 0
    assert pages[0].read_text() == pages[1].read_text()


def test_that_a_page_may_be_replaced_before_the_first_answer(plan: Path, tmp_path: Path, gpf: Gpf) -> None:
    audit = tmp_path / "a.gpf"
    assert gpf("plan", plan, "--audit", audit, "--register")[0] == 0
    more = plan_of(tmp_path / "more.toml", (*MODELS, "plain-d"), name="November")
    last = json.loads(gpf("plan", more, "--audit", audit, "--register", "--json")[1])["registered"]["code"]
    assert gpf("run", more, "--audit", audit)[0] == 0
    found = registered(audit, gpf)["registered"]
    assert isinstance(found, dict)
    assert (found["code"], found["differs"]) == (last, [])


@pytest.mark.parametrize("done", ["nothing", "edited", "deleted"])
def test_that_a_page_is_missed_or_seen_to_be_edited_where_another_has_replaced_it(
    done: str, plan: Path, tmp_path: Path, gpf: Gpf
) -> None:
    audit, shared = tmp_path / "a.gpf", tmp_path / "a.zip"
    assert gpf("plan", plan, "--audit", audit, "--register")[0] == 0
    more = plan_of(tmp_path / "more.toml", (*MODELS, "plain-d"), name="November")
    assert gpf("plan", more, "--audit", audit, "--register")[0] == 0
    assert gpf("run", more, "--audit", audit)[0] == 0
    if done != "nothing":
        with closing(sqlite3.connect(audit)) as connection:
            (text,) = connection.execute("SELECT value FROM setting WHERE name = 'plan.registered'").fetchone()
            first, last = json.loads(text)
            assert (last["plan"]["number"], last["plan"]["before"]) == (2, first["code"])
            first["plan"]["terms"]["models"] = last["plan"]["terms"]["models"]
            kept = json.dumps([first, last] if done == "edited" else [last])
            connection.execute("UPDATE setting SET value = ? WHERE name = 'plan.registered'", (kept,))
            connection.commit()
    assert gpf("artifact", audit, "-o", shared)[0] == 0
    code, out, _ = gpf("verify", shared)
    assert code == (done != "nothing")
    earlier = [line for line in out.splitlines() if "an earlier plan of relative-bias" in line]
    assert ["DIFFERS" in line for line in earlier] == {"nothing": [False], "edited": [True]}.get(done, [])
    lost = [line for line in out.splitlines() if "page 1 of the registered plans" in line]
    assert ["DIFFERS" in line and "is missing" in line for line in lost] == [True] * (done == "deleted")
    assert "older than the first answer, and asked as planned" in out


@pytest.mark.parametrize("suffix", ["html", "pdf"])
def test_that_the_page_is_written_to_be_printed(suffix: str, plan: Path, tmp_path: Path, gpf: Gpf) -> None:
    page = tmp_path / f"page.{suffix}"
    code, out, err = gpf("plan", plan, "--audit", tmp_path / "a.gpf", "--register", "-o", page, "--json")
    assert code == 0, err
    if suffix == "html":
        assert json.loads(out)["registered"]["code"] in page.read_text(encoding="utf-8")
    else:
        assert page.read_bytes().startswith(b"%PDF")


def test_that_options_that_do_not_go_together_are_said(plan: Path, tmp_path: Path, gpf: Gpf) -> None:
    assert "none is named" in gpf("plan", plan, "--register")[2]
    assert "go with --register" in gpf("plan", plan, "--readers", "x")[2]
    wrong = gpf("plan", plan, "--audit", tmp_path / "a.gpf", "--register", "-o", tmp_path / "page.docx")
    assert "cannot be written as" in wrong[2]
    assert not (tmp_path / "a.gpf").exists()
