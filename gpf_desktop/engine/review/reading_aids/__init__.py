"""Aids for a person who reads several answers beside each other; pure functions of texts.

shown_text.py    what is shown of a stored text, and which character of it each shown one is
markdown.py      Markdown as words: marks taken away, nothing interpreted
words.py         words and sentences, in any script
differences.py   only here, missing here, shared: against the consensus or a baseline
sentence_grid.py sentences of all answers beside those that say the like
masking.py       words that tell a level covered, for blind reading
"""
