"""The scorer that decodes answers to choices."""
