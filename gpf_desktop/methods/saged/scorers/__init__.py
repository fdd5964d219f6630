"""Scores of the answers of one root prompt."""
