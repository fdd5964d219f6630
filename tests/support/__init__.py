"""Real counterparts for tests: servers on the loopback address that behave as well or as badly as asked."""
