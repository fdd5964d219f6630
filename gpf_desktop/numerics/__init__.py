"""Shared array code: tokenised chunks, tf-idf, distances, 2-means, intervals, resampling."""
