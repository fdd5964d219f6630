"""Texts that try both encoders: words that rules ask for, and whatever Unicode has."""

from hypothesis import strategies as st

from gpf_desktop.numerics import tone_rules

_RULE_WORDS = sorted(
    {*tone_rules.ROLES, *tone_rules.BOOSTERS, "but", "no", "isn't", "isn\u2019t", "aint", "cannot", "none", "uh-uh"}
)
_PLAIN = [
    "the",
    "a",
    "I",
    "news",
    "house",
    "café",
    "naïve",
    "straße",
    "ΣΑΣ",
    "Σ",
    "İstanbul",
    "ﬁne",
    "x_y",
    "42",
    "日本語",
]
_WHITE = [" ", " ", " ", "\n", "\t", "\u00a0", "\u2028", "  ", "\x1c", "\r\n"]

lexicon_words = st.sampled_from(sorted(tone_rules.lexicon()))
emoji = st.sampled_from(sorted(tone_rules.emoji()))
words = st.one_of(
    lexicon_words,
    st.sampled_from(_RULE_WORDS),
    st.sampled_from(
        ["but", "never so good", "kiss of death", "without doubt", "the least", "bad ass", "no", "kind of"]
    ),
    st.sampled_from(_PLAIN),
    st.text(max_size=6),
)
dressed = st.builds(
    lambda before, word, after, shape: before + shape(word) + after,
    st.sampled_from(["", "", "", "(", '"', "😀", "*"]),
    words,
    st.sampled_from(["", "", "", ".", "!", "??", ",", "!!!", "😀", "…", "'s", ")"]),
    st.sampled_from([str, str, str.upper, str.title, str.lower]),
)
texts = st.one_of(
    st.text(max_size=60),
    st.lists(st.tuples(st.one_of(dressed, emoji), st.sampled_from(_WHITE)), max_size=40).map(
        lambda parts: "".join(word + white for word, white in parts)
    ),
)
"""Arbitrary texts, and sentences dense in what VADER's rules look for."""

_COMMON = (
    *("good", "bad", "news", "house", "plan", "rent", "bus", "hope"),
    *("fear", "never", "but", "very", "not", "your", "you", "the", "council"),
)
sentences = st.lists(st.sampled_from(_COMMON), min_size=1, max_size=12).map(" ".join)
"""Answers that always have a scorable word."""
