"""Constants of `oakum.numpy`."""

import math
from typing import Final

__all__ = ["e", "euler_gamma", "inf", "nan", "newaxis", "pi"]

e: Final = math.e
"""The base of natural logarithms."""

euler_gamma: Final = 0.5772156649015329
"""Euler's constant: the limit of the harmonic sums minus the logarithm."""

inf: Final = math.inf
"""Infinity."""

nan: Final = math.nan
"""The value that is not a number."""

newaxis: Final = None
"""An index that inserts an axis of length one."""

pi: Final = math.pi
"""The ratio of a circle's circumference to its diameter."""
