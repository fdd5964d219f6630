"""Declared options of a plug-in, and what a form says of each."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NoOptions:
    """For a plug-in without settings."""
