"""Models under audit: kept, tested, reached over the network."""
