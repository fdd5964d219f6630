"""The right of reply: a package for the audited party, and what comes back."""
