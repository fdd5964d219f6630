"""S and A of SAGED in the window: texts become sentences, sentences prompts, and prompts the study's."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.commands import sentences_command
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.methods.saged.benchmark_dialog import BenchmarkDialog, OwnBenchmark
from gpf_desktop.ui.studies.study_form import StudyForm
from tests.support.http_server import Gate, LoopbackServer, Reply
from tests.support.wikipedia_server import WikiPage, WikipediaServer
from tests.ui.accessibility import problems_in

Settle = Callable[[], None]
LONG = 200_000
"""Milliseconds that a busy machine may take."""
FRANCE = (
    "Last spring the city council of Lille in France opened a library that stays lit until midnight.\n\n"
    "Short. For many years the bakers of France have argued about the price of a loaf in small towns.\n\n"
    "Nothing in this sentence speaks of a country at all, however long it goes on."
)


@pytest.fixture
def form(set_up: Callable[[str], StudyForm]) -> StudyForm:
    return set_up("saged")


@pytest.fixture
def dialog(form: StudyForm, qtbot: QtBot) -> BenchmarkDialog:
    editor = form.findChild(OwnBenchmark)
    assert editor is not None
    editor.open.click()
    assert editor.dialog is not None
    qtbot.waitExposed(editor.dialog)
    return editor.dialog


def write(dialog: BenchmarkDialog, name: str, text: str) -> None:
    field = dialog.findChild(QLineEdit, name)
    assert field is not None
    field.setFocus()
    QTest.keyClicks(field, text)


def find(dialog: BenchmarkDialog, qtbot: QtBot) -> None:
    dialog.sentences.search.click()
    qtbot.waitUntil(lambda: not dialog.model.running, timeout=LONG)


def reopened(
    form: StudyForm, window: MainWindow, audit: Path, settle: Settle, *, settled: bool = True
) -> BenchmarkDialog:
    """The dialog of the same audit, closed and opened again; unless *settled*, before what is kept was read."""
    window.files.close_audit()
    settle()
    window.files.open(audit)
    settle()
    editor = form.findChild(OwnBenchmark)
    assert editor is not None
    assert editor.dialog is None
    editor.open.click()
    if settled:
        settle()
    assert editor.dialog is not None
    return editor.dialog


def column(dialog: BenchmarkDialog, name: str) -> list[str]:
    rows = dialog.model.prompts
    return [row[rows.columns.index(name)] for row in rows.rows]


def test_that_a_text_becomes_prompts_about_several_concepts_that_the_study_asks(
    form: StudyForm, dialog: BenchmarkDialog, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    assert problems_in(dialog) == []
    (tmp_path / "lille.txt").write_text(FRANCE)
    write(dialog, "saged.concept", "France")
    write(dialog, "saged.domain", "countries")
    dialog.keywords.form.add_place(str(tmp_path / "lille.txt"))
    dialog.keywords.form.pasted.setPlainText("Nobody in the whole of France ever said why the old clock had stopped.")
    dialog.keywords.finders["names"].click()
    qtbot.waitUntil(lambda: not dialog.model.running, timeout=LONG)
    keywords = dialog.model.keywords
    assert keywords.rows == (("France", "France", "root", "", ""), ("France", "Lille", "names", "", "1"))
    keywords.remove([1])
    find(dialog, qtbot)
    sentences = dialog.model.sentences
    assert dialog.model.problem == ""
    assert len(sentences.rows) == 3
    assert len({row[sentences.columns.index("root")] for row in sentences.rows}) == 3
    assert "without a keyword" in dialog.sentences.said.text()
    find(dialog, qtbot)
    assert len(sentences.rows) == 3
    assert "3 of them stood below already." in dialog.sentences.said.text()

    table = dialog.sentences.table
    table.selectRow(2)
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Delete)
    assert len(sentences.rows) == 2
    QTest.keyClick(table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(sentences.rows) == 3

    dialog.further.click()
    for concept in ("France", "Ghana", "Japan"):
        dialog.model.add_concept(concept)
    dialog.further.click()
    dialog.prompts.make.click()
    qtbot.waitUntil(lambda: not dialog.model.making, timeout=LONG)
    assert dialog.model.problem == ""
    assert sorted(set(column(dialog, "concept"))) == ["France", "Ghana", "Japan"]
    branch = column(dialog, "branch").index("France → Ghana")
    dialog.prompts.table.selectRow(branch)
    settle()
    text, (span,) = dialog.prompts.branch.text, dialog.prompts.branch.spans
    assert text[span.start : span.end] == "Ghana"

    assert not dialog.prompts.behind.text()
    changed = (*sentences.rows[0][:2], "The clock of France has stopped for good.", *sentences.rows[0][3:])
    sentences.replace([changed, *sentences.rows[1:]], "Edit")
    assert "was changed since" in dialog.prompts.behind.text()
    sentences.steps.undo()
    assert not dialog.prompts.behind.text()
    dialog.model.set_root("France")
    assert "was changed since" in dialog.prompts.behind.text()
    dialog.model.set_root("")

    dialog.use.click()
    settle()
    assert dialog.isHidden()
    assert form.model.protocol.concepts == ("France", "Ghana", "Japan")
    assert form.model.protocol.roles == {"none": ""}, "the roles of the sample are not asked"
    assert form.model.facts.startswith("3 sentences") or form.model.facts.startswith("2 sentences")


def test_that_a_benchmark_in_the_making_survives_closing_with_its_steps_back(
    form: StudyForm, dialog: BenchmarkDialog, window: MainWindow, audit: Path, settle: Settle
) -> None:
    model = dialog.model
    write(dialog, "saged.concept", "France")
    dialog.keywords.form.add_place("wikipedia:France")
    dialog.keywords.form.pasted.setPlainText("What the old clock of France said, nobody in France remembers.")
    model.open_words(None)
    settle()
    model.add_kind("river")
    kinds = model.words.columns
    rows = [("countries", "Ghana", "Ghana", "", "Ghana is", "Ghana is a country of many old roads.", "r1", "", "false")]
    model.prompts.replace(rows, "Write")
    dialog.use.click()
    settle()
    model.prompts.remove([0])
    model.sentences.replace([("France", "France", "The clock of France has stopped for good.", *[""] * 7)], "Write")
    model.sentences.steps.undo()
    settle()

    dialog = reopened(form, window, audit, settle)
    model = dialog.model
    assert dialog.keywords.form.concept.text() == "France"
    assert dialog.keywords.form.places.item(0).text() == "wikipedia:France"
    assert "old clock" in dialog.keywords.form.pasted.toPlainText()
    assert model.root == "Velmora"
    assert model.words.columns == kinds
    model.words.steps.undo()
    assert "river" not in model.words.columns
    model.words.steps.undo()
    assert model.words.rows == ()
    assert model.prompts.rows == ()
    model.prompts.steps.undo()
    assert model.prompts.rows == tuple(rows)
    model.sentences.steps.redo()
    assert len(model.sentences.rows) == 1
    (version,) = model.versions
    model.go_back_to(version)
    assert "river" in model.words.columns
    assert model.sentences.rows == ()
    model.sentences.steps.undo()
    assert len(model.sentences.rows) == 1


def test_that_a_writer_proposes_keywords_an_article_and_words_where_they_are_edited(
    dialog: BenchmarkDialog, settle: Settle, qtbot: QtBot
) -> None:
    model = dialog.model
    write(dialog, "saged.concept", "Qarn")
    model.touch_now()
    model.add_concept("Qarn")
    settle()
    for bar in (dialog.keywords.writer, dialog.keywords.form.writer, dialog.words.writer):
        for step in bar.steps.values():
            qtbot.waitUntil(step.isEnabled, timeout=LONG)
            step.click()
            qtbot.waitUntil(lambda bar=bar: not bar.busy, timeout=LONG)
            settle()
    assert [row[:3] for row in model.keywords.rows] == [("Qarn", "Qarn", "root"), ("Qarn", "people of Qarn", "people")]
    assert "The hills of Qarn" in dialog.keywords.form.pasted.toPlainText()
    assert model.words.rows == (("Qarn", "Qarn", "Qarn adjective", "Qarn people", "Qarn capital"),)
    model.words.steps.undo()
    assert model.words.rows[0][2] == ""


def test_that_a_writer_asks_questions_of_sentences_and_prompts_that_stand_are_branched_anew(
    form: StudyForm, dialog: BenchmarkDialog, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    model = dialog.model
    said = "For many years the bakers of {} have argued about the price of a loaf."
    model.sentences.replace(
        [(name, name, said.format(name), "countries", "a", f"r-{name}", *[""] * 4) for name in ("France", "Ghana")], "W"
    )
    for concept in ("France", "Ghana"):
        model.add_concept(concept)
    settle()
    (step,) = dialog.questions.writer.steps.values()
    dialog.steps.setCurrentWidget(dialog.questions)
    qtbot.waitUntil(step.isEnabled, timeout=LONG)
    assert "4 calls, up to 3 times that" in dialog.questions.writer.said.text()
    step.click()
    qtbot.waitUntil(lambda: not dialog.questions.writer.busy, timeout=LONG)
    settle()
    assert [row[4] for row in model.questions.rows] == ["fits", "fits"]
    qtbot.waitUntil(dialog.questions.writer.calls.isVisible, timeout=LONG)
    dialog.questions.writer.save(tmp_path / "calls.csv")
    settle()
    calls = (tmp_path / "calls.csv").read_text("utf-8").splitlines()[1:]
    assert sum("saged question, version" in line for line in calls) == 2
    assert dialog.questions.said.text() == "2 sentences of 2 have a question."
    assert not step.isEnabled()
    dialog.prompts.ask.click()
    qtbot.waitUntil(lambda: not model.making, timeout=LONG)
    assert column(dialog, "branch") == ["", "France → Ghana", "", "Ghana → France"]
    assert column(dialog, "prompt")[1] == "What is said about Ghana in the long winters?"
    dialog.use.click()
    settle()
    assert form.model.protocol.template == "Answer this question in three or four sentences: {prompt}"

    model.add_concept("Japan")
    dialog.words.chosen.setText("France>Japan, France>Ghana")
    model.prompts.replace([row for row in model.prompts.rows if row[1] != "Ghana" or row[7]], "Remove")
    dialog.prompts.again.click()
    qtbot.waitUntil(lambda: not model.making, timeout=LONG)
    assert model.problem == ""
    assert sorted(column(dialog, "branch")) == ["", "France → Ghana", "France → Japan", "Ghana → France"]
    model.prompts.steps.undo()
    assert sorted(column(dialog, "branch")) == ["", "France → Ghana", "Ghana → France"]


def test_that_what_another_program_kept_is_told_and_left_as_it_is(
    form: StudyForm, dialog: BenchmarkDialog, window: MainWindow, audit: Path, settle: Settle
) -> None:
    drafts = window.context.engine.open_audit.study_drafts
    steps = [["Write", 3, [], [["a", "b", "c"]], [["x"], ["x"]]]]
    drafts.keep("saged", "prompts", lambda: {"columns": ["x"], "rows": [["1"]], "steps": steps, "index": 1}).result()
    dialog = reopened(form, window, audit, settle)
    assert "cannot be read" in dialog.problem.text()
    dialog.model.prompts.replace([("", "Ghana", "", "", "Ghana is", "", "", "", "")], "Write")
    settle()
    assert window.context.engine.open_audit.study_drafts.kept("saged")["prompts"]["rows"] == [["1"]]


def test_that_a_step_is_saved_opened_and_refused_by_column(
    dialog: BenchmarkDialog, settle: Settle, tmp_path: Path
) -> None:
    model = dialog.model
    model.open_words(None)
    settle()
    assert model.root == "Velmora"
    assert "Egypt" in model.concepts
    model.save_words(tmp_path / "words.yaml")
    settle()
    before = model.words.rows
    model.add_kind("river")
    model.open_words(tmp_path / "words.yaml")
    settle()
    assert model.words.rows == before
    (tmp_path / "mine.csv").write_text("concept,keyword,sentence\nFrance,France,=1+1 is what France teaches first.\n")
    model.open_table(tmp_path / "mine.csv", model.sentences, ("concept", "keyword", "sentence"))
    settle()
    model.save_table(tmp_path / "again.csv", model.sentences)
    settle()
    assert "'=1+1" in (tmp_path / "again.csv").read_text()
    model.open_table(tmp_path / "words.yaml", model.prompts, ("prompt",))
    settle()
    assert "prompt" in dialog.problem.text()
    assert model.prompts.rows == ()


def test_that_pairs_of_words_are_opened_edited_used_and_saved_and_a_word_with_two_is_refused(
    dialog: BenchmarkDialog, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    model = dialog.model
    pairs = {"France": {"Japan": {"France": "Japan", "French": "Japanese"}}}
    (tmp_path / "pairs.yaml").write_text(json.dumps({"domain": "countries", "pairs": pairs}))
    model.open_words(tmp_path / "pairs.yaml")
    qtbot.waitUntil(lambda: model.has_pairs, timeout=LONG)
    assert model.concepts == ("France", "Japan")
    assert not dialog.words.kind.isEnabled()
    model.words.replace([*model.words.rows, ("France", "Japan", "Paris", "Tokyo")], "Add")
    said = "For many years the French bakers of Paris have argued about the price of bread."
    model.sentences.replace([("France", "French", said, "countries", "a", "r-1", *[""] * 4)], "W")
    model.make()
    qtbot.waitUntil(lambda: not model.making, timeout=LONG)
    assert model.problem == ""
    assert column(dialog, "baseline")[-1] == said.replace("French", "Japanese").replace("Paris", "Tokyo")
    model.save_words(tmp_path / "again.yaml")
    settle()
    model.words.replace([*model.words.rows, ("France", "Japan", "Paris", "Kyoto")], "Add")
    model.make()
    qtbot.waitUntil(lambda: not model.making, timeout=LONG)
    assert "several words are put for “Paris” at “Japan”: Tokyo, Kyoto" in model.problem
    model.open_words(tmp_path / "again.yaml")
    qtbot.waitUntil(lambda: len(model.words.rows) == 3, timeout=LONG)
    model.open_words(None)
    qtbot.waitUntil(lambda: not model.has_pairs, timeout=LONG)
    model.words.steps.undo()
    assert model.words.rows[-1] == ("France", "Japan", "Paris", "Tokyo")
    assert model.has_pairs


def test_that_pages_that_link_here_and_other_languages_are_read_and_keywords_open_as_a_table(
    dialog: BenchmarkDialog,
    qtbot: QtBot,
    settle: Settle,
    http_server: LoopbackServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    said = "The long coast of {} has drawn painters for many years on end."
    pages = {
        "Velmora": WikiPage(text=said.format("Velmora"), elsewhere={"de": "Velmora (Land)"}),
        "Arden Bay": WikiPage(text=said.format("Arden Bay in Velmora"), links=("Velmora",)),
        "Velmora (Land)": WikiPage(text="Die lange Küste von Velmora hat viele Jahre lang Maler angezogen."),
    }
    served = WikipediaServer(http_server, pages)

    async def local(address: str, contact: str) -> bytes:
        found = await sentences_command.fetch(f"{served.address}?{address.partition('?')[2]}", contact=contact)
        assert found.document is not None
        return found.document.body

    monkeypatch.setattr(sentences_command, "body_at", local)
    (tmp_path / "mine.csv").write_text("concept,keyword\nVelmora,coast\nVelmora,Küste\nFrance,bakers\n", "utf-8")
    dialog.model.open_table(tmp_path / "mine.csv", dialog.model.keywords, ("concept", "keyword"))
    write(dialog, "saged.concept", "Velmora")
    write(dialog, "saged.page", "velmora")
    search = dialog.keywords.form.pages
    search.search.click()
    qtbot.waitUntil(lambda: search.hits.count() == 3, timeout=LONG)
    assert search.said.text() == "3 pages about “velmora”."
    first = search.hits.item(0)
    assert first.text() == f"Velmora · en · CC BY-SA 4.0\n{said.format('Velmora')}"
    search.hits.setCurrentItem(first)
    search.add_hits.click()
    assert dialog.model.places == ("wikipedia:en:Velmora",)
    write(dialog, "saged.also", "de")
    dialog.keywords.form.numbers["depth"].setValue(1)
    dialog.keywords.form.ticks["backlinks"].click()
    settle()
    find(dialog, qtbot)
    assert dialog.model.problem == ""
    rows = dialog.model.sentences
    found = [dict(zip(rows.columns, row, strict=True)) for row in rows.rows]
    assert [(each["page"], each["keyword"], each["source_tag"], each["revision"]) for each in found] == [
        ("Velmora", "coast", "wikipedia:en", "1000"),
        ("Arden Bay", "coast", "wikipedia:en", "1001"),
        ("Velmora (Land)", "Küste", "wikipedia:de", "1002"),
    ]
    assert {each["licence"] for each in found} == {"CC BY-SA 4.0"}


def test_that_a_search_is_stopped(
    dialog: BenchmarkDialog, qtbot: QtBot, http_server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate: Gate = http_server.gate()
    http_server.route("/*", Reply(gate=gate))

    async def slow(_address: str, contact: str) -> bytes:
        found = await sentences_command.fetch(http_server.url("/page"), typed=True, contact=contact)
        return b"" if found.document is None else found.document.body

    monkeypatch.setattr(sentences_command, "body_at", slow)
    write(dialog, "saged.concept", "France")
    write(dialog, "saged.page", "France")
    write(dialog, "saged.contact", "audits@example.org")
    QTest.keyClick(dialog.keywords.form.page, Qt.Key.Key_Return)
    dialog.sentences.search.click()
    http_server.wait_for_requests(1)
    assert http_server.requests[0].headers["user-agent"].endswith(" audits@example.org")
    dialog.sentences.stop.click()
    qtbot.waitUntil(lambda: not dialog.model.running, timeout=LONG)
    assert "Stopped" in dialog.problem.text()
    gate.open()
