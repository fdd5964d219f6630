"""Names of the flags on answers: aids to the reader and filters of the queue that change no score."""

from enum import StrEnum


class Flag(StrEnum):
    """A warning that a reader of an answer should know before reading anything into its score."""

    LEAKAGE = "leakage"
    REFUSAL = "refusal"
    TRUNCATED = "truncated"
    DUPLICATE = "duplicate"
    VERY_SHORT = "very short"
    NO_WORD = "no scorable word"
    """The encoder finds nothing in it to read: it has no score, and tables count it as missing for this reason."""
