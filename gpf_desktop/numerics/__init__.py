"""Shared array code: tokenised chunks, tf-idf, distances, 2-means, intervals, resampling.

tokens      many texts split once; what each distinct token means is looked up once
tfidf       term counts and weights per fit group      tone, tone_rules   VADER's compound, exactly
distances   cosine distances inside each bundle        two_means          optimal split in two, silhouettes
spread      range, MAD, rarefied range                 references         wordings that speak of people
explain     shares that add up to a score              tone_trace         VADER word by word
encoders    both encoders over the same tokens         sums               rounding that depends on nothing else
resampling  permutation tests, many tests              charts             EWMA limits
article_means  means and intervals with articles as the unit
"""
