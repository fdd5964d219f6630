"""What the command line asks of an engine without a window, the sample audit and the check of the instrument."""
