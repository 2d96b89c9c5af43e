"""The search for NaN and infinity in results, which `jax_debug_nans` and `jax_debug_infs` ask for.

The error names the operation and the user's line that it computes. Where a transformation or a
compiled program computes it, that line runs no more: each equation knows its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import config
from oakum.dtypes import Kind
from oakum.errors import InvalidNumberError
from oakum.runtime.arrays import ArrayImpl, short
from oakum.tracing.ir import ClosedJaxpr, Literal, derived_from
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.checks import check_outcomes
from oakum.values.user_frames import UserFrame, user_frame


def are_on() -> bool:
    """Returns whether results are checked here."""
    return config.debug_nans.value or config.debug_infs.value


def invalid_result(
    raws: Sequence[Any], avals: Sequence[ShapedArray], operation: str, operands: Sequence[Any]
) -> InvalidNumberError | None:
    """Returns the error of the first result of an operation that has a value that is looked for."""
    np = host.np
    for raw, aval in zip(raws, avals, strict=True):
        if aval.dtype is None or aval.dtype.kind not in (Kind.FLOAT, Kind.COMPLEX):
            continue
        if config.debug_nans.value and np.isnan(raw).any():
            if not _passes_on(np.isnan, operands):
                return _error("nan", "jax_debug_nans", operation, aval, operands)
            continue
        if config.debug_infs.value and np.isinf(raw).any() and not _passes_on(np.isinf, operands):
            return _error("inf", "jax_debug_infs", operation, aval, operands)
    return None


def _passes_on(test: Callable[[Any], Any], operands: Sequence[Any]) -> bool:
    """Whether an operand has such a value already, and the program goes on: whoever made it has
    been noted.
    """
    if not check_outcomes.are_noted():
        return False
    return any(raw.dtype.kind in "fc" and bool(test(raw).any()) for raw in operands)


def _error(
    value: str, option: str, operation: str, aval: ShapedArray, operands: Sequence[Any]
) -> InvalidNumberError:
    error = InvalidNumberError(
        f"invalid value ({value}) encountered in {operation}, which gives {short(aval)}",
        detail=f"{_operand_text(operands)}. The option {option} is on",
        frame=user_frame(),
    )
    line = derived_from()
    if line is not None and line.frame != error.frame:
        error.detail += ". A transformation of the line computes it, such as its derivative"
        _move(error, line)
    return error


def _move(error: InvalidNumberError, line: UserFrame) -> None:
    """Has an error name a line that need not be one that runs."""
    from oakum.tracing.excerpts import excerpt_of_past  # Only errors pay for it.

    error.frame, error.excerpt = line.frame, excerpt_of_past(line)


def _operand_text(operands: Sequence[Any]) -> str:
    """Returns what was wrong with the operands of an operation already."""
    np = host.np
    found: list[str] = []
    for position, raw in enumerate(operands):
        if raw.dtype.kind not in "fc" or not raw.size:
            continue
        for name, count in (("nan", np.isnan(raw).sum()), ("inf", np.isinf(raw).sum())):
            if count:
                found.append(f"operand {position} holds {name} in {count} of {raw.size} places")
    if found:
        return f"Its {' and '.join(found)}"
    if len(operands) == 1 and operands[0].size and operands[0].dtype.kind in "fiu":
        low, high = operands[0].min(), operands[0].max()
        return f"Its operand is finite, from {low:g} to {high:g}"
    return "Its operands are finite"


def settle(error: InvalidNumberError, arrays: Sequence[ArrayImpl], params: dict[str, Any]) -> None:
    """Raises or notes the error of an operation; that of a program is the error of the operation
    within that gives the value.
    """
    program = params.get("jaxpr")
    if isinstance(program, ClosedJaxpr) and _fits(program, arrays):
        error = _error_within(program, arrays, error)
    check_outcomes.settle(error)


def _fits(program: ClosedJaxpr, arrays: Sequence[ArrayImpl]) -> bool:
    """Whether a program takes the operands of the operation that holds it, as no loop's does."""
    wanted = [(aval.shape, aval.dtype) for aval in program.in_avals]
    return wanted == [(x.aval.shape, x.aval.dtype) for x in arrays]


def _error_within(
    closed: ClosedJaxpr, inputs: Sequence[ArrayImpl], found: InvalidNumberError
) -> InvalidNumberError:
    """Evaluates a program one operation at a time, and returns the error of the first that gives
    the value; what was found of the whole program where none does: a compiled one may differ.
    """
    jaxpr = closed.jaxpr
    values: dict[Any, Any] = dict(zip(jaxpr.constvars, closed.consts, strict=True))
    values.update(zip(jaxpr.invars, inputs, strict=True))
    with check_outcomes.raised():
        for eqn in jaxpr.eqns:
            operands = [x.val if isinstance(x, Literal) else values[x] for x in eqn.inputs]
            try:
                results = eqn.primitive.bind(*operands, **eqn.params)
            except InvalidNumberError as error:
                # The one of a program within names a line of its own.
                if eqn.source and "jaxpr" not in eqn.params:
                    _move(error, eqn.source[0])
                return error
            several = eqn.primitive.multiple_results
            values.update(zip(eqn.outputs, results if several else [results], strict=True))
    return found


def find_operation(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    found: InvalidNumberError,
) -> InvalidNumberError:
    """Runs a jitted function one operation at a time, so that the one that gives the value raises.

    Gives the error that was found first where none does: a compiled program may differ.
    """
    with config.disable_jit(True):
        function(*args, **kwargs)
    return found
