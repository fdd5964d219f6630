"""Built-in offline models whose framing effect is known, because it is planted (method, "Calibration models").

planted   what each model does on purpose, as pure functions
provider  the models behind the provider port; `answer_key` is what a check compares with
writer    the answers
corpus    what the writer is made of
"""
