"""The conclusions of SAGED on each model (docs/saged.md, "What is said of a model")."""
