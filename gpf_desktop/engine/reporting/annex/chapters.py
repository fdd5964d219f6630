"""The chapters of the annex: nineteen in their order, and what is left as tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from gpf_desktop.domain.brief_words import TablePlace
from gpf_desktop.domain.conclusions.digits import exact, with_range
from gpf_desktop.domain.conclusions.digits import told as told_number
from gpf_desktop.domain.conclusions.rendering import Told, alone_words
from gpf_desktop.domain.declarations import field_title
from gpf_desktop.domain.findings import SMALLEST_P, Finding
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.ports.method_abilities import WritesBrief
from gpf_desktop.domain.report_blocks import (
    Block,
    Bullets,
    FactList,
    Loudness,
    Paragraph,
    ReportFact,
    Section,
    SignatureLines,
    WordTable,
)
from gpf_desktop.domain.report_chapters import untitled
from gpf_desktop.domain.reports import Report, ReportChapter
from gpf_desktop.domain.text import decimal, tr, unbroken
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.reporting.annex.clauses import clause_sections
from gpf_desktop.engine.reporting.annex.threats import threats
from gpf_desktop.engine.reporting.drafts.draft import ReportDraft
from gpf_desktop.engine.reporting.replies.reply_form import findings_of
from gpf_desktop.engine.reporting.report_reviews import VERDICT_TABLE
from gpf_desktop.storage import runs as stored_runs

_DIGITS: Final = 3
_LEVEL: Final = 0.05
_PEOPLE: Final = (VERDICT_TABLE, "people_agreement", "people_curve", "corrections", "codes", "reviewer_groups", "memos")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnexMaker:
    """Arranges one report, with its brief, into chapters."""

    context: EngineContext
    report: Report
    draft: ReportDraft
    method: str
    runs: Sequence[RunId]
    """Rounds of the window."""

    def chapters(self) -> tuple[ReportChapter, ...]:
        """Blocks."""
        titles = self._titles()
        tables = self._tables()

        def chapter(name: str, *sections: Section, **more: object) -> ReportChapter:
            return ReportChapter(
                name=name,
                title=titles[name],
                sections=sections,
                findings=tables.get(name, ()),
                **more,  # type: ignore[arg-type]
            )

        declared = self.draft.declaration
        brief = () if self.report.brief is None else self._brief()
        return (
            chapter("brief", *brief),
            chapter("engagement", untitled(self._declared("auditor", "client", "appointment"))),
            chapter("interests", untitled(self._declared("paid_by", "relations", "access", "withheld"))),
            chapter("system", untitled(FactList(facts=tuple(self._system())))),
            chapter("purpose", untitled(self._declared("purpose", "groups"))),
            chapter("scope", untitled(*self._scope()), parts=("scope",)),
            chapter("planned", untitled(*self._unplanned()), parts=("planned",)),
            chapter("data", untitled(*self._data())),
            chapter(
                "method",
                untitled(*(Paragraph(text=each) for each in self.report.reading)),
                notation=True,
            ),
            chapter("findings", *self._findings(), parts=("summary", "findings", "conclusion")),
            chapter("people", untitled(FactList(facts=self.report.review_counts))),
            chapter("uncertainty", untitled(*self._uncertain())),
            chapter("threats", untitled(threats(self.context, self.report, self.runs))),
            chapter("coverage", untitled(Paragraph(text=self.report.window))),
            chapter("limits", untitled(Bullets(items=self.report.limits)), parts=("limits",)),
            chapter("recommendations", *self._recommendations()),
            chapter("cost", untitled(FactList(facts=tuple(self._cost())))),
            chapter("clauses", *clause_sections(self.draft.clauses, self._there(), titles)),
            chapter("retention", untitled(*self._retention())),
            chapter("signatures", *self._signatures(declared.next_audit)),
            chapter("tables", *self._words(), bundles=bool(self.report.bundles)),
        )

    def _titles(self) -> dict[str, str]:
        """The chapters' titles by name, each with the number by which auditors call it."""
        named = (
            ("brief", tr("The brief")),
            ("engagement", tr("Engagement")),
            ("interests", tr("Interests and access")),
            ("system", tr("The system")),
            ("purpose", tr("Purpose, and who has a stake")),
            ("scope", tr("Scope")),
            ("planned", tr("What was planned beforehand")),
            ("data", tr("Data")),
            ("method", tr("Method, controls and scoring")),
            ("findings", tr("Findings")),
            ("people", tr("What people read")),
            ("uncertainty", tr("Uncertainty")),
            ("threats", tr("Threats to validity")),
            ("coverage", tr("Answers that came")),
            ("limits", tr("Limits, and what may be claimed")),
            ("recommendations", tr("Recommendations and replies")),
            ("cost", tr("Cost")),
            ("clauses", tr("Where clauses are met")),
            ("retention", tr("What is kept, and how to check it")),
            ("signatures", tr("Signatures")),
        )
        numbered = {name: f"{number} {title}" for number, (name, title) in enumerate(named)}
        return {**numbered, "tables": tr("A Tables, answers, words")}

    def _tables(self) -> Mapping[str, tuple[str, ...]]:
        """Names of tables by chapter, in the report's order."""
        method = catalogue.method(self.method)
        places = method.table_places if isinstance(method, WritesBrief) else {}
        found: dict[str, list[str]] = {}
        for each in self.report.findings:
            place = "people" if each.name in _PEOPLE else str(places.get(each.name, TablePlace.ANNEX))
            found.setdefault(place, []).append(each.name)
        return {place: tuple(names) for place, names in found.items()}

    def _brief(self) -> tuple[Section, ...]:
        brief = self.report.brief
        assert brief is not None, "asked for where there is one"
        bands = tuple(
            Paragraph(text=each, voice=Loudness.WARNING) for each in filter(None, (brief.draft, *brief.bands))
        )
        # How it was counted stands with the findings, where the annex says more of it.
        sections = (each for each in brief.sections if each.name != "counted")
        return (untitled(*bands, FactList(facts=brief.head)), *sections)

    def _declared(self, *names: str) -> FactList:
        declared = self.draft.declaration
        facts = (
            ReportFact(name=field_title(name), value=getattr(declared, name).strip() or tr("not declared"))
            for name in names
        )
        return FactList(facts=tuple(facts))

    def _system(self) -> Iterator[ReportFact]:
        brief = self.report.brief
        if brief is not None:
            yield brief.head[0]
        if words := self.draft.declaration.interface.strip():
            yield ReportFact(name=field_title("interface"), value=words)
        elsewhere = (tr("Audit"), tr("Method"), tr("News sources"), tr("Articles by topic"), tr("Items by kind"))
        yield from (fact for fact in self.report.facts if fact.name not in elsewhere)

    def _scope(self) -> Iterator[Block]:
        yield Paragraph(text=self.report.window)
        yield self._declared("out_of_scope")

    def _unplanned(self) -> Iterator[Block]:
        if any(part.name == "planned" for part in self.report.parts):
            return
        planned = "" if self.report.concluded is None else self.report.concluded.page.planned
        nothing = tr("No page was registered before the first answer.")
        yield Paragraph(text=" ".join(filter(None, (nothing, planned))))

    def _data(self) -> Iterator[Block]:
        wanted = (tr("News sources"), tr("Articles by topic"), tr("Items by kind"), tr("Imported"), tr("Withheld"))
        if facts := tuple(fact for fact in self.report.facts if fact.name in wanted):
            yield FactList(facts=facts)
        yield Paragraph(
            text=tr(
                "These are test data and not data of use: what is compared is asked in the same words, except for what"
                " the method varies. How often people ask so is not known from them."
            )
        )

    def _findings(self) -> Iterator[Section]:
        concluded = self.report.concluded
        if concluded is None:
            yield untitled(*(Paragraph(text=line) for line in self.report.found))
        else:
            yield untitled(*(Paragraph(text=line) for line in concluded.lines))
            rows = tuple(row for told in concluded.told for row in _measured(told))
            columns = (
                tr("Model"),
                tr("Concluded"),
                tr("Measure"),
                tr("Value and range (simultaneous confidence interval)")
                if alone_words(concluded.page) and not concluded.lead.of_groups
                else tr("Value and range"),
                tr("Too small to matter"),
                "p",
            )
            if rows:
                yield Section(
                    name="measured", title=tr("Every number"), blocks=(WordTable(columns=columns, rows=rows),)
                )
        if self.draft.replies:
            yield Section(name="replies", title=tr("What the provider answered"), blocks=tuple(self._replies()))

    def _replies(self) -> Iterator[Block]:
        there = {each.about: each for each in findings_of(self.report)}
        rows = []
        for each in self.draft.replies:
            said = there.get(each.about)
            about = each.about if said is None else said.says
            if said is not None and each.code and each.code != said.code:
                about = tr("{finding} (it read otherwise when it was replied to)", finding=about)
            rows.append((about, each.text, " · ".join(filter(None, (each.who, each.at)))))
        yield WordTable(columns=(tr("Finding"), tr("Reply, as it came"), tr("Who, when")), rows=tuple(rows))

    def _uncertain(self) -> Iterator[Block]:
        concluded = self.report.concluded
        if concluded is None:
            return
        for each in concluded.footnote[1:]:
            yield Paragraph(text=each)

    def _recommendations(self) -> Iterator[Section]:
        some = self.draft.recommendations
        rows = tuple((each.text, each.owner or tr("nobody yet"), each.due or tr("no date"), each.done) for each in some)
        columns = (tr("What should be done"), tr("By whom"), tr("Until"), tr("What became of it"))
        table: Block = WordTable(columns=columns, rows=rows) if rows else Paragraph(text=tr("None."))
        yield untitled(table, self._declared("earlier"))

    def _cost(self) -> Iterator[ReportFact]:
        for run in self.runs:
            name = self.context.audit.read(partial(stored_runs.get, run_id=run)).name
            counts = self.context.audit.read(partial(stored_runs.counts, run_id=run))
            asked = sum(each.answered for each in counts)
            spent, doubt = sum(each.spent for each in counts), sum(each.in_doubt for each in counts)
            words = tr("{n:,} answers, {spent} US dollars by the prices entered", n=asked, spent=decimal(spent, 2))
            if doubt:
                words += tr("; {doubt} more at most for calls of unknown end", doubt=decimal(doubt, 2))
            yield ReportFact(name=tr("Run “{name}”", name=name), value=words)

    def _there(self) -> frozenset[str]:
        """The needs of clauses that this audit fulfils, by name."""
        declared, draft = self.draft.declaration, self.draft
        fields = {
            name
            for name in ("auditor", "client", "paid_by", "relations", "appointment", "groups", "next_audit")
            if getattr(declared, name).strip()
        }
        lists = {"retention": draft.retention, "recommendations": draft.recommendations, "replies": draft.replies}
        fields |= {name for name, some in lists.items() if some}
        if draft.sign_off.strip():
            fields.add("sign_off")
        if self.report.bundles:
            fields.add("quotes")
        if any(each.name == VERDICT_TABLE for each in self.report.findings):
            fields.add("readings")
        return frozenset(fields)

    def _retention(self) -> Iterator[Block]:
        rows = tuple(
            (each.what, each.where, each.until, each.rule, each.destroyed, each.asks) for each in self.draft.retention
        )
        columns = (tr("What"), tr("Where"), tr("Until"), tr("By which rule"), tr("Destroyed"), tr("Who may ask"))
        if rows:
            yield WordTable(columns=columns, rows=rows)
        else:
            yield Paragraph(text=tr("Nobody has said yet what is kept, where, until when, and who may ask for it."))
        evidence = None if self.report.brief is None else self.report.brief.section("evidence")
        if evidence is not None:
            yield from evidence.blocks

    def _signatures(self, due: str) -> Iterator[Section]:
        signers = tuple(each for part in self.report.parts for each in part.signers)
        lines = signers or (tr("Set up and reported by: name, role, date"), tr("Checked by: name, role, date"))
        said = tr("Next audit due: {due}.", due=due.strip() or tr("not set"))
        yield untitled(SignatureLines(signers=lines), Paragraph(text=said))

    def _words(self) -> Iterator[Section]:
        where = tr(
            "Long tables are not printed: each says where its rows are. Numbers have three digits here, all of them in"
            " the workbook and in the shared file."
        )
        yield untitled(Paragraph(text=where, voice=Loudness.SMALL))
        if self.report.signs:
            facts = tuple(ReportFact(name=name, value=value) for name, value in self.report.signs)
            yield Section(name="signs", title=tr("What the signs mean"), blocks=(FactList(facts=facts),))


def telling(findings: Sequence[Finding], method: str) -> tuple[Finding, ...]:
    """The *findings* without those that are there to compare groups but hold fewer than two."""
    its = catalogue.method(method)
    needs = its.needs_two if isinstance(its, WritesBrief) else {}
    return tuple(
        each
        for each in findings
        if each.name not in needs or len({row.values[needs[each.name]] for row in each.rows}) > 1
    )


def _measured(told: Told) -> Iterator[tuple[str, ...]]:
    for at, one in enumerate((*told.conclusion.measures, *told.conclusion.of_parts)):
        yield (
            told.name if at == 0 else "",
            told.chip if at == 0 else "",
            one.words,
            with_range(one, least=_DIGITS) or one.why or tr("not measured"),
            "" if one.margin is None else exact(one.margin, least=_DIGITS),
            unbroken(p_words(one.p)),
        )


def p_words(p: float | None) -> str:
    """*p* as every table has it: three digits, and no 0.000; more if it lies near the level."""
    if p is None:
        return ""
    return f"< {decimal(SMALLEST_P, _DIGITS)}" if p < SMALLEST_P else told_number((p,), (_LEVEL,), least=_DIGITS)[0]
