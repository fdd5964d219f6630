"""Names for what arrays hold, one word each."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Float32 = NDArray[np.float32]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
