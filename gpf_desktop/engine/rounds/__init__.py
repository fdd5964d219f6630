"""Rounds: planned, asked within limits, saved, resumed."""
