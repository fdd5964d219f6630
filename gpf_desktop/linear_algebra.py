"""Linear algebra in one thread a process."""

import os


def in_one_thread() -> None:
    """Call before numpy is imported, whose libraries read this once.

    More threads add up in another order, so that the last digits of a table hung on how many cores a machine has; of
    the small matrices here they make nothing faster, and beside other work they spin.
    """
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ[variable] = "1"
