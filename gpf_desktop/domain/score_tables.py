"""The tables that an analysis reads: stored scores and counts as pandas frames (typed `Any`: the domain imports no
pandas)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.models import ANSWERING, Role
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.scores import Measure


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherScores:
    """The scores of the same bundles under another setting."""

    title: str
    """What is different about the setting."""
    masked: bool
    """Words that tell a level were removed before scoring, and nothing else is different."""
    frame: Any
    """``bundle_id``, one column per number of the method's primary setting, NaN where it is unavailable, and
    ``newer`` as in `ScoreTables.bundles`."""
    behind: int = 0
    """Bundles left out of the frame: under one setting or the other, their scores were made before newer answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTerms:
    """The terms of a round: its protocol, its controls, its models' roles and settings."""

    protocol: Any
    controls: Any
    """Both of the method's own types."""
    roles: Mapping[str, Role] = field(default_factory=dict)
    """By label of a model, what it was asked for."""
    ended: bool = True
    """Nothing of it is open any more."""
    decoding: Mapping[str, Decoding] = field(default_factory=dict)
    """By label of a model, its own in place of the protocol's, where it had one."""


def asked_first(terms: Mapping[int, RunTerms]) -> RunTerms | None:
    """The terms that stood when the first answer came, of *terms* as `ScoreTables.terms` has them: a margin that a
    later round brought was stated with answers at hand. None: no round has put questions to models under study."""
    in_order = (terms[run] for run in sorted(terms))
    return next((each for each in in_order if not each.roles or ANSWERING & set(each.roles.values())), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SidePair:
    """Two sides of an audit to be set beside each other."""

    kind: str
    """What makes them two, in words: rounds, say."""
    names: tuple[str, str]
    frames: tuple[Any, Any]
    """As `ScoreTables.bundles`."""
    behind: BundleFilter
    """The bundles of both."""
    same_models: bool
    """Each model is paired with itself; else the models are the sides."""
    tables: "tuple[ScoreTables, ScoreTables] | None" = None
    """Everything of either side, for a method whose pairs are answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endings:
    """The endings of the cells of a method's rounds, without their texts."""

    frame: Any
    """One row per ended cell in the order planned: ``cell_id run_id batch_id bundle_id model synthetic item_id stratum
    fixed varying repeat stage missing category``; *missing* is empty for an answer, *category* None where it has none
    of the measure."""
    coordinates: Mapping[int, Coordinates]
    """By the numbers in *fixed* and *varying*."""
    items: Mapping[tuple[int, int], StudyItem]
    """By batch and item, without their texts."""
    corrected: frozenset[int]
    """Cells whose category a person gave in place of the scorer."""


class ScoreTables(Protocol):
    """The stored scores of one score setting within one filter. Frames are read, never changed."""

    @property
    def bundles(self) -> Any:
        """One row per bundle that was given to the scorer, with one column per factor that it holds fixed.

        ``bundle_id run_id batch_id batch model vendor synthetic article_id headline stratum arm planned valid coverage
        provisional newer`` and one column per measure of bundles: a number, NaN where it is unavailable, or a category.
        *newer* counts the answers that came to the
        bundle's fit after its scores were made; 0: they rest on all that is there. Columns of words are categories, in
        the order in which tables list them: the protocol's for levels, time for batches.
        """
        ...

    @property
    def measures(self) -> Sequence[Measure]:
        """The measures whose scores `bundles`, `scored_answers` and `scored_pairs` hold."""
        ...

    @property
    def scored_answers(self) -> Any:
        """One row per answer that a scorer gave scores of its own: ``cell_id bundle_id run_id batch_id batch model
        vendor synthetic role article_id headline stratum arm repeat stage parent``, one column per factor of the
        method, and one per measure of answers: a number (NaN: unavailable) or a category."""
        ...

    @property
    def scored_pairs(self) -> Any:
        """One row per pair of answers with scores: ``first_cell second_cell``, which are those of `scored_answers`
        where the scorer gives these, and one column per measure of pairs."""
        ...

    @property
    def cells(self) -> Any:
        """Counts of cells, one row per combination, with one column per factor: ``run_id batch_id batch model vendor
        synthetic stratum repeated reason n worded_refusals truncated``.

        *reason* is empty for an answer, else a value of `domain.responses.Missing` or `Flag.NO_WORD`; *repeated* is
        True for generations after the first.
        """
        ...

    @property
    def decided(self) -> Any:
        """Counts of the cells that their model decided, repeats included, one row per combination and one column per
        factor: ``run_id batch_id batch model vendor synthetic stratum article_id decided refused worded_refusals``:
        answered or refused; refused or blocked; answered with words of refusal."""
        ...

    @property
    def said(self) -> Any:
        """Counts of answers of the first stage before anything is scored, one row per combination and one column per
        factor: ``run_id batch_id batch model vendor synthetic stratum article_id decided refused worded_refusals
        deflected repeated truncated leaked words``; see `storage.answer_counts`."""
        ...

    @property
    def answers(self) -> Any:
        """One row per scored answer of repeat 0 of the main bundles, ``bundle_id model synthetic article_id``, and the
        columns of `domain.answer_profiles` of a method that has them."""
        ...

    @property
    def others(self) -> Sequence[OtherScores]:
        """The same bundles under every other setting that the audit was scored with; empty where there is none."""
        ...

    @property
    def tests(self) -> Any:
        """One row per bundle of the newest test against chance: ``bundle_id run_id batch_id batch model vendor
        synthetic article_id stratum``, one column per factor that it holds fixed, and one per score that the test
        kept (`TestsRepeats`)."""
        ...

    def replies(self, method: str) -> Sequence[Any]:
        """The ending of every cell of a method's rounds, as ``storage.replies.StoredReply``: ``cell_id run_id batch_id
        bundle_id model synthetic item_id kind key title stratum data arm coordinates repeat stage missing
        text``, in the order planned; *data* is what the item's method keeps of it."""
        ...

    def endings(self, method: str, measure: str) -> Endings:
        """The endings of the cells of a method's rounds, with the category that *measure*, one of answers, gave
        each."""
        ...

    def numbers(self, measure: str) -> Mapping[int, float]:
        """The values of *measure*, one of answers that has numbers, by ``cell_id``; of any round."""
        ...

    def ratings(self, method: str) -> Mapping[int, Mapping[str, int]]:
        """The level that a person gave a reply blind, by the reply's ``cell_id`` and the reviewer."""
        ...

    def vectors(self, method: str) -> Sequence[Any]:
        """The vectors of a method's answers, as ``storage.vectors.StoredVector``: ``run_id encoder instruction about
        data``; *about* is the ``cell_id`` of a reply."""
        ...

    def terms(self, method: str) -> Mapping[int, RunTerms]:
        """The terms of a method's rounds, by round; the newest first."""
        ...
