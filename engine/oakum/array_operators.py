"""Python's operators on arrays, and the attributes that follow from shape and dtype.

An operator answers for arrays, numbers, the host's arrays and objects that have `__jax_array__`;
for anything else it leaves the answer to the other operand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from oakum import errors
from oakum import numpy as jnp
from oakum.numpy.indexing import gather
from oakum.values import codes, host
from oakum.values.traceback_filtering import api_boundary, filter_traceback, register

if TYPE_CHECKING:
    from oakum.array import Array
    from oakum.values.avals import ShapedArray

REFUSED: Final[Any] = object()
"""Stands for an operand that an operator does not take."""


def operand(value: object) -> Any:
    """Returns the operand that a value is: itself, or the array that it stands for; else
    `REFUSED`.
    """
    if isinstance(value, (ArrayOperators, int, float, complex)):
        return value
    if (convert := getattr(value, "__jax_array__", None)) is not None:
        return operand(convert())
    return value if isinstance(value, (host.np.ndarray, host.np.generic)) else REFUSED


_SEQUENCES: Final = (dict, list, set, tuple)
_NO_OPERANDS: Final = (*_SEQUENCES, str, type(None))
"""Types that no operator of theirs would take an array of."""
_SIGNS: Final = {
    "add": "+",
    "subtract": "-",
    "multiply": "*",
    "true_divide": "/",
    "floor_divide": "//",
    "power": "**",
    "matmul": "@",
}


def _refuse(name: str, left: object, right: object, other: object) -> Any:
    """Raises for a value that no operator takes an array of, and for a plain sequence, for which
    Python would answer without looking at elements.
    """
    sign = _SIGNS.get(name)
    if name == "multiply" and type(other) is str:
        return NotImplemented  # Python repeats a text by the integer that an array is
    if type(other) in _SEQUENCES or (sign is not None and type(other) in _NO_OPERANDS):
        code, hint = None, "Give an array or a number; test what may be absent: `x is not None`."
        if type(other) in _SEQUENCES:
            code, hint = codes.SEQUENCE_OPERAND, "Convert the sequence with jnp.array."
            if name == "multiply" and _counts(right if other is left else left):
                # What was meant is to repeat the sequence, as Python does by an integer.
                code, hint = codes.TRACER_IN_RANGE, codes.TRACER_IN_RANGE.hint
        raise errors.InvalidValueError(
            f"unsupported operand type(s) for {sign or name}: {_kind(left)} and {_kind(right)}",
            code=code,
            hint=hint,
        )
    return NotImplemented


def _counts(value: object) -> bool:
    """Whether a value is a traced integer."""
    from oakum.tracing.trace import Tracer

    return isinstance(value, Tracer) and value.shape == () and value.dtype.kind in "iu"


def _kind(value: object) -> str:
    aval: object = getattr(value, "aval", None)
    return repr(type(value).__name__) if aval is None else str(aval)


def _binary(name: str, *, swapped: bool = False, sequences: bool = False) -> Callable[..., Any]:
    """Returns the method that calls the function of `oakum.numpy` of this name."""

    def method(self: object, other: object, /) -> Any:
        # A boundary of tracebacks, without the call that the decorator would add to each operator.
        try:
            value = operand(other)
            if value is REFUSED:
                if not sequences and name not in _SIGNS:
                    return NotImplemented
                if not sequences and type(other) in _SEQUENCES:
                    return NotImplemented
                left, right = (other, self) if swapped else (self, other)
                return _refuse(name, left, right, other)
            function: Callable[..., Any] = getattr(jnp, name)
            return function(value, self) if swapped else function(self, value)
        except Exception as error:
            filter_traceback(error)
            raise

    register(method)
    return method


def _unary(name: str) -> Callable[..., Any]:
    def method(self: object, /) -> Any:
        try:
            return getattr(jnp, name)(self)
        except Exception as error:
            filter_traceback(error)
            raise

    register(method)
    return method


class ArrayOperators:
    """Methods of `Array` that Python's operators and syntax call."""

    __slots__ = ()

    __array_priority__ = 100
    __hash__: Any = None

    if TYPE_CHECKING:

        @property
        def aval(self) -> ShapedArray: ...

        # Arrays and tracers have these of their own.
        @property
        def committed(self) -> bool: ...
        def unsafe_buffer_pointer(self) -> int: ...
        def __bool__(self) -> bool: ...
        def __int__(self) -> int: ...
        def __float__(self) -> float: ...
        def __complex__(self) -> complex: ...
        def __index__(self) -> int: ...
        def __len__(self) -> int: ...
        def __array__(self, dtype: object = None, copy: bool | None = None) -> Any: ...

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the axes."""
        shape: Any = self.aval.shape
        return shape

    @property
    def dtype(self) -> Any:
        """The type of the elements, as the host's dtype; random keys have one of their own."""
        dtype = self.aval.dtype
        assert dtype is not None
        return host.visible_dtype(dtype)

    @property
    def weak_type(self) -> bool:
        """Whether the array gives way to the dtypes of others, as Python numbers do."""
        return bool(self.aval.weak_type)

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def itemsize(self) -> int:
        """The number of bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        """The number of bytes of the elements."""
        return self.size * self.itemsize

    @property
    def T(self: Any) -> Array:
        """The array with its axes reversed."""
        return jnp.transpose(self)

    @property
    def mT(self: Any) -> Array:
        """The array with its last two axes exchanged."""
        return jnp.matrix_transpose(self)

    @property
    def real(self: Any) -> Array:
        """The real parts."""
        return jnp.real(self)

    @property
    def imag(self: Any) -> Array:
        """The imaginary parts."""
        return jnp.imag(self)

    @property
    def flat(self) -> Any:
        """Raises: arrays cannot be written through an iterator; `flatten` copies them."""
        raise NotImplementedError("arrays have no attribute flat; use flatten()")

    @api_boundary
    def __getitem__(self: object, index: object) -> Array:
        try:
            return gather.get(self, index)
        except Exception as error:
            if (found := gather.restated(self, index, error)) is error:
                raise
            raise found from None

    def __iter__(self: object) -> Iterator[Array]:
        return gather.iterate(self)

    def __contains__(self: object, other: object) -> bool:
        return gather.contains(self, other)

    __add__ = _binary("add", sequences=True)
    __radd__ = _binary("add", swapped=True, sequences=True)
    __sub__ = _binary("subtract")
    __rsub__ = _binary("subtract", swapped=True)
    __mul__ = _binary("multiply", sequences=True)
    __rmul__ = _binary("multiply", swapped=True, sequences=True)
    __truediv__ = _binary("true_divide")
    __rtruediv__ = _binary("true_divide", swapped=True)
    __floordiv__ = _binary("floor_divide")
    __rfloordiv__ = _binary("floor_divide", swapped=True)
    __mod__ = _binary("remainder")
    __rmod__ = _binary("remainder", swapped=True)
    __divmod__ = _binary("divmod")
    __rdivmod__ = _binary("divmod", swapped=True)
    __pow__ = _binary("power")
    __rpow__ = _binary("power", swapped=True)
    __matmul__ = _binary("matmul")
    __rmatmul__ = _binary("matmul", swapped=True)
    __and__ = _binary("bitwise_and")
    __rand__ = _binary("bitwise_and", swapped=True)
    __or__ = _binary("bitwise_or")
    __ror__ = _binary("bitwise_or", swapped=True)
    __xor__ = _binary("bitwise_xor")
    __rxor__ = _binary("bitwise_xor", swapped=True)
    __lshift__ = _binary("left_shift")
    __rlshift__ = _binary("left_shift", swapped=True)
    __rshift__ = _binary("right_shift")
    __rrshift__ = _binary("right_shift", swapped=True)

    __eq__ = _binary("equal", sequences=True)
    __ne__ = _binary("not_equal", sequences=True)
    __lt__ = _binary("less")
    __le__ = _binary("less_equal")
    __gt__ = _binary("greater")
    __ge__ = _binary("greater_equal")

    __neg__ = _unary("negative")
    __pos__ = _unary("positive")
    __abs__ = _unary("abs")
    __invert__ = _unary("bitwise_not")

    def __array_namespace__(self, *, api_version: str | None = None) -> Any:
        """Returns the namespace of the functions of arrays, for the array API standard."""
        from oakum.numpy import array_api  # not put off, as its names are special ones

        return array_api.namespace_of_arrays(api_version)

    def __round__(self: Any, ndigits: int | None = None) -> Array:
        """Rounds: to integers by `round(x)`, to a number of decimals by `round(x, n)`."""
        rounded = jnp.round(self, 0 if ndigits is None else ndigits)
        return rounded if ndigits is not None else jnp.astype(rounded, int)
