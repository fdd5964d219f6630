"""Tests of the Reports page."""
