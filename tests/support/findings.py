"""Tables as a wrong instrument would show them."""

from collections.abc import Callable
from dataclasses import replace

from gpf_desktop.domain.findings import Estimate, Finding, Value


def moved(finding: Finding, column: str, move: Callable[[float], float]) -> Finding:
    """*finding* with every number of *column* moved, an interval with its estimate."""

    def of(old: Value) -> Value:
        match old:
            case Estimate(value=float() | int() as value, interval=interval):
                if interval is not None:
                    low, high = sorted((move(interval.low), move(interval.high)))
                    interval = replace(interval, low=low, high=high)
                return replace(old, value=move(value), interval=interval)
            case int() | float():
                return move(old)
            case _:
                return old

    rows = tuple(replace(row, values={**row.values, column: of(row.values[column])}) for row in finding.rows)
    return replace(finding, rows=rows)
