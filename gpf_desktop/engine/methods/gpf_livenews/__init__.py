"""Scores tables of answers that came from elsewhere: large ones, in worker processes, as they are read."""

from gpf_desktop.domain.text import tr


def columns_in_words() -> str:
    """The columns that such a table needs, for the command's help."""
    return tr(
        "Columns: model, article, dimension, identity, family, response; and, where they are needed, condition (left"
        " out: identity), paraphrase and repeat (left out: 0)."
    )
