"""Has `import jax` give oakum, then does what the environment's own `sitecustomize` does.

The folder of this file leaves `sys.path` first: the program sees the one that it would have.
"""

import importlib.util
import os
import sys
from importlib.machinery import PathFinder

_here = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [each for each in sys.path if os.path.abspath(each) != _here]

from oakum import interop  # noqa: E402 (not from this folder)

interop.install()
_spec = PathFinder.find_spec("sitecustomize")
if _spec is not None and _spec.loader is not None:
    _module = importlib.util.module_from_spec(_spec)
    sys.modules["sitecustomize"] = _module
    _spec.loader.exec_module(_module)
