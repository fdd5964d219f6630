"""What is planned and what is concluded, in the same words wherever a person or a program meets them."""

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from zipfile import ZipFile

import pytest

from gpf_desktop.cli import main
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.exchange.artifact.sealed_zip import SealedZipWriter, opened
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.found_card import FoundCard
from tests.ui.conftest import desktop, settings, settle, window  # noqa: F401 - fixtures

pytestmark = pytest.mark.slow

Page = Mapping[str, object]
MODEL = '[[models]]\nprovider = "{provider}"\nmodel = "{model}"\n'
FEW_READERS = (
    "[controls]\nrepeat_share = 0.6\nlabel_repeat_share = 0.6\n"
    '[leave_out]\ndimension = ["Religion", "Gender / Sexuality", "Geography", "Socioeconomic", "Political"]\n'
    'family = ["Impact", "Significance", "Bias Check", "Policy / Action", "Emotional Response"]\n'
)


def news(folder: Path, articles: int) -> str:
    """Two sources: invented news of the program's own, and a file of the auditor's."""
    shutil.copy(resources() / "news" / "sample.rss", folder / "own.rss")
    models = "".join(MODEL.format(provider="calibration", model=each) for each in ("tailoring-0.4", "tone-0.7"))
    return f'articles_per_source = {articles}\n[[sources]]\nfile = "own.rss"\n{models}{FEW_READERS}'


def three_articles(folder: Path) -> str:
    return news(folder, 3)


def ten_articles(folder: Path) -> str:
    return news(folder, 10)


def targets(_folder: Path) -> str:
    some = ("evasive-0.9", "plain-a", "plain-b", "plain-c")
    models = "".join(MODEL.format(provider="relative-bias-calibration", model=each) for each in some)
    return f'method = "relative-bias"\nprotocol = "Sugary drinks"\n{models}'


def contexts(folder: Path) -> str:
    shipped = resources() / "methods" / "contextual_stereoset" / "protocols" / "budgeted.yaml"
    small = shipped.read_text(encoding="utf-8").replace("items: starter", "items: starter\nmost_items: 16")
    (folder / "small.yaml").write_text(small, encoding="utf-8")
    some = ("typical", "steady", "refusing")
    models = "".join(MODEL.format(provider="stereoset-calibration", model=each) for each in some)
    return f'method = "contextual-stereoset"\nprotocol = "small.yaml"\n{models}'


def groups(_folder: Path) -> str:
    some = ("tilted", "neutral", "declining")
    return 'method = "saged"\n' + "".join(MODEL.format(provider="saged-calibration", model=each) for each in some)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """An audit that was planned, asked and shared, with what each command printed."""

    folder: Path
    audit: Path
    planned: Page
    ran: Page
    concluded: Page
    lines: tuple[str, ...]

    @property
    def rows(self) -> list[dict[str, object]]:
        rows = self.concluded["conclusions"]
        assert isinstance(rows, list)
        return rows


@pytest.fixture(params=[three_articles, ten_articles, targets, contexts, groups], ids=lambda make: make.__name__)
def asked(request: pytest.FixtureRequest, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Asked:
    def gpf(*arguments: object) -> str:
        assert main([*map(str, arguments)], show_window=lambda _: 99, show_demo=lambda _: 99) == 0
        return capsys.readouterr().out

    make: Callable[[Path], str] = request.param
    plan, audit = tmp_path / "plan.toml", tmp_path / "audit.gpf"
    plan.write_text(make(tmp_path), encoding="utf-8")
    planned = json.loads(gpf("plan", plan, "--audit", audit, "--register", "-o", tmp_path / "page.md", "--json"))
    ran = json.loads(gpf("run", plan, "--audit", audit, "--json"))
    concluded = json.loads(gpf("conclusions", audit, "--json"))
    lines = tuple(gpf("conclusions", audit).splitlines())
    gpf("tables", audit, "-o", tmp_path / "tables", "--format", "csv")
    for ending in ("html", "docx", "pdf"):
        reported = gpf("report", audit, "-o", tmp_path / f"report.{ending}", "--kind", "both", "--json")
        assert json.loads(reported)["conclusions"] == concluded
    gpf("artifact", audit, "-o", tmp_path / "shared.zip")
    return Asked(
        folder=tmp_path,
        audit=audit,
        planned=planned["registered"]["page"],
        ran=ran,
        concluded=concluded,
        lines=lines,
    )


def bare(text: str) -> str:
    """Without white space, which each kind of file breaks lines by in its own way, and without marks of no width."""
    return re.sub(r"[\s\u00a0\u00ad\u200b\u2060\ufeff]+", "", text)


def printed(path: Path) -> str:
    """The words of a report."""
    if path.suffix == ".docx":
        with ZipFile(path) as packed:
            text = packed.read("word/document.xml").decode()
        return bare(unescape(re.sub(r"<[^>]+>", "", text)))
    if path.suffix == ".html":
        text = path.read_text(encoding="utf-8")
        return bare(unescape(re.sub(r"<(style|script)\b.*?</\1>|<[^>]+>", "", text, flags=re.DOTALL)))
    done = subprocess.run(["pdftotext", "-enc", "UTF-8", str(path), "-"], capture_output=True, check=True)
    return bare(done.stdout.decode())


def reports(folder: Path) -> Iterator[tuple[str, bool, str]]:
    """Name, whether it is a brief, words."""
    for path in sorted(folder.glob("report*.*")):
        if path.suffix != ".pdf" or shutil.which("pdftotext"):
            yield path.name, "brief" in path.name or "annex" not in path.name, printed(path)


def sentences(one: Mapping[str, object]) -> list[str]:
    further = one["further"]
    assert isinstance(further, list)
    return [str(one["sentence"]), *further]


def silent(one: Mapping[str, object]) -> bool:
    """A brief tells it by its name alone, in one line with the others of its kind."""
    return one["outcome"] == "not_shown" and not one["further"] and not one["parts"]


def test_that_a_plan_and_what_came_of_it_say_the_same_everywhere(
    asked: Asked,
    window: MainWindow,  # noqa: F811
    settle: Callable[[], None],  # noqa: F811
) -> None:
    files_hold_the_same(asked)
    the_plan_names_what_was_tested(asked)
    reports_and_cards_say_it(asked)
    a_changed_sentence_is_found(asked)
    the_window_says_it(asked, window, settle)


def files_hold_the_same(asked: Asked) -> None:
    assert asked.rows
    assert asked.ran["conclusions"] == asked.concluded
    assert json.loads((asked.folder / "tables" / "conclusions.json").read_text(encoding="utf-8")) == asked.concluded
    with opened(asked.folder / "shared.zip") as shared:
        assert json.loads(shared.text("conclusions.json")) == asked.concluded
    told = bare(" ".join(asked.lines))
    for one in asked.rows:
        for said in sentences(one):
            assert bare(said) in told
    footnote = asked.concluded["footnote"]
    assert isinstance(footnote, list)
    assert list(asked.lines[-len(footnote) :]) == footnote


def the_plan_names_what_was_tested(asked: Asked) -> None:
    terms = asked.planned["terms"]
    assert isinstance(terms, dict)
    registered = asked.concluded["registered"]
    assert isinstance(registered, dict)
    assert registered["differs"] == []
    assert all(one["plan"] == "registered" for one in asked.rows)
    assert asked.concluded["alpha"] == terms["alpha"]
    tests = asked.concluded["tests"]
    assert isinstance(tests, int)
    assert 0 < tests <= terms["comparisons"]
    foot = " ".join(asked.lines)
    planned = f"planned were {terms['comparisons']:,} at most"
    assert (planned in foot) is (tests < terms["comparisons"])
    page = (asked.folder / "page.md").read_text(encoding="utf-8")
    assert f"Counted together: {terms['comparisons']:,} comparisons at most." in page
    margins = dict(terms["margins"])
    for one in asked.rows:
        measures = one["measures"]
        assert isinstance(measures, list)
        for each in measures:
            assert margins.get(each["name"]) == each["margin"]
            if each["margin"] is not None:
                assert f"{each['words']}: below {each['margin']:g}" in page


def reports_and_cards_say_it(asked: Asked) -> None:
    headline = [bare(each).removesuffix(".") for each in re.split(r"(?<=[.!?]) ", str(asked.concluded["headline"]))]
    footnote = asked.concluded["footnote"]
    assert isinstance(footnote, list)
    found = list(reports(asked.folder))
    assert len(found) >= 4, found
    for name, brief, text in found:
        for said in (*headline, *map(bare, footnote)):
            assert said in text, (name, said)
        for one in asked.rows:
            for said in sentences(one):
                if not (brief and silent(one)):
                    assert bare(said) in text, (name, said)
    with opened(asked.folder / "shared.zip") as shared:
        for card in ("README.md", "EVALUATION-CARD.md"):
            text = shared.text(card)
            for line in asked.lines:
                assert f"- {line}\n" in text, (card, line)


def a_changed_sentence_is_found(asked: Asked) -> None:
    """Sealed anew, as somebody who wants to be believed would."""
    from gpf_desktop.engine.commands.artifact_commands import verify_artifact

    whole = verify_artifact(asked.folder / "shared.zip")
    assert whole.passed, whole.sentences()
    assert tr("conclusions, drawn anew") in [each.words for each in whole.lines]
    sentence = str(asked.rows[0]["sentence"])
    changed = json.dumps(sentence, ensure_ascii=False)
    writer = SealedZipWriter(asked.folder / "forged.zip")
    with opened(asked.folder / "shared.zip") as shared:
        for member in shared.members:
            text = shared.text(member)
            if member == "conclusions.json":
                assert changed in text
                text = text.replace(changed, json.dumps("Nothing differs."), 1)
            writer.add(member, text)
        writer.close({"program": shared.manifest["program"]})
    forged = verify_artifact(asked.folder / "forged.zip")
    wrong = [each.words for each in forged.lines if not each.passed]
    assert wrong == ["conclusions, drawn anew, are others: conclusions.json"]


def the_window_says_it(asked: Asked, window: MainWindow, settle: Callable[[], None]) -> None:  # noqa: F811
    window.files.open(asked.audit)
    settle()
    window.context.navigator.go("home")
    settle()
    home = window.stack.current
    assert home is not None
    headline = bare(str(asked.concluded["headline"]))
    (shown,) = [bare(each.words) for each in home.model.lines() if each.name == "shown"]  # type: ignore[attr-defined]
    assert headline in shown
    window.context.navigator.go("results")
    settle()
    card = window.findChild(FoundCard, "card.found")
    assert card is not None
    first = bare(f"{card.headline.text()}. {card.second.text()}")
    assert headline in first
    rows = bare(" ".join(f"{row.accessibleName()} {row.said.text()}" for row in card.rows) + card.sure.text())
    # Rows of GPF-LiveNews have a sign and numbers; in what each model differs stands in its columns.
    for one in asked.rows if asked.concluded["method"] != "gpf-livenews" else []:
        for said in sentences(one):
            assert bare(said) in rows + first + bare(card.refusals.text()), said
    carried = window.context.engine.open_audit.reviews.filters.carried(str(asked.concluded["method"]))
    assert {model: list(its) for model, its in carried.items()} == carrying(asked.rows)


def carrying(rows: Sequence[Mapping[str, object]]) -> dict[str, object]:
    """The sets of answers that Review has people test the conclusions by."""
    return {str(one["model"]): one["bundles"] for one in rows}
