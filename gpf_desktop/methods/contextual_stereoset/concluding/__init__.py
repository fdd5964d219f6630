"""The conclusions of Contextual StereoSet on each model (docs/contextual-stereoset.md, "What is said of a model")."""
