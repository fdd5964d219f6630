"""Rounds made from written plans, and repeated at set times."""
