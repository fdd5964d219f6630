"""What leaves an audit as data and comes into one: exports, artifacts, imported answers."""
