"""The rows of the catalogue about arrays: shapes and dtypes, gradients, devices and speed.

`codes` has all rows; these stand apart because there are many.
"""

from typing import Final

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
