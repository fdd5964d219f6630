"""Scores of stored answers: while a round goes on, again under other settings, and of answers from elsewhere."""
