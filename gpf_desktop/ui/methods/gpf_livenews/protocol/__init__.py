"""The page Protocol."""
