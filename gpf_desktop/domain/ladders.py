"""The ladder of power of the check of the instrument, as a drawing: how often each planted δ is found."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

from gpf_desktop.domain.text import percent, plain_number, tr

WIDTH: Final = 680
_PANEL, _FOOT = 184, 34
_TOP, _BOTTOM = 40, 44
_LEFT, _RIGHT = 64, 20
_BY_CHANCE: Final = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One planted δ; 0 is the neutral model."""

    delta: float
    found: int
    """Strata in which the test reaches .05."""
    of: int

    @property
    def words(self) -> str:
        return tr("δ {delta}: {n} of {all}", delta=plain_number(self.delta), n=self.found, all=self.of)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """The shares of strata in which one test finds one kind of planted framing, the smallest δ first."""

    title: str
    rungs: tuple[Rung, ...]

    @property
    def words(self) -> str:
        """The ladder in words, for who does not see it."""
        return f"{self.title}: " + ", ".join(rung.words for rung in self.rungs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Inks:
    """Colours of the drawing, as SVG names them."""

    ground: str = "#FFFFFF"
    text: str = "#1B1F24"
    faint: str = "#59636E"
    line: str = "#C9D1D9"
    mark: str = "#1F5FBF"


def ladder_height(ladders: Sequence[Ladder]) -> int:
    """The height of the drawing at `WIDTH`, in the same units."""
    return _PANEL * len(ladders) + _FOOT


def ladder_picture(ladders: Sequence[Ladder], inks: Inks | None = None, font: str = "sans-serif") -> str:
    """SVG: a panel for each ladder, a rung for each δ in even steps, the share found from 0 to 100 %."""
    inks = inks or Inks()
    high = ladder_height(ladders)
    said = escape(". ".join(ladder.words for ladder in ladders))
    panels = "".join(_panel(ladder, _PANEL * at, inks) for at, ladder in enumerate(ladders))
    foot = tr("Dashed: the 5% that chance alone finds. δ 0 is the neutral model; rungs are evenly spaced, δ is not.")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {high}" width="{WIDTH}" height="{high}" '
        f'font-family="{escape(font)}" font-size="12" role="img"><title>{said}</title>'
        f'<rect width="{WIDTH}" height="{high}" fill="{inks.ground}"/>{panels}'
        f'<text x="{_LEFT}" y="{high - 12}" fill="{inks.faint}">{escape(foot)}</text></svg>\n'
    )


def _panel(ladder: Ladder, top: int, inks: Inks) -> str:
    floor, ceiling = top + _PANEL - _BOTTOM, top + _TOP
    step = (WIDTH - _LEFT - _RIGHT) / max(1, len(ladder.rungs))

    def y(share: float) -> float:
        return round(floor - share * (floor - ceiling), 1)

    parts = [f'<text x="{_LEFT}" y="{top + 16}" fill="{inks.text}" font-weight="bold">{escape(ladder.title)}</text>']
    for share in (0.0, 0.5, 1.0):
        parts.append(
            f'<path d="M{_LEFT} {y(share)}H{WIDTH - _RIGHT}" stroke="{inks.line}"/>'
            f'<text x="{_LEFT - 8}" y="{y(share) + 4}" text-anchor="end" fill="{inks.faint}">{percent(share)}</text>'
        )
    dashed = f'stroke="{inks.faint}" stroke-dasharray="4 3" fill="none"'
    parts.append(f'<path d="M{_LEFT} {y(_BY_CHANCE)}H{WIDTH - _RIGHT}" {dashed}/>')
    places = [(round(_LEFT + step * (at + 0.5), 1), rung) for at, rung in enumerate(ladder.rungs)]
    tested = [(x, y(rung.found / rung.of), rung) for x, rung in places if rung.of]
    if tested:
        path = "L".join(f"{x} {height}" for x, height, _ in tested)
        parts.append(f'<path d="M{path}" stroke="{inks.mark}" stroke-width="2" fill="none"/>')
    for x, height, rung in tested:
        # Beside the line, which rises from left to right.
        at = (x - 2, height - 10, "end") if height > floor - 24 else (x + 6, height + 16, "start")
        parts.append(
            f'<circle cx="{x}" cy="{height}" r="4.5" fill="{inks.mark}"/>'
            f'<text x="{at[0]:.1f}" y="{at[1]:.1f}" text-anchor="{at[2]}" fill="{inks.text}">'
            f"{escape(tr('{n} of {all}', n=rung.found, all=rung.of))}</text>"
        )
    for x, rung in places:
        parts.append(
            f'<text x="{x}" y="{floor + 18}" text-anchor="middle" fill="{inks.faint}">'
            f"{escape(tr('δ {delta}', delta=f'{rung.delta:g}'))}</text>"
        )
    return "".join(parts)
