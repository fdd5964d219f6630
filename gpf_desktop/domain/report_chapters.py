"""The order in which a report is printed that nobody arranged: people's words, what was found, tables, answers,
facts."""

from collections import Counter

from gpf_desktop.domain.report_blocks import Block, Bullets, FactList, Loudness, Paragraph, ReportFact, Section
from gpf_desktop.domain.reports import Report, ReportChapter
from gpf_desktop.domain.text import tr


def chapters_of(report: Report) -> tuple[ReportChapter, ...]:
    """The chapters of *report*: its own, else those of every report."""
    return report.chapters or _plain(report)


def _plain(report: Report) -> tuple[ReportChapter, ...]:
    found = (*(Paragraph(text=line) for line in report.found), Paragraph(text=report.statement, voice=Loudness.SMALL))
    # What stands under several tables is said once already, with the notation.
    told = Counter(note for finding in report.findings for note in set(finding.notes))
    scope = tuple(Paragraph(text=line, voice=Loudness.SMALL) for line in report.scope if told[line] < 2)
    signs = FactList(facts=tuple(ReportFact(name=name, value=value) for name, value in report.signs))
    tables = ReportChapter(name="tables", title=tr("Tables"), findings=tuple(each.name for each in report.findings))
    answers = ReportChapter(name="bundles", title=tr("Answers side by side"), bundles=True)
    chapters = (
        *(ReportChapter(name=f"part-{part.name}", title=part.title, parts=(part.name,)) for part in report.parts),
        *((_words("what-was-found", tr("What was found"), *found),) if report.found else ()),
        ReportChapter(
            name="reading",
            title=tr("How to read this report"),
            sections=(untitled(*(Paragraph(text=line) for line in report.reading)),),
            notation=True,
        ),
        *((tables,) if report.findings else ()),
        *((answers,) if report.bundles else ()),
        _words("reviews", tr("Review"), FactList(facts=report.review_counts)),
        _words("limits", tr("What these numbers cannot show"), Bullets(items=report.limits)),
        _words("made", tr("What was run, and how"), FactList(facts=report.facts), *scope),
        *((_words("signs", tr("What the signs mean"), signs),) if report.signs else ()),
    )
    return tuple(chapters)


def untitled(*blocks: Block) -> Section:
    """A section that stands directly under its chapter's title."""
    return Section(name="", title="", blocks=blocks)


def _words(name: str, title: str, *blocks: Block) -> ReportChapter:
    return ReportChapter(name=name, title=title, sections=(untitled(*blocks),))
