"""Relative Bias: does one model answer the questions of one domain differently from a set of baseline models?

    answers         tables of answers and judges' levels, as arrays
    measures        D_embed, D_judge and the signed deviation
    comparing       a target against its baselines: equivalent, deviates or undecided
    quality         how far judges agree, with themselves and with each other
    file_tables     the command `score`
    question_sets, rubric, judging      what is asked, of models and of judges
    planted         models and judges whose behaviour is known, because it is planted

After Arbabi and Kerschbaum, "Relative Bias: A Comparative Framework for Quantifying Bias in LLMs" (2025).
"""
