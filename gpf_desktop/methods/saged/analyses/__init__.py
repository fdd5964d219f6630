"""One table per file; each exposes `ANALYSIS`, reads the features of answers and returns a finding."""
