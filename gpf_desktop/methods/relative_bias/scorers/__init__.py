"""The score by which questions are ordered for reading."""
