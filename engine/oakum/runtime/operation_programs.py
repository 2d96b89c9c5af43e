"""Programs of one operation: of loops, of what compiled code may round in another way than NumPy,
and on devices on which each operation is a program.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from oakum.tracing.ir import ClosedJaxpr, Equation, Jaxpr, Var
from oakum.tracing.trace import Primitive
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass

_MOST: Final = 4096
"""So many programs are kept, each with its code; with more, all are made again."""

MOST_UNREPEATED: Final = 64
"""With so many compiled signatures of an operation or function that were not called again, others
are evaluated: to compile one takes 2 to 8 ms, to evaluate one 0.01 to 0.2, and an array that grows
has another shape at each call."""

_kept: Final[dict[Any, ClosedJaxpr]] = {}


@dataclass(slots=True)
class _Repeats:
    """An operation alone that is compiled, and whether it was called again."""

    program: ClosedJaxpr
    is_repeated: bool = False


_rounded: Final[dict[Any, _Repeats | None]] = {}
"""Operations that compiled code may round in another way: how each is computed is settled at its
first call, for as long as the process lives. None are those that NumPy evaluates."""

_unrepeated: Final[dict[Primitive, int]] = {}
"""How many programs of each primitive were called once."""


def of_rounded(
    primitive: Primitive,
    operands: tuple[ShapedArray, ...],
    results: tuple[ShapedArray, ...],
    params: Mapping[str, Any],
) -> ClosedJaxpr | None:
    """Returns the program of an operation alone that compiled code may round in another way, the
    same object for the same operation; None where it is evaluated.
    """
    # Programs that are read from text have no parameters that are None, and others in order.
    parts = [_part_of_key(*item) for item in sorted(params.items()) if item[1] is not None]
    key = (primitive, operands, results, *parts)
    try:
        found = _rounded.get(key, _rounded)
    except TypeError:  # A parameter cannot be a part of a key.
        return None
    if found is None:
        return None
    if isinstance(found, _Repeats):
        if not found.is_repeated:
            found.is_repeated = True
            _unrepeated[primitive] -= 1
        return found.program
    if len(_rounded) >= _MOST:
        return None
    count = _unrepeated.get(primitive, 0)
    if count >= MOST_UNREPEATED:
        _rounded[key] = None
        return None
    _unrepeated[primitive] = count + 1
    program = _make(primitive, operands, results, params, (), None)
    _rounded[key] = _Repeats(program)
    return program


def program_of(
    primitive: Primitive,
    operands: tuple[ShapedArray, ...],
    results: tuple[ShapedArray, ...],
    params: Mapping[str, Any],
    numbers: tuple[bool, ...],
    repeat: Primitive | None,
) -> ClosedJaxpr:
    """Returns the program of an operation, the same object for the same operation. Of operands
    that are `numbers`, it takes one element, and has another operation `repeat` it.
    """
    parts = (_part_of_key(*item) for item in params.items())
    key = (primitive, operands, results, numbers, *parts)
    try:
        found = _kept.get(key)
    except TypeError:  # A parameter cannot be a part of a key.
        return _make(primitive, operands, results, params, numbers, repeat)
    if found is None:
        if len(_kept) >= _MOST:
            _kept.clear()
        found = _kept[key] = _make(primitive, operands, results, params, numbers, repeat)
    return found


def of_loop(
    primitive: Primitive,
    operands: Sequence[ShapedArray],
    results: Sequence[ShapedArray],
    params: Mapping[str, Any],
) -> ClosedJaxpr:
    """Returns the program of a loop alone, the same object for the same loop. It is kept with the
    loop's own program, whose constants must not live longer for that.
    """
    *_, body = (value for value in params.values() if isinstance(value, ClosedJaxpr))
    parts = (_part_of_key(*item) for item in params.items() if item[1] is not body)
    key = ("loop", primitive, *operands, *parts)
    found: ClosedJaxpr | None = body.cache.get(key)
    if found is None:
        found = _make(primitive, tuple(operands), tuple(results), params, (), None)
        body.cache[key] = found
    return found


def _part_of_key(name: str, value: object) -> tuple[Any, ...]:
    """Zeros of both signs are equal, and so are 1 and True."""
    kind: object = type(value)
    return name, kind, repr(value) if isinstance(value, float) else value


def _make(
    primitive: Primitive,
    operands: tuple[ShapedArray, ...],
    results: tuple[ShapedArray, ...],
    params: Mapping[str, Any],
    numbers: tuple[bool, ...],
    repeat: Primitive | None,
) -> ClosedJaxpr:
    inputs = [Var(aval) for aval in operands]
    taken, equations = [*inputs], list[Equation]()
    for place, is_number in enumerate(numbers):
        if is_number and repeat is not None:
            taken[place] = Var(operands[place].update(shape=()))
            how = {"shape": operands[place].shape, "broadcast_dimensions": (), "sharding": None}
            equations.append(Equation(repeat, [taken[place]], [inputs[place]], how, frozenset()))
    outputs = [Var(aval) for aval in results]
    effects = frozenset[str]() if primitive.effects is None else primitive.effects(**params)
    equation = Equation(primitive, inputs, outputs, params, effects)
    return ClosedJaxpr(Jaxpr([], taken, outputs, [*equations, equation], primitive.name), [])
