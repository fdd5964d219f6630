"""What Relative Bias concludes of each target (docs/relative-bias.md, "What is said of a target")."""
