"""How many calls may be in flight and how many may start a second: the arithmetic, with the time handed in.

    CRUISING ── refusals well above the floor ──▶ SLOWED ── the share fell ───────▶ PROBING ⟲ while clean
       ▲  ▲                                         │                                  │
       │  └──── undone: the share did not fall ─────┘                                  ▼
       └──────────────────────── the last pace that was clean ◀── WATCHING ◀── a probe was refused

The decisions and where they come from are told in docs/decisions/pace.md.
"""

from enum import Enum, auto
from typing import Final

from gpf_desktop.engine.rounds.calls import Ended, Sent
from gpf_desktop.engine.rounds.delivery import Delivery, MeasuredAllowance
from gpf_desktop.engine.rounds.pauses import Pauses
from gpf_desktop.engine.rounds.probes import FIRST_GAIN, FIRST_GAP, Probes
from gpf_desktop.engine.rounds.refusals import HIGHEST_FLOOR, Floor, RefusalEvidence, Trial
from gpf_desktop.engine.rounds.slowing import Slowing

# These were set by trying, in virtual time, on the scenarios of tests/engine/rounds/test_pace.py;
# docs/decisions/pace.md says what they come to. To change one is to run that test, not to reason about it.
FIRST_LIMIT: Final = 4
SLOW_START_TO: Final = 64
"""Up to here growth is by half with each round of answers; above, and after a slowing down, it is additive."""
_START: Final = 0.5
"""Calls more with each answer, while growth is by half."""
HIGHEST_LIMIT: Final = 128
_STEPS_PER_ROUND: Final = 8
"""Additive growth: calls more after each round of answers."""
_CUT: Final = 0.7
"""Share of what was answered of late that is asked for after too many refusals."""
_MOST_CUTS: Final = 3
"""Slowings down in a row after which a share of refusals that does not fall is the provider's own."""
_TRIED: Final = 8
"""Calls after which a slowing down is judged by what is more likely."""
_WATCHED: Final = 3.0
"""Seconds for which a pace that a probe has found is doubted."""
_SLOWEST: Final = 0.2
"""Calls a second."""
_BURST: Final = 0.05
"""Seconds by which a paced start may be early, to make up for timers that fire late."""


class Phase(Enum):
    """What the outcomes are looked at for."""

    CRUISING = auto()
    SLOWED = auto()
    PROBING = auto()
    WATCHING = auto()


class Throttle:
    """Calls in flight and calls per second of one account."""

    def __init__(self, *, in_flight: int | None = None, rate: float | None = None) -> None:
        """*in_flight* and *rate* (calls per second) are the auditor's own; None leaves that one to be found."""
        self._ceiling = float(in_flight or HIGHEST_LIMIT)
        self._window = self._ceiling if in_flight else float(FIRST_LIMIT)
        self._slow_start_to = float(in_flight or SLOW_START_TO)
        self._rate = rate
        self._rate_is_fixed = rate is not None
        self._phase = Phase.CRUISING
        self._epoch = 0
        self._out = 0
        """Calls of this epoch that have not ended."""
        self._next = 0.0
        self._floor = Floor()
        self._evidence = RefusalEvidence()
        # Never judged: each phase that looks at a trial begins with one of its own.
        self._trial = Trial(0.01, 0.1)
        self._delivery = Delivery()
        self._starts = Delivery()
        self._pauses = Pauses()
        self._allowance = MeasuredAllowance()
        self._slowing = Slowing()
        self._probes = Probes()
        self._recent = 0.0
        """Running share of refusals."""
        self._met_again = False
        """Refusals have lowered the pace to what was measured: if they go on, it takes a trial."""
        self._fallback = 0.0
        self._watched_until = 0.0

    @property
    def limit(self) -> int:
        """Calls in flight allowed now."""
        # A packet needs room as well as pace: a full window would hide what it is sent to find out.
        gain = self._probes.gain if self._phase is Phase.PROBING else 1.0
        return max(1, int(min(self._ceiling, self._window * gain)))

    @property
    def rate(self) -> float | None:
        """Calls per second; None while nothing limits them."""
        return self._rate

    @property
    def slowed(self) -> bool:
        """Refusals keep the account below what it might be asked otherwise."""
        return self._phase is Phase.SLOWED

    def holds_back(self, now: float) -> bool:
        """Whether refusals keep calls back."""
        return (
            self._phase is Phase.SLOWED or self._pauses.until > now or not (self._rate_is_fixed or self._rate is None)
        )

    @property
    def next_try(self) -> float:
        """When more is tried, as far as it is known."""
        return max(self._pauses.until, self._probes.next_at)

    @property
    def paused_until(self) -> float:
        return self._pauses.until

    @property
    def floor(self) -> float:
        """Share of refusals that does not depend on the pace, as far as is known."""
        return self._floor.share

    def delay(self, now: float) -> float:
        """Seconds until one more call may start."""
        paced = 0.0 if self._rate is None else self._next - _BURST - now
        return max(0.0, self._pauses.until - now, paced)

    def started(self, now: float) -> Sent:
        learning = self._rate is not None and not self._rate_is_fixed
        if learning and self._phase is Phase.CRUISING and now >= self._probes.next_at:
            self._probe(now)
        self._starts.add(self._pauses.active(now))
        probe = self._probes.send()
        if self._rate is not None:
            # Time that was not used is made up for by a burst at most, or a rest would be followed by a flood.
            self._next = max(self._next, now - _BURST) + 1.0 / (self._rate * (self._probes.gain if probe else 1.0))
        self._out += 1
        return Sent(self._epoch, probe, now)

    def dropped(self, sent: Sent, now: float) -> None:
        """A call was given back: nothing is learnt from it."""
        # Calls of an earlier epoch were taken off the count when theirs ended (`_enter`).
        if sent.epoch == self._epoch:
            self._out -= 1
            if sent.probe:
                self._probe_ended(now)

    def ended(self, sent: Sent, how: Ended, now: float, *, after: float | None = None, full: bool = False) -> None:
        """Learn from a call. *after*: seconds that a refusal asked to wait; *full*: no slot was free besides."""
        refused = how is Ended.REFUSED
        if how is Ended.ANSWERED:
            self._pauses.answered(now)
            self._probes.answered(now - sent.at)
            self._delivery.add(self._pauses.active(now))
        self._pauses.in_a_row += refused
        if how is not Ended.NEITHER:
            self._slowing.seen(sent.epoch, refused=refused)
        # Above, what holds at any pace; below, what only a call of the present pace can teach.
        if sent.epoch != self._epoch or how is Ended.NEITHER:
            self.dropped(sent, now)
            return
        self._out -= 1
        if not sent.probe:
            self._floor.seen(refused=refused)
        self._allowance.strays += refused and not sent.probe
        self._recent += (refused - self._recent) / 30.0
        match self._phase:
            case Phase.SLOWED:
                self._judge_the_cut(refused, after, now)
            case Phase.PROBING if sent.probe:
                self._trial.take(refused=refused)
                self._probe_ended(now)
            case Phase.WATCHING:
                self._watch(refused, now)
            # Also while a packet is out, for the calls beside it: a limit that falls meanwhile must not wait for the
            # packet.
            case _:
                alarm = self._evidence.take(self._floor.expected, refused=refused, after=after)
                # Refusals come back sooner than answers: calls that are out count as answers to come.
                of = self._evidence.ended + self._out
                if alarm and self._evidence.refused > (self._floor.expected + 0.05) * of:
                    self._alarm(now)
        # The epoch is looked at again, because what came of this call may have begun another one.
        if not refused and full and not self._evidence.ended and sent.epoch == self._epoch:
            self._grow()

    def _grow(self) -> None:
        slow_start = self._window < self._slow_start_to
        self._window = min(self._ceiling, self._window + (_START if slow_start else _STEPS_PER_ROUND / self._window))

    def _alarm(self, now: float) -> None:
        """Refusals are well above the floor: pause, slow down, and look whether that helps."""
        # Before `used_up`, which sets the mark anew that this is measured from.
        measured = None if self._met_again else self._allowance.measured(now, self._delivery.count, self._floor.share)
        # The limit was met twice with enough answers in between: that is a measurement, which needs no trial. Six
        # refusals in a row are more than a pace that is slightly too fast.
        if measured is not None and self._rate is not None and not self._rate_is_fixed and self._pauses.in_a_row < 6:
            self._met_again = True
            self._rate = min(self._rate, measured)
            self._allowance.used_up(now, self._delivery.count)
            self._pauses.begin(self._evidence.shortest, now)
            self._cruise(now)
            return
        self._met_again = False
        self._allowance.used_up(now, self._delivery.count)
        # An outage before this alarm is no reason to restore the pace after it (`_helped`).
        self._pauses.dark_for = 0.0
        self._slowing.begin(
            self._epoch,
            before=(self._window, self._rate),
            asked=self._sending(now),
            share=max(self._recent, self._floor.expected + 0.05),
            ended=self._evidence.ended,
            refused=self._evidence.refused,
        )
        if self._pauses.in_a_row >= 3:
            self._pauses.darken(now)
        self._pauses.begin(self._evidence.shortest, now)
        self._cut(self._slowing.share, now)

    def _sending(self, now: float) -> float:
        """Calls a second of late."""
        sending = self._starts.lately(self._pauses.active(now)) or 1.0
        return sending if self._rate is None else min(sending, self._rate)

    def _cut(self, share: float, now: float) -> None:
        keep = max(0.05, _CUT * (1.0 - share))
        # The window shrinks from what was allowed, the pace below from what was sent: a share of an allowance that was
        # not used to the full would slow nothing down.
        self._window = max(1.0, keep * self._window)
        self._slow_start_to = min(self._slow_start_to, max(FIRST_LIMIT, self._window))
        if not self._rate_is_fixed:
            self._rate = max(_SLOWEST, keep * self._sending(now))
        self._slowing.cuts += 1
        # Two shares well apart, and neither 0 nor 1: the test takes the logarithms of their ratio and of their
        # complements'.
        high = max(0.8 * self._slowing.share, 2.0 * self._floor.expected)
        self._trial = Trial(min(0.5 * high, self._floor.expected + 0.1 * self._slowing.share), min(0.9, high))
        self._enter(Phase.SLOWED)

    def _judge_the_cut(self, refused: bool, after: float | None, now: float) -> None:
        trial = self._trial
        trial.take(refused=refused)
        if not refused and self._pauses.dark_for and trial.refused == 0:
            # The first answer after an outage: one call at a time was a way to wait for it, and no limit.
            self._window = max(self._window, min(self._ceiling, float(FIRST_LIMIT)))
        enough = trial.ended >= max(_TRIED, min(60.0, 0.25 * (self._rate or 0.0)))
        # With what calls that were out at the alarm have met since: what raised it by itself is in part bad luck.
        before, share = self._slowing.share_in_all, trial.refused / trial.ended
        if trial.says_low or (enough and share <= max(self._floor.expected, before / 3.0)):
            # What is still refused well below the former pace is no matter of the pace: it is the floor.
            self._floor.seen_slow(trial.refused, trial.ended)
            self._helped(now)
        elif trial.refused == trial.ended:
            # Nothing at all is answered: an outage, which is waited out one call at a time.
            if trial.ended > 1 or self._pauses.dark:
                self._pauses.begin(after, now)
            if trial.says_high:
                self._window = 1.0
                self._pauses.darken(now)
                self._trial = Trial(0.1, 0.8)
                self._enter(Phase.SLOWED)
        elif trial.says_high or enough:
            if share <= HIGHEST_FLOOR and (before <= 0.35 or self._slowing.cuts >= _MOST_CUTS):
                self._floor.seen_slow(trial.refused, trial.ended)
                # Slower was no better: what was before is restored, and the share is the provider's own.
                self._undo(now)
            else:
                self._cut(max(0.3, share), now)

    def _helped(self, now: float) -> None:
        if self._pauses.dark_for > 5.0:
            # Nothing was let through for a while, which tells nothing of the pace before.
            window, self._rate = self._slowing.before
            self._slow_start_to = max(self._slow_start_to, window)
            self._window = min(window, max(self._window, float(FIRST_LIMIT)))
            # Time in which nothing was let through would count as a low allowance.
            self._allowance.forget()
            self._cruise(now)
        elif self._rate is None or self._rate_is_fixed:
            self._cruise(now)
        elif self._slowing.was_slight(self._floor.share):
            # Hardly too fast: nine tenths of it at once, where probes would have to climb from far below.
            window, rate = self._slowing.before
            self._window = 0.9 * window
            self._allowance.forget()
            self._rate = 0.9 * (rate or self._slowing.asked)
            self._cruise(now)
        else:
            self._probe(now)

    def _undo(self, now: float) -> None:
        self._window, self._rate = self._slowing.before
        self._slow_start_to = max(self._slow_start_to, self._window)
        # What the mark stands for was no used-up allowance: those refusals come at any pace.
        self._allowance.forget()
        self._cruise(now)

    def _cruise(self, now: float, gap: float = FIRST_GAP) -> None:
        self._probes.next_at = now + gap
        self._enter(Phase.CRUISING)

    def _enter(self, phase: Phase) -> None:
        self._phase = phase
        # Calls that are still out were sent at the former pace and tell nothing of this one.
        self._epoch += 1
        self._probes.withdraw()
        self._recent = 0.0
        self._out = 0
        self._evidence.forget()

    def _probe(self, now: float) -> None:
        """Send a few calls faster: enough to use up what an unused part of the allowance has saved since the last."""
        assert self._rate is not None
        # Asked before `_enter` changes the phase: packets of one climb grow bolder, another climb begins small.
        if self._phase is not Phase.PROBING:
            self._probes.passed = 0
        self._enter(Phase.PROBING)
        self._probes.begin(0.05 * self._rate * self._allowance.since(now), self._floor.share)
        expected = self._floor.expected
        self._trial = Trial(expected, expected + 0.2)

    def _probe_ended(self, now: float) -> None:
        """One call of the probe has ended."""
        self._probes.ended()
        if self._trial.says_high or (self._probes.over and self._trial.odds > 0):
            self._probe_failed(now)
        elif self._probes.over:
            self._probe_passed(now)

    def _probe_passed(self, now: float) -> None:
        assert self._rate is not None
        self._rate *= self._probes.gain
        self._window = min(self._ceiling, self._window * self._probes.gain)
        self._probes.passed += 1
        self._probe(now)

    def _probe_failed(self, now: float) -> None:
        assert self._rate is not None
        # As in `_alarm`, before the mark is set anew.
        measured = self._allowance.measured(now, self._delivery.count, self._floor.share)
        self._allowance.used_up(now, self._delivery.count)
        if self._probes.bold:
            self._probes.too_bold()
            self._fallback = measured or 0.8 * self._rate
            self._watched_until = now + _WATCHED
            expected = self._floor.expected
            self._trial = Trial(expected, expected + 0.15)
            self._enter(Phase.WATCHING)
        else:
            # Not bold, so one packet has passed at most, and by the first gain: exactly that is taken back.
            if self._probes.passed:
                self._rate /= FIRST_GAIN
                self._window /= FIRST_GAIN
            if measured is not None:
                # A quarter up and a fifth down at most: a measurement may rest on as few as twenty answers.
                self._rate = min(1.25 * self._rate, max(0.8 * self._rate, measured))
            self._cruise(now, self._probes.gap(self._rate))

    def _watch(self, refused: bool, now: float) -> None:
        self._trial.take(refused=refused)
        if self._trial.says_high:
            self._rate = self._fallback
            self._cruise(now)
        elif self._trial.says_low or now >= self._watched_until:
            self._cruise(now)
