"""GPF-LiveNews: does a model tell the same fresh news differently to different people?"""
