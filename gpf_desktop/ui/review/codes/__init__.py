"""The code book in the window: passages are coded, codes kept, quotes found, memos written."""
