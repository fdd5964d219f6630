"""Reading and judging bundles."""
