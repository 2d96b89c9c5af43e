"""Large arrays that a jitted function reads from outside: `captured_constants_warn_bytes`.

Such an array is part of the compiled program: it is kept with each program that is made of the
function, and the program does not see it when the variable gets another array.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import Any, Final

from oakum import config
from oakum.errors import CapturedConstantsWarning
from oakum.tracing import compile_logging
from oakum.tracing.ir import ClosedJaxpr, subprograms
from oakum.tracing.trace import Tracer
from oakum.values import codes
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import name_of

_SHOWN: Final = 5


def warn(function: Callable[..., Any], program: ClosedJaxpr) -> None:
    """Warns of a program whose constants are larger together than the option allows."""
    limit = config.captured_constants_warn_bytes.value
    if limit < 0:
        return
    sizes = {id(const): (int(const.nbytes), const) for const in _constants(program)}
    total = sum(size for size, _ in sizes.values())
    if total < limit or not sizes:
        return
    names = _names(function)
    largest = sorted(sizes.values(), key=lambda each: -each[0])
    shown = [_described(size, const.aval, names.get(id(const))) for size, const in largest[:_SHOWN]]
    more = f", and {len(largest) - _SHOWN} more" if len(largest) > _SHOWN else ""
    code = codes.CAPTURED_CONSTANT
    warnings.warn(
        f"`{name_of(function)}`, called{compile_logging.place()}, captures {_bytes(total)} of "
        f"constants: {', '.join(shown)}{more}. {code.hint} The option "
        f"jax_captured_constants_warn_bytes is {limit}; -1 turns this off. ({code} {code.name}: "
        f"{code.command})",
        CapturedConstantsWarning,
        stacklevel=2,
    )


def _constants(program: ClosedJaxpr) -> Iterator[Any]:
    """Yields the arrays of a program and of those in it."""
    waiting: list[Any] = [program]
    while waiting:
        each = waiting.pop()
        if isinstance(each, ClosedJaxpr):
            yield from (const for const in each.consts if _is_array(const))
            each = each.jaxpr
        for equation in each.eqns:
            waiting += subprograms(equation.params)


def _is_array(const: object) -> bool:
    return not isinstance(const, Tracer) and getattr(const, "shape", None) not in (None, ())


def _names(function: Callable[..., Any]) -> dict[int, str]:
    """Returns how a function calls the objects that it reads from outside, by their ids."""
    inner = inspect.unwrap(function)
    if not isinstance(inner, FunctionType):
        return {}
    code = inner.__code__
    outside: Mapping[str, object] = inner.__globals__
    names = {id(outside[name]): name for name in code.co_names if name in outside}
    for name, cell in zip(code.co_freevars, inner.__closure__ or (), strict=True):
        try:
            names[id(cell.cell_contents)] = name
        except ValueError:  # Nothing was assigned yet.
            continue
    return names


def _described(size: int, aval: ShapedArray, name: str | None) -> str:
    text = f"{compile_logging.described(aval)}, {_bytes(size)}"
    return f"`{name}` ({text})" if name else text


def _bytes(size: int) -> str:
    """Returns a size in words.

    >>> _bytes(512), _bytes(4_000_000)
    ('512 bytes', '4.0 MB')
    """
    for unit, factor in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= factor:
            return f"{size / factor:.1f} {unit}"
    return f"{size} bytes"
