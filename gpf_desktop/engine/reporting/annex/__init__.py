"""The technical annex: everything, in the order in which auditors and courts look for it."""
