"""Commands that use an engine without a window, the sample audit, and the check of the instrument."""
