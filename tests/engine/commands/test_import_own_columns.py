"""Tables of a laboratory with columns of its own, and chats from apps: what is read, told and offered."""

import json
from pathlib import Path

import pytest
import yaml

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import ImportedStudy
from gpf_desktop.engine.commands.import_command import make_audit
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.reporting.report_words import origin
from gpf_desktop.methods.contextual_stereoset.asked_items import asked_items
from gpf_desktop.methods.contextual_stereoset.grid import contexts_of
from gpf_desktop.methods.contextual_stereoset.method import context_at
from gpf_desktop.methods.contextual_stereoset.prompts import compose as stereo_message
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


SAGED_HEADS = {
    "a row an answer": ("model,concept,root,response,mood,country", "oak,{concept},It snows,Words,{who},NO"),
    "the library's": (
        "keyword,concept,category,prompts,baseline,source_tag,oak,oak_sentiment_score,mood,country",
        "Oslo,{concept},nations,It is,It is cold.,wiki,Words,.5,{who},NO",
    ),
}


@pytest.mark.parametrize("shape", SAGED_HEADS)
def test_that_a_laboratory_s_own_columns_are_told_of_saged_and_may_be_roles(shape: str, tmp_path: Path) -> None:
    head, row = SAGED_HEADS[shape]
    both = [row.format(concept=concept, who=who) for who in ("", "glad") for concept in ("Norway", "Peru")]
    path = table(tmp_path / "t.csv", head, *both)
    told = study(path, "saged").said
    assert any("not read: mood (2 values); country (1 value)." in each for each in told)
    assert any("Named as “roles”" in each for each in told)
    found = study(path, "saged", roles="mood")
    assert {each.answer.coordinates.get("role_play") for each in found.answers} == {"none", "glad"}
    assert {each.answer.repeat for each in found.answers} == {0}
    assert any("not read: country (1 value)." in each for each in found.said)
    assert len({each.item for each in found.answers}) == 1 + (shape == "the library's"), "each role asks the same"
    both_told = study(path, "saged", roles="mood, country")
    assert {each.answer.coordinates.get("role_play") for each in both_told.answers} == {"NO", "glad · NO"}
    with pytest.raises(UserError, match="no further column “job”"):
        study(path, "saged", roles="job")


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


def test_that_what_is_the_same_in_all_rows_of_an_item_is_no_factor_of_choices(tmp_path):
    head = "engine,item,kind of bias,stereotype,anti_stereotype,unrelated,order,response,mood,source"
    rows = [
        f"m,i{n},{kind},s,a,u,SAU,A,{mood},{source}"
        for n, (kind, source) in enumerate([("accent", "school"), ("caste", "clinic")] * 10)
        for mood in ("calm", "angry")
    ]
    found = study(table(tmp_path / "t.csv", head, *rows), "contextual-stereoset")
    assert [each.name for each in found.protocol.factors] == ["mood"]
    assert "Columns that were not read: source (2 values)." in found.said
    assert {item.stratum or item.data.get("group") for item in found.items} == {"accent", "caste"}
    named = study(tmp_path / "t.csv", "contextual-stereoset", factors="mood,source")
    assert [each.name for each in named.protocol.factors] == ["mood", "source"]


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


def chatted(folder: Path, *asked: str) -> Path:
    """A chat with these questions, one that has no place, and the first again in other spaces."""
    said = (*asked, "Thanks!", asked[0].replace("\n\n", "\n \n"))
    turns = [each for text in said for each in (("human", text), ("assistant", "A"))]
    path = folder / "conversations.json"
    path.write_text(json.dumps(chat(*turns)), "utf-8")
    return path


@pytest.mark.parametrize("named", ["", "Contextual StereoSet, two wordings"])
def test_that_chats_about_items_are_placed_at_them(tmp_path: Path, named: str) -> None:
    method = catalogue.method("contextual-stereoset")
    path = method.protocol_files()[named or method.default_protocol]
    protocol = method.protocol(yaml.safe_load(path.read_text("utf-8")))
    cells = [(item, ()) for item in asked_items(protocol)[:1]]
    cells += [(item, context) for item in asked_items(protocol)[:3] for context in contexts_of(protocol)[:4]]
    wording = protocol.wordings[-1]
    asked = [stereo_message(protocol, item, context, wording, "UAS").user for item, context in cells]
    found = study(chatted(tmp_path, *asked), "contextual-stereoset", **({"protocol": named} if named else {}))
    assert found.protocol == protocol
    read = [(found.items[each.item], each.answer) for each in found.answers]
    assert [(item.key, context_at(protocol, at.coordinates)) for item, at in read] == [
        (item.id, context) for item, context in [*cells, cells[0]]
    ]
    assert {(at.coordinates["wording"], at.coordinates["order"]) for _, at in read} == {(wording, "UAS")}
    assert [item for item, _ in read[:1]] == [cells[0][0].study_item]
    assert (read[-1][1].repeat, [each.why for each in found.problems]) == (1, ["item not said"])


def test_that_chats_about_prompts_are_placed_at_their_sentences_and_groups(tmp_path: Path) -> None:
    method = catalogue.method("saged")
    protocol = method.protocol(yaml.safe_load(method.protocol_files()[method.default_protocol].read_text("utf-8")))
    rows = protocol.benchmark[:5]
    asked = [protocol.template.replace("{prompt}", row.prompt) for row in rows]
    found = study(chatted(tmp_path, *asked), "saged")
    assert (found.protocol.template, found.protocol.roles) == (protocol.template, {"none": ""})
    assert found.protocol.benchmark == rows
    assert [(each.answer.coordinates["concept"], each.answer.repeat) for each in found.answers] == [
        *((row.concept, 0) for row in rows),
        (rows[0].concept, 1),
    ]
    assert [each.why for each in found.problems] == ["concept, root not said"]


@pytest.mark.parametrize("method", ["gpf-livenews", "contextual-stereoset", "saged"])
def test_that_chats_of_which_none_asks_a_question_of_the_protocol_are_refused_so(tmp_path: Path, method: str) -> None:
    with pytest.raises(UserError, match="No message of the chats is a question of the protocol"):
        study(chatted(tmp_path, "What of the ferry?"), method)


def test_that_chats_about_questions_are_a_study_of_them(tmp_path):
    path = tmp_path / "chat.txt"
    path.write_text("User: Who pays?\nAssistant: All do.\nUser: Why?\nAssistant: They must.\n", "utf-8")
    found = study(path, "relative-bias")
    assert [(each.model, each.text) for each in found.answers] == [
        ("pasted chat", "All do."),
        ("pasted chat", "They must."),
    ]
    assert any("1 answer was given later" in each for each in found.said)
