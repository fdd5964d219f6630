"""Distances between two vectors: named here, where nothing of numpy is needed to offer the choice."""

from enum import StrEnum


class Metric(StrEnum):
    """How far two vectors are apart."""

    COSINE = "cosine"
    L1 = "L1"
    L2 = "L2"
