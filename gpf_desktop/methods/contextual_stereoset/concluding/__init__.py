"""What Contextual StereoSet concludes of each model (docs/contextual-stereoset.md, "What is said of a model")."""
