"""One table per file; each exposes `ANALYSIS`, reads the stored answers as a study and returns a finding."""
