"""The right of reply: what the audited party gets, and what comes back; and declarations as files."""

import zipfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import tomlkit

from gpf_desktop.cli import main
from gpf_desktop.domain.declarations import REQUIRED, PartyReply
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.finding_keys import WHOLE
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.drafts.declared import declared_in, form, offered_retention, with_declared
from gpf_desktop.engine.reporting.drafts.draft import DraftFinding, ReportDraft
from gpf_desktop.engine.reporting.replies.package import write_package
from gpf_desktop.engine.reporting.replies.reply_form import FORM, read_replies, with_replies
from tests.support.filled_audit import fill

pytestmark = pytest.mark.slow


@pytest.fixture
def open_audit(tmp_path: Path) -> Iterator[OpenAudit]:
    engine = Engine(lambda _event: None)
    made = engine.create(tmp_path / "a.gpf", title="Evening news")
    fill(made.context.audit, models_asked=("tailoring-0.6",))
    yield made
    engine.close()


def package(open_audit: OpenAudit, target: Path) -> dict[str, str]:
    draft = ReportDraft(findings=(DraftFinding(id=4, title="Wary of voters", text="In words."),))
    write_package(open_audit.reports, open_audit.reports.drafted(draft), open_audit.facts().uuid, target)
    with zipfile.ZipFile(target) as found:
        return {name: found.read(name).decode() for name in found.namelist()}


def filled(text: str, **said: str) -> str:
    document = tomlkit.parse(text).unwrap()
    document |= {"who": "The vendor", "date": "2 May 2027"}
    for entry in document["findings"]:
        entry["reply"] = said.get(entry["about"].partition("/")[0], "")
    return tomlkit.dumps(document)


def test_that_the_package_holds_findings_answers_and_a_form_and_the_reply_comes_home(
    open_audit: OpenAudit, tmp_path: Path
) -> None:
    files = package(open_audit, tmp_path / "p.zip")
    assert sorted(files) == ["README.txt", "answers.html", "findings.html", FORM]
    assert "Wary of voters" in files["findings.html"]
    entries = tomlkit.parse(files[FORM]).unwrap()["findings"]
    assert [entry["about"].partition("/")[0] for entry in entries] == [WHOLE, "conclusion", "finding"]
    back = tmp_path / "back.toml"
    back.write_text(filled(files[FORM], answer="<b>No.</b>", finding="We mended it."), encoding="utf-8")
    replies = read_replies(back, open_audit.facts().uuid)
    assert [(each.about, each.text, each.who) for each in replies] == [
        (WHOLE, "<b>No.</b>", "The vendor"),
        ("finding/1", "We mended it.", "The vendor"),
    ]
    assert with_replies(replies, (replace(replies[0], text="Yes."),)) == (replies[1], replace(replies[0], text="Yes."))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("audit = 'another'\n", "replies to another audit"),
        ("audit = 'ours'\nfindings = 3\n", "holds no findings"),
        ("audit = 'ours'\n[[findings]]\nabout = 'answer'\nreply = '  '\n", "replies to nothing"),
        (f"audit = 'ours'\n[[findings]]\nabout = 'answer'\nreply = '{'x' * 30_000}'\n", "30,000 characters"),
        ("audit = ours", "not valid TOML"),
    ],
)
def test_that_a_form_that_cannot_be_taken_says_why(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "reply.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=said):
        read_replies(path, "ours")


def test_that_declarations_are_kept_by_the_command_and_what_a_file_does_not_mention_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = Engine(lambda _event: None)
    path = engine.create(tmp_path / "a.gpf", title="Evening news").path
    engine.close()
    first, second = tmp_path / "first.toml", tmp_path / "second.toml"
    first.write_text("[declaration]\n" + "".join(f'{name} = "said"\n' for name in REQUIRED), encoding="utf-8")
    second.write_text('[declaration]\nfinal = true\n[[retention]]\nwhat = "All"\n', encoding="utf-8")

    def declare(*arguments: str) -> str:
        nothing = lambda _path: 0  # noqa: E731 - no window is shown here
        assert main(["declare", str(path), *arguments], show_window=nothing, show_demo=nothing) == 0
        return capsys.readouterr().out

    assert "This is a draft: its auditor has not declared it final." in declare(str(first))
    assert "Reports of this audit are final." in declare(str(second))
    printed = declare()
    again = tmp_path / "again.toml"
    again.write_text(printed, encoding="utf-8")
    found = declared_in(again)
    assert found.declaration.auditor == "said"
    assert found.declaration.final
    assert [each.what for each in found.retention] == ["All"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("summary = 'x'\n", "“summary” is no part of the declarations"),
        ("[declaration]\nauditer = 'x'\n", "Did you mean auditor"),
        ("[[clauses]]\nclause = 'nyc'\nstate = 'open'\n", "there is no clause “nyc”"),
        ("[[clauses]]\nclause = 'nyc-yearly'\nstate = 'compliant'\n", "clauses"),
    ],
)
def test_that_a_file_that_declares_something_else_says_what(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "d.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError, match=said):
        declared_in(path)


def test_that_the_form_brings_back_what_was_declared(tmp_path: Path) -> None:
    draft = ReportDraft(retention=offered_retention(), replies=(PartyReply(about=WHOLE, text="No."),))
    path = tmp_path / "d.toml"
    path.write_text(form(draft), encoding="utf-8")
    assert with_declared(draft, declared_in(path)) == draft
