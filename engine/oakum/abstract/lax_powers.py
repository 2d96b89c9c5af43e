"""Products and powers of `jax.lax`, whose operands may differ in dtype."""

from typing import Final

from oakum.abstract import operands
from oakum.abstract.elementwise import (
    INEXACT,
    INTEGERS,
    NUMBERS,
    check,
    different_shapes,
    exact,
    takes,
)
from oakum.abstract.operands import Arguments
from oakum.dtypes import DType
from oakum.errors import DTypeError
from oakum.values.avals import ShapedArray


def power(arguments: Arguments) -> ShapedArray:
    """`lax.pow`: the type of the base; an exponent of integers stays one."""
    arrays = [operands.array(each) for each in operands.positional(arguments, 2)]
    base, exponent = arrays
    rule = exact(NUMBERS, promoting="power").named("pow")
    if takes(exponent.dtype, INTEGERS):
        check("pow", base, INEXACT, 0)
    else:
        rule.accepting(INEXACT).typing_of(arrays)
    return base.update(shape=rule.common_shape(arrays), weak_type=None)


def exact_power(base: ShapedArray, exponent: ShapedArray) -> ShapedArray:
    """Returns the result of the primitive of `lax.pow`: equal shapes, and equal inexact dtypes."""
    check("pow", base, INEXACT, 0)
    check("pow", exponent, NUMBERS, 1)
    if exponent.dtype is not base.dtype and not takes(exponent.dtype, INTEGERS):
        raise DTypeError(
            "the first argument to pow must have an inexact dtype (float or complex), and the "
            "second argument must have an inexact or integer dtype, and two inexact dtypes must "
            f"match, but got {base.dtype} and {exponent.dtype} respectively",
            hint="Convert an operand with astype, or use jax.numpy.power.",
        )
    if base.shape != exponent.shape:
        raise different_shapes("pow", (base, exponent))
    return ShapedArray(base.shape, base.dtype, bool(base.weak_type and exponent.weak_type))


FACTORS: Final = exact(NUMBERS, promoting="multiply").over("x", "y").named("mul")
"""The factors of `lax.mul`."""


def product(arguments: Arguments) -> ShapedArray:
    """`lax.mul`: factors of one dtype, or of any where the dtype of the product is asked for."""
    if arguments.get("out_dtype") is None:
        return FACTORS(arguments)
    x, y = (operands.array(each) for each in operands.positional(arguments, 2))
    dtype, _ = operands.dtype_option(arguments["out_dtype"], (None, None))
    return exact_product(x, y, dtype).update(weak_type=None)


def exact_product(x: ShapedArray, y: ShapedArray, dtype: DType | None) -> ShapedArray:
    """Returns the product, in a dtype of its own, of factors of any dtypes."""
    for position, aval in enumerate((x, y)):
        check("mul", aval, NUMBERS, position)
    return ShapedArray(FACTORS.common_shape((x, y)), dtype, bool(x.weak_type and y.weak_type))


BASES: Final = exact(NUMBERS).over("x").named("integer_pow")
"""The bases of `lax.integer_pow`."""


def integer_power(arguments: Arguments) -> ShapedArray:
    """`lax.integer_pow`: the type of the base, which is no integer where the power is negative."""
    return exact_integer_power(BASES(arguments), arguments["y"])


def exact_integer_power(base: ShapedArray, power: object) -> ShapedArray:
    """Returns a base that is taken to a power, if it can be."""
    negative = isinstance(power, int) and power < 0
    if negative and base.dtype is not None and takes(base.dtype, INTEGERS):
        raise DTypeError(
            f"Integers cannot be raised to negative powers, got integer_pow({base}, {power})",
            hint="Convert the base to a float with astype.",
        )
    return base
