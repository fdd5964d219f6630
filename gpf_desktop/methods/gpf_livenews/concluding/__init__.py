"""The conclusions of GPF-LiveNews on each model (docs/method.md, "Conclusions")."""
