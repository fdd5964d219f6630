"""One file for each preference, in which it is declared as `OPTION`."""
