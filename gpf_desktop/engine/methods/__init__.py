"""The parts of methods that need the engine: a package for each, called as the method is."""
