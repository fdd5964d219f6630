"""Protocols as files and in versions."""
