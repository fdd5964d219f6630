"""GPF Desktop: see whether a language model tells the same fresh news differently to different people."""

__version__ = "0.1.0"
