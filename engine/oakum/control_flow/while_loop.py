"""Traces and checks the functions of `while_loop` and `fori_loop`, and binds the primitive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import config, dtypes, lax
from oakum.abstract.creation import counter_dtype
from oakum.array import Array
from oakum.control_flow.body_tracing import Body, leaves_of, share_references, trace_body
from oakum.control_flow.carry_checks import (
    Carry,
    agree,
    check_carry,
    check_structure,
    promoted,
    typed,
)
from oakum.control_flow.scan import Step, scan_step
from oakum.control_flow.while_primitive import while_p
from oakum.errors import BodyError, ConcretizationTypeError, InvalidValueError, LoopValueError
from oakum.lax import conversion
from oakum.primitives.rules import loop_invariants
from oakum.primitives.rules.arguments import number_like
from oakum.pytrees import pytree
from oakum.pytrees.treedef import LEAF
from oakum.tracing.trace import Tracer, aval_of, full_lower
from oakum.typing import ArrayLike
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import user_frame

_CONDITION = ShapedArray((), dtypes.bool_)


def while_loop(condition: Callable[..., Any], body: Callable[..., Any], init: object) -> Any:
    """`lax.while_loop`."""
    if not (callable(condition) and callable(body)):
        raise InvalidValueError(
            "lax.while_loop: body_fun and cond_fun arguments should be callable, got "
            f"{condition!r} and {body!r}",
            hint="Give two functions.",
        )
    if config.disable_jit.value:
        try:
            return _run_in_python(condition, body, init)
        except ConcretizationTypeError:
            pass  # The condition is traced: vmap or an enclosing loop.
    return _stage(condition, body, init, Carry("while_loop body", body))


def _run_in_python(condition: Callable[..., Any], body: Callable[..., Any], init: object) -> Any:
    state = pytree.map(_array, init)
    while condition(state):
        state = pytree.map(_array, body(state))
    return state


def _array(value: object) -> Any:
    aval = aval_of(value)
    assert aval.dtype is not None
    return conversion.converted(value, aval.dtype, bool(aval.weak_type))


def _stage(
    condition: Callable[..., Any],
    body: Callable[..., Any],
    init: object,
    carry: Carry,
    owner: Callable[..., Any] | None = None,
) -> Any:
    leaves, treedef = leaves_of(init)
    avals = [aval_of(x) for x in leaves]
    for_condition, for_body = _trace(condition, body, init, avals, owner)
    check_structure(carry, treedef, for_body.out_tree)
    leaves, avals, changed = promoted(leaves, avals, for_body.out_avals)
    if changed:
        for_condition, for_body = _trace(condition, body, init, avals, owner)
    check_carry(carry, treedef, avals, for_body.out_tree, for_body.out_avals)
    leaves = [*for_body.held(), *leaves]
    loop = loop_invariants.while_loop(
        for_condition.jaxpr, len(for_condition.lifted), for_body.jaxpr, len(for_body.lifted)
    )
    first, second, state = loop.operands(for_condition.lifted, for_body.lifted, leaves)
    found = while_p.bind(
        *first,
        *second,
        *state,
        cond_jaxpr=loop.condition,
        body_jaxpr=loop.body,
        cond_consts=len(first),
        body_consts=len(second),
    )
    results = loop.results(found, leaves)
    return pytree.unflatten(for_body.out_tree, for_body.write_back(results))


def _trace(
    condition: Callable[..., Any],
    body: Callable[..., Any],
    init: object,
    avals: Sequence[ShapedArray],
    owner: Callable[..., Any] | None,
) -> tuple[Body, Body]:
    for_condition = trace_body(condition, (init,), avals, transform="while_cond")
    for_body = trace_body(body, (init,), avals, transform="while_loop", owner=owner)
    hint = "Compare the state's leaves, and reduce with jnp.any or jnp.all."
    if for_condition.out_tree != LEAF:
        raise BodyError(
            f"cond_fun must return a boolean scalar, but got pytree {for_condition.out_tree}",
            frame=user_frame(),
            hint=hint,
        )
    (aval,) = for_condition.out_avals
    if not agree(aval, _CONDITION):
        weak = ", weak_type=True" if aval.weak_type else ""
        raise BodyError(
            "cond_fun must return a boolean scalar, but got output type(s) "
            f"[ShapedArray({typed(aval)}{weak})]",
            frame=user_frame(),
            hint=hint,
        )
    _check_condition(for_condition)
    for_condition, for_body = share_references((for_condition, for_body), (False, True))
    return for_condition, for_body


def _check_condition(condition: Body) -> None:
    """Raises BodyError where the condition writes to a reference from outside."""
    first = condition.jaxpr.jaxpr.invars[len(condition.lifted) :]
    held = zip(condition.references, first, condition.jaxpr.jaxpr.outvars, strict=False)
    for reference, before, after in held:
        if before is not after:
            raise BodyError(
                f"cond_fun writes to a reference of type {reference.aval}",
                frame=user_frame(),
                hint="Write to it in body_fun: the condition can only read.",
            )


def fori_loop(
    lower: ArrayLike,
    upper: ArrayLike,
    body: Callable[[Any, Any], Any],
    init: object,
    unroll: int | None,
) -> Any:
    """`lax.fori_loop`: a scan where the number of steps is known, else a while loop."""
    if not callable(body):
        raise InvalidValueError(
            f"lax.fori_loop: body_fun argument should be callable, got {body!r}",
            hint="Give a function.",
        )
    dtype = counter_dtype(aval_of(lower), aval_of(upper), user_frame())
    bounds = _concrete(lower), _concrete(upper)
    if bounds[0] is not None and bounds[1] is not None:
        return _run_as_scan(bounds[0], bounds[1], body, init, unroll)
    if unroll is not None and unroll is not False and unroll != 1:
        raise LoopValueError(
            "Can only use `unroll` in `fori_loop` if the loop bounds are statically known",
            frame=user_frame(),
            hint="Give the bounds as Python integers, or leave unroll out.",
        )

    def step(state: Any) -> Any:
        i, end, value = state
        return lax.add(i, number_like(i, 1)), end, body(i, value)

    start = (_convert_bound(lower, dtype), _convert_bound(upper, dtype), init)
    return while_fori(step, start, body)


def while_fori(step: Callable[..., Any], start: object, body: Callable[..., Any]) -> Any:
    """Returns the while loop of a `fori_loop`; `body` is the user's function."""
    carry = Carry("fori_loop body", body, position=1, depth=1)
    if config.disable_jit.value:
        try:
            return _run_in_python(_goes_on, step, start)[2]
        except ConcretizationTypeError:
            pass
    return _stage(_goes_on, step, start, carry, owner=body)[2]


def _goes_on(state: tuple[Array, Array, object]) -> Any:
    i, end, _ = state
    return lax.lt(i, end)


def _run_as_scan(
    lower: int, upper: int, body: Callable[..., Any], init: object, unroll: int | None
) -> Any:
    length = max(upper - lower, 0)
    if config.disable_jit.value and length == 0:
        return init

    def step(state: Any, _: object) -> Any:
        i, value = state
        return (i + 1, body(i, value)), None

    carry = Carry("fori_loop body", body, position=1, depth=1)
    owned = Step(step, carry, owner=body)
    (_, result), _ = scan_step(
        owned, (lower, init), None, length, False, False if unroll is None else unroll
    )
    return result


def _concrete(bound: object) -> int | None:
    """Returns the bound of a loop as an int; None where it is traced or is no integer."""
    value = full_lower(bound)
    if isinstance(value, Tracer):
        return None
    try:
        return int(value)
    except TypeError:
        return None


def _convert_bound(bound: ArrayLike, dtype: object) -> Any:
    return bound if aval_of(bound).dtype is dtype else lax.convert_element_type(bound, dtype)
