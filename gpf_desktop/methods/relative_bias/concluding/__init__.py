"""The conclusions of Relative Bias on each target (docs/relative-bias.md, "What is said of a target")."""
