"""Writer models asked for parts of a study, outside of any round (port: `domain.writing`)."""
