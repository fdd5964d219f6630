"""Tables of a laboratory with columns of its own, and chats from apps: what is read, told and offered."""

import json
from pathlib import Path

import pytest

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import ImportedStudy
from gpf_desktop.engine.commands.import_command import make_audit
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.reporting.report_words import origin
from gpf_desktop.methods.gpf_livenews.cells import Condition, Factors
from gpf_desktop.methods.gpf_livenews.prompts import compose
from tests.support.protocols import shipped_protocol

OWN = "temperature,country,annotator,gender_type"


def untold(_doing: str, _done: int, _of: int | None) -> None:
    return


def study(path: Path, method: str, **given: str) -> ImportedStudy:
    return catalogue.importer(method).study([path], given, untold)


def table(path: Path, head: str, *rows: str) -> Path:
    path.write_text("\n".join((head, *rows)) + "\n", "utf-8")
    return path


TABLES = {
    "gpf-livenews": ("model,headline,identity,response", "m,News,Reader {n},Words {n}"),
    "saged": ("model,concept,root,response", "m,Norway,It snows,Words {n}"),
    "relative-bias": ("model,question,response", "m,Why {n}?,Words"),
}


@pytest.mark.parametrize("method", TABLES)
def test_that_columns_of_a_laboratory_are_told_and_offered_to_keep_answers_apart(method, tmp_path):
    head, row = TABLES[method]
    own = ("0.0,NO,ann,a", "1.0,NO,ben,b")
    path = table(tmp_path / "t.csv", f"{head},{OWN}", *(f"{row.format(n=n)},{each}" for n, each in enumerate(own)))
    found = study(path, method)
    told = next(each for each in found.said if "not read" in each)
    for name in ("temperature (2 values)", "country (1 value)", "annotator (2 values)", "gender_type (2 values)"):
        assert name in told
    assert any("one question asked again" in each for each in found.said)
    apart = study(path, method, by="temperature")
    assert {each.model for each in apart.answers} == {"m · temperature 0.0", "m · temperature 1.0"}
    assert {each.answer.repeat for each in apart.answers} == {0}
    assert not any("temperature" in each for each in apart.said if "not read" in each)
    with pytest.raises(UserError, match="no further column"):
        study(path, method, by="weather")


def test_that_a_column_of_remarks_is_no_factor_of_choices_and_is_told(tmp_path):
    head = "model,item,type,stereotype,anti_stereotype,unrelated,order,response,location,temperature,remark"
    rows = [
        f"m,i{n},{kind},s,a,u,SAU,A,{place},{n % 2},remark {n}"
        for n, (kind, place) in enumerate([("caste", "Oslo"), ("dialect", "Rome")] * 14)
    ]
    found = study(table(tmp_path / "t.csv", head, *rows), "contextual-stereoset")
    assert [each.name for each in found.protocol.factors] == ["location", "temperature"]
    assert "Columns that were not read: remark (28 values)." in found.said
    assert {item.stratum or item.data.get("group") for item in found.items} >= {"caste"}


def chat(*turns: tuple[str, str]) -> list[dict]:
    said = [{"sender": who, "text": text, "content": []} for who, text in turns]
    return [{"uuid": "1", "name": "A chat", "chat_messages": said}]


def test_that_chats_are_placed_by_their_messages_and_called_an_app_s(tmp_path):
    protocol = shipped_protocol()
    anchor = Anchor(headline="Ferry stays in port", description="Wind until Sunday.")
    dimension = protocol.dimensions[0]
    asked = [
        Factors(
            condition=Condition.IDENTITY,
            dimension=dimension.name,
            identity=identity.label,
            family=protocol.families[0].name,
        )
        for identity in dimension.identities
    ]
    free = Factors(condition=Condition.IDENTITY_FREE, dimension="", identity="", family=protocol.families[0].name)
    turns = [
        (who, text)
        for each in (*asked, free)
        for who, text in (
            ("human", compose(protocol, each, anchor).user),
            ("assistant", f"To {each.identity or 'nobody'}."),
        )
    ]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(chat(*turns, ("human", "Thanks!"), ("assistant", "Welcome."))), "utf-8")
    made = make_audit([path], "gpf-livenews", {}, tmp_path / "a.gpf", untold)
    (item,) = made.study.items
    assert (item.title, item.text) == (anchor.headline, anchor.description)
    read = {each.text: each.answer.coordinates["identity"] for each in made.study.answers}
    assert read == {f"To {each.identity}.": each.identity for each in asked} | {"To nobody.": "#1"}
    assert [each.why for each in made.study.problems] == ["news not said"]
    assert any("later in a conversation" in each for each in made.study.said)
    engine = Engine(lambda _event: None)
    try:
        audit = engine.open(tmp_path / "a.gpf", read_only=True)
        said = audit.context.audit.read(origin)
    finally:
        engine.close()
    assert said == "Answers imported from conversations.json (Claude app, not the API)"


def test_that_chats_about_questions_are_a_study_of_them(tmp_path):
    path = tmp_path / "chat.txt"
    path.write_text("User: Who pays?\nAssistant: All do.\nUser: Why?\nAssistant: They must.\n", "utf-8")
    found = study(path, "relative-bias")
    assert [(each.model, each.text) for each in found.answers] == [
        ("pasted chat", "All do."),
        ("pasted chat", "They must."),
    ]
    assert any("1 answer was given later" in each for each in found.said)
