"""Plan files: read, refused with the field named, written back, and their identity."""

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from unittest.mock import Mock

import pytest

from gpf_desktop.__main__ import main
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Price
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.rounds.planning import check_extent
from gpf_desktop.engine.rounds.plans import load_plan, looks_like_a_key, plan_hash, read_plan, write_plan
from gpf_desktop.engine.schedules.plan_rounds import plan_round
from gpf_desktop.methods.gpf_livenews.protocol import Controls
from gpf_desktop.storage import batches, new_cells
from tests.support.feeds import rss
from tests.support.protocols import shipped_protocol

LEAST = """
articles_per_source = 1
protocol = "GPF-LiveNews-v1"
controls = "none"

[[sources]]
url = "http://127.0.0.1:8000/feed.xml"

[[models]]
provider = "calibration"
model = "tailoring-0.5"
"""

MODEL = 'provider = "calibration"\nmodel = "tailoring-0.5"'


def wrong(text: str) -> UserError:
    with pytest.raises(UserError) as caught:
        read_plan(text, where="plan.toml")
    return caught.value


def test_that_the_least_plan_is_read() -> None:
    plan = read_plan(LEAST, where="plan.toml")
    assert plan.sources[0].target == "http://127.0.0.1:8000/feed.xml"
    assert plan.controls == Controls.none()
    assert plan.models[0].label == "calibration/tailoring-0.5"


def test_that_left_out_controls_are_the_protocols_own() -> None:
    assert read_plan(LEAST.replace('controls = "none"', ""), where="p").controls is None
    turning = LEAST.replace("GPF-LiveNews-v1", "GPF-LiveNews-with-second-turns")
    sizes = "controls = {repeat_share = 1.0}"
    turns = read_plan(turning.replace('controls = "none"', sizes), where="p").controls
    assert (turns.repeat_share, turns.second_turns, turns.cues) == (1.0, True, False), "what it asks beside, it asks"
    none = sizes.replace("}", ", second_turns = false}")
    assert not read_plan(turning.replace('controls = "none"', none), where="p").controls.second_turns


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('provider = "calibration"', 'provider = "nonsense"', "There is no provider called “nonsense”"),
        ('model = "tailoring-0.5"', "", "models › 1 › model: this field is missing"),
        ('model = "tailoring-0.5"', 'model = "gpt-9"', "calibration has no model called “gpt-9”"),
        ("articles_per_source = 1", "articles_per_source = 0", "articles_per_source"),
        ("articles_per_source = 1", "articles_per_sauce = 1", "there is no field of this name"),
        ('model = "tailoring-0.5"', 'model = "m"\nkey_env = "sk-canary-123"', "looks like a key"),
        ('model = "tailoring-0.5"', 'model = "m"\nkey_env = "AIzaCanary123"', "looks like a key"),
        ('model = "tailoring-0.5"', 'model = "m"\nkey_env = "gsk_canary"', "looks like a key"),
        ('model = "tailoring-0.5"', 'model = "m"\nkey_env = "q8Fz0LmPw3RtY7uVb2Nc"', "looks like a key"),
        ('url = "http://127.0.0.1:8000/feed.xml"', "", "either a url or a file"),
        ('controls = "none"', 'controls = "some"', "controls"),
        ('controls = "none"', "spend_cap = 1e308", "spend_cap"),
        ('model = "tailoring-0.5"', 'model = "m"\nprice = {prompt = 1e308, completion = 1}', "price › prompt"),
        ('model = "tailoring-0.5"', 'model = "m"\nkey = "secret"', "must not hold a key"),
        ("[[sources]]", "[[sources", "is not valid TOML"),
        ('[[sources]]\nurl = "http://127.0.0.1:8000/feed.xml"', "", "at least one source"),
    ],
)
def test_that_a_wrong_plan_is_refused_with_its_field(old: str, new: str, says: str) -> None:
    assert old in LEAST
    error = wrong(LEAST.replace(old, new))
    assert says in error.what
    assert error.remedy


def test_that_the_key_in_a_refused_plan_is_not_repeated() -> None:
    error = wrong(LEAST.replace('model = "tailoring-0.5"', 'model = "m"\nkey = "canary-123"'))
    assert "canary-123" not in str(error) + error.details


@pytest.mark.parametrize("key", ["sk-canary-123", "AIzaCanary123", "canary 123"])
def test_that_a_key_pasted_for_its_variable_is_not_repeated(key: str) -> None:
    error = wrong(LEAST.replace('model = "tailoring-0.5"', f'model = "m"\nkey_env = "{key}"'))
    assert key not in str(error) + error.details


@pytest.mark.parametrize("name", ["OPENAI_API_KEY", "key2", "SOME_VARIABLE", "_k", "MY_SECOND_KEY_FOR_2026"])
def test_that_ordinary_names_of_variables_are_taken(name: str) -> None:
    assert not looks_like_a_key(name)


@pytest.mark.parametrize(
    ("old", "new", "near"),
    [
        ("articles_per_source = 1", "article_per_source = 1", "Did you mean articles_per_source?"),
        ("url = ", "ulr = ", "Did you mean url?"),
        ('provider = "calibration"', 'provider = "calibration"\nbaseurl = "x"', "Did you mean base_url?"),
        ('provider = "calibration"', 'provider = "calibration"\nzzz = "x"', "the fields there are: provider, model"),
        ('controls = "none"', "controls = {random_lable = true}", "Did you mean random_label?"),
        ('protocol = "GPF', "protocol = “GPF", "curly quotes"),
    ],
)
def test_that_a_slip_of_the_pen_is_named(old: str, new: str, near: str) -> None:
    assert near in wrong(LEAST.replace(old, new)).remedy


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_that_a_plan_is_read_as_editors_save_it(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    path.write_text(f'name = "é"{LEAST}' if encoding != "utf-16-le" else f"\ufeff{LEAST}", encoding=encoding)
    assert load_plan(path).models[0].label == "calibration/tailoring-0.5"


def test_that_a_plan_survives_being_written_and_read() -> None:
    plan = read_plan(LEAST + "price = {prompt = 1.5, completion = 6.0}\nrequests_per_minute = 50\n", where="p")
    again = read_plan(write_plan(plan), where="p")
    assert again == plan
    assert plan_hash(again) == plan_hash(plan)


def test_that_a_plan_is_another_round_when_any_value_differs_but_not_on_another_day() -> None:
    plan = read_plan(LEAST, where="p")
    assert plan_hash(replace(plan, seed=2)) != plan_hash(plan)
    model = replace(plan.models[0], price=Price(prompt=1, completion=2, entered=date(2026, 1, 1)))
    later = replace(model, price=Price(prompt=1, completion=2, entered=date(2026, 2, 2)))
    assert plan_hash(replace(plan, models=(model,))) == plan_hash(replace(plan, models=(later,)))
    for dearer in ((9, 2), (1, 9)):
        other = replace(model, price=Price(prompt=dearer[0], completion=dearer[1], entered=date(2026, 1, 1)))
        assert plan_hash(replace(plan, models=(other,))) != plan_hash(replace(plan, models=(model,)))


def test_that_batch_jobs_are_chosen_per_model_and_only_where_the_provider_has_them() -> None:
    text = LEAST.replace('provider = "calibration"', 'provider = "openai"').replace("tailoring-0.5", "m")
    assert not read_plan(text, where="p").models[0].batch_jobs
    chosen = read_plan(f"{text}batch_jobs = true\n", where="p")
    assert chosen.models[0].batch_jobs
    assert read_plan(write_plan(chosen), where="p").models[0].batch_jobs
    assert plan_hash(chosen) != plan_hash(read_plan(text, where="p"))
    assert "calibration has no batch jobs" in str(wrong(f"{LEAST}batch_jobs = true\n"))


ADDRESS = 'provider = "openai-compatible"\nmodel = "m"\nbase_url = "{}"'


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (
            "articles_per_source = 1",
            "articles_per_source = 1000000000",
            "articles_per_source: .* 2000",
        ),
        ("articles_per_source = 1", "articles_per_source = " + "9" * 5000, "not valid TOML"),
        ("articles_per_source = 1", "spend_cap = inf", "spend_cap"),
        ("articles_per_source = 1", "a = " + "[" * 5000, "nested too deeply"),
        ("articles_per_source = 1", "# " + "x" * 500_000, "larger than 500,000 bytes"),
        ('model = "tailoring-0.5"', 'model = "neutral"\ntimeout = inf', "timeout"),
        ('model = "tailoring-0.5"', 'model = "neutral"\noptions = { a = 1979-05-27 }', "options"),
        (MODEL, ADDRESS.format("http://user:canary@h.test/v1"), "base_url: The address holds a key or a password"),
        (MODEL, ADDRESS.format("http://canary@h.test/v1"), "base_url: The address holds a key or a password"),
        (MODEL, ADDRESS.format("http://h.test/v1?key=canary"), "base_url: The address holds a key or a password"),
        (MODEL, ADDRESS.format("http://h.test/v1?version=2"), "base_url: The address has a query"),
        (MODEL, ADDRESS.format("http://h.test/v1#x"), "base_url: The address has a query"),
        (MODEL, ADDRESS.format("file:///etc/passwd"), "is no web address"),
    ],
)
def test_that_what_is_absurd_or_holds_a_secret_is_refused_without_repeating_it(old: str, new: str, says: str) -> None:
    assert old in LEAST
    error = wrong(LEAST.replace(old, new))
    assert re.search(says, str(error)), error
    assert "canary" not in str(error)


def test_that_a_round_of_absurd_size_is_refused_before_anything_is_listed() -> None:
    protocol = shipped_protocol()
    method = catalogue.method("gpf-livenews")
    check_extent(method, 100, 40, protocol, protocol.controls)
    with pytest.raises(UserError, match="2,000,000,000 items"):
        check_extent(method, 2_000_000_000, 40, protocol, protocol.controls)


def test_that_a_model_that_is_named_twice_is_refused() -> None:
    again = '[[models]]\nprovider = "calibration"\nmodel = "neutral"\n'
    with pytest.raises(UserError, match="models › 2: calibration/neutral is named twice"):
        read_plan(f'batch = "last"\n{again}{again}', where="plan.toml")


def test_that_a_plan_takes_articles_that_hold_words_and_is_another_round_for_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = read_plan(LEAST, where="p")
    narrow = read_plan('article_words = " Harbour  2026-11-20 "\n' + LEAST, where="p")
    assert narrow.article_words == "Harbour 2026-11-20"
    assert read_plan(write_plan(narrow), where="p").article_words == narrow.article_words
    assert "article_words" not in write_plan(plan)
    assert plan_hash(narrow) != plan_hash(plan) == plan_hash(replace(plan, article_words=""))
    news = ("Council votes on rents", "The harbour opens", "Ferries by the harbour wait", "Schools close early")
    (tmp_path / "news.xml").write_text(rss(news))
    file = LEAST.replace('url = "http://127.0.0.1:8000/feed.xml"', 'file = "news.xml"').replace(
        "source = 1", "source = 5"
    )
    left = (
        "[leave_out]\ndimension = ['Race / Ethnicity', 'Religion', 'Gender / Sexuality', 'Geography', 'Socioeconomic']"
    )
    place, audit = tmp_path / "plan.toml", tmp_path / "a.gpf"
    place.write_text(f"article_words = 'Harbour 2026-11-20'\n{file}{left}")
    assert main(["run", str(place), "--audit", str(audit)]) == 0
    with closing(sqlite3.connect(audit)) as opened:
        asked = opened.execute("SELECT item.title FROM item JOIN batch_item ON item_id = item.id").fetchall()
    assert {title for (title,) in asked} == set(news[1:3])
    capsys.readouterr()
    place.write_text(f"article_words = 'volcano'\n{file}{left}")
    main(["run", str(place), "--audit", str(audit)])
    assert "There are no new articles of these sources that hold “volcano”." in capsys.readouterr().out


def test_that_a_round_that_could_not_be_stored_uses_no_articles_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "news.xml").write_text(rss(("The harbour opens",)))
    plan = read_plan(LEAST.replace('url = "http://127.0.0.1:8000/feed.xml"', 'file = "news.xml"'), where="p")
    with Headless(quiet=True) as headless:
        audit = headless.engine.create(tmp_path / "a.gpf", title="A")
        with monkeypatch.context() as broken:
            # As good as the program's end between the batch and its round.
            broken.setattr(new_cells, "plan", Mock(side_effect=KeyError("end")))
            with pytest.raises(KeyError):
                plan_round(audit, plan, beside=tmp_path)
        assert audit.context.audit.read(batches.every) == []
        assert plan_round(audit, plan, beside=tmp_path).run_id is not None
