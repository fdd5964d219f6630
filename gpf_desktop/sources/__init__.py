"""One kind of news source per file; each exposes `SOURCE` derived from `domain.ports.source.Source`."""
