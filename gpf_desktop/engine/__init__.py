"""The stages of the one data flow, drivable without a window."""
