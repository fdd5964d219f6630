"""One kind of news source per file; each exposes `SOURCE` satisfying `domain.ports.Source`."""
