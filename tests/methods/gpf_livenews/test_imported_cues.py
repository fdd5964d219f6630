"""Answers that were asked elsewhere by cues of who asks: each stands where its cue puts it, and shows it."""

from pathlib import Path

import pytest

from gpf_desktop.domain.imports import ImportedStudy
from gpf_desktop.methods.gpf_livenews.importing import study_in


def imported(tmp_path: Path, head: str, *rows: str) -> ImportedStudy:
    table = tmp_path / "t.csv"
    both = [row.replace("X", reader) for row in rows for reader in ("Hindu", "Muslim")]
    table.write_text("\n".join((f"model,headline,identity,dimension,family,response,{head}", *both)), encoding="utf-8")
    return study_in([table], {}, lambda _doing, _done, _of: None)


@pytest.mark.parametrize(
    ("said", "condition"),
    [
        ("by-name", "by-name"),
        ("Name", "by-name"),
        ("by a name", "by-name"),
        ("An earlier question", "by-history"),
        ("chat_history", "by-history"),
        ("a song", ""),
        ("memory", "by-note"),
        ("stated", "identity"),
        ("", "identity"),
    ],
)
def test_that_a_column_of_cues_tells_how_an_imported_answer_was_asked(
    tmp_path: Path, said: str, condition: str
) -> None:
    study = imported(
        tmp_path, "cue", f"oak,Rents rise,X,Faith,Impact,Words,{said}", "oak,Rents fall,X,Faith,Impact,Words,"
    )
    asked = {each.answer.coordinates["condition"] for each in study.answers if each.item == 0}
    assert asked == ({condition} if condition else set())
    assert len(study.problems) == (0 if asked else 2)


def test_that_the_words_of_a_cue_are_shown_and_their_kind_is_told_by_where_they_were_sent(tmp_path: Path) -> None:
    study = imported(
        tmp_path,
        "cue,question,system",
        "oak,Rents rise,X,Faith,Impact,Words,,I am X. What of it?,Be brief.",
        "oak,Rents rise,X,Faith,Impact,Words,Asha of X.,Asha of X. What of it?,Be brief.",
        "oak,Rents rise,X,Faith,Impact,Words,When is X prayer?,When is X prayer? What of it?,Be brief.",
        "oak,Rents rise,X,Faith,Impact,Words,Goes to a X house.,What of it?,Be brief. Goes to a X house.",
        "oak,Rents rise,X,Faith,Impact,Words,Sent nowhere.,What of it?,Be brief.",
    )
    says = {(str(cue.kind), each.identity): each.says for cue in study.protocol.cues for each in cue.readers}
    assert says == {
        ("by-name", "Hindu"): "Asha of Hindu.",
        ("by-name", "Muslim"): "Asha of Muslim.",
        ("by-history", "Hindu"): "When is Hindu prayer?",
        ("by-history", "Muslim"): "When is Muslim prayer?",
        ("by-note", "Hindu"): "Goes to a Hindu house.",
        ("by-note", "Muslim"): "Goes to a Muslim house.",
    }
    assert {each.line for each in study.problems} == {10, 11}


def test_that_a_way_of_asking_stands_over_the_kind_of_cue_beside_it(tmp_path: Path) -> None:
    row = "oak,Rents rise,X,Faith,Impact,Words"
    study = imported(
        tmp_path, "condition,cue", f"{row},asked-if-sure,name", f"{row},identity,name", f"{row},by-note,X."
    )
    asked = [each.answer.coordinates["condition"] for each in study.answers]
    assert sorted(set(asked)) == ["asked-if-sure", "by-name", "by-note"]
