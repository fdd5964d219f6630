"""Studies: which method, and the set-up of a round of one that is not about news."""
