"""What GPF-LiveNews concludes of each model (docs/method.md, "Conclusions")."""
