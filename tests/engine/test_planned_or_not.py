"""When what is concluded was planned: rounds added after a reading, margins changed, other things asked."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gpf_desktop.cli import main
from gpf_desktop.engine.core.protocols import load_protocol, write_protocol

pytestmark = pytest.mark.slow

Gpf = Callable[..., tuple[int, str, str]]
Write = Callable[..., Path]
HEAD = "headline,description,url\n"
NEWS = HEAD + "\n".join(
    f"{what} open in {where},They open this spring.,https://news.example/{where}"
    for what, where in (
        ("Bus lanes", "Harbour Street"),
        ("Evening classes", "the old mill"),
        ("Two clinics", "Lowfield"),
    )
)
OTHER = HEAD + "\n".join(
    f"{what} close in {where},They close this autumn.,https://other.example/{where}"
    for what, where in (("Ticket offices", "Marlow"), ("Night trains", "the north"), ("Swimming pools", "Underhill"))
)
"""No two nearly the same, of which one would be asked about."""
PROVIDERS = {
    "relative-bias": "relative-bias-calibration",
    "contextual-stereoset": "stereoset-calibration",
    "saged": "saged-calibration",
    "gpf-livenews": "calibration",
}
MODELS = {
    "relative-bias": ("evasive-0.9", "plain-a", "plain-b", "plain-c", "plain-d"),
    "contextual-stereoset": ("typical", "steady"),
    "saged": ("tilted", "neutral"),
    "gpf-livenews": ("tailoring-0.5", "neutral"),
}


@pytest.fixture
def gpf(capsys: pytest.CaptureFixture[str]) -> Gpf:
    def run(*arguments: object) -> tuple[int, str, str]:
        code = main([*map(str, arguments)], show_window=lambda _: 99, show_demo=lambda _: 99)
        said = capsys.readouterr()
        assert code in (0, 1), said.err
        return code, said.out, said.err

    return run


def small(method: str, **changed: Any) -> Any:
    """A protocol of the method that is asked in a second."""
    match method:
        case "relative-bias":
            study = load_protocol("Sugary drinks", method=method)
            return replace(study, **changed)
        case "contextual-stereoset":
            grid = load_protocol("Contextual StereoSet", method=method)
            return replace(grid, **{"most_items": 16, **changed})
        case "saged":
            study = load_protocol("Velmora", method=method)
            return replace(study, **{"roles": {"none": ""}, **changed})
        case _:
            news = load_protocol("GPF-LiveNews-v1", method=method)
            few = {"dimensions": news.dimensions[:2], "families": news.families[:2]}
            return replace(news, **{**few, **changed})


@pytest.fixture
def written(tmp_path: Path) -> Write:
    (tmp_path / "news.csv").write_text(NEWS, encoding="utf-8")
    (tmp_path / "other.csv").write_text(OTHER, encoding="utf-8")

    def write(
        method: str,
        *,
        models: tuple[str, ...] | None = None,
        seed: int = 1,
        sources: tuple[str, ...] = ("news.csv",),
        controls: str = "",
        **changed: Any,
    ) -> Path:
        name = f"{method}-{len(list(tmp_path.glob('*.toml')))}"
        (tmp_path / f"{name}.yaml").write_text(write_protocol(small(method, **changed), method), encoding="utf-8")
        text = f'name = "{name}"\nmethod = "{method}"\nprotocol = "{name}.yaml"\nseed = {seed}\n'
        text += f"controls = {controls}\n" if controls else ""
        if method == "gpf-livenews":
            text += "articles_per_source = 3\n" + "".join(f'[[sources]]\nfile = "{each}"\n' for each in sources)
        for model in MODELS[method] if models is None else models:
            text += f'[[models]]\nprovider = "{PROVIDERS[method]}"\nmodel = "{model}"\n'
        plan = tmp_path / f"{name}.toml"
        plan.write_text(text, encoding="utf-8")
        return plan

    return write


def concluded(audit: Path, gpf: Gpf) -> Any:
    return json.loads(gpf("conclusions", audit, "--json")[1])


MARGINS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "relative-bias": ({"margin_levels": 0.5}, {"margin_levels": 4.0}),
    "contextual-stereoset": ({"margin": 0.05}, {"margin": 0.9}),
    "saged": ({"margins": {"tone": 0.1}}, {"margins": {"tone": 1.5}}),
}


@pytest.mark.parametrize("method", MARGINS)
def test_that_rounds_added_after_a_reading_make_the_next_one_exploratory_by_the_margin_that_stood_first(
    method: str, written: Write, tmp_path: Path, gpf: Gpf
) -> None:
    audit = tmp_path / "a.gpf"
    before, after = MARGINS[method]
    gpf("run", written(method, **before), "--audit", audit)
    first = concluded(audit, gpf)
    assert {(each["planned"], each["plan"], each["reading"]) for each in first["conclusions"]} == {
        (False, "protocol", 1)
    }, "what no page tells is not called planned, and not called exploratory either"
    assert any("and not registered" in each for each in first["footnote"])
    assert "not planned beforehand" not in first["headline"]
    gpf("run", written(method, seed=2, **after), "--audit", audit)
    second = concluded(audit, gpf)
    assert {(each["planned"], each["plan"], each["reading"]) for each in second["conclusions"]} == {
        (False, "afterwards", 2)
    }
    said = gpf("conclusions", audit)[1]
    assert "This is reading 2, after rounds were added: read each time, it would in up to 10 of 100." in said
    for each in second["conclusions"]:
        if each["outcome"] in ("differs", "alike"):
            assert "not planned beforehand: it is reading 2" in each["sentence"]
    assert any("what is too small to matter" in each for each in second["changed"])
    assert all(each.startswith("Set after the first answer: ") for each in second["changed"])
    if method != "relative-bias":
        margins = (
            {one["margin"] for each in page["conclusions"] for one in each["measures"]} for page in (first, second)
        )
        assert next(margins) == next(margins)


def test_that_a_deleted_round_was_read_all_the_same(written: Write, tmp_path: Path, gpf: Gpf) -> None:
    from gpf_desktop.domain.ids import RunId
    from gpf_desktop.storage import run_deletion
    from gpf_desktop.storage.audit_file import AuditFile

    audit, method = tmp_path / "a.gpf", "relative-bias"
    for seed in (1, 2):
        gpf("run", written(method, seed=seed), "--audit", audit)
        file = AuditFile.open(audit)
        file.write(lambda connection, run=seed: run_deletion.delete(connection, RunId(run))).result()
        file.close()
    gpf("run", written(method, seed=3), "--audit", audit)
    assert {each["reading"] for each in concluded(audit, gpf)["conclusions"]} == {3}


def test_that_a_registered_page_does_not_cover_a_second_reading(written: Write, tmp_path: Path, gpf: Gpf) -> None:
    audit, plan = tmp_path / "a.gpf", written("saged")
    gpf("plan", plan, "--audit", audit, "--register")
    gpf("run", plan, "--audit", audit)
    first = concluded(audit, gpf)
    assert {(each["planned"], each["plan"]) for each in first["conclusions"]} == {(True, "registered")}
    assert first["registered"]["differs"] == []
    gpf("run", written("saged", seed=2), "--audit", audit)
    second = concluded(audit, gpf)
    assert not any(each["planned"] for each in second["conclusions"])
    assert any("this is reading 2" in each for each in second["registered"]["differs"])
    assert not any("that were planned" in each for each in second["registered"]["sentences"])


def test_that_a_margin_stated_in_results_is_not_one_stated_beforehand(written: Write, tmp_path: Path, gpf: Gpf) -> None:
    from gpf_desktop.engine.commands.headless import Headless

    audit = tmp_path / "a.gpf"
    gpf("run", written("gpf-livenews"), "--audit", audit)
    assert concluded(audit, gpf)["changed"] == []
    with Headless(quiet=True) as headless:
        opened = headless.enter(audit)
        opened.results.keep_options("gpf-livenews", (("relative", "0.6"),)).result()
    second = concluded(audit, gpf)
    assert any("below 0.6 does not matter" in each for each in second["changed"])
    assert {each["plan"] for each in second["conclusions"]} == {"afterwards"}


DEPARTURES: dict[str, tuple[str, dict[str, Any], tuple[str, ...]]] = {
    "fewer models, roles and repeats": (
        "saged",
        {
            "models": ("tilted",),
            "roles": {"none": "", "traveller": "You are a travel writer."},
            "controls": "{ repeats = 2 }",
        },
        (
            "1 model was not asked: saged-calibration/neutral.",
            "comparisons are counted together, and not",
            "roles were added: ",
            "sizes of controls: repeats 1, now repeats 2.",
        ),
    ),
    "more of all": (
        "contextual-stereoset",
        {"models": ("typical", "steady", "refusing"), "most_items": 20, "margin": 0.2},
        (
            "1 model was added",
            "20 items were asked about, and not 16.",
            "what is too small to matter: nothing, now shift 0.2.",
        ),
    ),
    "text": ("relative-bias", {"system_prompt": "Be short."}, ("the text of the protocol ",)),
    "added sources": ("gpf-livenews", {"sources": ("news.csv", "other.csv")}, ("sources were added: other.csv.",)),
    "fewer articles": ("gpf-livenews", {"sources": ("other.csv",)}, ("of some sources nothing was asked: news.csv.",)),
}


@pytest.mark.parametrize("kind", DEPARTURES)
def test_that_what_departs_from_the_page_is_named(kind: str, written: Write, tmp_path: Path, gpf: Gpf) -> None:
    audit = tmp_path / "a.gpf"
    method, changed, words = DEPARTURES[kind]
    gpf("plan", written(method), "--audit", audit, "--register")
    gpf("run", written(method, **changed), "--audit", audit)
    found = concluded(audit, gpf)["registered"]
    for said in words:
        assert any(said in each for each in found["differs"]), found["differs"]
    assert not any("that were planned" in each for each in found["sentences"])


# SAGED's is seen before its second reading.
@pytest.mark.parametrize("method", sorted(PROVIDERS.keys() - {"saged"}))
def test_that_what_is_asked_as_registered_departs_in_nothing(
    method: str, written: Write, tmp_path: Path, gpf: Gpf
) -> None:
    audit, plan = tmp_path / "a.gpf", written(method)
    gpf("plan", plan, "--audit", audit, "--register")
    gpf("run", plan, "--audit", audit)
    found = concluded(audit, gpf)
    assert found["registered"]["differs"] == []
    assert {each["plan"] for each in found["conclusions"]} == {"registered"}
