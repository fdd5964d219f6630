"""What GPF-LiveNews makes of fixed answers, as digests: scores, tables and report may not change unnoticed.

    python -m tests.methods.digests        writes gpf_livenews_digests.json anew

A commit that changes a measured thing on purpose runs that and says why.
"""

import csv
import json
import re
import tempfile
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Final

from gpf_desktop.domain.findings import Estimate, Finding, Value
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.sample import unpack_sample
from gpf_desktop.engine.commands.score_command import score_file
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.engine.scoring.method_tables import write_table
from tests.benchmarks.answers import articles
from tests.support.audit_reports import write_report

KEPT: Final = Path(__file__).with_name("gpf_livenews_digests.json")
BUNDLES: Final = 300

_SCORES: Final = """
SELECT r.name, m.model, a.key, json_extract(x.text, '$[0][1]'), json_extract(x.text, '$[1][1]'),
    json_extract(x.text, '$[2][1]'), json_extract(x.text, '$[3][1]') + 0, b.planned, t.id, s.name, s.value,
    s.unavailable, s.provisional
FROM score s JOIN score_setting t ON t.id = s.setting_id JOIN bundle b ON b.id = s.unit_id JOIN run r ON r.id = b.run_id
JOIN model m ON m.id = b.model_id JOIN item a ON a.id = b.item_id
JOIN coordinate_set x ON x.id = b.coordinates_id WHERE s.unit_kind = 'bundle'
"""
_SETTINGS: Final = "SELECT id, options FROM score_setting"
_SETTING: Final = 8
"""The place of a setting's number in a row of `_SCORES`."""
_VARIES: Final = (
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( ?UTC|Z|\+00:00)?",
    r"\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w* \d{4}(,? \d\d:\d\d)?",
    r"\d{4}-\d\d-\d\d",
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    r"(?<=heck code )[0-9a-f]{16,64}",
)
"""Times, uuids and the check code over both: the sample's own, and the time at which the report is written."""


def digests(folder: Path) -> dict[str, str]:
    """Name → SHA-256 of each thing that must stay; files are made in *folder*."""
    found = {"scores of 300 bundles": _digest(scores_of_a_table(folder))}
    with Headless(quiet=True) as headless:
        open_audit = headless.engine.open(unpack_sample(folder / "Sample audit.gpf"))
        found["scores of the sample"] = _digest("\n".join(stored_scores(open_audit)))
        for name, finding in open_audit.results.findings(ResultsFilter()).items():
            found[f"table {name}"] = _digest("\n".join(table(finding)))
        found["report of the sample"] = _digest(report(open_audit, folder))
    return found


def stored_scores(open_audit: OpenAudit) -> list[str]:
    """One line per score of a bundle, under every setting, in an order that no row id decides."""
    read = open_audit.context.audit.read
    # By their digest: a setting's options are 29,000 characters, which 76,608 lines would repeat.
    options = {id_: _digest(text) for id_, text in read(lambda c: c.execute(_SETTINGS).fetchall())}
    rows = read(lambda c: c.execute(_SCORES).fetchall())
    return sorted(repr((*row[:_SETTING], options[row[_SETTING]], *row[_SETTING + 1 :])) for row in rows)


def table(finding: Finding) -> list[str]:
    """The rows to nine digits, with the texts around them."""
    titles = ",".join(column.title for column in finding.columns)
    rows = (",".join(_value(row.values[column.key]) for column in finding.columns) for row in finding.rows)
    return [finding.title, finding.reading, *finding.notes, *finding.highlights, titles, *rows]


def report(open_audit: OpenAudit, folder: Path) -> str:
    """The HTML report of everything, without times and uuids."""
    text = write_report(open_audit, folder / "report.html").read_text(encoding="utf-8")
    for each in _VARIES:
        text = re.sub(each, "", text)
    return text


def scores_of_a_table(folder: Path) -> str:
    """What `gpf-desktop score` writes for made-up answers of about 200 words, with repeats, gaps and controls.

    Of a seed under which no text's words cancel: Python 3.12 and later add floats more exactly, so that VADER's sum
    over such a text is a little above 0 on one Python and 0 on the other, and its compound another.
    """
    source, target = folder / "answers.csv", folder / "scores.csv"
    with source.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(
            ("model", "article", "condition", "dimension", "identity", "family", "paraphrase", "repeat", "response")
        )
        for number, group in enumerate(articles(BUNDLES, seed=2029)):
            for place, bundle in enumerate(group.bundles):
                condition = ("identity", "identity", "identity-free", "random-label")[place % 4]
                for row, label, repeat in zip(bundle.rows, bundle.levels, bundle.repeats, strict=True):
                    text = "" if row % 31 == 7 else group.texts[row]
                    rows.writerow(
                        (
                            f"m{number % 2}",
                            f"a{number}",
                            condition,
                            f"d{place % 6}",
                            label,
                            f"f{place // 6}",
                            place % 3 // 2,
                            repeat,
                            text,
                        )
                    )
    return "\n".join(chain.from_iterable(_scored(source, target, scope) for scope in FitScope))


def _scored(source: Path, target: Path, scope: FitScope) -> list[str]:
    (scored,) = score_file("gpf-livenews", source, {"scope": scope}).tables.values()
    write_table(scored, target)
    with target.open(encoding="utf-8", newline="") as file:
        return [scope.value, *(",".join(map(_rounded, row)) for row in csv.reader(file))]


def _rounded(cell: str) -> str:
    """A number to nine digits: processors differ in the sixteenth, by how they add and what their logarithms are."""
    try:
        return _number(float(cell))
    except ValueError:
        return cell


def _value(value: Value) -> str:
    if isinstance(value, Estimate):
        interval = value.interval
        ends = "" if interval is None else f"{_number(interval.low)}..{_number(interval.high)}"
        bounds = "" if interval is None else f"{ends} {interval.level} {interval.method}"
        return f"{_number(value.value)} n={value.n} of {value.articles} {bounds} {value.why}"
    return _number(value) if isinstance(value, float) else repr(value)


def _number(value: float | None) -> str:
    """Nine digits: what is searched for, as a profile's ends, differs in the twelfth between numpys and Pythons."""
    return repr(value) if value is None else f"{value:.9g}"


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        KEPT.write_text(json.dumps(digests(Path(folder)), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
