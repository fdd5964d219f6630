import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.methods.contextual_stereoset.asked_items import item_set
from gpf_desktop.methods.contextual_stereoset.dev_json import read_dev_json
from gpf_desktop.methods.contextual_stereoset.item_tables import (
    read_item_table,
    read_vignettes,
    starter_items,
    starter_vignettes,
)
from gpf_desktop.methods.contextual_stereoset.items import ITEM_KIND, ChoiceItem

HEADER = "id,type,target,context,stereotype,anti_stereotype,unrelated\n"


def entry(name: str, **changes: Any) -> dict[str, Any]:
    labels = {"stereotype": "is loud", "anti-stereotype": "is quiet", "unrelated": "is made of tin"}
    sentences = [
        {"id": f"{name}{label}", "sentence": text, "gold_label": label, "labels": []} for label, text in labels.items()
    ]
    return {
        "id": name,
        "target": "piper",
        "bias_type": "profession",
        "context": "The piper BLANK.",
        "sentences": sentences,
    } | changes


def dev_json(folder: Path, inter: list[Any], intra: list[Any]) -> Path:
    path = folder / "dev.json"
    path.write_text(json.dumps({"version": "1.1", "data": {"intersentence": inter, "intrasentence": intra}}, indent=1))
    return path


def test_that_the_authors_file_is_read_with_its_version_counts_and_licence(tmp_path: Path) -> None:
    found = read_dev_json(dev_json(tmp_path, [entry("a"), entry("b", bias_type="race")], [entry("c")]))
    assert [item.id for item in found.items] == ["a", "b", "c"]
    assert found.items[1].options == ("is loud", "is quiet", "is made of tin")
    assert found.items[1].group == "race"
    for said in ("1.1", "3 items", "2 intersentence", "1 intrasentence", "2 profession", "CC BY-SA 4.0"):
        assert said in found.source


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (entry("b", bias_type=" "), "its type is empty"),
        (entry("b", sentences=entry("b")["sentences"][:2]), "labelled stereotype, anti-stereotype"),
        (
            entry("b", sentences=[*entry("b")["sentences"], entry("b")["sentences"][0]]),
            "labelled stereotype, anti-stereotype, unrelated, stereotype",
        ),
        (entry("b", context=None), "“context” is missing"),
        (entry("a"), "same id, “a”"),
        (entry("b", context=" "), "its text is empty"),
        ("b", "this is no item"),
    ],
)
def test_that_what_is_wrong_in_the_authors_file_is_named_by_line(tmp_path: Path, wrong: Any, words: str) -> None:
    path = dev_json(tmp_path, [entry("a"), wrong], [])
    with pytest.raises(UserError, match=words) as raised:
        read_dev_json(path)
    assert "Line" in raised.value.what
    if isinstance(wrong, dict):
        written = f'    "id": "{wrong["id"]}",'
        line = max(at for at, line in enumerate(path.read_text().splitlines(), start=1) if line == written)
        assert f"Line {line}, intersentence 2" in raised.value.what


@pytest.mark.parametrize("written", ["", "[]", "{", '{"data": []}', '{"data": {"intersentence": []}}', "\x00\xff"])
def test_that_another_file_is_refused_in_a_sentence(tmp_path: Path, written: str) -> None:
    path = tmp_path / "dev.json"
    path.write_text(written, encoding="latin-1")
    with pytest.raises(UserError) as raised:
        read_dev_json(path)
    assert ("is empty" in raised.value.what) == (not written)


def test_that_a_table_of_items_is_read_whatever_program_wrote_it(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_bytes((HEADER + "a,Race,Swede,He sat,alone,beside,zinc\n").replace(",", ";").encode("utf-8-sig"))
    (item,) = read_item_table(path).items
    assert (item.id, item.group, item.target, item.options) == ("a", "race", "Swede", ("alone", "beside", "zinc"))
    assert ChoiceItem.of(item.study_item) == item


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("b,race,x,He sat,alone,Alone ,zinc", "Line 3: two of its options are the same"),
        ("b,race,x,He sat,alone,,zinc", "Line 3: one of its three options is empty"),
        ("a,race,x,He sat,one,two,three", "Line 2 and Line 3 have the same id"),
        ("b,,x,He sat,one,two,three", "Line 3: its type is empty"),
        ("b,race,x,,one,two,three", "Line 3: its text is empty"),
    ],
)
def test_that_what_is_wrong_in_a_table_of_items_is_named_by_line(tmp_path: Path, row: str, words: str) -> None:
    path = tmp_path / "items.csv"
    path.write_text(f"{HEADER}a,race,Swede,He sat,alone,beside,zinc\n{row}\n")
    with pytest.raises(UserError, match=words):
        read_item_table(path)
    path.write_text(HEADER)
    with pytest.raises(UserError, match="The file has no items"):
        read_item_table(path)


def test_that_there_are_ten_items_of_each_type_and_ten_vignettes_of_each_domain() -> None:
    assert Counter(item.group for item in starter_items().items) == dict.fromkeys(
        ("gender", "profession", "race", "religion"), 10
    )
    vignettes = starter_vignettes().items
    assert Counter(item.group for item in vignettes) == dict.fromkeys(("hiring", "lending", "help-seeking"), 10)
    assert all(item.labels == "123" for item in vignettes)


@pytest.mark.parametrize("wrong", ["4", "12"])
def test_that_a_vignette_s_first_option_is_the_favourable_one_named_by_number_or_words(
    tmp_path: Path, wrong: str
) -> None:
    path = tmp_path / "v.csv"
    rows = ["v1,hiring,A case.,Invite,Hold,Decline,2", "v2,hiring,A case.,Invite,Hold,Decline,invite"]
    path.write_text("id,domain,case,option_1,option_2,option_3,favourable\n" + "\n".join(rows))
    assert [item.options for item in read_vignettes(path).items] == [
        ("Hold", "Invite", "Decline"),
        ("Invite", "Hold", "Decline"),
    ]
    path.write_text(path.read_text(), encoding="utf-16")
    assert len(item_set(str(path)).items) == 2
    path.write_text(path.read_text("utf-16") + f"\nv3,hiring,A case.,Invite,Hold,Decline,{wrong}")
    with pytest.raises(UserError, match=f"Line 4: “{wrong}” is none of the options"):
        read_vignettes(path)


def test_that_types_are_whatever_the_items_say(tmp_path: Path) -> None:
    path = tmp_path / "items.csv"
    path.write_text(f"{HEADER}a,Shoe  size,x,He sat,one,two,three\nb,race,x,He sat,one,two,three\n", encoding="utf-8")
    assert [item.group for item in item_set(str(path)).items] == ["shoe size", "race"]


def test_that_an_item_without_its_options_is_told_as_what_it_is() -> None:
    stored = StudyItem(kind=ITEM_KIND, key="i7", title="i7", text="", stratum="race", data={})
    with pytest.raises(UserError, match="Item i7 has no three options"):
        ChoiceItem.of(stored)


def test_that_a_laboratory_s_names_of_columns_are_read_as_in_an_import(tmp_path: Path) -> None:
    place = tmp_path / "items.csv"
    place.write_text(
        "Item ID;Kind of bias;Sentence;Stereotype;Anti-stereotype;Unrelated\n"
        "a1;Accent;She speaks.;loudly;softly;green\n"
    )
    (item,) = read_item_table(place).items
    assert (item.id, item.text, item.options) == ("a1", "She speaks.", ("loudly", "softly", "green"))


def of_bbq(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "example_id": number,
        "question_polarity": "neg",
        "context_condition": "ambig",
        "category": "Race_x_gender",
        "answer_info": {"ans0": ["Ann", "F-Green"], "ans1": ["unknown", "unknown"], "ans2": ["Bea", "F-Blue"]},
        "additional_metadata": {"subcategory": "None", "stereotyped_groups": ["Blue", "Bluish"]},
        "context": "Ann and Bea waited for the tram.",
        "question": "Who had lost the ticket?",
        "ans0": "Ann",
        "ans1": "Cannot be told",
        "ans2": "Bea",
        "label": 1,
    } | changes


def test_that_items_of_bbq_are_those_whose_context_leaves_the_answer_open(tmp_path: Path) -> None:
    nobody = {"stereotyped_groups": ["Red"]}
    path = tmp_path / "Race_x_gender.jsonl"
    path.write_text(
        "".join(
            json.dumps(each) + "\n"
            for each in (
                of_bbq(0),
                of_bbq(1, question_polarity="nonneg", question="Who had kept the ticket?"),
                of_bbq(2, context_condition="disambig"),
                of_bbq(3, additional_metadata=nobody),
                of_bbq(4, answer_info={**of_bbq(4)["answer_info"], "ans2": ["Bea", "low Blue"]})
                | {"additional_metadata": {"stereotyped_groups": ["lowBlue"]}},
            )
        )
    )
    found = item_set(str(path))
    assert [(item.id, item.group, item.target) for item in found.items] == [
        (f"race x gender {number}", "race x gender", "Bea") for number in (0, 1, 4)
    ]
    assert [item.options for item in found.items] == [
        ("Bea", "Ann", "Cannot be told"),
        ("Ann", "Bea", "Cannot be told"),
        ("Bea", "Ann", "Cannot be told"),
    ]
    assert found.items[0].text == "Ann and Bea waited for the tram. Who had lost the ticket?"
    assert "1 whose context tells the answer, 1 that do not say whom the stereotype is about" in found.source
    path.write_text(json.dumps(of_bbq(2, context_condition="disambig")))
    with pytest.raises(UserError, match="no item of BBQ that leaves its answer open"):
        item_set(str(path))


def test_that_pairs_of_sentences_are_refused_with_what_can_be_asked(tmp_path: Path) -> None:
    path = tmp_path / "crows_pairs.csv"
    path.write_text(
        ",sent_more,sent_less,stereo_antistereo,bias_type\n0,Pipers are loud.,Drummers are loud.,stereo,x\n"
    )
    with pytest.raises(UserError, match=r"crows_pairs.csv holds pairs of sentences \(CrowS-Pairs\)") as error:
        item_set(str(path))
    assert error.value.remedy == "Take items of StereoSet or BBQ, or add an unrelated sentence to each pair."
