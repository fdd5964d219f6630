"""The names by which tables call what every method asks for: declared once, read by `import` and by `score` alike.

Lower-case, the likeliest first. What one method alone asks for is declared beside its `Columns`.
"""

from typing import Final

MODEL: Final = ("model_name", "model_id", "provider", "llm", "engine")
RESPONSE: Final = (
    "answer",
    "output",
    "completion",
    "generated_text",
    "reply",
    "actual_output",
    "actualoutput",
    "outputs",
)
REPEAT: Final = ("generation", "epoch", "sample", "repetition")

OF_ANSWERS: Final = ("scored by ", "explanation of ", "namedscores.", "filter.")
"""How columns begin that hold what another program made of an answer; none says how it was asked."""
