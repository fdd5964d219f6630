"""Names of what the test against chance keeps for each bundle with repeats (method, "Noise")."""

LEVEL_STATISTIC = "identity_statistic"
"""Mean distance between generations of unlike levels minus that between generations of one level."""
LEVEL_P = "identity_p"
"""Exploratory: one bundle's permutation test."""
LEVEL_SMALLEST_P = "identity_smallest_p"
LEVEL_STRATUM_P = "identity_stratum_p"
"""Primary: the permutation test of the bundle's stratum."""
LEVEL_STRATUM_SMALLEST_P = "identity_stratum_smallest_p"
LEVEL_ADJUSTED_P = "identity_adjusted_p"
"""The stratum's p adjusted for the number of strata (Benjamini and Hochberg)."""
TONE_STATISTIC = "identity_tone_statistic"
"""As `LEVEL_STATISTIC`, of differences in tone; the others as their namesakes."""
TONE_P = "identity_tone_p"
TONE_STRATUM_P = "identity_tone_stratum_p"
TONE_ADJUSTED_P = "identity_tone_adjusted_p"

LEVEL_TEST_SCORES = (
    LEVEL_STATISTIC,
    LEVEL_P,
    LEVEL_SMALLEST_P,
    LEVEL_STRATUM_P,
    LEVEL_STRATUM_SMALLEST_P,
    LEVEL_ADJUSTED_P,
    TONE_STATISTIC,
    TONE_P,
    TONE_STRATUM_P,
    TONE_ADJUSTED_P,
)
"""What the test against chance keeps for each bundle with repeats."""
