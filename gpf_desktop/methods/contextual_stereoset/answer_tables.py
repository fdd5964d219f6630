"""`gpf-desktop score --method contextual-stereoset`: choices and measures of answers that came from elsewhere."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from gpf_desktop.documents.answer_cells import BLOCKED
from gpf_desktop.documents.rows_to_score import rows_to_score
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import ImportedStudy
from gpf_desktop.domain.ports.answer_tables import AnswerTables
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.tables import ScoredAnswers, Table, TableOption
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.methods.contextual_stereoset import result_tables as tables
from gpf_desktop.methods.contextual_stereoset.answers import COLUMNS, OPTIONS, AnsweredCells, read_answered
from gpf_desktop.methods.contextual_stereoset.grid import NOT_CONTRASTED
from gpf_desktop.methods.contextual_stereoset.importing import IMPORTER
from gpf_desktop.methods.contextual_stereoset.items import ChoiceItem
from gpf_desktop.methods.contextual_stereoset.measures import Measures, comparisons, measures
from gpf_desktop.methods.contextual_stereoset.mixed import mixed_contrasts
from gpf_desktop.methods.contextual_stereoset.protocol import ORDER, WORDING
from gpf_desktop.methods.contextual_stereoset.words import places_warning, statement_for

SEED: Final = 1


def score_table(answers: Path, given: Mapping[str, str]) -> ScoredAnswers:
    """The tables of *answers*: one row per cell, columns as `answers.COLUMNS` and one for each factor.

    *given* may hold ``seed``. Raises `UserError` naming the line of what is wrong.
    """
    seed = _seed(given.get("seed", ""))
    table = rows_to_score(answers, COLUMNS, IMPORTER, rows_of)
    cells = read_answered(table.again())
    of_models = [measures(choices, seed=seed) for choices in cells.by_model()]
    found: dict[str, Table] = {
        "choices.csv": tables.choices_table(cells),
        "contrasts.csv": tables.contrasts_table(of_models),
        "fingerprint.csv": tables.fingerprint_table(of_models),
        "shares.csv": tables.shares_table(of_models),
        "coverage.csv": tables.coverage_table(of_models),
        "contrast_checks.csv": tables.contrast_checks_table(of_models),
        "contrasts_by_option.csv": tables.contrasts_by_option_table(of_models),
        "letters.csv": tables.letters_table(of_models),
        "shares_by_type.csv": tables.shares_by_type_table(of_models),
        "contrasts_by_type.csv": tables.contrasts_by_type_table(of_models),
    }
    fits = [
        (each.choices.model, mixed_contrasts(each.choices, [one.contrast for one in each.contrasts]))
        for each in of_models
    ]
    if any(fit is not None for _, fit in fits):
        found["mixed_model.csv"] = tables.mixed_table(fits)
    if compared := comparisons([each.choices for each in of_models], seed=seed):
        found["comparisons.csv"] = tables.comparisons_table(compared)
    gaps = any(not each.choices.valid.any() for each in of_models) or any(
        not contrast.items for each in of_models for contrast in each.contrasts
    )
    return table.told(ScoredAnswers(tables=found, said=_said(cells, of_models, seed), gaps=gaps))


def rows_of(study: ImportedStudy) -> Iterator[TableRow]:
    """The answers of *study* in `answers.COLUMNS`, with a column for each further factor of its contexts."""
    factors = tuple(factor.name for factor in study.protocol.factors)
    worded, again = len(study.protocol.questions) > 1, study.controls.repeats > 1
    for line, each in enumerate(study.answers, start=2):
        item, at = ChoiceItem.of(study.items[each.item]), each.answer.coordinates
        yield TableRow(
            line,
            {
                "model": each.model,
                "item": item.id,
                "type": item.group,
                **dict(zip(OPTIONS, item.options, strict=True)),
                "order": at[ORDER],
                # What the provider blocked stands as it would in a table.
                "response": BLOCKED if each.missing == Missing.REFUSED else "" if each.missing else each.text,
                **{name: at.get(name) for name in factors},
                **({WORDING: at[WORDING]} if worded else {}),
                **({"repeat": str(each.answer.repeat)} if again else {}),
            },
        )


def _said(cells: AnsweredCells, of_models: Sequence[Measures], seed: int) -> tuple[str, ...]:
    said = [
        trn(
            "Read {n} answer of {models}: {valid} chose an option, {refused} declined, in {unparsed} no "
            "choice could be read.",
            "Read {n} answers of {models}: {valid} chose an option, {refused} declined, in {unparsed} no "
            "choice could be read.",
            len(cells.rows),
            models=trn("{n} model", "{n} models", len(of_models)),
            **cells.counts(),
        )
    ]
    for each in of_models:
        if factors := ", ".join(factor for factor in each.choices.factors if factor in each.warned):
            said.append(
                tr(
                    "{model}: under 99% of questions have a valid choice in some context of {factors}. "
                    "contrast_checks.csv gives the shifts, had the others all or none been the stereotype.",
                    model=each.choices.model,
                    factors=factors,
                )
            )
    if any(NOT_CONTRASTED.intersection(each.choices.real_factors) for each in of_models):
        said.append(places_warning())
    said.append(tr("Ranges and permutations were drawn with seed {seed}.", seed=seed))
    said += dict.fromkeys(statement_for(each.choices.labels).short for each in of_models)
    return tuple(said)


def _seed(text: str) -> int:
    if not text:
        return SEED
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise UserError(
            tr("The seed is “{text}”, not a whole number from 0.", text=text[:40]), tr("Give a number such as 1.")
        )
    return int(text)


class StereoSetTables(AnswerTables):
    """The method's door for `gpf-desktop score`."""

    name = "contextual-stereoset"
    writes = ("choices.csv", "contrasts.csv", "fingerprint.csv", "shares.csv", "coverage.csv")
    does = Translated(
        "Reads answers to items with three labelled options, one row for each item, context and "
        "model. It writes choices.csv, contrasts.csv, fingerprint.csv, shares.csv, coverage.csv and "
        "further tables. Columns: model, item, type, stereotype, anti_stereotype, unrelated, order "
        "(the labels as they were shown, such as UAS), response. Every other column is a part of the "
        "context, such as location, year, style and observer, and is empty where no context was "
        "given. The column repeat numbers what was asked again. Asks no model."
    )

    @property
    def takes(self) -> tuple[TableOption, ...]:
        return (TableOption("seed", "N", tr("of bootstrap and permutations (1)")),)

    def score_table(self, answers: Path, given: Mapping[str, str], told: HowFar) -> ScoredAnswers:  # noqa: ARG002
        return score_table(answers, given)


ANSWER_TABLES = StereoSetTables()
