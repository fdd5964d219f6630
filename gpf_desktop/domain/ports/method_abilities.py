"""Abilities that some methods have beside what each is (`domain.ports.method`): each is a class to derive from as
well."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from gpf_desktop.domain.answer_profiles import AnswerProfile
from gpf_desktop.domain.brief_words import BriefScope, BriefWords, TablePlace
from gpf_desktop.domain.choosing import BundleContrast, GridAxis, Option, ReadChoice
from gpf_desktop.domain.conclusions.gates import Gate, PageEvidence
from gpf_desktop.domain.conclusions.voice import Material, Voice
from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.judging import JudgeCheck
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.news_strata import Classification, NewsStratum
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.plug_in import Ability
from gpf_desktop.domain.ratings import RatingSheet
from gpf_desktop.domain.registration import PlannedTests
from gpf_desktop.domain.round_planning import Effect, EffectScale, Enough, Extent, Findable, Pilot
from gpf_desktop.domain.scopes import Scope
from gpf_desktop.domain.score_tables import ScoreTables, SidePair


class Comparer(Ability, of=Method):
    """A method that can set sides beside each other, two by two: models, rounds, protocol versions, score settings."""

    @abstractmethod
    def margins(self) -> Mapping[str, float]:
        """The difference in each score that is held too small to matter unless another is stated, by the score's
        name."""

    @abstractmethod
    def comparison(
        self, pairs: Sequence[SidePair], margins: Mapping[str, float], options: Mapping[str, object]
    ) -> Finding:
        """Each pair on the questions that both sides have, each score a row; p is adjusted over pairs of one kind.

        *options*: which bundles enter, as analyses are told.
        """


class RoundPlanner(Ability, of=Method):
    """A method that can tell, before a round is paid for, what it will find."""

    @abstractmethod
    def effects(self) -> Mapping[str, EffectScale]:
        """The effects that may be asked for, in words and sizes, by name."""

    @abstractmethod
    def assumed(self) -> Pilot:
        """The variation of scores that is assumed if nothing is known of it."""

    @abstractmethod
    def pilot(self, scores: ScoreTables) -> Pilot | None:
        """The variation that earlier rounds of an audit tell; None if they tell too little."""

    @abstractmethod
    def narrowed(self, protocol: Any, controls: Any, scope: Scope) -> tuple[Any, Any] | None:
        """Protocol and controls of a round that leaves *scope* out, as far as what it finds goes; None: not known."""

    @abstractmethod
    def findable(self, protocol: Any, controls: Any, extent: Extent, pilot: Pilot) -> tuple[Findable, ...]:
        """The least effect of each score that such a round finds."""

    def unread(self, items: Sequence[StudyItem], protocol: Any) -> str:
        """Sentences about what the scores cannot read in answers about *items*; empty: nothing is known to be so."""
        return ""

    @abstractmethod
    def enough(self, effect: Effect, protocol: Any, controls: Any, extent: Extent, pilot: Pilot) -> Enough:
        """A round that would find *effect*."""


class SortsNews(Ability, of=Method):
    """A method to which it matters what news is about."""

    @property
    @abstractmethod
    def strata(self) -> Sequence[NewsStratum]:
        """The groups that it sorts news into."""

    @property
    @abstractmethod
    def sorted_by(self) -> str:
        """A sentence or two on how it sorts if no person says otherwise, and how often that was wrong."""

    @abstractmethod
    def classify(self, headline: str, description: str) -> Classification:
        """The group of an article."""


class ControlWords(Ability, of=Method):
    """A method some of whose bundles have a control (`Method.control_arm`), and how it speaks of it."""

    @property
    @abstractmethod
    def control_title(self) -> str:
        """The title over the control's answer, in a word or two."""

    @property
    @abstractmethod
    def control_about(self) -> str:
        """A phrase that says what the control is beside the bundle."""

    @property
    @abstractmethod
    def controls_tell(self) -> str:
        """A sentence or two on what a round's controls are for: stands beneath the choice to ask them."""

    @property
    @abstractmethod
    def control_left_out(self) -> str:
        """A sentence that the round did not ask the control."""

    @property
    @abstractmethod
    def control_itself(self) -> str:
        """A sentence that a bundle is the control."""


class ChecksJudges(Ability, of=Method):
    """A method whose judges can be put to a test of their own after a round."""

    @property
    @abstractmethod
    def judges_table(self) -> str:
        """The name of the analysis beside which the test is offered."""

    @abstractmethod
    def judge_check(self, scores: ScoreTables) -> JudgeCheck:
        """The test of judges about answers in *scores*. Raises `UserError` if there are none."""

    @abstractmethod
    def only_checks(self, protocol: Any) -> bool:
        """Whether *protocol* is one of `judge_check`: its rounds add no answer to a study."""


class Baselines(Ability, of=Method):
    """A method whose answers each have a text that they are held against, to be read above them."""

    @abstractmethod
    def baseline(self, protocol: Any, coordinates: Coordinates, item: StudyItem) -> str:
        """The text that the answer at *coordinates* is compared with; empty: there is none."""

    @abstractmethod
    def baseline_title(self, protocol: Any, coordinates: Coordinates, item: StudyItem) -> str:
        """The source of that text, in a word or two."""


class ChoosesOptions(Ability, of=Method):
    """A method whose answers each choose one of an item's options, laid out as a grid of choices."""

    @property
    @abstractmethod
    def choice_measure(self) -> str:
        """The measure of answers that holds what each chose."""

    @property
    @abstractmethod
    def probability_measures(self) -> Mapping[str, str]:
        """The measure of answers that says how likely the model made a category, by category, if a provider told."""

    @abstractmethod
    def options(self, item: StudyItem) -> Sequence[Option]:
        """The options that answers about *item* may come to, the item's own first."""

    @abstractmethod
    def read_choice(self, text: str, coordinates: Coordinates, item: StudyItem) -> ReadChoice:
        """The choice that the rules read from an answer to the cell at *coordinates*, on every factor."""

    @abstractmethod
    def axes(self, protocol: Any) -> Sequence[GridAxis]:
        """The factors whose levels make a cell's place in the grid."""

    @abstractmethod
    def bundle_contrasts(self, chosen: Mapping[Coordinates, str], protocol: Any) -> Sequence[BundleContrast]:
        """The contrasts among one item's choices, given by where they stand."""


class ProfilesAnswers(Ability, of=Method):
    """A method that says something of single answers beside those of their bundle and of their control."""

    @abstractmethod
    def answer_profile(self, bundles: Any) -> AnswerProfile:
        """The profile of the answers of *bundles*, the frame of `ScoreTables.bundles`."""


class BlindRated(Ability, of=Method):
    """A method whose judges rate answers, and want a person beside them."""

    @abstractmethod
    def rating_sheets(self, scores: ScoreTables) -> Sequence[RatingSheet]:
        """A sheet for each rubric in use; the same answers every time, as long as no further ones come."""


class Concludes(Ability, of=Method):
    """A method that concludes: it declares gates and a voice, and hands over what it measured."""

    @property
    @abstractmethod
    def gates(self) -> Sequence[Gate]:
        """The gates, in the order in which they are looked at."""

    @property
    @abstractmethod
    def voice(self) -> Voice:
        """The sentences that it gives its conclusions."""

    @abstractmethod
    def evidence(self, material: Material) -> PageEvidence:
        """The evidence on every model with answers in the window, one at least, whatever came of it."""


class PlansTests(Ability, of=Method):
    """A method that tells beforehand what it will test, so that it can be registered before the first answer."""

    @abstractmethod
    def planned_tests(self, protocol: Any, controls: Any, models: Mapping[Role, Sequence[str]]) -> PlannedTests:
        """The tests of a design that asks *models* (labels by role), as its conclusions will count them."""


class WritesBrief(Ability, of=Method):
    """A method that says in plain words what was asked, what was done, and what that does not show."""

    @abstractmethod
    def brief_words(self, protocol: Any, scope: BriefScope) -> BriefWords:
        """The words of a brief on a round by *protocol*, for who reads two pages and no more."""

    @property
    def table_places(self) -> Mapping[str, TablePlace]:
        """The chapter of an annex in which a table stands, by the table's name; all others stand among the tables."""
        return {}

    @property
    def needs_two(self) -> Mapping[str, str]:
        """The column that must say at least two things for a table that compares groups, by the table's name."""
        return {}
