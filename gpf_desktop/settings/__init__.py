"""Declared options and the keys in the operating system's key store."""
