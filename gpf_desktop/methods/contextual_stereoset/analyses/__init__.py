"""One table per file; each exposes `ANALYSIS` and reads the choices that were decoded from stored answers."""
