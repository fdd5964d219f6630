"""What of a method has to stand on the engine: a package each, called as the method is."""
