"""An audit as one zip, checked, recomputed, opened again, and read by other programs."""

import json
import random
import shutil
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from gpf_desktop.__main__ import main
from gpf_desktop.domain.errors import StorageError, StorageFault, UserError
from gpf_desktop.domain.events import TaskProgressed
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.runs import RunState
from gpf_desktop.domain.text import install
from gpf_desktop.engine.commands import artifact_commands
from gpf_desktop.engine.commands.artifact_commands import (
    VerifyWishes,
    open_artifact,
    start_verification,
    verify_artifact,
)
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.exchange.artifact.audits_summary import check_addresses
from gpf_desktop.engine.exchange.artifact.contents import ArtifactChoices
from gpf_desktop.engine.exchange.artifact.sealed_zip import MANIFEST, SealedZipWriter, opened
from gpf_desktop.engine.reporting.conclusions_file import CONCLUSIONS
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.storage import runs
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.faults import disk_full
from tests.engine.exchange.artifacts import WITHHOLDING, artifact_of, doubt, made, reviewed
from tests.methods.relative_bias.test_round import OWN, plan_of
from tests.support.hostile_audit import fill_hostile

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A reviewed audit's artifact; the audit stands beside it."""
    folder = tmp_path_factory.mktemp("whole")
    artifact_of(made(folder, reviewed), folder / "a.zip")
    return folder / "a.zip"


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


SAME = {
    "answers": "SELECT c.id, c.state, c.seed, p.text, p.missing, p.sent, p.seconds FROM cell c JOIN response p"
    " ON p.cell_id = c.id ORDER BY c.id",
    "scores": "SELECT * FROM score ORDER BY 1, 2, 3, 4",
    "flags": "SELECT * FROM flag ORDER BY 1, 2",
    "entries": "SELECT * FROM review_entry ORDER BY id",
    "standing": "SELECT reviewer_id, bundle_id, done, verdict FROM review_now ORDER BY 1, 2",
    "sources": "SELECT id, target FROM source ORDER BY id",
    "bundles": "SELECT b.id, x.text, b.arm, b.planned FROM bundle b JOIN coordinate_set x ON x.id = b.coordinates_id",
}


def test_that_an_opened_artifact_is_the_audit_again_and_gives_the_same_bytes(whole, tmp_path):
    again = open_artifact(whole, tmp_path / "again.gpf")
    for name, query in SAME.items():
        before = rows(whole.with_suffix(".gpf"), query)
        assert before, name
        assert rows(again, query) == before, name
    artifact_of(again, tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == whole.read_bytes()


def test_that_scores_are_brought_up_to_date_before_they_are_sealed(whole, tmp_path):
    audit = AuditFile.open(shutil.copyfile(whole.with_name("a.gpf"), tmp_path / "b.gpf"))
    doubt(audit)
    audit.close()
    assert main(["artifact", str(tmp_path / "b.gpf"), "-o", str(tmp_path / "b.zip")]) == 0
    assert verify_artifact(tmp_path / "b.zip").passed


def test_that_no_artifact_is_made_while_a_round_is_asked(whole, tmp_path):
    audit = AuditFile.open(shutil.copyfile(whole.with_name("a.gpf"), tmp_path / "b.gpf"))
    audit.write(lambda connection: runs.set_state(connection, RunId(1), RunState.RUNNING)).result()
    audit.close()
    with pytest.raises(UserError, match="A round is being asked") as told:
        artifact_of(tmp_path / "b.gpf", tmp_path / "b.zip")
    assert "Pause it" in told.value.remedy


def test_that_everything_is_computed_anew_and_agrees(whole):
    found = verify_artifact(whole)
    assert found.passed, found.sentences()
    assert [line.words.split(" ", 1)[1] for line in found.lines if "computed anew" in line.words] == [
        "scores, computed anew",
        "numbers of tables, computed anew",
    ]
    (history,) = (line.words for line in found.lines if "review history of Ada Example: 5 entries" in line.words)
    assert ", check code " in history, "what reports, packs and Reviewers call it"


def test_that_what_was_shared_in_german_is_verified_by_somebody_who_reads_english(whole, tmp_path):
    shutil.copyfile(whole.with_suffix(".gpf"), tmp_path / "b.gpf")
    install(resources() / "languages", ["de"])
    try:
        artifact_of(tmp_path / "b.gpf", tmp_path / "b.zip")
    finally:
        install(resources() / "languages", [])
    with opened(tmp_path / "b.zip") as german, opened(whole) as english:
        for name in (CONCLUSIONS, "tables/notes.csv"):
            assert german.text(name) != english.text(name)
    found = verify_artifact(tmp_path / "b.zip")
    assert found.passed, found.sentences()
    assert any(line.words == "conclusions, drawn anew" for line in found.lines), "told in the reader's own language"


def test_that_a_changed_byte_is_found_wherever_it_is(whole, tmp_path):
    content = whole.read_bytes()
    changed = tmp_path / "changed.zip"
    draw = random.Random(7)
    places = {0, 30, len(content) - 1, len(content) - 70, *(draw.randrange(len(content)) for _ in range(300))}
    for place in places:
        changed.write_bytes(content[:place] + bytes([content[place] ^ (1 << draw.randrange(8))]) + content[place + 1 :])
        try:
            with opened(changed) as artifact:
                assert artifact.seal_found() != artifact.seal, place
        except UserError:
            pass
    with pytest.raises(UserError):
        open_artifact(changed, tmp_path / "b.gpf")
    assert not (tmp_path / "b.gpf").exists()


def forged(whole: Path, target: Path, name: str, change: Callable[[str], str]) -> Path:
    """*whole* with one file changed and everything sealed anew, as a forger would."""
    writer = SealedZipWriter(target)
    with opened(whole) as artifact:
        for member in artifact.members:
            text = artifact.text(member)
            writer.add(member, change(text) if member == name else text)
        writer.close({"program": artifact.manifest["program"]})
    return target


FORGED = (
    ("tables/interaction.csv", "0.5", "0.6", "numbers of tables"),
    ("conclusions.json", '"outcome": "', '"outcome": "x', "conclusions, drawn anew, are others"),
    ("audits.json", '"urls": [', '"urls": ["https://news.example/b", ', "audits.json names this audit"),
    ("data/annotations.jsonl", "Fits the news", "Fits no news", "broken at entry"),
)


def test_that_each_of_several_forged_files_is_found_though_all_were_sealed_anew(whole, tmp_path):
    """None of which any other is computed from."""
    changed = whole
    for at, (name, old, new, _) in enumerate(FORGED):
        changed = forged(
            changed, tmp_path / f"{at}.zip", name, lambda text, old=old, new=new: text.replace(old, new, 1)
        )
    wrong = [line.words for line in verify_artifact(changed).lines if not line.passed]
    assert [sum(found in words for words in wrong) for *_, found in FORGED] == [1] * len(FORGED), wrong
    assert len(wrong) == len(FORGED), wrong


@pytest.mark.parametrize(
    ("name", "old", "new", "found"),
    [
        ("data/scores.jsonl", '"value":0.5', '"value":0.6', "scores, computed anew"),
        ("data/prompts.jsonl", "news", "olds", "messages, composed anew"),
        ("data/prompts.jsonl", "{", "", "messages, composed anew"),
        ("README.md", "concluded\n\n", "concluded\n\n- All are alike.\n", "drawn anew, are others: README.md"),
        ("EVALUATION-CARD.md", "concluded\n\n- ", "concluded\n\n- x", "drawn anew, are others: EVALUATION-CARD.md"),
        ("data/fits.jsonl", '"answers":', '"answers":1', "a fit counts other answers than its cells have"),
        ("data/fits.jsonl", '"unended":', '"unended":1', "a fit counts other cells without an end than it has"),
    ],
)
def test_that_a_forged_file_is_found_though_it_was_sealed_anew(whole, tmp_path, name, old, new, found):
    changed = forged(whole, tmp_path / "forged.zip", name, lambda text: text.replace(old, new, 1))
    verification = verify_artifact(changed)
    wrong = [line.words for line in verification.lines if not line.passed]
    assert any(found in words for words in wrong), wrong


def test_that_an_artifact_that_was_made_anew_lacks_the_seal_that_was_told(whole, tmp_path):
    with opened(whole) as artifact:
        seal = artifact.seal
    assert verify_artifact(whole, seal=seal[:16]).passed
    assert not any("told" in line.words for line in verify_artifact(whole, seal=" ").lines), "nothing was told"
    changed = forged(whole, tmp_path / "forged.zip", "README.md", lambda text: text + "more\n")
    assert not verify_artifact(changed, seal=seal[:16]).passed


@pytest.mark.filterwarnings("ignore:ConjunctiveGraph is deprecated", "ignore::DeprecationWarning:mlcroissant")
def test_that_mlcroissant_finds_nothing_amiss_and_loads_every_record_set(whole, tmp_path, caplog):
    with zipfile.ZipFile(whole) as archive:
        archive.extractall(tmp_path)
    # Read where it is used: it takes half a second, and each worker collects this file.
    import mlcroissant

    dataset = mlcroissant.Dataset(jsonld=str(tmp_path / "croissant.json"))
    issues = dataset.metadata.ctx.issues
    assert (sorted(issues.errors), sorted(issues.warnings)) == ([], [])
    with opened(whole) as artifact:
        expected = {
            name.removeprefix("data/").removesuffix(".jsonl"): len(list(artifact.lines(name)))
            for name in artifact.members
            if name.startswith("data/")
        }
    loaded = {each.uuid: len(list(dataset.records(each.uuid))) for each in dataset.metadata.record_sets}
    assert {name: n for name, n in loaded.items() if not name.startswith("table_")} == {
        name: n for name, n in expected.items() if n
    }
    assert len(loaded) > len(expected) + 10


SITES = {
    "addresses": ("https://news.example/audit.zip", "https://news.example/audit.pdf"),
    "operations": ("https://news.example/helper",),
    "rules": ("https://city.example/law-144",),
}


def test_that_withheld_answers_are_hashes_and_reviewers_have_no_names(whole, tmp_path):
    path, choices = tmp_path / "w.zip", replace(WITHHOLDING, **SITES)
    artifact_of(whole.with_suffix(".gpf"), path, choices)
    with zipfile.ZipFile(path) as archive:
        told = json.loads(archive.read("audits.json"))
        everything = b"".join(archive.read(name) for name in archive.namelist())
        answers = [json.loads(line) for line in archive.read("data/answers.jsonl").splitlines()]
    texts = [row[0] for row in rows(whole.with_suffix(".gpf"), "SELECT text FROM response WHERE length(text) > 200")]
    assert texts
    assert not [text for text in texts if str(text)[20:120].encode() in everything]
    assert {len(each["answer_sha256"]) for each in answers} == {64}
    assert b"Ada Example" not in everything
    assert b"Reviewer 1" in everything
    assert not any("letters" in each["sent"] for each in answers)
    ((key, audit),) = told["audits"].items()
    assert told["operations"] == [{"urls": list(SITES["operations"]), "regs": list(SITES["rules"]), "audits": [key]}]
    assert (audit["title"], audit["urls"]) == ("Evening news", list(SITES["addresses"]))
    assert date.fromisoformat(audit["date"])
    assert verify_artifact(path).passed
    again = open_artifact(path, tmp_path / "again.gpf")
    assert rows(again, SAME["scores"]) == rows(whole.with_suffix(".gpf"), SAME["scores"])
    artifact_of(again, tmp_path / "again.zip", WITHHOLDING)
    with opened(path) as first, opened(tmp_path / "again.zip") as second:
        same = {name for name, member in first.members.items() if second.members.get(name) == member}
    assert {name for name in first.members if name.startswith("data/")} <= same


def test_that_a_hostile_audit_makes_the_round_trip_too(tmp_path):
    audit = made(tmp_path, fill_hostile)
    artifact_of(audit, tmp_path / "a.zip")
    again = open_artifact(tmp_path / "a.zip", tmp_path / "again.gpf")
    for name in ("answers", "entries", "flags"):
        assert rows(audit, SAME[name])
        assert rows(again, SAME[name]) == rows(audit, SAME[name])
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        for name in ("README.md", "DATA-CARD.md", "EVALUATION-CARD.md"):
            assert b"<script" not in archive.read(name)
        card = archive.read("EVALUATION-CARD.md").decode()
    made_how = card.partition("## How the scores were made")[2].partition("##")[0]
    assert made_how.count("settings ") == 1, "said once"


def test_that_messages_of_judges_are_in_it_and_lose_the_words_of_withheld_answers(tmp_path):
    with Headless(quiet=True) as headless:
        audit = headless.engine.create(tmp_path / "a.gpf", title="Ferries")
        models = ("evasive-0.9", "plain-a")
        run_plan(headless, audit, read_plan(plan_of(tmp_path, models), where="plan.toml"), beside=tmp_path)
        audit.artifacts.start(tmp_path / "a.zip", ArtifactChoices()).result()
        audit.artifacts.start(tmp_path / "w.zip", ArtifactChoices(withheld=frozenset({OWN}))).result()
    (answer,) = rows(tmp_path / "a.gpf", "SELECT max(text) FROM response")[0]
    assert len(str(answer)) > 20
    for name, there in (("a.zip", True), ("w.zip", False)):
        with zipfile.ZipFile(tmp_path / name) as archive:
            assert (str(answer)[:60] in archive.read("data/prompts.jsonl").decode()) is there
    found = verify_artifact(tmp_path / "w.zip")
    assert found.passed, found.sentences()


@pytest.mark.parametrize(
    ("told", "problem"),
    [
        ({"addresses": ("news.example/a.zip",)}, "no whole web address"),
        ({"addresses": ("https://news.example/a b",)}, "no whole web address"),
        ({"rules": SITES["rules"]}, "only together with a rule"),
    ],
)
def test_that_addresses_for_audits_json_are_whole_and_go_together(told, problem):
    with pytest.raises(UserError, match=problem):
        check_addresses(ArtifactChoices(**told))


def test_that_an_audit_without_answers_has_no_artifact(tmp_path):
    audit = made(tmp_path, lambda _audit: None)
    with pytest.raises(UserError, match="holds no answers"):
        artifact_of(audit, tmp_path / "a.zip")
    assert not (tmp_path / "a.zip").exists()


def test_that_a_provider_that_gave_no_answer_cannot_be_withheld(whole, tmp_path):
    with pytest.raises(UserError, match=r"“openai”.*calibration"):
        artifact_of(whole.with_suffix(".gpf"), tmp_path / "a.zip", ArtifactChoices(withheld=frozenset({"openai"})))


def test_that_a_verification_beside_an_audit_tells_how_far_it_is_and_stops_when_told(whole):
    told = []

    def hear(event):
        told.append(event)
        engine.cancel_beside()

    engine = Engine(hear)
    try:
        stopped = start_verification(engine, VerifyWishes(path=whole))
        with pytest.raises(UserError, match="The verification was stopped"):
            stopped.result()
        # How often it tells before it looks whether to stop depends on the machine.
        assert {type(event) for event in told} == {TaskProgressed}
    finally:
        engine.close()


def test_that_a_verification_tells_its_parts_and_how_many_bundles_are_scored(whole):
    told = []
    verify_artifact(whole, tell=lambda *told_now: told.append(told_now))
    assert list(dict.fromkeys(doing for doing, _, _ in told)) == [
        "Checking every byte",
        "Reading the shared file",
        "Computing scores",
        "Comparing answers and scores",
        "Computing tables",
    ]
    assert any(of for doing, _, of in told if doing == "Computing scores")


@pytest.mark.parametrize("name", ["../outside.txt", "/etc/outside", "data/extra.jsonl", "readme.md"])
def test_that_a_zip_with_other_files_than_it_lists_is_refused(whole, tmp_path, name):
    changed = tmp_path / "changed.zip"
    shutil.copyfile(whole, changed)
    with zipfile.ZipFile(changed, "a") as archive:
        archive.writestr(name, "outside")
    with pytest.raises(UserError, match="other files than its manifest lists"):
        open_artifact(changed, tmp_path / "b.gpf")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["changed.zip"]


def test_that_a_file_that_unpacks_to_more_than_it_says_is_not_read_to_its_end(whole):
    with opened(whole) as artifact:
        artifact.members["data/runs.jsonl"] = artifact.members["data/settings.jsonl"]
        with pytest.raises(UserError, match=r"data/runs\.jsonl is not what its manifest says"):
            list(artifact.lines("data/runs.jsonl"))


def test_that_a_file_under_a_password_does_not_agree(whole, tmp_path):
    changed = tmp_path / "changed.zip"
    content = bytearray(whole.read_bytes())
    for head, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(head) + flags] |= 1
    changed.write_bytes(content)
    assert not verify_artifact(changed).passed


@pytest.mark.parametrize("content", [b"", b"PK", b"not a zip at all", b"SQLite format 3\x00"])
def test_that_what_is_no_artifact_is_told_in_a_sentence(tmp_path, content):
    path = tmp_path / "a.zip"
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"a\.zip is not a shared file"):
        verify_artifact(path)


def test_that_a_zip_of_something_else_is_told_so(tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MANIFEST, '{"format": "other"}')
    with pytest.raises(UserError, match="is not a shared file"):
        verify_artifact(path)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("data/answers.jsonl", '"bundle_id":1,', '"bundle_id":999999,'),
        ("data/answers.jsonl", '"repeat":0', '"repeat":"x"'),
        ("data/bundles.jsonl", "{", "["),
        ("data/runs.jsonl", '"state":"finished"', '"state":"flying"'),
        ("data/annotations.jsonl", '"action":"submit"', '"action":"approve"'),
        ("audit.json", '"uuid"', '"other"'),
    ],
)
def test_that_rows_that_do_not_fit_are_refused_and_nothing_is_left(whole, tmp_path, name, old, new):
    changed = forged(whole, tmp_path / "forged.zip", name, lambda text: text.replace(old, new, 1))
    with pytest.raises(UserError, match=r"forged\.zip is not a shared file"):
        open_artifact(changed, tmp_path / "b.gpf")
    assert not list(tmp_path.glob("b.gpf*"))


def test_that_texts_of_articles_stay_out_and_all_else_can_be_verified_and_opened_but_not_asked(whole, tmp_path):
    audit = whole.with_suffix(".gpf")
    assert main(["artifact", str(audit), "-o", str(tmp_path / "b.zip"), "--withhold-news"]) == 0
    texts = [str(text) for (text,) in rows(audit, "SELECT DISTINCT text FROM batch_item WHERE text <> ''")]
    assert len(texts) > 1
    with zipfile.ZipFile(tmp_path / "b.zip") as packed:
        inside = "".join(packed.read(name).decode() for name in packed.namelist())
    assert [text for text in texts if json.dumps(text)[1:-1] in inside or text in inside] == []
    assert "Texts of articles are there as SHA-256 alone" in inside
    assert verify_artifact(tmp_path / "b.zip").passed

    again = open_artifact(tmp_path / "b.zip", tmp_path / "again.gpf")
    for name, query in SAME.items():
        assert rows(again, query) == rows(audit, query), name
    artifact_of(again, tmp_path / "again.zip", ArtifactChoices(without_news=True))
    with zipfile.ZipFile(tmp_path / "b.zip") as first, zipfile.ZipFile(tmp_path / "again.zip") as second:
        # But for the page about the artifact, which now says that the texts are not in the audit either.
        apart = [name for name in first.namelist() if first.read(name) != second.read(name)]
    assert not [name for name in apart if name.startswith(("data/", "tables/"))]
    engine = Engine(lambda _event: None)
    try:
        with pytest.raises(UserError, match="opened from a shared file without them"):
            engine.open(again).rounds.start(RunId(1)).result()
    finally:
        engine.close()


def test_that_a_full_disk_of_whoever_verifies_is_no_word_about_the_file(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: object, target: Path, __: object) -> None:
        raise disk_full(target, "")

    monkeypatch.setattr(artifact_commands, "restore", full)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.raises(StorageError) as caught:
        verify_artifact(whole)
    assert caught.value.fault is StorageFault.FULL
    assert str(caught.value).startswith(f"The disk that holds {tmp_path}, the folder for temporary files, is full.")
