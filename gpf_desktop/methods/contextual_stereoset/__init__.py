"""Contextual StereoSet (Basu and Chakraborty 2026): how far does the choice of the stereotype move with the context?"""
