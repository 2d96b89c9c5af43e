"""What to write instead where a gradient does not exist, or the types of a loop do not fit.

The engine says it of a call that failed, the linter of one that will: word for word the same.
"""

from collections.abc import Mapping
from typing import Final, Literal

GradientProblem = Literal["input", "shape", "tree", "dtype", "aux"]
"""What has no gradient: an argument, or a result that is no number, no float, or no pair."""

GRADIENT: Final[Mapping[GradientProblem, str]] = {
    "input": "Pass floats (1.0 instead of 1, `x.astype(float)`), or differentiate by another "
    "argument with `argnums`.",
    "shape": "Sum or average the result, or take `jax.jacrev` for the derivative of an array.",
    "tree": "Return one number, and other data as the second of two results with `has_aux=True`.",
    "dtype": "Return a real float: a gradient by integers or truth values does not exist.",
    "aux": "Return a pair of the number and the other data, or leave `has_aux` out.",
}

CarryProblem = Literal["carry", "branches", "condition", "pair"]
"""What does not fit: what a body returns as its carry, two branches, the condition of a loop, or
what a body of `scan` returns.
"""

CARRY: Final[Mapping[CarryProblem, str]] = {
    "carry": "Begin with the type that the body returns, or have the body return the type that it "
    "takes: `astype`, an array of the final size, the same keys.",
    "branches": "Return the same shapes, dtypes and containers from each branch.",
    "condition": "Compare the parts of the state, and reduce with `jnp.any` or `jnp.all`.",
    "pair": "Return `(carry, output)` from the body; the output may be None.",
}
