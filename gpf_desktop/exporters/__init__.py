"""One format per file; each exposes `EXPORTER`."""
