"""`gpf-desktop score --method contextual-stereoset`: choices and measures of answers that came from elsewhere."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gpf_desktop.documents.answer_files import check_table
from gpf_desktop.domain.imports import name_in_table
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.file_tables import FileTables
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.score_tables import ScoreTables
from gpf_desktop.domain.tables import CellValue, ScoredAnswers, Table, TableOption, seed_in
from gpf_desktop.domain.text import Translated, tr, trn
from gpf_desktop.methods.contextual_stereoset import written_tables as tables
from gpf_desktop.methods.contextual_stereoset.analyses._endings import REPEAT, choices_of
from gpf_desktop.methods.contextual_stereoset.answers import COLUMNS, OPTIONS
from gpf_desktop.methods.contextual_stereoset.choices import Choices
from gpf_desktop.methods.contextual_stereoset.decoding import REFUSED, UNPARSED
from gpf_desktop.methods.contextual_stereoset.grid import NOT_CONTRASTED
from gpf_desktop.methods.contextual_stereoset.items import ChoiceItem
from gpf_desktop.methods.contextual_stereoset.measures import Measures, comparisons, measures
from gpf_desktop.methods.contextual_stereoset.method import METHOD
from gpf_desktop.methods.contextual_stereoset.mixed import mixed_contrasts
from gpf_desktop.methods.contextual_stereoset.protocol import WORDING
from gpf_desktop.methods.contextual_stereoset.protocol_data import CONTEXT, PLAIN
from gpf_desktop.methods.contextual_stereoset.scorers.choices import CHOICE, SCORER
from gpf_desktop.methods.contextual_stereoset.words import places_warning, statement_for


def _choices(scores: ScoreTables, factors: Sequence[str]) -> Table:
    """The keys of each answer and its choice, in the order of the file."""
    endings = scores.endings(METHOD.name, CHOICE)
    columns = (*factors, WORDING, REPEAT)
    items = {key: ChoiceItem.of(item) for key, item in endings.items.items()}
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    rows: list[list[CellValue]] = []
    for each in endings.frame.itertuples():
        sets = int(each.fixed), int(each.varying)
        if sets not in found:
            levels: dict[str, str] = dict(endings.coordinates[sets[0]].joined(endings.coordinates[sets[1]]))
            plain = levels[CONTEXT] == PLAIN
            found[sets] = tuple("" if plain else levels[name] for name in columns[:-1])
        item = items[each.batch_id, each.item_id]
        choice = each.category if not each.missing else REFUSED if each.missing == Missing.REFUSED else UNPARSED
        again = str(each.repeat) if any(found[sets]) else ""
        rows.append([name_in_table(each.model), item.id, item.group, *found[sets], again, choice])
    least = dict.fromkeys(factors, 1) | {WORDING: 2, REPEAT: 2}
    several = [at for at, name in enumerate(columns, 3) if len({row[at] for row in rows} - {""}) >= least[name]]
    kept = [0, 1, 2, *several, -1]
    named = (columns[at - 3] for at in several)
    return Table(("model", "item", "type", *named, "choice"), [[row[at] for at in kept] for row in rows])


def _as_in_file(choices: Choices, answered: Table) -> Choices:
    """*choices* of a model as *answered* names them, its contexts in the order of their first answers."""
    model, again = name_in_table(choices.model), REPEAT in choices.factors
    there = dict.fromkeys(tuple(map(str, row[3:-1])) for row in answered.rows if row[0] == model)
    named = [(*each[:-1], str(int(each[-1]) - 1)) if again and each else each for each in choices.contexts]
    order = [named.index(each if any(each) else ()) for each in there]
    return replace(choices, model=model, contexts=tuple(named)).in_columns(order)


class StereoSetTables(FileTables):
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

    def check(self, answers: Path, given: Mapping[str, str]) -> Mapping[str, str]:
        seed_in(given)
        check_table(answers, COLUMNS, filled=("model", "item", *OPTIONS))
        return {}

    def settings(self, given: Mapping[str, str]) -> Sequence[tuple[str, Any]]:  # noqa: ARG002
        return ((SCORER.name, NoOptions()),)

    def tables(self, scores: ScoreTables, given: Mapping[str, str], told: HowFar) -> ScoredAnswers:  # noqa: ARG002
        seed = seed_in(given)
        (terms,) = scores.terms(METHOD.name).values()
        factors = tuple(factor.name for factor in terms.protocol.factors)
        answered = _choices(scores, factors)
        every = [_as_in_file(each, answered) for each in choices_of(scores.endings(METHOD.name, CHOICE), factors)]
        of_models = [measures(choices, seed=seed) for choices in every]
        found: dict[str, Table] = {
            "choices.csv": answered,
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
        if compared := comparisons(every, seed=seed):
            found["comparisons.csv"] = tables.comparisons_table(compared)
        gaps = any(not each.choices.valid.any() for each in of_models) or any(
            not contrast.items for each in of_models for contrast in each.contrasts
        )
        return ScoredAnswers(tables=found, said=_said(answered, of_models, seed), gaps=gaps)


def _said(answered: Table, of_models: Sequence[Measures], seed: int) -> tuple[str, ...]:
    choices = Counter(row[-1] for row in answered.rows)
    said = [
        trn(
            "Read {n} answer of {models}: {valid} chose an option, {refused} declined, in {unparsed} no "
            "choice could be read.",
            "Read {n} answers of {models}: {valid} chose an option, {refused} declined, in {unparsed} no "
            "choice could be read.",
            len(answered.rows),
            models=trn("{n} model", "{n} models", len(of_models)),
            valid=len(answered.rows) - choices[REFUSED] - choices[UNPARSED],
            refused=choices[REFUSED],
            unparsed=choices[UNPARSED],
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


FILE_TABLES = StereoSetTables()
