"""The artifact: an audit as one zip that anybody can read, recompute and open again.

sealed_zip   the zip itself: same content, same bytes; one hash over every byte
contents     which relations are in it, and what is withheld
cards        README, data card, evaluation card, licences, in words
croissant    the description that machines read
drafts       what the auditor wrote of the report
making       audit → artifact
opening      artifact → audit
verifying    what agrees when everything is computed anew
"""
