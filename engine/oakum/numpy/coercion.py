"""Promotion: the operands of a function of NumPy, made to agree in dtype and rank as JAX does.

Invariants:
- What comes out are arrays and tracers of one dtype and one weak type; scalars keep their rank, the
  others have one shape.
- A Python number becomes an array of the common dtype at once, so that it stands in programs as a
  literal.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from oakum import config, dtypes, errors, lax
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.lax import conversion
from oakum.numpy import arguments
from oakum.runtime.arrays import is_array_like, wrap
from oakum.tracing.trace import as_operand, aval_of
from oakum.typing import ArrayLike
from oakum.values import codes, host, promotion
from oakum.values.avals import ShapedArray

_Operands = list[Any]


_NUMBERS: Final = (bool, int, float, complex)


def constant(value: Any, dtype: DType, weak_type: bool = False) -> Any:
    """Returns a number or an array of the host as an array of a dtype; integers wrap around.

    >>> constant(300, dtypes.uint8).raw
    array(44, dtype=uint8)
    """
    kind: Any = value.__class__
    if dtype.kind in _INTEGERS and kind in (float, complex):
        return conversion.number(value, dtype, weak_type)
    # Floats that are zero are equal whatever their sign, so they are not remembered.
    key = (kind, value, dtype) if kind is int or (kind is float and value) else None
    raw = None if key is None else _scalars.get(key)
    if raw is None:
        raw = _converted(value, dtype)
        if key is not None:
            if len(_scalars) >= _REMEMBERED:
                _scalars.clear()
            _scalars[key] = raw
    return wrap(raw, ShapedArray(raw.shape, dtype, weak_type))


_INTEGERS: Final = (Kind.INT, Kind.UINT)


_REMEMBERED: Final = 4096


_scalars: Final[dict[tuple[type, float, DType], Any]] = {}
"""Numbers of Python as scalars of the host: programs have the same few again and again."""


def _converted(value: object, dtype: DType) -> Any:
    np = host.np
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given = np.asarray(value)
        if given.dtype.kind == "c" and dtype.kind is not Kind.COMPLEX:
            given = given.real if dtype.kind is not Kind.BOOL else given != 0
        return given.astype(host.dtype(dtype))


def convert(value: Any, dtype: DType, weak_type: bool = False) -> Any:
    """Returns an operand as an array of a dtype and a weak type."""
    if type(value) in _NUMBERS:
        return constant(value, dtype, weak_type)
    return conversion.converted(value, dtype, weak_type)


def like(operand: ArrayLike, number: Any) -> Any:
    """Returns a number as a scalar of the dtype and weak type of an array."""
    aval = aval_of(operand)
    assert aval.dtype is not None
    return constant(number, aval.dtype, bool(aval.weak_type))


def truth(x: Array) -> Any:
    """Returns whether elements are not zero."""
    return x if x.aval.dtype is dtypes.bool_ else lax.ne(x, like(x, 0))


def staged(value: object) -> Any:
    """Returns an array as the trace sees it: a function that gives its operand back gives a
    tracer.
    """
    return conversion.staged(arguments.array(value))


def owned(value: object, operand: ArrayLike) -> Any:
    """Returns what a function gives that hands an array of ours back as it is: all else is
    staged.
    """
    return value if value is operand and isinstance(operand, Array) else staged(value)


def common_type(*values: ArrayLike) -> tuple[DType, bool]:
    """Returns the dtype and the weak type that operands promote to."""
    return common_type_of([aval_of(value) for value in values])


def common_type_of(avals: Sequence[ShapedArray]) -> tuple[DType, bool]:
    """Returns the dtype and the weak type that operands of these avals promote to."""
    if len(avals) == 1:
        (aval,) = avals
        assert aval.dtype is not None
        return aval.dtype, bool(aval.weak_type)
    if len({aval.dtype for aval in avals}) > 1:
        strict = config.numpy_dtype_promotion.value == config.NumpyDtypePromotion.STRICT
        if strict and not promotion.promotes_strictly([aval.typing for aval in avals]):
            _refuse_promotion(avals)
    dtype, weak_type = promotion.promote(aval.typing for aval in avals)
    assert dtype is not None
    return dtype, bool(weak_type)


def _refuse_promotion(avals: Iterable[ShapedArray]) -> None:
    names = ", ".join(sorted({str(aval.dtype) for aval in avals}))
    raise errors.TypePromotionError(
        f"Input dtypes {names} have no available implicit dtype promotion path when "
        "jax_numpy_dtype_promotion=strict"
    )


def _numeric(dtype: DType) -> DType:
    return dtypes.int32 if dtype is dtypes.bool_ else dtype


def to_inexact(dtype: DType) -> DType:
    """Returns the dtype in which functions such as `sin` compute for operands of this one."""
    inexact = dtypes.to_inexact(dtype)
    assert inexact is not None
    return inexact


def to_complex(dtype: DType) -> DType:
    """Returns the complex dtype for operands of this one."""
    result = dtypes.to_complex(dtype)
    assert result is not None
    return result


def _same(dtype: DType) -> DType:
    return dtype


def promote_dtypes(values: Sequence[Any], target: Callable[[DType], DType] = _same) -> _Operands:
    """Returns operands converted to what a function makes of their common dtype."""
    dtype, weak_type = common_type(*values)
    wanted = target(dtype)
    return [convert(value, wanted, weak_type) for value in values]


def promote_dtypes_of(function: str, *values: Array) -> _Operands:
    """Returns the operands of a function, converted to their common dtype."""
    found = _of_one_type(values, _same) if len(values) <= 2 else None
    return promote_dtypes(check(function, *values)) if found is None else found


def _promote_ranks(function: str, values: _Operands) -> _Operands:
    """Returns operands broadcast to one shape; scalars are left to the operation."""
    if len(values) == 1:
        return values
    shapes = [value.shape for value in values]
    full = {shape for shape in shapes if shape}
    if len(full) < 2:
        return values
    if len({len(shape) for shape in full}) > 1:
        _check_ranks(function, shapes)
    shape = arguments.broadcast_shapes(*shapes)
    return [arguments.broadcast_to(v, shape) if v.shape else v for v in values]


def _check_ranks(function: str, shapes: Sequence[tuple[int, ...]]) -> None:
    option = config.numpy_rank_promotion.value
    if option == "allow":
        return
    names = " ".join(map(str, shapes))
    if option == "warn":
        warnings.warn(
            f"Following NumPy automatic rank promotion for {function} on shapes {names}; set "
            "jax_numpy_rank_promotion to 'allow' to disable this warning",
            stacklevel=6,
        )
        return
    raise errors.ShapeError(
        f"Operands could not be broadcast together for {function} on shapes {names} and with the "
        "config option jax_numpy_rank_promotion='raise'",
        code=codes.RANK_PROMOTION,
    )


def check(function: str, *values: object) -> _Operands:
    """Returns the operands of a function; TypeError where one is no array, float0, or a lone
    key.
    """
    for position, value in enumerate(values):
        if not is_array_like(value):
            raise arguments.no_array(function, value, position)
    operands = [as_operand(value) for value in values]
    for value in operands:
        if type(value) is int:
            check_python_int(value)
    found = {aval_of(value).dtype for value in operands}
    if dtypes.float0 in found:
        raise errors.DTypeError(
            f"Called {function} with a float0 array. float0s do not support any operations by "
            "design",
            hint="It is the derivative by an integer; make zeros with np.zeros_like(x, float).",
        )
    if len(found) > 1:
        elementwise.check_keys(function, [aval_of(value).dtype for value in operands])
    return operands


def check_python_int(value: int) -> None:
    """Raises OverflowError for a Python integer that the default integer dtype does not hold."""
    dtype = dtypes.of_python_type(int)
    assert dtype is not None  # The switch has a value wherever arrays have.
    if not -(1 << dtype.bits - 1) <= value < 1 << dtype.bits - 1:
        raise OverflowError(f"Python int {value} too large to convert to {dtype}")


def promote(function: str, *values: object, target: Callable[[DType], DType] = _same) -> _Operands:
    """Returns the operands of a function, of one dtype and rank."""
    found = _of_one_type(values, target) if len(values) <= 2 else None
    if found is not None:
        return found
    return _promote_ranks(function, promote_dtypes(check(function, *values), target))


_HOLDING: Final = {
    int: frozenset((Kind.INT, Kind.UINT, Kind.FLOAT, Kind.COMPLEX)),
    float: frozenset((Kind.FLOAT, Kind.COMPLEX)),
    complex: frozenset((Kind.COMPLEX,)),
}
"""The kinds of arrays whose dtype Python numbers take."""

_PYTHON_TYPES: Final = {Kind.INT: int, Kind.FLOAT: float, Kind.COMPLEX: complex}

_SPECIAL: Final = (Kind.FLOAT0, Kind.KEY)


def _of_one_type(values: Sequence[Any], target: Callable[[DType], DType]) -> _Operands | None:
    """Returns the operands of the most common calls: arrays of one type, or an array and a number
    that takes its dtype. None of other calls, which take longer.
    """
    arrays = [value for value in values if isinstance(value, Array)]
    if not arrays:
        return None
    aval: ShapedArray = arrays[0].aval
    dtype = aval.dtype
    if dtype is None or dtype.kind in _SPECIAL or target(dtype) is not dtype:
        return None
    if len(arrays) == len(values):
        if len(arrays) == 1:
            return arrays
        # Of two weak booleans comes a strong one: no number of Python's is weaker than bool.
        stays = not aval.weak_type or dtype.kind is not Kind.BOOL
        return arrays if stays and arrays[1].aval == aval else None
    (number,) = (value for value in values if not isinstance(value, Array))
    kind: Any = number.__class__
    if dtype.kind not in _HOLDING.get(kind, ()):
        return None
    # A weak dtype of another width, made under another x64 switch, gives way to that of a number.
    if aval.weak_type and dtype is not dtypes.of_python_type(_PYTHON_TYPES.get(dtype.kind, bool)):
        return None
    if kind is int:
        check_python_int(number)
    scalar = constant(number, dtype, bool(aval.weak_type))
    return [value if isinstance(value, Array) else scalar for value in values]


def promote_numeric(function: str, *values: Any) -> _Operands:
    """Returns the operands of a function of numbers: booleans become integers."""
    return promote(function, *values, target=_numeric)


def promote_inexact(function: str, *values: Any) -> _Operands:
    """Returns the operands of a function of floats or complex numbers: integers become floats."""
    return promote(function, *values, target=to_inexact)


def promote_complex(function: str, *values: Any) -> _Operands:
    """Returns the operands of a function of complex numbers."""
    return promote(function, *values, target=to_complex)
