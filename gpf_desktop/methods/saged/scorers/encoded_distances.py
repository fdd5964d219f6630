"""Distances between answers, baselines and clusters by a sentence encoder that the auditor names."""

from gpf_desktop.methods.saged.scorers.distances_of_answers import EncodedDistances

SCORER = EncodedDistances()
