"""The part of GPF-LiveNews that stands on the engine: the check of its instrument."""
