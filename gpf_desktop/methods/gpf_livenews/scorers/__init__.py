"""One scorer per file; each exposes `SCORER`, takes chunks of answers and never calls a model."""
