"""Runs with one thread of linear algebra a process: others would spin beside the other worker of pytest-xdist."""

import os

for _variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    # Before anything imports numpy, which reads it once; child processes inherit it.
    os.environ.setdefault(_variable, "1")
