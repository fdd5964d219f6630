"""Null data sets by another hand: tables of answers, imported as anybody would, on whose pages nobody may be named.

No test model of this program, and none of its simulations, made them: words are drawn from a list by Zipf's law, marks
and choices by laws that are skewed, heavy-tailed or tied; prompts stand twice, cells lack, items go together in
clusters, and every second question is asked and answered in German.
"""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.domain.conclusions.conclusion import Conclusion, ConclusionOutcome, ConclusionTag
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import import_tables
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from tests.benchmarks.validity_pages import Draw, share

Rows = Iterator[tuple[object, ...]]
_SEED: Final = 20261129


def _each(words: str) -> list[str]:
    return words.split()


_EN: Final = _each(
    "the council voted to raise bus fares next month and riders will pay more while old trains stay in service many"
    " people said it was good news for some and sad for others because a new bridge opens near the harbour market"
)
_DE: Final = _each(
    "der rat stimmte für höhere fahrpreise ab kommendem monat und viele menschen müssen mehr zahlen während alte züge"
    " weiter fahren eine neue brücke öffnet nahe am hafen das sei gut sagten einige andere fanden es schlecht"
)
_GOOD: Final = _each("good great happy helpful friendly calm love nice hope success")
_BAD: Final = _each("bad sad angry awful poor fear cruel loss danger grim")
_ADJECTIVES: Final = _each(
    "lazy clever quiet loud rich poor kind rude calm brave shy proud honest sly tidy messy warm cold quick slow"
)
_PEOPLE: Final = _each(
    "farmer nurse dentist plumber lawyer miner poet sailor banker tailor pilot gardener baker clerk judge"
)
_THINGS: Final = _each("rivers roofs fields ports hills lanes mills wells barns docks")
_READERS: Final = {"religion": ("Muslim", "Christian", "Hindu", "Jewish"), "age": ("young", "old")}
_LABELS: Final = ("zorbish", "meklan", "tavrin", "oplar")
_COUNTRIES: Final = ("Ghana", "Norway", "Brazil", "Japan", "Italy", "Peru")


def _words(draw: Draw, n: int, pool: Sequence[str], p: Floats | None = None) -> str:
    return " ".join(draw.choice(pool, n, p=p))


def _zipf(draw: Draw, k: int) -> Floats:
    p = 1 / np.arange(1, k + 1) ** 1.1
    found: Floats = draw.permutation(p / p.sum())
    return found


def _news(draw: Draw, kind: str) -> Rows:
    """Three models, twelve articles, six readers, four made-up labels, two kinds of question."""
    yield "model", "article", "text", "identity", "dimension", "family", "condition", "repeat", "response"
    asked = [(who, of, "identity", 0) for of, every in _READERS.items() for who in every]
    asked += [("", "", "identity_free", at) for at in range(3)]
    asked += [(label, "random", "random_label", 0) for label in _LABELS]
    asked += [("Muslim", "religion", "identity", 1), ("old", "age", "identity", 1)]
    asked += [("zorbish", "random", "random_label", 1)]
    page = int(draw.integers(1 << 30))
    for model in range(3):
        for article in range(12):
            pool = _DE if kind == "two languages" and article % 2 else _EN
            # Articles in fours, or twos, share their words and how they are told.
            unit = article // {"clusters": 4, "duplicated": 2}.get(kind, 1)
            own = np.random.default_rng((page, model, unit))
            p, styles = _zipf(own, len(pool)), [_zipf(own, len(pool)) for _ in range(3)]
            wild = draw.standard_t(2) if kind == "heavy" else 0.0
            for family in ("impact", "advice"):
                declines = kind == "missing" and draw.random() < 0.25
                for who, of, condition, repeat in asked:
                    if kind == "missing" and draw.random() < 0.3:
                        continue
                    said = _told(draw, kind, pool, styles[draw.choice(3, p=(0.8, 0.15, 0.05))], p, wild)
                    if who and draw.random() < 0.3:
                        said = f"As a {who} reader, {said}"
                    if declines and draw.random() < 0.6:
                        said = "I am sorry, but I cannot help with that"
                    where = (f"m{model}", f"News {article}", f"text {article}", who, of, family, condition, repeat)
                    yield *where, f"{said}."


def _told(draw: Draw, kind: str, pool: Sequence[str], style: Floats, plain: Floats, wild: float) -> str:
    if kind == "duplicated" and draw.random() < 0.5:
        return "It changes little for you"
    n = int(np.clip(draw.lognormal(3, 0.8 if kind == "heavy" else 0.3), 3, 200))
    said = _words(draw, n, pool, style if kind in ("heavy", "clusters") else plain)
    if draw.random() < 0.4:
        said += f" {draw.choice(_GOOD if draw.random() < 0.7 else _BAD)}"
    if wild and draw.random() < 0.5:
        said += f" {_words(draw, min(30, 1 + int(abs(wild) * 3)), _GOOD if wild > 0 else _BAD)}"
    return said


def _marks(draw: Draw, kind: str) -> Rows:
    """Five models of one population, five themes of eight questions, two judges."""
    yield "model", "theme", "question", "response", "judge", "level"
    models, questions = 5, 8
    own = {"heavy": 0.3 * draw.standard_t(3, models), "skewed": 0.4 * draw.gamma(1, 1, models)}.get(
        kind, draw.normal(0, 0.3, models)
    )
    lacks = (0.1, 0.2, 0.3, 0.3, 0.1)
    for theme in range(5):
        of_theme, clusters = draw.normal(0, 0.3, models), draw.normal(0, 0.8, (2, models))
        errors = np.zeros(models)
        for question in range(questions):
            base, again = draw.normal(0, 0.8), kind == "duplicated" and question % 2 == 1
            if not again:
                errors = {"skewed": draw.gamma(0.5, 2, models) - 1, "heavy": draw.standard_t(2, models)}.get(
                    kind, draw.normal(0, 1, models)
                )
            asked = f"Question {theme}.{question - again}{' again' if again else ''}?"
            for model in range(models):
                if kind == "missing" and draw.random() < lacks[model]:
                    continue
                value = 4 + own[model] + of_theme[model] + base + errors[model]
                value += clusters[question // 4, model] if kind == "clusters" else 0.0
                said = _words(draw, int(np.clip(draw.lognormal(3, 0.5), 4, 80)), _EN)
                for judge, harsher in (("judge one", 0.0), ("judge two", 0.4)):
                    level = int(np.clip(round(value + harsher + draw.normal(0, 0.4)), 1, 10))
                    yield f"m{model}", f"Theme {theme}", asked, said, judge, level


def _choices(draw: Draw, kind: str) -> Rows:
    """Three models, 36 items, two years and two listeners; clusters of four items stand in no order."""
    yield "model", "item", "type", "stereotype", "anti_stereotype", "unrelated", "year", "observer", "order", "response"
    n, size = 36, {"clusters": 4, "duplicated": 2}.get(kind, 1)
    unit = draw.permutation(np.arange(n) // size) if kind == "clusters" else np.arange(n) // size
    texts: list[tuple[str, str, str]] = []
    for at in range(n):
        (a, b, c), (who, other, third) = (draw.choice(of, 3, replace=False) for of in (_ADJECTIVES, _PEOPLE))
        if kind == "duplicated" and at % 2:
            first, second, last = (each.rsplit(" ", 1)[0] for each in texts[-1])
            texts.append((f"{first} {at}", f"{second} {at}", f"{last} {at}"))
        else:
            met = f"The {who} met the {other} and was {a} {at}"
            texts.append((met, f"Nobody thought the {third} {b} at work {at}", f"Trains run {c} on day {at}"))
    for model in range(3):
        rates = (draw.beta(4, 0.3, n) if kind == "skewed" else draw.beta(1.5, 1.5, n))[unit]
        turns = {
            "heavy": 0.15 * draw.standard_t(2, n),
            "clusters": 0.2 * draw.choice([-1, 1], n),
            "duplicated": 0.2 * draw.normal(0, 1, n),
        }.get(kind, draw.normal(0, 0.1, n))[unit]
        for at in range(n):
            for year, of_year in (("1990", 0.25), ("2030", -0.25)):
                for listener, of_listener in (("similar", 0.5), ("dissimilar", -0.5)):
                    if kind == "missing" and draw.random() < 0.35:
                        continue
                    rate = float(np.clip(rates[at] + turns[at] * (of_listener + of_year), 0, 1))
                    order = "".join(draw.permutation(list("SAU")))
                    chosen = "S" if draw.random() < rate else ("A" if draw.random() < 0.85 else "U")
                    said = "ABC"[order.index(chosen)]
                    if kind == "missing" and draw.random() < 0.1:
                        said = "I cannot choose."
                    kind_of = ("race", "gender", "religion")[at % 3]
                    yield f"m{model}", f"item{at:02}", kind_of, *texts[at], year, listener, order, said


def _concepts(draw: Draw, kind: str) -> Rows:
    """Three models, twenty prompts about six countries; clusters of three prompts are answered alike."""
    yield "model", "domain", "concept", "root", "prompt", "baseline", "response"
    lacks = (0.05, 0.3, 0.3, 0.1, 0.4, 0.2)
    for model in range(3):
        level, together = draw.normal(0, 0.3), draw.normal(0, 0.5, (20, len(_COUNTRIES)))
        for root in range(20):
            for at, country in enumerate(_COUNTRIES):
                if kind == "missing" and draw.random() < lacks[at]:
                    continue
                tone = level + {"heavy": 0.5 * draw.standard_t(2), "skewed": draw.gamma(0.5, 1) - 0.5}.get(
                    kind, draw.normal(0, 0.6)
                )
                if kind == "clusters":
                    tone += 1.2 * together[root // 3, at]
                if kind == "duplicated":
                    tone = 0.4 * tone + together[root // 2, at]
                words = min(12, int(abs(tone) * 3 + draw.random()))
                said = _words(draw, int(np.clip(draw.lognormal(2.5, 0.4), 4, 60)), _EN)
                said += f" {_words(draw, words, _GOOD if tone > 0 else _BAD)}" if words else ""
                asked = f"{' '.join(np.random.default_rng(root).permutation(_EN)[:6])} in {country}"
                if kind == "duplicated":
                    asked = f"In spring {_THINGS[root // 2]} of {country} look{' often' if root % 2 else ''}"
                source = f"{country} is a country with {'many' if root % 2 else 'some'} towns."
                yield f"m{model}", "countries", country, f"r{root}", asked, source, f"{country}: {said}."


_SHARED: Final = ("heavy", "duplicated", "missing", "clusters")
SETS: Final[Mapping[str, tuple[Callable[[Draw, str], Rows], tuple[str, ...]]]] = {
    "gpf-livenews": (_news, ("two languages", *_SHARED)),
    "relative-bias": (_marks, ("skewed", *_SHARED)),
    "contextual-stereoset": (_choices, ("skewed", *_SHARED)),
    "saged": (_concepts, ("skewed", *_SHARED)),
}


def imported(rounds: int) -> None:
    pages = max(10, rounds // 16)
    print(
        f"\nData sets by another hand, imported: pages that name a model where nothing is, % of {pages} (± its standard"
    )
    print("error; promised: at most 5)")
    for method, (_, kinds) in SETS.items():
        for kind in kinds:
            print(f"{method:22}{kind:16}{share([*named_on(method, kind, range(pages))]):>12}", flush=True)


def named_on(method: str, kind: str, pages: Sequence[int]) -> Iterator[bool]:
    """Whether each page of these numbers names somebody: that it differs, over all or in part, or whom it declines."""
    make, kinds = SETS[method]
    with TemporaryDirectory() as kept, Headless(quiet=True) as headless:
        for page in pages:
            table, audit = Path(kept) / f"{page}.csv", Path(kept) / f"{page}.gpf"
            with table.open("w", encoding="utf-8", newline="") as file:
                csv.writer(file).writerows(make(np.random.default_rng((_SEED, page, kinds.index(kind))), kind))
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                import_tables(headless, [table], method, {}, audit)
                told = headless.enter(audit, to_read=True).results.concluding.page(ResultsFilter(method=method))
            assert told is not None
            yield any(_names(each.conclusion) for each in told.told)


def _names(each: Conclusion) -> bool:
    differs = each.outcome is ConclusionOutcome.DIFFERS
    return differs or bool(each.parts) or ConclusionTag.REFUSALS_DIFFER in each.tags
