"""What SAGED concludes of each model (docs/saged.md, "What is said of a model")."""
