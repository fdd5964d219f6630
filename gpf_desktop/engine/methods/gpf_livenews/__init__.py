"""What of GPF-LiveNews stands on the engine: the check of its instrument."""
