"""Array code over texts: tokenised chunks, tf-idf, distances, tone.

tokens      many texts split once; what each distinct token means is looked up once
tfidf       term counts and weights per fit group      tone, tone_rules   VADER's compound, exactly
distances   cosine distances inside each bundle        references         wordings that speak of people
explain     shares that add up to a score              tone_trace         VADER word by word
encoders    both encoders over the same tokens         merged_frequencies document frequencies over many texts
"""
