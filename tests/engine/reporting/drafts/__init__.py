"""Tests of what auditors write into reports."""
