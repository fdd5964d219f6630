"""One way per file of turning items and a protocol into cells; each exposes `EXPANDER`."""
