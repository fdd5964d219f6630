"""Built-in offline models whose framing effect is known, because it is planted (method, "Calibration models").

planted   what each model does on purpose, as pure functions
writer    the answers
corpus, plans, anchors, noise    what the writer is made of
"""

from gpf_desktop.providers.calibration.provider import PROVIDER

__all__ = ["PROVIDER"]
