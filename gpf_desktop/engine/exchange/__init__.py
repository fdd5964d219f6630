"""Data that leaves an audit or comes into one: exports, artifacts, imported answers."""
