"""The power of the round in set-up, and the rounds that would find an effect of the wanted size."""

from functools import partial

from PySide6.QtCore import QObject

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import RoundPlanner
from gpf_desktop.domain.round_planning import Effect, EffectScale
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.rounds.round_power import RoundPower, nothing_found, way_words
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.runs.forecast_words import dollars
from gpf_desktop.ui.wording import count


class PowerViewModel(ViewModel):
    """Asks one question at a time, since each takes up to a second."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.power: RoundPower | None = None
        self._sizes: dict[str, float] = {}
        """By effect, the least that the auditor would not like to miss, as far as they said."""
        self._setup: RunSetup | None = None
        self._asking = self._ask_again = False

    def wanted(self) -> EffectScale | None:
        """The effect that a size can be asked for of: the first that the method names; None: it plans none."""
        return next(iter(self._effects().values()), None)

    @property
    def size(self) -> float:
        """The wanted size of the effect; the method's own first one until another is chosen. 0: it plans none."""
        name, scale = next(iter(self._effects().items()), ("", None))
        return 0.0 if scale is None else self._sizes.get(name, scale.first)

    def set_size(self, size: float) -> None:
        """Ask what would find that effect of this size."""
        for name in list(self._effects())[:1]:
            self._sizes[name] = size
        self._ask()

    def follow(self, setup: RunSetup) -> None:
        """The round is *setup* now."""
        self._setup = setup
        self._ask()

    def clear(self) -> None:
        """There is no round."""
        self.power = self._setup = None
        self.touch_now()

    def would_find(self) -> str:
        """Sentences on the rounds that would find the wanted effect."""
        if self.power is None:
            return ""
        if not self.power.wanted:
            return self.power.pilot.origin
        ways = [
            tr("{way}: {calls} calls", way=way_words(way, self._its()), calls=count(way.forecast.calls.total))
            + (f", {dollars(way.forecast.cost)}" if way.forecast.cost is not None else "")
            for wanted in self.power.wanted
            for way in wanted.ways
        ]
        if not ways:
            return tr("No round within reason finds it. {origin}", origin=self.power.pilot.origin)
        return tr("Takes {ways}. {origin}", ways=tr(", or ").join(ways), origin=self.power.pilot.origin)

    @property
    def method(self) -> Method | None:
        """The method of the round; None: there is no round."""
        return None if self._setup is None else self._its()

    @property
    def nothing(self) -> str:
        """Why nothing at all can be concluded of the round; empty: something can, or it is not known yet."""
        return "" if self.power is None or self.method is None else nothing_found(self.power, self.method)

    def _its(self) -> Method:
        assert self._setup is not None, "what a round finds is known of a round alone"
        return catalogue.method(self._setup.method)

    def _effects(self) -> dict[str, EffectScale]:
        if self._setup is None:
            return {}
        its = self._its()
        return dict(its.effects()) if isinstance(its, RoundPlanner) else {}

    def _ask(self) -> None:
        setup = self._setup
        if self._asking or setup is None:
            # Under way: asked once more when that answer is there, however often the choice has changed by then.
            self._ask_again = self._asking
            return
        self._asking, self._ask_again = True, False
        wanted = [Effect(name=name, size=self.size) for name in list(self._effects())[:1]]
        open_audit = self.context.engine.open_audit
        told, failed = partial(self._told, setup), partial(self._not_told, setup)
        self.context.bridge.run(open_audit.round_power, setup, wanted, then=told, failed=failed, owner=self)

    def _told(self, asked: RunSetup, power: RoundPower | None) -> None:
        self._asking = False
        # The audit may have been closed while this was computed.
        if not self.context.engine.has_open_audit:
            return
        same = self._setup is not None and self._setup.method == asked.method
        self.power = power if same else None
        self.touch_now()
        if self._ask_again:
            self._ask()

    def _not_told(self, asked: RunSetup, error: BaseException) -> None:
        self._told(asked, None)
        # What cannot be read cannot be counted either, which says so.
        if self.context.engine.has_open_audit and not isinstance(error, GpfError):
            self.context.bridge.trouble.emit(error)
