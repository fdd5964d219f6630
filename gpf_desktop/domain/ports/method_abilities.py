"""What some methods can beside what each is (`domain.ports.method`): each ability is a class to derive from as well."""

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
        """By name of a score, the difference that is held too small to matter unless another is stated."""

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
        """By name, in what words and sizes an effect may be asked for."""

    @abstractmethod
    def assumed(self) -> Pilot:
        """How much scores vary where nothing is known of it."""

    @abstractmethod
    def pilot(self, scores: ScoreTables) -> Pilot | None:
        """What earlier rounds of an audit tell; None where they tell too little."""

    @abstractmethod
    def narrowed(self, protocol: Any, controls: Any, scope: Scope) -> tuple[Any, Any] | None:
        """Protocol and controls of a round that leaves *scope* out, as far as what it finds goes; None: not known."""

    @abstractmethod
    def findable(self, protocol: Any, controls: Any, extent: Extent, pilot: Pilot) -> tuple[Findable, ...]:
        """The least effect of each score that such a round finds."""

    def unread(self, items: Sequence[StudyItem], protocol: Any) -> str:
        """What the scores cannot read of answers about *items*, in sentences; empty: nothing is known to be so."""
        return ""

    @abstractmethod
    def enough(self, effect: Effect, protocol: Any, controls: Any, extent: Extent, pilot: Pilot) -> Enough:
        """What would find *effect*."""


class SortsNews(Ability, of=Method):
    """A method to which it matters what news is about."""

    @property
    @abstractmethod
    def strata(self) -> Sequence[NewsStratum]:
        """The groups that it sorts news into."""

    @property
    @abstractmethod
    def sorted_by(self) -> str:
        """How it sorts where no person says otherwise, and how often that was wrong; in a sentence or two."""

    @abstractmethod
    def classify(self, headline: str, description: str) -> Classification:
        """The group of an article."""


class ControlWords(Ability, of=Method):
    """A method some of whose bundles have a control (`Method.control_arm`), and how it speaks of it."""

    @property
    @abstractmethod
    def control_title(self) -> str:
        """What stands over its answer, in a word or two."""

    @property
    @abstractmethod
    def control_about(self) -> str:
        """What it is beside the bundle, in a sentence."""

    @property
    @abstractmethod
    def controls_tell(self) -> str:
        """What a round's controls are for, in a sentence or two: stands beneath the choice to ask them."""

    @property
    @abstractmethod
    def control_left_out(self) -> str:
        """That the round did not ask it, in a sentence."""

    @property
    @abstractmethod
    def control_itself(self) -> str:
        """That a bundle is the control, in a sentence."""


class ChecksJudges(Ability, of=Method):
    """A method whose judges can be put to a test of their own after a round."""

    @property
    @abstractmethod
    def judges_table(self) -> str:
        """The analysis beside which it is offered."""

    @abstractmethod
    def judge_check(self, scores: ScoreTables) -> JudgeCheck:
        """About answers in *scores*. Raises `UserError` where there are none."""

    @abstractmethod
    def only_checks(self, protocol: Any) -> bool:
        """Whether *protocol* is one of `judge_check`: its rounds add no answer to a study."""


class Baselines(Ability, of=Method):
    """A method whose answers each have a text that they are held against, to be read above them."""

    @abstractmethod
    def baseline(self, protocol: Any, coordinates: Coordinates, item: StudyItem) -> str:
        """That of the answer at *coordinates*; empty: it has none."""

    @abstractmethod
    def baseline_title(self, protocol: Any, coordinates: Coordinates, item: StudyItem) -> str:
        """Who says it, in a word or two."""


class ChoosesOptions(Ability, of=Method):
    """A method whose answers each choose one of an item's options, laid out as a grid of choices."""

    @property
    @abstractmethod
    def choice_measure(self) -> str:
        """The measure of answers that holds what each chose."""

    @property
    @abstractmethod
    def probability_measures(self) -> Mapping[str, str]:
        """By category, the measure of answers that says how likely the model made it, where a provider told."""

    @abstractmethod
    def options(self, item: StudyItem) -> Sequence[Option]:
        """What answers about *item* may come to, the item's own options first."""

    @abstractmethod
    def read_choice(self, text: str, coordinates: Coordinates, item: StudyItem) -> ReadChoice:
        """What the rules make of an answer to the cell at *coordinates*, on every factor."""

    @abstractmethod
    def axes(self, protocol: Any) -> Sequence[GridAxis]:
        """The factors whose levels make a cell's place in the grid."""

    @abstractmethod
    def bundle_contrasts(self, chosen: Mapping[Coordinates, str], protocol: Any) -> Sequence[BundleContrast]:
        """Of one item's choices, by where they stand."""


class ProfilesAnswers(Ability, of=Method):
    """A method that says something of single answers beside those of their bundle and of their control."""

    @abstractmethod
    def answer_profile(self, bundles: Any) -> AnswerProfile:
        """Of those of *bundles*, the frame of `ScoreTables.bundles`."""


class BlindRated(Ability, of=Method):
    """A method whose judges rate answers, and want a person beside them."""

    @abstractmethod
    def rating_sheets(self, scores: ScoreTables) -> Sequence[RatingSheet]:
        """One for each rubric in use; the same answers every time, as long as no further ones come."""


class Concludes(Ability, of=Method):
    """A method that concludes: it declares gates and a voice, and hands over what it measured."""

    @property
    @abstractmethod
    def gates(self) -> Sequence[Gate]:
        """In the order in which they are looked at."""

    @property
    @abstractmethod
    def voice(self) -> Voice:
        """The sentences that it gives its conclusions."""

    @abstractmethod
    def evidence(self, material: Material) -> PageEvidence:
        """Of every model with answers in the window, one at least, whatever came of it."""


class PlansTests(Ability, of=Method):
    """A method that tells beforehand what it will test, so that it can be registered before the first answer."""

    @abstractmethod
    def planned_tests(self, protocol: Any, controls: Any, models: Mapping[Role, Sequence[str]]) -> PlannedTests:
        """Of a design that asks *models* (labels by role), as its conclusions will count them."""


class WritesBrief(Ability, of=Method):
    """A method that says in plain words what was asked, what was done, and what that does not show."""

    @abstractmethod
    def brief_words(self, protocol: Any, scope: BriefScope) -> BriefWords:
        """Of a round by *protocol*, for who reads two pages and no more."""

    @property
    def table_places(self) -> Mapping[str, TablePlace]:
        """By name of a table, the chapter of an annex in which it stands; what is not here stands among the tables."""
        return {}

    @property
    def needs_two(self) -> Mapping[str, str]:
        """By name of a table that sets groups beside each other, the column that has to say at least two."""
        return {}
