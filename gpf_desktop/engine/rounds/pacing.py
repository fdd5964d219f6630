"""The number of calls that may be in flight and that may start a second: the arithmetic, with the time handed in.

    CRUISING ── refusals well above the floor ──▶ SLOWED ── the share fell ───────▶ PROBING ⟲ while clean
       ▲  ▲                                         │                                  │
       │  └──── undone: the share did not fall ─────┘                                  ▼
       └──────────────────────── the last pace that was clean ◀── WATCHING ◀── a probe was refused

The decisions and where they come from are told in docs/decisions/pace.md.
"""

from typing import Final

from gpf_desktop.engine.rounds.answer_rate import ENOUGH, MeasuredAllowance, Traffic
from gpf_desktop.engine.rounds.calls import Ended, Phase, Sent
from gpf_desktop.engine.rounds.concurrency import Crowding
from gpf_desktop.engine.rounds.pace_probes import BOLD_GAIN, FIRST_GAIN, FIRST_GAP, Probes
from gpf_desktop.engine.rounds.pauses import Pauses
from gpf_desktop.engine.rounds.refusals import HIGHEST_FLOOR, Floor, RefusalEvidence, RefusalStreak, Trial
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
_LEAST_KEPT: Final = 0.25
"""Of the pace, after a single cut."""
_SETTLING: Final = 0.1
"""Seconds without a start after a cut: what is still on its way to the server uses up what it allows."""
_DARK: Final = 0.25
"""Seconds without an answer after a slowing down that make an outage: calls that were out may take what is allowed."""
_QUICK: Final = 0.1
"""Seconds for an answer up to which it is not looked at whether more at once bring more: waiting costs nothing."""
_WATCHED: Final = 3.0
"""Seconds for which a pace that a probe has found is doubted."""
_SLOWEST: Final = 0.2
"""Calls a second."""
_SPREAD: Final = 2.0
"""While no pace is known, starts are spread over half the time that a call takes."""
_DENSE: Final = 0.5
"""Share of refusals, from the first of them on, that a limit is guessed from and no longer a stray."""
_BURST: Final = 0.02
"""Seconds by which a paced start may be early, to make up for timers that fire late."""


class Throttle:
    """Calls in flight and calls per second of one account."""

    def __init__(self, *, in_flight: int | None = None, rate: float | None = None, local: bool = False) -> None:
        """*in_flight* and *rate* (calls per second) are the auditor's own; None leaves that one to be found.

        A *local* server often works on one call at a time: it is asked one, and more where that brings more answers.
        """
        self._ceiling = float(in_flight or HIGHEST_LIMIT)
        self._window = self._ceiling if in_flight else 1.0 if local else float(FIRST_LIMIT)
        self._crowding = Crowding(1, HIGHEST_LIMIT) if local and not in_flight else None
        self._starts_low = local and not in_flight
        self._window_is_fixed = in_flight is not None
        self._slow_start_to = float(in_flight or SLOW_START_TO)
        self._rate = rate
        self._rate_is_fixed = rate is not None
        self._phase = Phase.CRUISING
        self._epoch = 0
        self._number = 0
        self._out = 0
        """Calls of this epoch that have not ended."""
        self._next = 0.0
        self._floor = Floor()
        self._evidence = RefusalEvidence()
        self._run = RefusalStreak()
        # Never judged: each phase that looks at a trial begins with one of its own.
        self._trial = Trial(0.01, 0.1)
        self._traffic = Traffic()
        self._pauses = Pauses()
        self._allowance = MeasuredAllowance()
        self._slowing = Slowing()
        self._probes = Probes()
        self._recent = 0.0
        """Running share of refusals."""
        self._taken = 0.0
        """Seconds that an answer takes, about; the first one counts whole."""
        self._late_before = 0
        """Calls up to this number that time out tell nothing new: fewer are asked already."""
        self._fallback = 0.0
        self._climbed_from = 0.0
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
        """Refusals keep the account below what it might be asked."""
        return self._phase is Phase.SLOWED

    @property
    def tries_more(self) -> bool:
        """Whether more calls at once are on trial."""
        return self._crowding is not None and self._crowding.tries

    @property
    def _has_learnt(self) -> bool:
        return self._rate is not None and not self._rate_is_fixed

    def holds_back(self, now: float) -> bool:
        """Whether refusals keep calls back."""
        return self.slowed or self._pauses.until > now or self._has_learnt

    @property
    def next_try(self) -> float:
        """The time when more is tried, as far as it is known."""
        return max(self._pauses.until, self._probes.next_at)

    @property
    def paused_until(self) -> float:
        return self._pauses.until

    def delay(self, now: float) -> float:
        """Seconds until one more call may start."""
        return max(0.0, self._pauses.until - now, self._next - _BURST - now)

    def started(self, now: float) -> Sent:
        if self._has_learnt and self._phase is Phase.CRUISING and now >= self._probes.next_at:
            self._probe(now)
        self._traffic.started(self._pauses.active(now))
        probe = self._probes.send()
        # Time that was not used is made up for by a burst at most, or a rest would be followed by a flood.
        self._next = max(self._next, now - _BURST) + self._gap(probe)
        self._out += 1
        self._number += 1
        return Sent(self._number, self._epoch, probe, now)

    def _gap(self, probe: bool) -> float:
        """Seconds from one start to the next."""
        if self._rate is not None:
            return 1.0 / (self._rate * (self._probes.gain if probe else 1.0))
        # Calls that were sent together are answered together. Were the next ones sent so too, a limit would refuse most
        # of them before its first refusal is heard.
        return 0.0 if self._window_is_fixed else self._probes.latency / (_SPREAD * self._window)

    def dropped(self, sent: Sent, now: float) -> None:
        """A call was given back: nothing is learnt from it."""
        self._traffic.ended()
        self._passed_over(sent, now)

    def _passed_over(self, sent: Sent, now: float) -> None:
        # Calls of an earlier epoch were taken off the count when theirs ended (`_enter`).
        if sent.epoch == self._epoch:
            self._out -= 1
            if sent.probe:
                self._probe_ended(now)

    def ended(
        self,
        sent: Sent,
        how: Ended,
        now: float,
        *,
        after: float | None = None,
        full: bool = False,
        work: float = 1.0,
    ) -> None:
        """Learn from a call. *after*: seconds that a refusal asked to wait; *full*: no slot was free besides; *work*:
        how much an answer was, in whatever unit all are."""
        refused = how is Ended.REFUSED
        self._count(sent, how, now)
        # Above, what holds at any pace; below, what only a call of the present pace can teach.
        if sent.epoch != self._epoch or how in {Ended.LATE, Ended.NEITHER}:
            self._passed_over(sent, now)
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
                self._probes.refused += refused
                self._probe_ended(now)
            case Phase.WATCHING:
                self._watch(refused, now)
            # Also while a packet is out, for the calls beside it: a limit that falls then must not wait for the packet.
            case _:
                if not refused:
                    self._evidence.answered(self._floor.expected, sent.number)
                elif self._evidence.take(self._floor.expected, sent.number, after):
                    self._alarm(now)
                self._dismiss(self._evidence.dismissed(), now)
        # The epoch is looked at again, because what came of this call may have begun another one.
        if not refused and sent.epoch == self._epoch:
            self._grow(full, work, now)

    def _count(self, sent: Sent, how: Ended, now: float) -> None:
        self._traffic.ended()
        if how is Ended.ANSWERED:
            self._pauses.answered(now)
            self._run.answered()
            self._probes.answered(now - sent.at)
            self._taken += (now - sent.at - self._taken) / (8.0 if self._taken else 1.0)
            self._traffic.answered(self._pauses.active(now), sent.number)
            self._slowing.seen(sent.epoch, refused=False)
        elif how is Ended.REFUSED:
            self._run.refused(sent.number)
            self._slowing.seen(sent.epoch, refused=True)
        elif how is Ended.LATE:
            self._late(sent, now)

    def _dismiss(self, refused: int, now: float) -> None:
        """Count a call that ended; so many refusals have turned out to be strays, of which the alarm may have been
        one."""
        self._floor.seen_slow(refused, 1)
        if refused and self._slowing.doubtful and self._slowing.was_luck(self._floor.expected):
            self._undo(now)

    def _late(self, sent: Sent, now: float) -> None:
        """A call was waited for in vain: ask as many at once as are answered in time."""
        # One that others overtook by the dozen was lost; where calls queue up, none is overtaken.
        if sent.number <= self._late_before or self._traffic.answered_after(sent.number) >= max(2, self.limit):
            return
        self._late_before = self._number
        # Half of what it answered in that time: each is to come well before its time is up.
        served = self._traffic.answered_within(now - sent.at, self._pauses.active(now))
        self._window = max(1.0, min(self._window / 2.0, served / 2.0))
        self._slow_start_to = min(self._slow_start_to, max(FIRST_LIMIT, self._window))
        if self._crowding is None:
            self._crowding = Crowding(self.limit, int(self._ceiling))
        self._crowding.too_many(int(self._window))

    def _grow(self, full: bool, work: float, now: float) -> None:
        may = not self._evidence.refused
        quick = self._taken < _QUICK
        if self._starts_low and quick:
            # A local server that answers so quickly is asked like any other.
            self._starts_low, self._window = False, float(FIRST_LIMIT)
        if self._crowding is None or self._has_learnt or quick:
            if full and may:
                self._grow_unseen()
            return
        self._crowding.set_to(self.limit)
        # Counted are all answers: those that come while refusals are looked at take time like others.
        self._crowding.answered(work, now, full=full, may=may)
        self._window = float(self._crowding.level)

    def _grow_unseen(self) -> None:
        more = _START if self._window < self._slow_start_to else _STEPS_PER_ROUND / self._window
        self._window = min(self._ceiling, self._window + more)

    def _alarm(self, now: float) -> None:
        """Refusals are well above the floor: pause, slow down, and look whether that helps."""
        # An outage before this alarm is no reason to restore the pace after it (`_helped`).
        self._pauses.dark_for = 0.0
        self._slowing.begin(
            self._epoch,
            before=(self._window, self._rate),
            share=max(self._recent, self._floor.expected + 0.05),
            ended=self._evidence.ended,
            refused=self._evidence.refused,
            measured=self._allowance.used_up(now, self._traffic.accepted, self._floor.share),
        )
        if self._run.long:
            self._pauses.darken(now)
        self._rest(self._evidence.shortest, now)
        self._cut(self._slowing.share, now)

    def _rest(self, after: float | None, now: float) -> None:
        """Pause the account, unless answers come between the refusals: for those it is enough to ask more slowly."""
        if self._run.long:
            self._pauses.begin(after, self._run.length, now)
            if self._pauses.until - now >= 1.0:
                self._allowance.forget()  # A server saves up no more than a second's worth: the rest would be missed.

    def _sending(self, now: float) -> float:
        """Calls a second of late."""
        sending = self._traffic.sent_lately(self._pauses.active(now)) or 1.0
        return sending if self._rate is None else min(sending, self._rate)

    def _cut(self, share: float, now: float) -> None:
        keep = max(_LEAST_KEPT, _CUT * (1.0 - share))
        self._next = max(self._next, now + _SETTLING)
        # The window shrinks from what was allowed, the pace below from what was sent: a share of an allowance that was
        # not used to the full would slow nothing down.
        self._window = max(1.0, keep * self._window)
        self._slow_start_to = min(self._slow_start_to, max(FIRST_LIMIT, self._window))
        if not self._rate_is_fixed:
            pace = keep * self._sending(now)
            if self._rate is None and self._evidence.share >= _DENSE and self._traffic.accepted >= ENOUGH:
                # Of the calls that are out, those sent since the latest refusal may still be refused.
                unsure = self._number - self._evidence.last
                pace = min(pace, self._traffic.guess(unsure, self._probes.latency, self._pauses.active(now)))
                self._probes.blind = False
            self._rate = max(_SLOWEST, pace)
        self._slowing.cuts += 1
        self._slowing.at = now
        # Two shares well apart, and neither 0 nor 1: the test takes logarithms.
        high = max(0.8 * self._slowing.share, 2.0 * self._floor.expected)
        self._trial = Trial(min(0.5 * high, self._floor.expected + 0.1 * self._slowing.share), min(0.9, high))
        self._enter(Phase.SLOWED)

    def _judge_the_cut(self, refused: bool, after: float | None, now: float) -> None:
        trial = self._trial
        trial.take(refused=refused)
        if not refused and self._pauses.dark_for and trial.refused == 0:
            # The first answer after an outage: one call at a time was a way to wait for it, and no limit.
            self._window = max(self._window, min(self._ceiling, float(FIRST_LIMIT)))
        enough = trial.enough(seconds := now - self._slowing.at)
        # With what calls that were out at the alarm have met since: what raised it by itself is in part bad luck.
        before, share = self._slowing.share_in_all, trial.refused / trial.ended
        learnt = self._floor.with_slow(trial.refused, trial.ended)
        # The alarm is judged again by what slow calls show: strays come in clusters too.
        if trial.tried and 0.0 < share <= HIGHEST_FLOOR and self._slowing.was_luck(learnt.expected):
            self._floor = learnt
            self._undo(now)
        elif trial.says_low or (enough and share <= max(self._floor.expected, before / 3.0)):
            # What is still refused well below the former pace is the floor.
            self._floor = learnt
            self._helped(now)
        elif trial.refused == trial.ended:
            # Nothing at all is answered: an outage, which is waited out one call at a time.
            if trial.ended > 1 or self._pauses.dark:
                self._rest(after, now)
            if trial.says_high_with(self._out) and seconds >= max(_DARK, 2.0 * self._probes.latency):
                self._window = 1.0
                self._pauses.darken(now)
                self._trial = Trial(0.1, 0.8)
                self._enter(Phase.SLOWED)
        elif enough or trial.says_high_with(self._out):
            if share <= HIGHEST_FLOOR and (before <= 0.35 or self._slowing.cuts >= _MOST_CUTS):
                # Slower was no better: what was before is restored, and the share is the provider's own.
                self._floor = learnt
                self._undo(now)
            else:
                self._cut(max(0.3, share), now)

    def _helped(self, now: float) -> None:
        if self._pauses.dark_for > 5.0 or self._slowing.was_outlasted(now):
            # An outage tells nothing of the pace before.
            window, self._rate = self._slowing.before
            self._slow_start_to = max(self._slow_start_to, window)
            self._window = min(window, max(self._window, float(FIRST_LIMIT)))
            # Time in which nothing was let through would count as a low allowance.
            self._allowance.forget()
            self._cruise(now)
        elif self._rate is None or self._rate_is_fixed:
            self._cruise(now)
        elif (rate := self._slowing.before[1]) is not None and self._slowing.was_slight(self._floor.share):
            # Hardly too fast: nine tenths of it at once, where probes would have to climb from far below. Or what was
            # measured: where long calls are answered all together, packets pass at half as much again as is allowed.
            self._window, rate = 0.9 * self._slowing.before[0], 0.9 * rate
            self._rate = max(self._rate, min(rate, self._slowing.measured or rate))
            self._cruise(now)
        else:
            self._probe(now)

    def _undo(self, now: float) -> None:
        self._slowing.doubtful = False
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
        # Before `_enter` changes the phase: packets of one climb grow bolder.
        if self._phase is not Phase.PROBING:
            self._probes.passed = 0
            self._climbed_from = self._rate
        # What was refused since the last packet raised no alarm.
        self._floor.seen_slow(self._evidence.refused, 0)
        self._enter(Phase.PROBING)
        self._probes.begin(10.0 + 0.05 * self._rate * self._allowance.since(now), self._floor.share)
        self._probes.noise = max(self._floor.share, self._allowance.stray_share(self._traffic.accepted))

    def _probe_ended(self, now: float) -> None:
        """Count a call of the probe that ended."""
        self._probes.ended()
        # Without waiting for the rest of the packet, of which more would be refused.
        if self._probes.refused > 2.0 * self._probes.noise * self._probes.calls:
            self._probe_failed(now)
        elif self._probes.over:
            self._probe_passed(now)

    def _probe_passed(self, now: float) -> None:
        assert self._rate is not None
        gain = self._probes.gain
        if self._rate > 1.6 * self._traffic.answered_lately(self._pauses.active(now)):
            # Faster than what is answered by far: a packet is too short to use up what a server has saved up.
            gain = FIRST_GAIN
        self._rate *= gain
        self._window = min(self._ceiling, self._window * gain)
        self._probes.passed += 1
        self._probe(now)

    def _probe_failed(self, now: float) -> None:
        assert self._rate is not None
        # Before the mark is set anew.
        fell = self._allowance.strays > 1.25 * self._floor.share * self._allowance.since_mark(self._traffic.accepted)
        measured = self._allowance.used_up(now, self._traffic.accepted, self._floor.share)
        # One start is left out, or the next calls, at just what is allowed, would be refused for the least unevenness.
        self._next += 1.0 / self._rate
        if self._probes.bold:
            self._fallback = max(measured or 0.8 * self._rate, self._climbed_from)
            if self._probes.passed > 2:
                # More is allowed than before: what was measured since then is too little.
                self._fallback = max(self._fallback, self._rate / BOLD_GAIN**2)
                self._probes.too_bold()
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
                self._probes.blind = False
                # A quarter up and a fifth down at most: a measurement may rest on as few as twenty answers.
                lowest = 0.8 if fell else 1.0
                self._rate = min(1.25 * self._rate, max(lowest * self._rate, measured))
            self._cruise(now, self._probes.gap(self._rate))

    def _watch(self, refused: bool, now: float) -> None:
        self._trial.take(refused=refused)
        if self._trial.says_high:
            self._rate = self._fallback
            self._cruise(now, self._probes.gap(self._rate))
        elif self._trial.says_low or now >= self._watched_until:
            self._cruise(now)
