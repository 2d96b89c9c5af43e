"""The names of the small dtypes in NumPy: `np.dtype("bfloat16")`, as after `import jax`.

Invariant: NumPy is never loaded by it, so `import oakum` alone, and the linter, do not pay.
"""

import importlib
import sys


def register() -> None:
    """Lets NumPy know the dtypes of ml_dtypes by name, where the program has loaded NumPy.

    ml_dtypes does so as it is loaded, in 5 to 8 ms beside the 150 of NumPy; programs that draw
    random numbers or differentiate load it anyway.
    """
    if "numpy" in sys.modules:
        importlib.import_module("ml_dtypes")
