"""`gpf-desktop plan`: promise, cost and pilot."""

import json
from pathlib import Path

import pytest

from gpf_desktop.cli import main
from gpf_desktop.engine.commands.sample import unpack_sample

pytestmark = pytest.mark.slow

PLAN = """
articles_per_source = 10
[[sources]]
url = "http://127.0.0.1:8000/feed.xml"
[[models]]
provider = "openai-compatible"
model = "some-model"
base_url = "http://127.0.0.1:9000/v1"
price = {prompt = 1.0, completion = 4.0}
"""


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    path = tmp_path / "plan.toml"
    path.write_text(PLAN)
    return path


def gpf(*arguments: object) -> int:
    return main([*map(str, arguments)], show_window=lambda _: 99, show_demo=lambda _: 99)


def told(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, object]:
    assert gpf("plan", *arguments, "--json") == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_that_it_tells_what_is_found_and_what_an_effect_costs(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, plan, "--cfs", "0.03")
    assert (found["articles"], found["models"], found["measured"]) == (10, 1, False)
    smallest = found["smallest"]
    assert isinstance(smallest, dict)
    assert 0.03 < smallest["counterfactual_framing"] < 0.1
    (enough,) = found["enough"]  # type: ignore[misc]
    more = enough["ways"][0]
    assert more["articles"] > 10
    assert more["cost_usd"][0] == pytest.approx(found["cost_usd"][0] * more["articles"] / 10, rel=0.02)  # type: ignore[index]


def test_that_an_audit_is_its_pilot(plan: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    audit = unpack_sample(tmp_path / "Sample audit.gpf")
    before = audit.read_bytes()
    found = told(capsys, plan, "--audit", audit)
    assert found["measured"]
    assert audit.read_bytes() == before, "it only reads"
    assert "4 articles" in str(found["variances"])
    assert "where 80% are promised of one model, it may be 40%" in str(found["variances"])
    assert found["smallest"] != told(capsys, plan)["smallest"]


def test_that_what_is_left_out_is_neither_paid_nor_counted_on(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = told(capsys, plan)
    left_out = '[leave_out]\nfamily = ["Impact", "Bias Check", "Significance"]\ndimension = ["Political"]\n'
    plan.write_text(PLAN + left_out)
    part = told(capsys, plan)
    assert part["calls"] < 0.6 * whole["calls"]  # type: ignore[operator]
    for score, smallest in part["smallest"].items():  # type: ignore[attr-defined]
        assert smallest > whole["smallest"][score], score  # type: ignore[index]
    plan.write_text(PLAN + '[leave_out]\narm = ["main"]\n')
    assert gpf("plan", plan) == 0
    assert "leave out less" in capsys.readouterr().out
    assert gpf("plan", plan, "--cfs", "0.05") == 2
    assert "Leave out less" in capsys.readouterr().err
    plan.write_text(PLAN + '[leave_out]\nfamily = ["Bias check"]\n')
    assert gpf("plan", plan) == 2
    assert "Did you mean Bias Check?" in capsys.readouterr().err


def test_that_slips_are_named(plan: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan.write_text(PLAN.replace('[[sources]]\nurl = "http://127.0.0.1:8000/feed.xml"\n', 'batch = "last"\n'))
    assert gpf("plan", plan) == 2
    assert "--articles" in capsys.readouterr().err
    assert gpf("plan", plan, "--articles", "3", "--cfs", "-1") == 2
    assert "from 0.001 to 1" in capsys.readouterr().err


def test_that_a_narrow_part_of_a_design_has_its_cost_told_though_not_what_it_finds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "narrow.toml"
    path.write_text(
        'method = "contextual-stereoset"\n[leave_out]\nlocation = ["Kenya"]\n'
        '[[models]]\nprovider = "stereoset-calibration"\nmodel = "typical"\n'
    )
    assert gpf("plan", path) == 0
    said = capsys.readouterr().out
    assert "40 items and 1 model: 2,760 calls" in said
    assert "What so narrow a part of the design finds cannot be told" in said


def test_that_the_language_of_its_own_files_and_of_news_that_was_asked_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "headline,description,url\nMeclis otobüs biletlerine zam yaptı,Bilet fiyatları gelecek ay artacak,https://e.org/1\n"
    (tmp_path / "news.csv").write_text(rows, encoding="utf-8")
    plan, audit = tmp_path / "plan.toml", tmp_path / "audit.gpf"
    family = '{name: Impact, templates: ["I am {identity}. What of it?"], identity_free: ["What of it?"]}'
    readers = "{name: Religion, identities: [{label: Jewish}, {label: Hindu}]}"
    small = f"name: Small\nlike: GPF-LiveNews-v1\nfamilies: [{family}]\ndimensions: [{readers}]\n"
    (tmp_path / "small.yaml").write_text(small, encoding="utf-8")
    models = '[[models]]\nprovider = "calibration"\nmodel = "neutral"\n'
    head = 'protocol = "small.yaml"\ncontrols = "none"\n'
    plan.write_text(f'{head}[[sources]]\nfile = "news.csv"\n{models}', encoding="utf-8")
    wanted = "English"
    assert wanted in str(told(capsys, plan)["unread"])
    assert gpf("run", plan, "--audit", audit) == 0
    (tmp_path / "news.csv").write_text(rows.splitlines()[0], encoding="utf-8")
    capsys.readouterr()
    assert wanted in str(told(capsys, plan, "--audit", audit)["unread"])


def test_that_a_plan_that_takes_articles_by_words_is_reckoned_by_those_that_hold_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "headline,description,url\n" + "".join(
        f"{place} {n} opens again,It was shut in winter.,https://e.org/{place}{n}\n"
        for place, count in (("Harbour", 3), ("School", 9))
        for n in range(count)
    )
    (tmp_path / "news.csv").write_text(rows, encoding="utf-8")
    plan = tmp_path / "plan.toml"
    rest = PLAN.replace('url = "http://127.0.0.1:8000/feed.xml"', 'file = "news.csv"')
    plan.write_text(f'article_words = "harbour WINTER"\n{rest}', encoding="utf-8")
    found = told(capsys, plan)
    assert (found["articles"], found["advice"]) == (3, [])
    assert found["calls"] == told(capsys, plan, "--articles", "3")["calls"]
    plan.write_text(f'article_words = "harbour"\n{PLAN}', encoding="utf-8")
    found = told(capsys, plan)
    assert found["articles"] == 10
    assert "Only articles that hold “harbour” are taken, 10 at most" in str(found["advice"])
    plan.write_text(f'article_words = "volcano"\n{rest}', encoding="utf-8")
    assert gpf("plan", plan) == 2
    assert "There are no articles of these sources that hold “volcano”." in capsys.readouterr().err


def test_that_it_refuses_a_source_that_run_refuses_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan, audit = tmp_path / "plan.toml", tmp_path / "audit.gpf"
    models = '[[models]]\nprovider = "calibration"\nmodel = "neutral"\n'
    plan.write_text(f'[[sources]]\nfile = "sample"\n{models}', encoding="utf-8")
    said = []
    for asked in (("plan", plan), ("run", plan, "--audit", audit)):
        assert gpf(*asked) != 0
        said.append(capsys.readouterr().err)
    assert said[0] == said[1]
    assert "sample” is neither a web address nor a file." in said[0]
    assert not audit.exists()
