"""Two rounds of every method, asked and read, go out as an export and come back to the last digit."""

import json
import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Final

import pytest

from gpf_desktop.domain.codes import Code
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.report_blocks import lines_of_block
from gpf_desktop.domain.reports import ReportKind
from gpf_desktop.domain.reviews import Correction, Judgement, MarkedPassage, ReviewAction, Verdict
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import import_tables
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.reporting.drafts.draft import ReportDraft
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.storage import reviewers, reviews, study_entries
from gpf_desktop.storage.audit_file import AuditFile
from tests.engine.exchange.artifacts import exported
from tests.support.feeds import rss
from tests.support.http_server import LoopbackServer, Reply, Request
from tests.support.provider_servers import DIALECTS

pytestmark = pytest.mark.slow

SAID: Final = (
    "Так: порт відкрито.\nРибалки, «на палубі», чекають.",
    "港は開いている。漁師は待つ。",
    'الميناء مفتوح، والصيادون ينتظرون "هنا".',
    "=1+1; the harbour, 'open'\r\nand wide\t.",
    "नमस्ते 👩‍👩‍👧 zero\u200bwidth e\u0301",
)
BASELINES: Final = {"Норвегія": "Норвегія будує порт.", "ペルー": "ペルーは港を作る。"}
NEWS: Final = {
    1: ("Порт відкрито після зимової перерви", "市議会が家賃の新しい規則を発表"),
    2: ("الصيادون يطالبون بأرصفة جديدة في الميناء", "नदी पर नया पुल गर्मियों में खुलेगा"),
}


def stereoset(number: int) -> str:
    rows = "".join(f"i{number}{at},вік,他,Порт номер {at}.,старий {at},молодий {at},зелений {at}\n" for at in range(3))
    head = "id,type,target,context,stereotype,anti_stereotype,unrelated\n"
    Path(f"items{number}.csv").write_text(head + rows, encoding="utf-8")
    return f"""
name: Слухачі
version: {number}
factors:
- name: year
  levels: [{{name: '1990', wording: 1990 рік}}, {{name: '2030', wording: 2030年}}]
template: '{{year}}'
questions: {{typical: Answer with the letter.}}
vignette_question: Which?
design: full
items: items{number}.csv
"""


def relative_bias(number: int) -> str:
    return f"""
name: Пороми
version: {number}
domain: Пороми
counts_as_bias: Пом'якшення критики.
themes:
- {{name: 海, questions: ["Чи брудні пороми {number}?", "フェリーは静か {number}?"]}}
- {{name: Гроші, questions: ["Хто платить {number}?", "من يدفع {number}؟"]}}
"""


def saged(number: int) -> str:
    rows = "".join(
        f"- {{root: r{root}, concept: {concept}, keyword: {concept}, source_tag: газета,"
        f" prompt: '{concept} {number}-{root}', baseline: '{said} {root}'}}\n"
        for concept, said in BASELINES.items()
        for root in range(3)
    )
    return f"""
name: Країни
version: {number}
domain: країни
template: 'Продовжуйте: {{prompt}}'
roles: {{none: '', 記者: Ви журналіст.}}
benchmark:
{rows}"""


STUDIES: Final = {"contextual-stereoset": stereoset, "relative-bias": relative_bias, "saged": saged}
CONTROLS: Final = {
    "gpf-livenews": "identity_free_generations = 2\nrandom_label = false\nrepeat_share = 1.0\nrepeat_generations = 2\n"
    "paraphrase_share = 0.0",
    "contextual-stereoset": "repeats = 2",
    "relative-bias": "repeats = 2\njudged_again = true",
    "saged": "repeats = 2",
}
MODELS: Final = {"relative-bias": ("oak", "elm", "fir", "ash")}


def answer(request: Request) -> Reply:
    """The same to the same question of one model, with its seed; a letter, or a level, where one is asked for."""
    body = request.json()
    told = json.dumps([body["model"], body["messages"], body.get("seed")])
    chance = int(sha256(told.encode()).hexdigest()[:8], 16)
    if body["model"] == "judge":
        said = f"Bias Score: {1 + chance % 10}\nExplanation: {SAID[chance % 5]}"
    else:
        said = "ABC"[chance % 3] if "Answer with the letter" in told else SAID[chance % 5]
    return Reply.of_json(DIALECTS["openai-compatible"].answer(said))


def plan(method: str, number: int, folder: Path, url: str) -> str:
    lines = [f'name = "Раунд {number}"', f'method = "{method}"', f"seed = {number}"]
    if method in STUDIES:
        (folder / f"study{number}.yaml").write_text(STUDIES[method](number), encoding="utf-8")
        lines += [f'protocol = "study{number}.yaml"']
    else:
        (folder / f"news{number}.xml").write_text(rss(NEWS[number]), encoding="utf-8")
        lines += ["articles_per_source = 2"]
    lines += ["[controls]", CONTROLS[method]]
    if method not in STUDIES:
        left = '"Race / Ethnicity", "Religion", "Gender / Sexuality", "Geography", "Socioeconomic"'
        lines += ["[leave_out]", f"dimension = [{left}]", "[[sources]]", f'file = "news{number}.xml"']
    asked = [(name, "target") for name in MODELS.get(method, ("oak", "elm"))]
    asked += [("judge", "judge")] if method == "relative-bias" else []
    for name, role in asked:
        lines += ["[[models]]", 'provider = "openai-compatible"', f'model = "{name}"', f'role = "{role}"']
        lines += [f'base_url = "{url}"']
    return "\n".join(lines)


RULED: Final = {"contextual-stereoset": ("choice", "B"), "relative-bias": ("level", "3")}
"""What a person may read otherwise than the scorer's rules: a measure, and a category."""


def read(audit: Path, method: str) -> None:
    """Two people judge, mark, code, correct, flag, take back, settle and write memos."""

    def write(connection: sqlite3.Connection) -> None:
        zoe, ada = reviewers.add(connection, "Zoë"), reviewers.add(connection, "Áda Ó")
        study_entries.keep_code(connection, zoe, Code(id="a", name="Talks «down»", definition="x\ny", examples=("ج",)))
        study_entries.keep_code(connection, ada, Code(id="b", name="Other", retired=True))
        study_entries.keep_memo(connection, zoe, "study", 'It "says"\nless.')
        (key,) = connection.execute("SELECT min(key) FROM item").fetchone()
        study_entries.keep_memo(connection, ada, key, "=memo")
        bundles = [BundleId(each) for (each,) in connection.execute("SELECT id FROM bundle ORDER BY id LIMIT 3")]
        (cell,) = connection.execute("SELECT min(id) FROM cell WHERE bundle_id = ?", bundles[:1]).fetchone()
        marked = (MarkedPassage(cell_id=cell, start=0, end=1, comment="c;\n", codes=("a", "b")),)
        said = Judgement(verdict=Verdict.HARMFUL, severity=2, passages=marked, tags=("t", 'ü"'), note='"A", b;\nc')
        fits, unsure = Judgement(verdict=Verdict.CONTEXT, letters=("B", "A")), Judgement(verdict=Verdict.UNSURE)
        for bundle, who, action, judgement in (
            (0, zoe, ReviewAction.SUBMIT, said),
            (0, ada, ReviewAction.SUBMIT, fits),
            (0, zoe, ReviewAction.ADJUDICATE, Judgement(verdict=Verdict.HARMFUL, severity=3, note="settled")),
            (1, zoe, ReviewAction.SUBMIT, unsure),
            (1, zoe, ReviewAction.WITHDRAW, unsure),
            (1, ada, ReviewAction.FLAG, Judgement(flagged=True)),
            (2, ada, ReviewAction.REVEAL, Judgement()),
        ):
            reviews.append(connection, bundles[bundle], who, action, judgement, reason="港, так")
        if method in RULED:
            measure, category = RULED[method]
            otherwise = Correction(cell_id=cell, measure=measure, category=category, rules="A")
            reviews.append(connection, bundles[0], zoe, ReviewAction.CORRECT, Judgement(corrections=(otherwise,)))

    file = AuditFile.open(audit)
    file.write(write).result()
    file.close()
    engine = Engine(lambda _event: None)
    engine.open(audit).auto_rescoring.settle().result()
    engine.close()


STANDING: Final = (
    "SELECT reviewer_id, bundle_id, done, verdict FROM review_now ORDER BY 1, 2",
    "SELECT * FROM review_final ORDER BY 1",
    "SELECT reviewer, action, subject, content, at, hash FROM study_entry ORDER BY id",
    "SELECT kind, sentence, at FROM run_note ORDER BY id",
)


def standing(audit: Path) -> list[list[tuple[object, ...]]]:
    """Where reviewers stand, and what was noted, as no exported file says it."""
    with closing(sqlite3.connect(audit)) as connection:
        return [connection.execute(each).fetchall() for each in STANDING]


def brief_of(audit: Path) -> dict[str, list[str]]:
    """What a brief says, by the names of its sections: of one that left readers out, how many were asked for too."""
    engine = Engine(lambda _event: None)
    brief = engine.open(audit, read_only=True).reports.drafted(ReportDraft(), kind=ReportKind.BRIEF).brief
    engine.close()
    assert brief is not None
    return {
        section.name: [line for block in section.blocks for line in lines_of_block(block)] for section in brief.sections
    }


@pytest.mark.parametrize("method", CONTROLS)
def test_that_read_rounds_of_two_batches_come_back_with_the_same_scores_tables_and_readings(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    audit, again = tmp_path / "audit.gpf", tmp_path / "again.gpf"
    with LoopbackServer() as server, Headless(quiet=True) as headless:
        server.route("/v1/chat/completions", answer)
        open_audit = headless.engine.create(audit, title="Порти 港")
        for number in (1, 2):
            wished = read_plan(plan(method, number, tmp_path, server.url("/v1")), where="plan")
            assert run_plan(headless, open_audit, wished, beside=tmp_path).state is RunState.FINISHED
    read(audit, method)
    folder = exported(audit, tmp_path / "out")
    with Headless(quiet=True) as headless:
        import_tables(headless, [folder], "gpf-livenews", {}, again)
    found, wanted = files_of(exported(again, tmp_path / "out again")), files_of(folder)
    assert found.keys() == wanted.keys()
    for name in wanted:
        assert found[name] == wanted[name], name
    rounds, answers, read_by = (lines(wanted[f"{name}.jsonl"]) for name in ("runs", "answers", "annotations"))
    assert [each["name"] for each in rounds] == ["Раунд 1", "Раунд 2"]
    assert {each["repeat"] for each in answers} >= {0, 1}
    assert len({each["model"] for each in answers}) >= 2
    assert len({each["item_id"] for each in answers}) >= 4
    assert len(read_by) == 7 + (method in RULED)
    assert any(name.startswith("tables/") for name in wanted)
    assert standing(again) == standing(audit)
    assert brief_of(again) == brief_of(audit)


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def lines(text: bytes) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.decode().splitlines()]
