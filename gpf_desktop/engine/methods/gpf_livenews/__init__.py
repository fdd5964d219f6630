"""Scores tables of answers that came from elsewhere: large ones, in worker processes, as they are read."""
