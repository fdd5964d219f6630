"""The texts of an artifact for people, as Markdown: README, data card, evaluation card, licences."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.report_blocks import ReportFact
from gpf_desktop.domain.reports import Report
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.exchange.artifact.contents import ArtifactChoices
from gpf_desktop.storage.provenance import AuditProvenance

COMMAND = "gpf-desktop verify ARTIFACT.zip"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArtifactFacts:
    """The facts from which the cards are written."""

    report: Report
    """Without quoted bundles; the moment when it was made is not looked at."""
    rows: Mapping[str, int]
    """Rows of each relation."""
    missing: Mapping[str, int]
    """Questions without a valid answer, by reason."""
    withheld: int
    """Answers that are there as hashes alone."""
    drafted: bool
    """The draft of the report is in it."""
    planned: bool
    """Pages of what was planned beforehand are in it."""
    published: str
    """Day of the newest thing in the audit."""
    choices: ArtifactChoices
    provenance: AuditProvenance


def readme(facts: ArtifactFacts) -> str:
    report = facts.report
    return _page(
        report.title,
        _synthetic(facts),
        (
            tr(
                "An audit of language models, with everything that its numbers rest on. {window}.", window=report.window
            ),
            tr("To compute every score and table anew from the answers, and to check every byte and every review:"),
            f"    {COMMAND}",
            tr("To read, review or score it with other settings, make an audit file of it again:"),
            "    gpf-desktop open ARTIFACT.zip",
        ),
        (tr("What is concluded"), _concluded(report)),
        (tr("What is in it"), [f"- `{name}`: {words}" for name, words in _files(facts)]),
        (tr("How to read it"), report.reading),
        (tr("Misuse"), misuse()),
    )


def data_card(facts: ArtifactFacts) -> str:
    report = facts.report
    return _page(
        tr("Data card: {title}", title=report.title),
        _synthetic(facts),
        (),
        (tr("Where it is from"), _listed([*_origin(facts), *report.facts])),
        (tr("What is missing"), [*_missing(facts), *withheld(facts)]),
        (tr("People"), people(facts)),
        (tr("Intended use"), intended_use()),
        (tr("Limits"), [f"- {limit}" for limit in report.limits]),
        (tr("Misuse"), misuse()),
        (tr("Maintenance"), maintenance(facts)),
        (tr("Licences"), [tr("See LICENCES.md.")]),
    )


def evaluation_card(facts: ArtifactFacts) -> str:
    report = facts.report
    tables = [line for finding in report.findings for line in _table(finding)]
    return _page(
        tr("Evaluation card: {title}", title=report.title),
        _synthetic(facts),
        (),
        (tr("What is concluded"), _concluded(report)),
        (tr("What is measured, and what may be claimed"), report.reading),
        (tr("How the scores were made"), report.scope),
        (tr("What was found"), tables or [tr("Nothing was scored.")]),
        (tr("What people said"), _listed(report.review_counts) or [tr("Nobody has reviewed it.")]),
        (tr("Limits"), [f"- {limit}" for limit in report.limits]),
    )


def licences(facts: ArtifactFacts) -> str:
    return _page(
        tr("Licences"),
        (),
        (),
        (
            "",
            (
                tr(
                    "Protocol, choice and order of the material, scores, tables and annotations: {licence}.",
                    licence=facts.choices.licence,
                ),
                tr("Headlines and descriptions belong to their publishers; they stand here to say what was asked."),
                tr("Answers are subject to their provider's terms; the data card says which of them are withheld."),
                tr("GPF Desktop, with which this can be recomputed, is under the Apache License 2.0."),
            ),
        ),
    )


def intended_use() -> tuple[str, ...]:
    return (
        tr(
            "To check, repeat and criticise this audit; to review its answers; to compare ways of measuring on "
            "the same answers."
        ),
    )


def misuse() -> tuple[str, ...]:
    return (
        tr(
            "Do not rank models by it. Do not call a model fair, biased or safe because of it. Do not train or "
            "tune a model on it to lower its scores: that moves the numbers, not what people are told."
        ),
        tr("Answers may stereotype or offend. Labels in messages probe a model and describe no people."),
    )


def maintenance(facts: ArtifactFacts) -> tuple[str, ...]:
    """Paragraphs about who keeps the artifact, how it is corrected, and for how long its statements hold."""
    keeper = (
        tr("Whoever made it keeps it: {name}.", name=facts.choices.creator)
        if facts.choices.creator
        else tr("Nobody is named who keeps it: ask where you had it from.")
    )
    return (
        keeper,
        tr(
            "It is never changed: its check code is that of these very bytes. A correction is another file with a check"
            " code of its own: say which one it takes the place of."
        ),
        tr(
            "Models change where they are deployed: it tells of the answers that were given until {day}, and of none"
            " since. To renew it, ask the same plan again.",
            day=facts.published,
        ),
        tr("Later versions of GPF Desktop open it, and bring a copy up to date; an earlier one says that it cannot."),
    )


def withheld(facts: ArtifactFacts) -> tuple[str, ...]:
    """Paragraphs about the answers and news that are there as hashes, and what follows from that."""
    news = (
        (
            tr(
                "Texts of articles are there as SHA-256 alone, because they are their publishers'. Who has the same"
                " texts can check them against the hashes; headlines and addresses tell which they are."
            ),
        )
        if facts.choices.without_news
        else ()
    )
    if not facts.withheld:
        return (tr("Every answer is there word for word."), *news)
    return (
        *news,
        trn(
            "{n} answer of {providers} is there as a SHA-256 alone, because that provider's terms were taken to forbid"
            " passing it on. Who has the same answers can check them against the hashes; scores that rest on them"
            " cannot be recomputed from here.",
            "{n} answers of {providers} are there as SHA-256 alone, because that provider's terms were taken to forbid"
            " passing them on. Who has the same answers can check them against the hashes; scores that rest on them"
            " cannot be recomputed from here.",
            facts.withheld,
            providers=", ".join(sorted(facts.choices.withheld)),
        ),
    )


def people(facts: ArtifactFacts) -> tuple[str, ...]:
    n = facts.rows.get("annotations", 0)
    said = trn("{n} entry of reviewers, with its check code.", "{n} entries of reviewers, with check codes.", n)
    if not n:
        return (tr("No person's judgement is in it."),)
    if facts.choices.pseudonyms:
        names = tr("Names of reviewers are replaced; their notes are as they wrote them.")
    else:
        names = tr("Reviewers are named as they called themselves.")
    return (said, names)


def _concluded(report: Report) -> list[str]:
    return [f"- {line}" for line in report.found] or [tr("Nothing yet.")]


def _origin(facts: ArtifactFacts) -> Iterable[ReportFact]:
    told = facts.provenance
    if told.imported_from:
        yield ReportFact(
            name=tr("Imported"),
            value=tr(
                "the answers were not asked for by this program; they come from {file} (SHA-256 {hash})",
                file=told.imported_from,
                hash=told.imported_hash,
            ),
        )
    if facts.choices.creator:
        yield ReportFact(name=tr("Made by"), value=facts.choices.creator)


def _missing(facts: ArtifactFacts) -> list[str]:
    if not facts.missing:
        return [tr("Every question has a valid answer.")]
    return [f"- {reason}: {n}" for reason, n in sorted(facts.missing.items())]


def _files(facts: ArtifactFacts) -> list[tuple[str, str]]:
    data = [(f"data/{name}.jsonl", trn("{n} row", "{n} rows", n)) for name, n in facts.rows.items() if "/" not in name]
    return [
        ("DATA-CARD.md", tr("where everything is from, what is missing, what it may be used for")),
        ("EVALUATION-CARD.md", tr("what was measured and found, with its limits")),
        ("LICENCES.md", tr("what may be done with what")),
        ("croissant.json", tr("the same for machines: Croissant 1.1")),
        (
            "audits.json",
            tr("title, day and addresses of the audit, to be put on a website as /.well-known/audits.json"),
        ),
        *data,
        ("conclusions.json", tr("what is concluded of each model, with every number, range, control and caveat")),
        ("tables/", tr("every table, with n, range and method")),
        ("audit.json", tr("title and settings of the audit")),
        *(
            [("planned-beforehand.json", tr("what was planned before the first answer, with time and check code"))]
            if facts.planned
            else []
        ),
        *(
            [
                ("report-draft.json", tr("what the auditor wrote of the report, with findings")),
                ("declarations.toml", tr("who audits, who paid, what is kept where, until when, by which rule")),
            ]
            if facts.drafted
            else []
        ),
        ("manifest.json", tr("SHA-256 of every file; the zip's comment is the check code of the whole")),
    ]


def _table(finding: Finding) -> list[str]:
    said = [f"### {finding.title}", finding.reading, *finding.highlights]
    return [*said, tr("Table: `tables/{name}.csv`", name=finding.name)]


def _listed(facts: Iterable[ReportFact]) -> list[str]:
    return [f"- {fact.name}: {fact.value}" for fact in facts]


def _synthetic(facts: ArtifactFacts) -> tuple[str, ...]:
    if not facts.report.synthetic:
        return ()
    if facts.report.all_synthetic:
        return (
            tr("**Synthetic: every answer is made up by built-in test models. Nothing here is about a real model.**"),
        )
    return (tr("**Partly synthetic: rows of built-in test models are made up, and marked.**"),)


def concluded_part(report: Report) -> str:
    """The part of a card that tells what is concluded, from its heading to that of the next."""
    return _page("", (), (), (tr("What is concluded"), _concluded(report)))[len("# \n\n") :] + "\n## "


def _page(title: str, badge: Sequence[str], first: Sequence[str], *sections: tuple[str, Sequence[str]]) -> str:
    parts = [f"# {_line(title)}", *badge, *first]
    for heading, paragraphs in sections:
        if heading:
            parts.append(f"## {heading}")
        lines = [paragraph if paragraph.startswith("    ") else _line(paragraph) for paragraph in paragraphs]
        listed = all(line.startswith("- ") for line in lines)
        parts.append(("\n" if listed else "\n\n").join(lines))
    return "\n\n".join(parts) + "\n"


def _line(text: str) -> str:
    """*text* on one line and without markup of its own."""
    return " ".join(text.split()).replace("<", "&lt;")
