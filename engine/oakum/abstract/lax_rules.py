"""The rules that functions of `jax.lax` have to themselves: of shapes, whose dimensions are counted
from the front, with nothing inferred, and of products and powers, whose operands may differ in
dtype.
"""

from typing import Any, Final

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
from oakum.abstract.reshaping import transpose
from oakum.dtypes import DType
from oakum.errors import DTypeError, ShapeError
from oakum.values import dims
from oakum.values.avals import Shape, ShapedArray


def broadcast(arguments: Arguments) -> ShapedArray:
    """`lax.broadcast`: new dimensions in front."""
    given = operands.operand(arguments)
    sizes = operands.shape(arguments["sizes"])
    if sizes is not None:
        operands.check_nonnegative("broadcast sizes", sizes)
    if sizes is None or given.shape is None:
        return given.update(shape=None)
    return given.update(shape=sizes + given.shape)


def broadcast_in_dim(arguments: Arguments) -> ShapedArray:
    """`broadcast_in_dim`: the shape asked for, in which the operand has the dimensions named.

    >>> from oakum.values.avals import parse_aval
    >>> given = {"operand": parse_aval("f32[3]"), "shape": (2, 3), "broadcast_dimensions": (1,)}
    >>> print(broadcast_in_dim(given))
    f32[2,3]
    """
    given, shape = operands.operand(arguments), operands.shape(arguments["shape"])
    named = operands.items(arguments["broadcast_dimensions"])
    if shape is not None and named is not None and all(isinstance(each, int) for each in named):
        return exact_broadcast_in_dim(given, shape, tuple(named))
    if shape is not None:
        operands.check_nonnegative("broadcast_in_dim shape", shape)
    return given.update(shape=shape)


def exact_broadcast_in_dim(
    given: ShapedArray, shape: Shape, dimensions: tuple[int, ...]
) -> ShapedArray:
    """Returns the result of the primitive, whose parameters are known."""
    operands.check_nonnegative("broadcast_in_dim shape", shape)
    _check_broadcast(given, shape, dimensions)
    return given.update(shape=shape)


def _check_broadcast(given: ShapedArray, shape: Shape, dimensions: tuple[int, ...]) -> None:
    hint = "Name for each axis of the operand the axis of the result that it becomes."
    if given.ndim is not None and len(dimensions) != given.ndim:
        raise ShapeError(
            "broadcast_in_dim broadcast_dimensions must have length equal to operand ndim",
            detail=f"Got {dimensions} for operand {given}",
            hint=hint,
        )
    if given.ndim is not None and len(shape) < given.ndim:
        raise ShapeError(
            "broadcast_in_dim target broadcast shape must have equal or higher rank to the operand "
            "shape",
            detail=f"Got operand {given} and shape {operands.shape_text(shape)}",
            hint=hint,
        )
    if not set(dimensions) <= set(range(len(shape))):
        raise ShapeError(
            "broadcast_in_dim broadcast_dimensions must be a subset of output dimensions",
            detail=f"Got {dimensions} for shape {operands.shape_text(shape)}",
            hint=hint,
        )
    if len(set(dimensions)) != len(dimensions):
        raise ShapeError(
            f"broadcast_in_dim broadcast_dimensions must not contain duplicates, got {dimensions}",
            hint=hint,
        )
    for size, place in zip(given.shape or (), dimensions, strict=False):
        if dims.equal(size, 1) is False and dims.equal(size, shape[place]) is False:
            raise ShapeError(
                "broadcast_in_dim operand dimension sizes must either be 1, or be equal to their "
                "corresponding dimensions in the target broadcast shape",
                detail=f"Got operand {given}, target broadcast shape {operands.shape_text(shape)}, "
                f"broadcast_dimensions {dimensions}",
                hint=hint,
            )


def collapse(arguments: Arguments) -> ShapedArray:
    """`collapse`: several dimensions in a row become one."""
    given = operands.operand(arguments)
    start, stop = arguments["start_dimension"], arguments.get("stop_dimension")
    if given.shape is None or not isinstance(start, int):
        return given.update(shape=None)
    low = range(len(given.shape))[start : stop if isinstance(stop, int) else None]
    if not low or not (stop is None or isinstance(stop, int)):
        return given.update(shape=None)
    merged = dims.product(given.shape[i] for i in low)
    return given.update(shape=(*given.shape[: low[0]], merged, *given.shape[low[-1] + 1 :]))


def lax_reshape(arguments: Arguments) -> ShapedArray:
    """`lax.reshape`: the shape asked for, of as many elements."""
    given, shape = operands.operand(arguments), operands.shape(arguments["new_sizes"])
    if shape is None:
        return given.update(shape=None, weak_type=None)
    if any(isinstance(size, int) and size < 0 for size in shape):
        raise ShapeError(
            f"reshape new_sizes must all be positive, got {operands.shape_text(shape)}",
            hint="Write the size out, or use jnp.reshape, which reads -1.",
        )
    if dims.equal(given.size, dims.product(shape)) is False:
        raise ShapeError(
            "reshape total size must be unchanged",
            detail=f"Got new_sizes {operands.shape_text(shape)} for shape "
            f"{operands.shape_text(given.shape)}",
            hint="Make the product of the sizes equal to the number of elements.",
        )
    order = operands.items(arguments.get("dimensions"))
    if order is not None and _is_permutation(order, given.ndim) is False:
        raise ShapeError(
            "reshape dimensions must be a permutation of operand dimensions",
            detail=f"Got dimensions {tuple(order)} for {given}",
            hint="Name each dimension of the operand once.",
        )
    return given.update(shape=shape)


def _is_permutation(order: list[Any], rank: int | None) -> bool | None:
    """Whether numbers name each dimension once; None when it is not known."""
    if rank is None or not all(isinstance(each, int) for each in order):
        return None
    return sorted(order) == list(range(rank))


def lax_transpose(arguments: Arguments) -> ShapedArray:
    """`lax.transpose`: the dimensions in another order, counted from the front."""
    given, order = operands.operand(arguments), operands.items(arguments["permutation"])
    if order is not None and _is_permutation(order, given.ndim) is False:
        raise ShapeError(
            "transpose permutation isn't a permutation of operand dimensions",
            detail=f"Got permutation {tuple(order)} for {given}",
            hint="Name each axis of the operand once, counted from 0.",
        )
    return transpose({"operand": given, "permutation": arguments["permutation"]})


def broadcast_like(arguments: Arguments) -> ShapedArray:
    """`broadcast_like`: the type of the first operand, the shape of the second."""
    given, like = (operands.array(each) for each in operands.positional(arguments, 2))
    return given.update(shape=like.shape)


def to_rank(arguments: Arguments) -> ShapedArray:
    """`broadcast_to_rank`: leading axes of length one."""
    given, rank = operands.operand(arguments), operands.integer(arguments["rank"])
    if given.shape is None or rank is None or rank > 64:  # No array has more dimensions.
        return given.update(shape=None)
    return given.update(shape=(1,) * (rank - len(given.shape)) + given.shape)


def reversed_along(arguments: Arguments) -> ShapedArray:
    """`rev`: shape and dtype of the operand, which has the dimensions that are reversed."""
    given = operands.operand(arguments)
    named = operands.items(arguments["dimensions"])
    if named is None or not all(isinstance(each, int) for each in named):
        return given.update()
    dimensions = tuple(named)
    if len(set(dimensions)) != len(dimensions):
        raise ShapeError(
            f"rev dimensions must be unique, got {dimensions}", hint="Name each axis once."
        )
    if any(each < 0 for each in dimensions):
        raise ShapeError(
            f"rev dimensions must have every element be nonnegative, got {dimensions}",
            hint="Count axes from 0, or use jnp.flip.",
        )
    if given.ndim is not None and any(each >= given.ndim for each in dimensions):
        raise ShapeError(
            "rev dimensions must all be less than operand ndim",
            detail=f"Got {dimensions} for {given}",
            hint="Name axes that the operand has.",
        )
    return given.update()


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
