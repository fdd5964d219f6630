"""The page Protocol: what a version says, edited as one form that is made from the method's own dataclasses."""
