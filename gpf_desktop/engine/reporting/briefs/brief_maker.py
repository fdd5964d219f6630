"""Makes a brief from what is concluded, read and declared."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final

from gpf_desktop.domain.brief_words import BriefWords
from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.digits import with_range
from gpf_desktop.domain.conclusions.rendering import LEVEL, Told, ToldPage, chips, how_often, too_often
from gpf_desktop.domain.conclusions.sureness import how_sure
from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.declarations import Declaration, field_title
from gpf_desktop.domain.finding_keys import WHOLE
from gpf_desktop.domain.findings import Row
from gpf_desktop.domain.models import ANSWERING, short_names
from gpf_desktop.domain.registration import day_words
from gpf_desktop.domain.report_blocks import (
    BigNumber,
    BigNumbers,
    Block,
    Brief,
    Bullets,
    DrawnFigure,
    FactList,
    Loudness,
    Paragraph,
    ReportFact,
    Section,
    SignatureLines,
    WordTable,
)
from gpf_desktop.domain.reports import AuditorFinding, Report
from gpf_desktop.domain.served import versions as served_versions
from gpf_desktop.domain.text import grouped, tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.reporting.asked_words import asked_words, rounds_within
from gpf_desktop.engine.reporting.briefs.answer import TOLD, answer_lines, informing
from gpf_desktop.engine.reporting.briefs.people import PeopleRead, people_read
from gpf_desktop.engine.reporting.drafts.draft import ReportDraft
from gpf_desktop.engine.reporting.incomplete_sets import MissingAnswers
from gpf_desktop.engine.reporting.replies.reply_form import findings_of, reply_words
from gpf_desktop.engine.reporting.results_filter import Results, ResultsFilter
from gpf_desktop.engine.reporting.scope_words import sets_words
from gpf_desktop.engine.reporting.what_next import SetsRead, next_steps
from gpf_desktop.figures.lead_table import lead_table, panels_table
from gpf_desktop.figures.lead_words import declined_words, told_first, undrawn_words
from gpf_desktop.storage import answer_facts, models, served
from gpf_desktop.storage.run_stamps import RunStamp

_ROWS: Final = 12
"""Of numbers, that a page has room for beside what must stand there."""
_LISTED: Final = 8
"""Models of which it is told who answered."""

DrawLead = Callable[[ToldPage], DrawnFigure | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefMaker:
    """Makes the brief of one report; everything it needs is read already but for what people said."""

    context: EngineContext
    report: Report
    """With what its auditor wrote."""
    draft: ReportDraft
    wanted: ResultsFilter
    """Of one method."""
    results: Results
    frame: Any
    """Bundles of the window, of every arm."""
    missing: MissingAnswers
    code: str
    """Check code of the conclusions."""
    draw: DrawLead

    def brief(self) -> Brief:
        """The whole brief. Blocks."""
        words, people = self._words(), self._people()
        declared = self.draft.declaration
        sections = (
            Section(name="question", title=tr("The question, and why"), blocks=self._question(words)),
            Section(name="answer", title=self._answer_title(), blocks=self._answer()),
            Section(name="done", title=tr("What was done"), blocks=self._done(words)),
            Section(name="found", title=tr("What was found"), blocks=self._found()),
            Section(name="numbers", title=tr("In numbers"), blocks=() if people.sets else self._numbers(words)),
            Section(name="people", title=tr("What people read and judged"), blocks=people.blocks),
            Section(name="not-shown", title=tr("What this does not show"), blocks=_not_shown(words)),
            Section(name="settles", title=tr("What to do next"), blocks=self._settles(people)),
            Section(name="recommendations", title=tr("Recommendations"), blocks=self._recommendations()),
            Section(name="reply", title=tr("What the provider answered"), blocks=self._reply()),
            Section(name="who", title=tr("Who we are, who paid"), blocks=(_who(declared),)),
            Section(name="evidence", title=tr("Where the evidence lies"), blocks=self._evidence()),
            Section(name="signatures", title=tr("Who answers for it"), blocks=self._signatures()),
            Section(name="counted", title=tr("How it was counted"), blocks=self._counted()),
        )
        return Brief(
            title=self.report.title,
            head=self._head(),
            draft=declared.draft,
            bands=self._bands(),
            sections=tuple(each for each in sections if each.blocks),
            footnote=self.report.statement,
            day=day_words(self.report.made),
        )

    def _words(self) -> BriefWords | None:
        labels = [each.conclusion.model for each in self._told] or sorted(map(str, self._main["model"].unique()))
        return asked_words(self.context, self.wanted, self.results, labels)

    def _runs(self) -> list[RunStamp]:
        return rounds_within(self.context, self.wanted)

    @property
    def _told(self) -> tuple[Told, ...]:
        return () if self.report.concluded is None else self.report.concluded.told

    @property
    def _main(self) -> Any:
        return self.frame[self.frame["arm"] == MAIN]

    def _people(self) -> PeopleRead:
        within = frozenset(map(int, self._main["bundle_id"]))
        return people_read(self.context, within, self.results.scope.setting_id, named=self.draft.named_reviewers)

    def _head(self) -> tuple[ReportFact, ...]:
        declared = self.draft.declaration
        came = self.context.audit.read(
            partial(answer_facts.answered_between, runs=frozenset(int(run.id) for run in self._runs()))
        )
        tested = tr("unknown: no answer has a date") if came is None else between(*came)
        if self.report.imported:
            tested = tr("unknown here: {came}", came=self.report.imported)
        facts = [
            ReportFact(
                name=tr("Models asked, and who answered"), value=versions(self.context, self._runs(), self._main)
            ),
            ReportFact(name=tr("Tested"), value=tested),
            ReportFact(name=tr("Reported"), value=day_words(self.report.made)),
            ReportFact(name=field_title("auditor"), value=declared.auditor.strip() or tr("not declared")),
            ReportFact(name=field_title("client"), value=declared.client.strip() or tr("not declared")),
            ReportFact(name=tr("State"), value=tr("draft") if declared.draft else tr("final")),
        ]
        return tuple(facts)

    def _bands(self) -> tuple[str, ...]:
        report = self.report
        bands = []
        if report.all_synthetic:
            bands.append(
                tr(
                    "Synthetic: every answer here is made up by built-in test models. It shows how the audit works and"
                    " says nothing about any real model."
                )
            )
        elif report.synthetic:
            bands.append(tr("Partly synthetic: answers marked ▲ are made up by built-in test models."))
        if report.imported:
            bands.append(tr("{came}: this program did not ask for them.", came=report.imported))
        if self.wanted.narrowed:
            bands.append(tr("Filtered: not the planned comparison. {what}", what=self.results.filtered))
        return tuple(bands)

    def _question(self, words: BriefWords | None) -> tuple[Block, ...]:
        method = catalogue.method(str(self.wanted.method))
        question = method.question if words is None else words.question
        asked = Paragraph(text=question, voice=Loudness.QUESTION)
        why = self.draft.declaration.purpose.strip() or ("" if words is None else words.why)
        return (asked, Paragraph(text=why, voice=Loudness.SMALL)) if why else (asked,)

    def _answer_title(self) -> str:
        if any(each.conclusion.standing.too_early for each in self._told):
            return tr("The answer, as of today")
        return tr("The answer")

    def _answer(self) -> tuple[Block, ...]:
        concluded = self.report.concluded
        if concluded is None:
            nothing = tr("Nothing is concluded yet. The tables of the annex say:")
            found = self.report.found[:TOLD]
            return (
                Paragraph(text=nothing if found else tr("Nothing is concluded yet."), voice=Loudness.HEADLINE),
                *(Paragraph(text=each) for each in found),
                *self._auditors(),
            )
        sure, lines = how_sure(concluded), answer_lines(concluded)
        lines += [each for each in declined_words(concluded).split("\n") if not any(each in line for line in lines)]
        headline, others = told_first(concluded)
        return (
            Paragraph(text=headline, voice=Loudness.HEADLINE),
            *((Paragraph(text=others, voice=Loudness.QUESTION),) if others else ()),
            *((Paragraph(lead=tr("How sure:"), text=sure, voice=Loudness.LEAD),) if sure else ()),
            *(Paragraph(text=each, voice=Loudness.LEAD) for each in lines if each.strip()),
            *self._auditors(),
        )

    def _auditors(self) -> tuple[Block, ...]:
        """The auditor's own findings stand directly under the answer."""
        return tuple(
            Paragraph(
                lead=tr("The auditor finds: {title}.", title=found.title.removesuffix(".")) if found.title else "",
                text=" ".join(
                    filter(None, (" ".join(found.paragraphs), f"({found.severity})" if found.severity else ""))
                ),
            )
            for found in self._findings()
        )

    def _findings(self) -> tuple[AuditorFinding, ...]:
        return tuple(found for part in self.report.parts for found in part.findings)

    def _done(self, words: BriefWords | None) -> tuple[Block, ...]:
        missing = self.missing.n
        valid = int(self._main["valid"].sum())
        answers = tr("answers") if words is None or not words.answers else words.answers
        came = (
            tr("{answers}: all asked for", answers=answers)
            if not missing
            else tr(
                "{answers}, of {planned} asked for; {missing} are missing",
                answers=answers,
                planned=grouped(self.missing.of),
                missing=grouped(missing),
            )
        )
        numbers = (*(() if words is None else words.numbers), BigNumber(value=grouped(valid), words=came))
        # How the system was reached is the auditor's to say; what the program did, it knows.
        reached = self.draft.declaration.interface.strip() or self._reached()
        planned_words = "" if self.report.concluded is None else self.report.concluded.page.planned
        controls = "" if words is None else words.controls
        return (
            BigNumbers(numbers=numbers),
            Paragraph(text=" ".join(filter(None, (controls, reached, planned_words)))),
        )

    def _reached(self) -> str:
        if self.report.imported:
            return tr("Asked elsewhere; how, only who asked can say.")
        if self.report.all_synthetic:
            return tr("Answered by the program itself: no server was asked.")
        return tr("Asked by API; the app may answer otherwise.")

    def _found(self) -> tuple[Block, ...]:
        concluded = self.report.concluded
        drawing = None if concluded is None else self.draw(concluded)
        first: Block = drawing or Paragraph(text=tr("Nothing to draw yet."), voice=Loudness.SMALL)
        blocks: list[Block] = [first]
        if concluded is not None and drawing is None and len(concluded.told):
            blocks = [_as_table(concluded)]
        return tuple(blocks)

    def _numbers(self, words: BriefWords | None) -> tuple[Block, ...]:
        """The lead figure's numbers as a table, for a brief without readings: passages would take its room."""
        concluded = self.report.concluded
        if concluded is None or not any(each.conclusion.measures for each in concluded.told):
            return ()
        beside = [*filter(None, (concluded.lead.note,)), *informing(concluded)]
        if len(concluded.lead.panels) > 1:
            return _table_of(*panels_table(concluded, brief=True), words, beside)
        table = lead_table(concluded, drawn=True)
        keys = ["model", "measure", "value", chance_column(table.rows), "counts"]
        if len(concluded.told) == 1:
            keys.remove("model")
        titles = {each.key: each.title for each in table.columns} | {
            "often": tr("As much by chance, in so many audits")
        }
        rows = [tuple(str({**row.values, "often": often(row)}[key]) for key in keys) for row in table.rows]
        if undrawn := undrawn_words(concluded):
            beside.append(tr("{said} Annex, “Every number”.", said=undrawn))
        return _table_of(tuple(titles[key] for key in keys), rows, words, beside)

    def _settles(self, people: PeopleRead) -> tuple[Block, ...]:
        concluded = self.report.concluded
        if concluded is None:
            return ()
        draft = bool(self.draft.declaration.draft)
        read = SetsRead(sets=people.sets, once=people.once)
        items = tuple(next_steps(concluded, self.missing, read, draft=draft))
        return (Bullets(items=items),) if items else ()

    def _recommendations(self) -> tuple[Block, ...]:
        some = self.draft.recommendations
        if not some:
            return ()
        rows = tuple((each.text, each.owner or tr("nobody yet"), each.due or tr("no date")) for each in some)
        return (WordTable(columns=(tr("What should be done"), tr("By whom"), tr("Until")), rows=rows),)

    def _reply(self) -> tuple[Block, ...]:
        replies = self.draft.replies
        if replies:
            said = {each.about: each.says for each in findings_of(self.report) if each.about != WHOLE}
            return tuple(Paragraph(lead=said.get(each.about, ""), text=reply_words(each)) for each in replies)
        if self.report.all_synthetic:
            return ()
        return (
            Paragraph(
                text=tr("No reply is here: the provider was not asked, or has not answered."), voice=Loudness.SMALL
            ),
        )

    def _evidence(self) -> tuple[Block, ...]:
        kept = "; ".join(
            " ".join(filter(None, (each.what, f"({each.where})" if each.where else "", each.until)))
            for each in self.draft.retention
        )
        facts = [
            ReportFact(
                name=tr("Check code of these results"),
                value=self.code,
            ),
            ReportFact(
                name=tr("To check every number"),
                value=tr("“Verify a shared file”, or gpf-desktop verify FILE.zip, computes them and this code anew."),
            ),
            ReportFact(name=tr("What is kept, where, how long"), value=kept or tr("the auditor has not said yet")),
        ]
        return (FactList(facts=tuple(facts)),)

    def _signatures(self) -> tuple[Block, ...]:
        signers = tuple(each for part in self.report.parts for each in part.signers)
        lines = signers or (tr("Set up and reported by: name, role, date"), tr("Checked by: name, role, date"))
        due = self.draft.declaration.next_audit.strip() or tr("not set")
        said = tr("Next audit due: {due}.", due=due)
        words = said if signers else f"{tr('Not signed.')} {said}"
        return (SignatureLines(signers=lines), Paragraph(text=words, voice=Loudness.SMALL))

    def _counted(self) -> tuple[Block, ...]:
        """The foot of the page of Results, less what each page of the brief ends with; on paper, unless it would begin
        a fifth page."""
        concluded = self.report.concluded
        if concluded is None:
            return ()
        # When it was planned to conclude, “What was done” says.
        before = (concluded.page.says, concluded.page.planned)
        incomplete = f"{sets_words(self.results.window)}." if self.missing.n else ""
        said = " ".join(each for each in (*concluded.footnote, incomplete) if each and each not in before)
        return (Paragraph(text=said, voice=Loudness.SMALL),) if said else ()


def _table_of(
    titles: tuple[str, ...], rows: Sequence[tuple[str, ...]], words: BriefWords | None, beside: Sequence[str]
) -> tuple[Block, ...]:
    """*beside*: sentences on its rows."""
    more = len(rows) - _ROWS
    cut = trn("{n} further row: annex.", "{n} further rows: annex.", more) if more > 0 else ""
    told = WordTable(columns=titles, rows=tuple(rows[:_ROWS]))
    under = " ".join(filter(None, ("" if words is None else words.measured, cut, *beside)))
    return (told, Paragraph(text=under, voice=Loudness.SMALL)) if under else (told,)


def chance_column(rows: Sequence[Row]) -> str:
    """The key of the column that says what chance alone would do: what it gives, or how often it gives as much as what
    differs, where it gives every row the same and any differs."""
    alike = len({row.values["by_chance"] for row in rows}) < 2
    differ = any(row.values["counts"] == chips()[ConclusionOutcome.DIFFERS] for row in rows)
    return "often" if alike and differ else "by_chance"


def often(row: Row) -> str:
    """Words on how often chance alone would do as much as *row*; empty where nothing tells."""
    p, counts = row.values["p"], row.values["counts"]
    if counts == chips()[ConclusionOutcome.CHECK_FAILED]:
        return tr("not counted")
    if not isinstance(p, float):
        return ""
    if counts == chips()[ConclusionOutcome.DIFFERS]:
        return how_often(p)
    return too_often() if counts == chips()[ConclusionOutcome.NOT_SHOWN] and p > LEVEL else ""


def _not_shown(words: BriefWords | None) -> tuple[Block, ...]:
    return () if words is None else (Bullets(items=words.silent),)


def _who(declared: Declaration) -> FactList:
    return FactList(
        facts=tuple(
            ReportFact(name=field_title(name), value=getattr(declared, name).strip() or tr("not declared"))
            for name in ("paid_by", "relations", "access", "withheld")
        )
    )


def _as_table(told: ToldPage) -> WordTable:
    """The lead figure's content as a table of words."""
    rows = []
    for each in told.told:
        first = next((one for one in each.conclusion.measures if one.value is not None), None)
        value = "" if first is None else f"{first.words}: {with_range(first)}"
        rows.append((each.name, each.chip, value))
    return WordTable(columns=(tr("Model"), tr("Concluded"), tr("Measured")), rows=tuple(rows))


def between(first: datetime, last: datetime) -> str:
    """Words for one day, or for the first and the last."""
    if first.date() == last.date():
        return day_words(first)
    return tr("{first} to {last}", first=day_words(first), last=day_words(last))


def versions(context: EngineContext, stamps: Sequence[RunStamp], main: Any) -> str:
    """“gpt-x: asked for gpt-x, answered by gpt-x-2026-10-01; …”, of the models whose answers are in *main*."""
    there = set(main["model"].astype(str))
    asked: dict[str, bool] = {}
    for stamp in stamps:
        for model in context.audit.read(partial(models.of_run, run_id=int(stamp.id))):
            # Where models stand side by side in a bundle, the rounds alone say who they are.
            if model.role in ANSWERING and (model.label in there or (model.label not in asked and _aside(there))):
                asked[model.label] = model.synthetic
    called = short_names(asked)
    rounds = context.audit.read(partial(served.by_round, runs=[int(stamp.id) for stamp in stamps]))
    real = []
    for name, synthetic in asked.items():
        if not synthetic:
            told = served_versions([each for each in rounds if each.model == name and each.answering])
            real.append(f"{name}: {told or tr('the server did not say who answered')}")
    planted = [called[name] for name, synthetic in asked.items() if synthetic]
    said = [*real[:_LISTED]]
    if len(real) > _LISTED:
        said.append(tr("{n} more", n=len(real) - _LISTED))
    if planted:
        said.append(tr("built-in test models: {names}", names=", ".join(planted)))
    return "; ".join(said)


def _aside(there: set[str]) -> bool:
    return not any("/" in name for name in there)
