"""The shapes of NumPy's results: by the rules of JAX's functions of those names, and of what random
functions draw by the size that they are asked for.

NumPy promotes otherwise than JAX does, so a dtype is known only where it is asked for, or bool, or
made by a function whose results have the dtypes of JAX's under x64.
"""

from typing import Any

from oakum import dtypes
from oakum.abstract import operands
from oakum.dtypes import DType, Kind
from oakum.values import avals
from oakum.values.avals import PythonScalar, ShapedArray
from oakum.values.facts import Facts
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY, are_default, to_abstract
from oakum_lint.arrays.integer_ranges import RANGE, span_of
from oakum_lint.arrays.shape_errors import host_result
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import (
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    Array,
    Constant,
    External,
    Place,
    Scalar,
    TupleValue,
    Value,
)
from oakum_lint.jax.public_calls import bind_values, settle
from oakum_lint.models.dtypes import OBJECT_TEXTS, OBJECT_TYPES
from oakum_lint.models.host.numpy import NumpyFacts
from oakum_lint.models.host.numpy_dtypes import DRAWN_DTYPES, SAME_DTYPE_UNDER_X64
from oakum_lint.models.host.numpy_random import (
    DRAWN_BY_DIMENSIONS,
    DRAWN_SCALARS,
    DRAWS_OF_ARRAYS,
)
from oakum_lint.models.packages import in_numpy_random
from oakum_lint.syntax import nodes

OBJECTS = (*map(External, OBJECT_TYPES), *map(Constant, OBJECT_TEXTS))
"""Dtypes of arrays that hold any objects."""


def answer_on_host(
    machine: Machine, declared: Facts | None, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Any:
    """Asks the rule of JAX's function about a call of NumPy's."""
    return _answer(machine, declared, _bound(machine, declared, arguments), frame, node)


def _answer(
    machine: Machine,
    declared: Facts | None,
    bound: dict[str, Value] | None,
    frame: Frame,
    node: nodes.Node,
) -> Any:
    rule = None if declared is None else declared.rule
    if bound is None or rule is None:
        return avals.UNKNOWN
    return host_result(
        machine,
        lambda: rule({name: to_abstract(value) for name, value in bound.items()}),
        frame,
        node,
    )


def _bound(
    machine: Machine, declared: Facts | None, arguments: Arguments
) -> dict[str, Value] | None:
    return None if declared is None else bind_values(declared, settle(machine, arguments))


def host_array(
    machine: Machine, declared: Facts | None, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """The array that a function or method of NumPy returns for host data; Unknown where that holds
    objects, and so may hold tracers too.
    """
    bound = _bound(machine, declared, arguments)
    if bound is not None and bound.get("dtype") in OBJECTS:
        return UNKNOWN
    result = _answer(machine, declared, bound, frame, node)
    if declared is None or bound is None or not isinstance(result, ShapedArray):
        return Array(UNKNOWN_ARRAY, Place.HOST)
    boolean = result.dtype is not None and result.dtype.name == "bool"
    named = bound.get("dtype")
    kept = boolean or (named is not None and named != NONE)
    if declared.name.rpartition(".")[2] in SAME_DTYPE_UNDER_X64:
        kept |= are_default(bound.values())
    aval = ShapedArray(result.shape, result.dtype if kept else None, False)
    return RANGE.put(Array(aval, Place.HOST), span_of(declared.name, bound))


def drawn(machine: Machine, facts: NumpyFacts, path: str, arguments: Arguments) -> Value | None:
    """What a function of `numpy.random` draws; None of any other function."""
    name = path.rpartition(".")[2]
    if not in_numpy_random(path) or name in DRAWS_OF_ARRAYS or not arguments.complete:
        return None
    settled = settle(machine, arguments)
    dtype = _drawn_dtype(name, settled)
    if name in DRAWN_BY_DIMENSIONS:
        if not settled.positional:
            return _drawn_number(name, dtype, settled)
        shape = operands.shape(to_abstract(TupleValue(settled.positional)))
        return Array(ShapedArray(shape, dtype, False), Place.HOST)
    places = [i for i, p in enumerate(facts.parameters) if p is not None and p.name == "size"]
    if not places:
        return None
    size = settled.get(places[0], "size")
    if size is not None and size != NONE:
        shape = operands.shape(to_abstract(size))
        return Array(ShapedArray(shape, dtype, False), Place.HOST)
    if all(_is_scalar(value) for value in settled.all_values() if value is not size):
        return _drawn_number(name, dtype, settled)
    return Array(ShapedArray(None, dtype, None), Place.HOST)


def _drawn_number(name: str, dtype: DType | None, arguments: Arguments) -> Value:
    """One number, which most of these functions give as one of Python."""
    is_float = dtype is not None and dtype.kind is Kind.FLOAT
    if is_float or not (name in DRAWN_SCALARS or "dtype" in arguments.keywords):
        return FLOAT if is_float else Scalar("number") if dtype is None else INT
    return Array(ShapedArray((), dtype, False), Place.HOST)


def _drawn_dtype(name: str, arguments: Arguments) -> DType | None:
    """The dtype of what a random function draws, where its arguments do not name it by position."""
    if "dtype" in arguments.keywords:
        named = to_abstract(arguments.keywords["dtype"])
        return None if named is avals.UNKNOWN else dtypes.read(named)
    drawn, before_dtype = DRAWN_DTYPES.get(name, (None, 0))
    return drawn if len(arguments.positional) <= before_dtype else None


def _is_scalar(value: Value) -> bool:
    if isinstance(value, Array):
        return value.aval.shape == ()
    return isinstance(to_abstract(value), bool | int | float | PythonScalar)
