"""The rows of the catalogue about arrays: shapes and dtypes, gradients, devices and speed; and the
hints of those that have several, which the engine and the linter say word for word alike.

`codes` has all rows; these stand apart because there are many.
"""

from collections.abc import Mapping
from typing import Final, Literal

from oakum.values.code_row import Code

SHAPE_MISMATCH: Final = Code(
    "OAK501",
    "shape-mismatch",
    "The shapes of the operands do not fit the operation",
    "No rule of broadcasting or of the operation makes these shapes agree.",
    "Reshape, transpose or slice an operand so that the sizes agree.",
)
DTYPE_MISMATCH: Final = Code(
    "OAK502",
    "dtype-mismatch",
    "The dtypes of the operands do not fit the operation",
    "The operation does not take these dtypes, and no implicit promotion leads to ones it takes.",
    "Convert an operand with astype.",
)
SEQUENCE_OPERAND: Final = Code(
    "OAK503",
    "sequence-operand",
    "A list or tuple stands where an array is needed",
    "Functions of jax.numpy, operators and indices take arrays and numbers, not Python sequences.",
    "Make an array of it with jnp.asarray, jnp.stack or jnp.array.",
)
CARRY_MISMATCH: Final = Code(
    "OAK504",
    "carry-mismatch",
    "A loop's carry or the results of two branches differ in type",
    "A compiled loop or branch has one type for each value: a shape, a dtype, a structure.",
    "Make shapes, dtypes and structures equal: astype, an array of the final size, the same keys.",
)
GRADIENT_TYPE: Final = Code(
    "OAK601",
    "gradient-type",
    "A gradient is taken of something that has none",
    "Only a real number has a gradient, and only with respect to real or complex arrays.",
    "Give floats, and return one float; return other data with has_aux=True.",
)
DELETED_ARRAY: Final = Code(
    "OAK701",
    "deleted-array",
    "An array is used after its data were freed",
    "They were freed by x.delete(), or passed to a function jitted with donated arguments.",
    "Use the result of the function that the array was donated to, or give it a copy, x.copy().",
)
DEVICE_MISMATCH: Final = Code(
    "OAK702",
    "device-mismatch",
    "The operands of an operation are committed to different devices",
    "Computation takes place where committed operands are, and they cannot be in two places.",
    "Move one of them with jax.device_put(x, device).",
)
GUARDED_TRANSFER: Final = Code(
    "OAK703",
    "guarded-transfer",
    "An array moves where the transfer guard forbids it",
    "Host data that stand in a computation are moved to a device each time that it runs.",
    "Put the data on the device before, with jax.device_put.",
)

GradientProblem = Literal["input", "shape", "tree", "dtype", "aux"]
"""What has no gradient: an argument, or a result that is no number, no float, or no pair."""

GRADIENT_HINTS: Final[Mapping[GradientProblem, str]] = {
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

CARRY_HINTS: Final[Mapping[CarryProblem, str]] = {
    "carry": "Begin with the type that the body returns, or have the body return the type that it "
    "takes: `astype`, an array of the final size, the same keys.",
    "branches": "Return the same shapes, dtypes and containers from each branch.",
    "condition": "Compare the parts of the state, and reduce with `jnp.any` or `jnp.all`.",
    "pair": "Return `(carry, output)` from the body; the output may be None.",
}
