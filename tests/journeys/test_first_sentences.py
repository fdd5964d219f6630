"""The first sentences of an audit that once said more than was shown, by the commands that anybody would use."""

import csv
import random
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gpf_desktop.cli import main
from gpf_desktop.domain.resources import resources

pytestmark = pytest.mark.slow

READERS = ("Christian", "Muslim", "Jewish", "Hindu", "Buddhist", "Atheist", "Agnostic")
DECLINED = "I'm sorry, but I can't help with that request."
SAID = "the plan costs more than before and people in town will see new rules for water and schools next year"
WORDS = SAID.split()


def gpf(*arguments: object) -> None:
    assert main(tuple(map(str, arguments)), show_window=lambda _: 99, show_demo=lambda _: 99) in (0, 1)


def asked(audit: Path, articles: int, *models: str) -> None:
    """A round of test models about one group of readers, by the shipped protocol."""
    plan = audit.with_suffix(".toml")
    named = "".join(f'[[models]]\nprovider = "calibration"\nmodel = "{each}"\n' for each in models)
    plan.write_text(
        f'articles_per_source = {articles}\nprotocol = "GPF-LiveNews-v1"\n'
        "[controls]\nrepeat_share = 0.6\nlabel_repeat_share = 0.6\n"
        f'[[sources]]\nfile = "{resources() / "news" / "sample.rss"}"\n{named}'
        '[leave_out]\ndimension = ["Religion", "Gender / Sexuality", "Geography", "Socioeconomic", "Political"]\n'
        'family = ["Impact", "Significance", "Bias Check", "Policy / Action", "Emotional Response"]\n'
    )
    gpf("run", plan, "--audit", audit)


def few_and_blind(audit: Path) -> None:
    asked(audit, 3, "neutral", "prompts")


def few_and_blind_again(audit: Path) -> None:
    few_and_blind(audit)
    few_and_blind(audit)


def moved_each_in_its_way(audit: Path) -> None:
    asked(audit, 10, "tailoring-0.4", "tone-0.7", "prompts")


def declining_in_words(audit: Path) -> None:
    """Of 99 answers to each reader 19 to one are declined in words, as a table that came from elsewhere."""
    draw = random.Random(3)
    table = audit.with_suffix(".csv")
    with table.open("w", encoding="utf-8", newline="") as file:
        written = csv.writer(file)
        written.writerow(("model", "article", "headline", "dimension", "identity", "family", "response"))
        for model, n, reader in ((m, n, r) for m in ("quiet", "declining") for n in range(99) for r in READERS):
            declines = (model, reader) == ("declining", "Muslim") and n % 5 == 0 and n < 95
            said = DECLINED if declines else " ".join(draw.choices(WORDS, k=40))
            place = (f"a{n // 7}", f"Council decides on matter number {n // 7}", "Religion", reader, f"kind {n % 7}")
            written.writerow((model, *place, said))
    gpf("import", table, "-o", audit)


Case = tuple[Callable[[Path], None], tuple[str, ...], tuple[str, ...]]
CASES: tuple[Case, ...] = (
    (
        few_and_blind,
        ("Nothing is concluded of test model “neutral” yet. Too early to tell: 3 articles are in, the first look",),
        ("told the news differently", "in different words", "beyond the noise", "points to yes"),
    ),
    (
        few_and_blind_again,
        ("Nothing is concluded of test model “neutral” yet. Too early to tell: 6 articles are in, the first look",),
        ("told the news differently", "in different words", "beyond the noise", "points to yes"),
    ),
    (
        moved_each_in_its_way,
        (
            "Two of three test models told the news differently to different readers, in words or in tone. For the",
            "Test model “tailoring-0.4” told the news in different words to different readers.",
            "Test model “tone-0.7” told the news in a different tone to different readers, in much the same words.",
            "Nothing can be said of test model “prompts”: a check failed. Made-up labels moved its answers as much as",
        ),
        ("prompts told", "their tone"),
    ),
    (
        declining_in_words,
        (
            "One of two models declined some readers more or less often than others.",
            "declined Muslim readers more often than others: 19 of 99 times, others of their group 0 of 594.",
            "no question was asked twice, so that chance can't be told.",
        ),
        ("was refused", "0 articles", "only 0 times", "names are still in", "known only roughly"),
    ),
)


@pytest.mark.parametrize(("make", "says", "never"), CASES, ids=[each[0].__name__ for each in CASES])
def test_that_the_first_page_says_what_was_shown_and_nothing_else(
    make: Callable[[Path], None],
    says: tuple[str, ...],
    never: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    audit, brief = tmp_path / "audit.gpf", tmp_path / "brief.html"
    make(audit)
    capsys.readouterr()
    gpf("conclusions", audit, "--picture", tmp_path / "found.svg")
    told = capsys.readouterr().out
    drawn = " ".join(ElementTree.parse(tmp_path / "found.svg").getroot().itertext())
    assert " ".join(drawn.split()[:5]) in told, "the figure begins with a headline of the page"
    gpf("report", audit, "-o", brief, "--kind", "brief")
    # The headline's further sentences stand in a paragraph of their own.
    printed = " ".join(re.sub("<[^>]+>", " ", brief.read_text(encoding="utf-8").replace("&#39;", "'")).split())
    for said in says:
        assert said in told
        assert said in printed
    for said in never:
        assert said not in told
