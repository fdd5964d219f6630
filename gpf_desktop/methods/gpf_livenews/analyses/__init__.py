"""One analysis per file; each exposes `ANALYSIS`, reads stored scores and returns a finding."""
