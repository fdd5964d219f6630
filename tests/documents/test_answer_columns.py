"""Tables in which several columns hold answers."""

from pathlib import Path

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import ImportedStudy
from gpf_desktop.engine.core import catalogue

WIDE = "question,Oak,Elm 2\nWhy?,So.,Thus.\nHow?,Well.,\n"
SURVEY = """Timestamp,Which model?,"Is it free, always?",How?
,,Open-Ended Response,Response
2026,oak,No.,Well.
2026,elm,Yes.,So.
"""


def study(path: Path, method: str, **given: str) -> ImportedStudy:
    return catalogue.importer(method).study([path], given, lambda _doing, _done, _of: None)


def test_that_columns_of_models_are_answers_of_each(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(WIDE)
    with pytest.raises(UserError, match="was found to say") as refused:
        study(path, "relative-bias")
    assert "name them as “answers”" in (refused.value.remedy or "")
    found = study(path, "relative-bias", answers="Oak, Elm 2")
    told = {(each.model, found.items[each.item].title): (each.text, each.missing) for each in found.answers}
    assert told == {
        ("Oak", "Why?"): ("So.", ""),
        ("Elm 2", "Why?"): ("Thus.", ""),
        ("Oak", "How?"): ("Well.", ""),
        ("Elm 2", "How?"): ("", "empty"),
    }
    with pytest.raises(UserError, match="no column “Ash”"):
        study(path, "relative-bias", answers="Oak,Ash")


def test_that_columns_of_a_survey_are_questions_whose_names_may_have_commas(tmp_path: Path) -> None:
    path, mapped = tmp_path / "t.csv", tmp_path / "map.toml"
    path.write_text(SURVEY)
    mapped.write_text('[columns]\nmodel = "Which model?"\n')
    found = study(path, "relative-bias", answers="question=Is it free, always?,How?", map=str(mapped))
    told = sorted((each.model, found.items[each.item].title, each.text) for each in found.answers)
    assert [each.why for each in found.problems] == ["it is a second line of the head"]
    assert told == [
        ("elm", "How?", "So."),
        ("elm", "Is it free, always?", "Yes."),
        ("oak", "How?", "Well."),
        ("oak", "Is it free, always?", "No."),
    ]


def test_that_columns_of_readers_are_answers_to_each(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("model,headline,Hindu,Jewish\noak,Rents rise,Ask.,Wait.\n")
    found = study(path, "gpf-livenews", answers="identity=Hindu,Jewish")
    told = sorted((each.answer.coordinates.get("identity"), each.text) for each in found.answers)
    assert told == [("Hindu", "Ask."), ("Jewish", "Wait.")]
