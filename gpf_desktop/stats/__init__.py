"""Statistics over numbers, with no word of any method: what stands here may be checked against a textbook.

article_means  means and intervals with articles as the unit, many groups at once
clusters       one such mean by Student's t with CR2 errors; transformed t, bootstrap-t for skewed scores
rates          rates by cluster, and groups compared within clusters
equivalence    differs, equivalent within a margin, or undecided; paired and unpaired
sign_flips     means by themselves                     resampling     permutation tests
bootstrap_max  many means at once
multiplicity   adjusted p, findings by chance          spending       how often one may look
power          what is found, and what to ask          components     which part of the variance is what
probability    does a score tell yes from no           agreement      how far readers agree
charts         EWMA limits, and what they find         spread         range, MAD, rarefied range
two_means      optimal split in two, silhouettes       sums           rounding that depends on nothing else

`python -m tests.benchmarks.bench_validity` prints what these promise beside what they hold.
"""
