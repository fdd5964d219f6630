"""One API per file, and the calibration models; each exposes `PROVIDER`."""
