"""Readers of documents from outside: bytes, markup, addresses and times, whoever sent them."""
