"""The brief: two to four pages, of what is concluded, what people read, and who answers for it."""
