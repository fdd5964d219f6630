"""SAGED: how unequally does a model treat the concepts of a domain, once its sources' own bias is taken out?"""
