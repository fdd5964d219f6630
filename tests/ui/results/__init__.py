"""Tests of the Results page."""
