"""Complete, partial, unscored: what the number of valid answers makes of a bundle (method, "Validity")."""

from enum import StrEnum


class Coverage(StrEnum):
    COMPLETE = "complete"
    PARTIAL = "partial"
    UNSCORED = "unscored"

    @classmethod
    def of(cls, *, valid: int, planned: int) -> "Coverage":
        if valid < 2:
            return cls.UNSCORED
        return cls.COMPLETE if valid == planned else cls.PARTIAL
