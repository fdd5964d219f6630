"""GPF Desktop: see whether a language model tells the same thing differently to, or about, different people."""

__version__ = "0.1.0"
