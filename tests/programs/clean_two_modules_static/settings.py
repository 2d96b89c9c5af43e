"""Static settings."""

import numpy as np

DEBUG = False
LEVEL = 2
DEPTH = 1
BOUNDS = (-1.0, 1.0)
SCALE = np.float32(2.0)
TABLE = np.arange(4.0)
