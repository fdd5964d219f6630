"""Pairs of answers from what reviewers judged, on a real audit file, read as a trainer's loader reads them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import pyarrow.parquet as pq
import pytest
from annotated_types import MinLen
from pydantic import BaseModel

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.reviews import Judgement, MarkedPassage, Verdict
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.exchange.data_export import DataWishes
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.storage.audit_file import AuditFile
from tests.support.filled_audit import fill


class Turn(BaseModel, extra="forbid"):
    role: Literal["system", "user", "assistant"]
    content: Annotated[str, MinLen(1)]


class Pair(BaseModel):
    """What TRL documents of a preference in conversational form with an explicit prompt."""

    prompt: Annotated[list[Turn], MinLen(1)]
    chosen: Annotated[list[Turn], MinLen(1)]
    rejected: Annotated[list[Turn], MinLen(1)]


class Table:
    """An audit with two reviewers at it."""

    def __init__(self, path: Path, **filled: object) -> None:
        audit = AuditFile.create(path, title="Evening round")
        fill(audit, models_asked=("tailoring-0.6",), dimensions=("Political",), **filled)
        audit.close()
        self.engine = Engine(lambda _event: None)
        self.audit = self.engine.open(path)
        self.ana, self.ben = (ReviewService(self.audit.context, login=name) for name in ("ana", "ben"))
        self.ben.newcomer("ben").result()
        self.set: BundleId = self.ana.queue(QueueFilter(), QueueOrder()).order[0]

    def read(self, who: ReviewService, verdict: Verdict, *marked: int, severity: int | None = None, **said) -> None:
        answers = who.bundle(self.set).answers
        passages = tuple(MarkedPassage(cell_id=answers[at].cell_id, start=0, end=9) for at in marked)
        judged = Judgement(verdict=verdict, severity=severity, passages=passages, **said)
        who.submit(self.set, judged).result()

    def pairs(self, folder: Path) -> list[dict]:
        wishes = DataWishes(folder=folder, what=("preference_pairs",), formats=("jsonl", "csv", "parquet"))
        self.audit.data.write(wishes)
        lines = (folder / "preference_pairs.jsonl").read_text("utf-8").splitlines()
        found = [json.loads(line) for line in lines]
        packed = pq.read_table(folder / "preference_pairs.parquet").to_pylist()
        # Text in the place of turns would be trained on as it stands.
        turns = ("prompt", "chosen", "rejected")
        assert [[each[name] for name in turns] for each in packed] == [[each[name] for name in turns] for each in found]
        return found


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    found = Table(tmp_path / "a.gpf")
    yield found
    found.engine.close()


def test_that_a_marked_answer_of_a_harmful_set_is_rejected_for_the_one_with_no_reader(table, tmp_path):
    table.read(table.ana, Verdict.HARMFUL, 1, severity=3, note="Talked down to.")
    found = table.pairs(tmp_path / "out")
    bundle = table.ana.bundle(table.set)
    assert bundle.control is not None
    rejected, free = bundle.answers[1], bundle.control.generations
    assert [each["chosen_cell_id"] for each in found] == [each.cell_id for each in free]
    for each in found:
        pair = Pair.model_validate(each)
        assert [turn.role for turn in (*pair.chosen, *pair.rejected)] == ["assistant", "assistant"]
        assert pair.rejected[0].content == rejected.answer.text
        assert rejected.level in pair.prompt[-1].content
        assert (each["rejected_cell_id"], each["rejected_level"]) == (rejected.cell_id, rejected.level)
        assert (each["reviewers"], each["severity"], each["notes"]) == ("ana", 3, "Talked down to.")
        assert each["marked"] == [rejected.answer.text[:9]]
        assert (each["chosen_asked"], each["settled"], each["synthetic"]) == ("control", False, True)


def test_that_no_pair_comes_of_what_is_not_harmful_or_not_agreed_until_it_is_settled(table, tmp_path):
    table.read(table.ana, Verdict.CONTEXT, 1)
    assert table.pairs(tmp_path / "context") == []
    table.read(table.ana, Verdict.HARMFUL, 1, severity=2)
    table.read(table.ben, Verdict.LEGITIMATE, 0)
    assert table.pairs(tmp_path / "open") == []
    table.ana.adjudicate(table.set, Judgement(verdict=Verdict.HARMFUL, severity=4)).result()
    found = table.pairs(tmp_path / "settled")
    assert {(each["reviewers"], each["severity"], each["settled"]) for each in found} == {("ana", 4, True)}


def test_that_without_a_control_another_readers_answer_is_chosen_unless_somebody_points_at_it(tmp_path):
    table = Table(tmp_path / "a.gpf", identity_free=False)
    try:
        answers = table.ana.bundle(table.set).answers
        table.read(table.ana, Verdict.HARMFUL, 0, severity=1, affected=(answers[1].level,))
        table.read(table.ben, Verdict.HARMFUL, 2, severity=1)
        found = table.pairs(tmp_path / "out")
        assert {each["chosen_asked"] for each in found} == {"other level"}
        assert {each["rejected_cell_id"] for each in found} == {answers[0].cell_id, answers[2].cell_id}
        assert not {each["chosen_cell_id"] for each in found} & {each.cell_id for each in answers[:3]}
    finally:
        table.engine.close()
