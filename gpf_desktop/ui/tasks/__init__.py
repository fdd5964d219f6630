"""Work that the auditor starts, watches and may cancel, in a dialog beside the page."""
