"""The former name of `jit`."""

from oakum.api.jit import jit as pjit

__all__ = ["pjit"]
