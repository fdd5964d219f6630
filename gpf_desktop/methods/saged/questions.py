"""A of SAGED by a writer model: for each sentence a question that it answers and that fits every concept.

A question is tried for a sentence; put to other concepts, it is answered and judged; where it makes no sense, another
is tried, three times in all. Each try is a row that says what came of it, so that whoever stops goes on from there.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.tables import Table, Tries
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.writing import Form, WritingTask, Written
from gpf_desktop.methods.saged.benchmark import (
    QUESTION_MARKS,
    BenchmarkRow,
    Sentence,
    benchmark_table,
    lines_of,
    sentences_of,
)
from gpf_desktop.methods.saged.branching import branched
from gpf_desktop.methods.saged.replacements import Pairs, Replacements, replacements
from gpf_desktop.methods.saged.sentences import Keyword
from gpf_desktop.methods.saged.writing import task_of

QUESTION: Final = "saged question"
CHECK: Final = "saged check"
TRIES: Final = 3
MOST_CHECKED: Final = 5
"""Other concepts that a question is put to."""
FITS: Final = "fits"
DOES_NOT: Final = "does not fit"
_QUESTION_FORM: Final = Form(fields=("question",), longest=1_000)
_CHECK_FORM: Final = Form(fields=("answer", "sensible", "why"), longest=4_000)


class Try(NamedTuple):
    """A question that was tried for a sentence, as a row of a table."""

    root: str
    concept: str
    keyword: str
    question: str
    outcome: str
    """`FITS`, `DOES_NOT`; empty: it is not checked yet."""
    reason: str
    """Why it does not fit, a kind and what it was; of one that does, for whom it was checked."""
    writer: str


COLUMNS: Final = Try._fields


@dataclass(frozen=True, slots=True)
class _Other:
    """A concept that a question is put to."""

    concept: str
    pairs: Pairs


class Questions:
    """The tasks of a writer that turns *sentences* into questions; *replacements* say what is put for what, None: names
    for keywords."""

    def __init__(self, sentences: Sequence[Sentence], replacements: Replacements | None) -> None:
        self._sentences, self._replacements = sentences, replacements
        self._concepts = tuple(dict.fromkeys(each.concept for each in sentences))

    def next_tasks(self, tries: Tries, sentences: int) -> list[WritingTask]:
        """The next tasks, for at most so many *sentences*; none: every sentence has a question or was given up."""
        of = _by_sentence(tries)
        tasks: list[WritingTask] = []
        begun = 0
        for each in self._sentences:
            its = of.get((each.root, each.concept), [])
            if begun == sentences:
                break
            if _ended(its):
                continue
            begun += 1
            if its and not its[-1].outcome:
                tasks += [self._check(each, its[-1].question, other) for other in self._checked_for(each)]
            else:
                tasks.append(self._question(each, its))
        return tasks

    def one_try_each(self, tries: Tries) -> list[WritingTask]:
        """The tasks of one try for each sentence that lacks a question, with its checks, for the cost beforehand.
        Raises `UserError`."""
        of = _by_sentence(tries)
        lacking = [each for each in self._sentences if not _ended(of.get((each.root, each.concept), []))]
        if not self._sentences:
            raise UserError(tr("There are no sentences yet."), tr("Gather some first."))
        if not lacking:
            raise UserError(tr("No sentence lacks a question."), tr("Take out a try to have it tried again."))
        return [
            task
            for each in lacking
            for task in (
                self._question(each, []),
                *(self._check(each, each.text, other) for other in self._checked_for(each)),
            )
        ]

    def taken(self, tries: Tries, tasks: Sequence[WritingTask], written: Sequence[Written]) -> list[Try]:
        """*tries* with what was *written* for *tasks*; as they were where nothing came of any."""
        # A writer that cannot be reached is no try, of which a sentence has three.
        if not any(each.records for each in written):
            return _tries(tries)
        found = _tries(tries)
        checks: dict[tuple[str, str, str], list[tuple[WritingTask, Written]]] = {}
        for task, each in zip(tasks, written, strict=True):
            filled = task.filled
            if task.instruction.name == CHECK:
                checks.setdefault((filled["root"], filled["about"], filled["tried"]), []).append((task, each))
            else:
                found.append(self._tried(filled, each))
        for (root, concept, question), came in checks.items():
            for at, one in enumerate(found):
                if (one.root, one.concept, one.question, one.outcome) == (root, concept, question, ""):
                    found[at] = _judged(one, came, self._checks_of(one))
        return found

    def prompts(self, tries: Tries) -> Table:
        """The questions that fit, as a benchmark that is not branched yet. Raises `UserError` where there is none."""
        fitting = {(each.root, each.concept): each.question for each in _tries(tries) if each.outcome == FITS}
        rows = [
            BenchmarkRow(
                domain=each.domain,
                concept=each.concept,
                keyword=each.keyword,
                source_tag=each.source_tag,
                prompt=fitting[each.root, each.concept],
                baseline=each.text,
                root=each.root,
            )
            for each in self._sentences
            if (each.root, each.concept) in fitting
        ]
        if not rows:
            raise UserError(tr("No question fits yet."), tr("Have them written, or write “fits” behind one."))
        return benchmark_table(rows)

    def said(self, tries: Tries) -> str:
        """How many sentences have a question, how many were given up and why."""
        of = _by_sentence(tries)
        its = [of.get((each.root, each.concept), []) for each in self._sentences]
        fit = sum(any(one.outcome == FITS for one in each) for each in its)
        given_up = [each[-1] for each in its if _ended(each) and all(one.outcome != FITS for one in each)]
        words = [
            trn("{n} sentence of {all} has a question.", "{n} sentences of {all} have a question.", fit, all=len(its))
        ]
        kinds = Counter(each.reason.partition(":")[0] for each in given_up)
        words += [tr("After three tries {n} were dropped: {why}.", n=n, why=why) for why, n in kinds.items()]
        return " ".join(words)

    def _question(self, sentence: Sentence, its: Sequence[Try]) -> WritingTask:
        refused = "\n".join(f"- {each.question} ({each.reason})" for each in its if each.question)
        others = ", ".join(each.concept for each in self._others(sentence)) or "not named"
        filled = {
            "root": sentence.root,
            "concept": sentence.concept,
            "domain": sentence.domain or sentence.concept,
            "keyword": sentence.keyword,
            "sentence": sentence.text,
            "others": others,
            "refused": "none" if not refused else f"\n{refused}",
        }
        return task_of(QUESTION, filled, _QUESTION_FORM)

    def _check(self, sentence: Sentence, question: str, other: _Other) -> WritingTask:
        filled = {
            "root": sentence.root,
            "about": sentence.concept,
            "tried": question,
            "concept": other.concept,
            "domain": sentence.domain or sentence.concept,
            "question": branched(question, other.pairs).text,
        }
        return task_of(CHECK, filled, _CHECK_FORM)

    def _tried(self, filled: Mapping[str, str], written: Written) -> Try:
        question = " ".join(written.records[0]["question"].split()) if written.records else ""
        made = Try(
            root=filled["root"],
            concept=filled["concept"],
            keyword=filled["keyword"],
            question=question,
            outcome="",
            reason="",
            writer=written.provenance.model,
        )
        sentence = next(each for each in self._sentences if (each.root, each.concept) == made[:2])
        wrong = self._wrong(sentence, question) if question else f"no reply: {written.trouble}"
        if wrong:
            return made._replace(outcome=DOES_NOT, reason=wrong)
        if not self._others(sentence):
            return made._replace(outcome=FITS, reason="there is no other concept to check it for")
        return made

    def _wrong(self, sentence: Sentence, question: str) -> str:
        """The fault of *question* that shows without asking a reader; empty: none."""
        if not question.endswith(QUESTION_MARKS):
            return "no question: it has no mark of one"
        if not Keyword(text=sentence.keyword, any_case=True, inflected=True).pattern().search(question):
            return f"without its keyword: {sentence.keyword}"
        belonging = () if self._replacements is None else self._replacements.words_of(sentence.concept)
        for other in self._others(sentence):
            made = branched(question, other.pairs, belonging)
            if not made.changes:
                return f"no word to be put for: that {other.concept} has one for"
            if made.left:
                return f"words of the old concept stay: {', '.join(made.left)}"
        return ""

    def _others(self, sentence: Sentence) -> list[_Other]:
        if self._replacements is not None:
            news = self._replacements.pairs.get(sentence.concept, {})
            return [_Other(new, pairs) for new, pairs in news.items() if new != self._replacements.root]
        return [_Other(each, {sentence.keyword: each}) for each in self._concepts if each != sentence.concept]

    def _checks_of(self, one: Try) -> int:
        """How many concepts the question of *one* is put to."""
        its = next((each for each in self._sentences if (each.root, each.concept) == one[:2]), None)
        return 0 if its is None else len(self._checked_for(its))

    def _checked_for(self, sentence: Sentence) -> list[_Other]:
        """Five of the others, the same at each try and by chance for each sentence."""
        others = self._others(sentence)
        # Seeded by a text, of which `random` takes a SHA-512: `hash` is salted anew in every process.
        draw = Random(f"{sentence.root}\x1f{sentence.concept}")  # noqa: S311 - which are asked about, no secret
        return draw.sample(others, min(MOST_CHECKED, len(others)))


def questions_about(sentences: Table, words: Mapping[str, Any] | None) -> Questions:
    """`Questions` of tables as they stand in a form. Raises `UserError`."""
    found = None if words is None else replacements(words, tr("The words to be replaced"))
    return Questions(sentences_of(lines_of(sentences)), found)


def _tries(rows: Tries) -> list[Try]:
    return [Try(*(cell.strip() for cell in row)) for row in rows]


def _by_sentence(tries: Tries) -> Mapping[tuple[str, str], list[Try]]:
    found: dict[tuple[str, str], list[Try]] = {}
    for each in _tries(tries):
        found.setdefault((each.root, each.concept), []).append(each)
    return found


def _ended(its: Sequence[Try]) -> bool:
    """A question fits, or so many did not that there is no further try."""
    return any(each.outcome == FITS for each in its) or (len(its) >= TRIES and bool(its[-1].outcome))


def _judged(one: Try, came: Sequence[tuple[WritingTask, Written]], of: int) -> Try:
    """*one* with its outcome; as it is where fewer checks than *of* came, and none says that it does not fit."""
    for task, each in came:
        concept = task.filled["concept"]
        if not each.records:
            return one._replace(outcome=DOES_NOT, reason=f"not judged: {each.trouble}")
        record = each.records[0]
        if not record["sensible"].casefold().startswith(("yes", "true")):
            return one._replace(outcome=DOES_NOT, reason=f"no sense for another: {concept}; {record['why']}")
    if len(came) < of:
        return one
    checked = ", ".join(task.filled["concept"] for task, _ in came)
    return one._replace(outcome=FITS, reason=f"checked for {checked}")
