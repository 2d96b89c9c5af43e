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
WIDE_DTYPE: Final = Code(
    "OAK505",
    "wide-dtype",
    "A 64-bit dtype is asked for, and x64 is not enabled",
    "JAX makes a 32-bit array of it, with a warning that is easily overlooked.",
    "Enable it at the start: jax.config.update('jax_enable_x64', True). Or ask for 32 bits.",
)
OUT_OF_BOUNDS_INDEX: Final = Code(
    "OAK506",
    "out-of-bounds-index",
    "An index is beyond the end of an array",
    "JAX does not raise: a read gives the last element, and an update is dropped.",
    "Index within the shape, from -n to n - 1.",
)
GRADIENT_TYPE: Final = Code(
    "OAK601",
    "gradient-type",
    "A gradient is taken of something that has none",
    "Only a real number has a gradient, and only with respect to real or complex arrays.",
    "Give floats, and return one float; return other data with has_aux=True.",
)
NAN_GRADIENT: Final = Code(
    "OAK602",
    "nan-gradient",
    "A gradient is NaN at the edge of a function's domain",
    "The branch that where does not select is differentiated too, and zero times infinity is NaN.",
    "Guard the argument as well: jnp.where(x > 0, jnp.log(jnp.where(x > 0, x, 1)), 0).",
)
ZERO_GRADIENT: Final = Code(
    "OAK603",
    "zero-gradient",
    "A gradient is zero, whatever the arguments are",
    "All paths from the argument to the result go through a step: rounding, a comparison, argmax.",
    "Use a smooth function in place of the step, or a straight-through estimator (custom_vjp).",
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
UNUSABLE_DONATION: Final = Code(
    "OAK704",
    "unusable-donation",
    "An argument is donated whose memory no result can take",
    "Memory is handed on to a result of the same shape and dtype, and there is none.",
    "Do not donate the argument, or return a result of its shape and dtype.",
)
UNROLLED_LOOP: Final = Code(
    "OAK710",
    "unrolled-loop",
    "A long Python loop runs while its code is traced",
    "Each iteration is traced and compiled: compilation takes longer with every one.",
    "Loop with jax.lax.fori_loop or jax.lax.scan, which compile the body once.",
)
UNAWAITED_TIMING: Final = Code(
    "OAK711",
    "unawaited-timing",
    "A time is taken around a compiled call without waiting for its result",
    "The call returns before the result is computed, so the time is that of the dispatch alone.",
    "Call jax.block_until_ready on the result before taking the time.",
)
