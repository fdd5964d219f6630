"""The nouns and pure rules of the method. Standard library only; nothing here does network or database work."""
