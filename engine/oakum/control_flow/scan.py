"""Traces and checks the body of `scan` and `map`, and binds the primitive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import config, lax
from oakum.array import Array
from oakum.control_flow.body_tracing import Body, leaves_of, trace_body
from oakum.control_flow.carry_checks import Carry, check_carry, check_structure, promoted, typed
from oakum.control_flow.scan_primitive import scan_p
from oakum.errors import (
    BodyError,
    ConcretizationTypeError,
    InvalidValueError,
    LeadingAxisError,
    LoopValueError,
    StaticSizeError,
)
from oakum.primitives.rules.loop_invariants import scan_step as scan_forwarding
from oakum.pytrees import pytree
from oakum.pytrees.treedef import PyTreeDef
from oakum.tracing.jaxpr_trace import Reference
from oakum.tracing.trace import Tracer, aval_of, full_lower
from oakum.transforms import flat_functions, references
from oakum.transforms.batching.batch_trace import without_axis
from oakum.transforms.batching.vmap import vmap
from oakum.values import codes, user_frames
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass
from oakum.values.user_frames import user_frame


@dataclass(frozen=True, slots=True)
class Step:
    """The function that a scan applies, and what it is made from.

    `owner` is the user's function where `function` is made from it; programs are kept for it.
    """

    function: Callable[..., Any]
    carry: Carry
    owner: Any = None


def scan(
    function: Callable[..., Any],
    init: object,
    xs: object,
    length: int | None,
    reverse: object,
    unroll: int,
) -> Any:
    """`lax.scan`."""
    if not callable(function):
        raise InvalidValueError(
            f"lax.scan: f argument should be a callable, got {function!r}", hint="Give a function."
        )
    step = Step(function, Carry("scan body", function))
    return scan_step(step, init, xs, length, reverse, unroll)


def scan_step(
    step: Step, init: object, xs: object, length: int | None, reverse: object, unroll: int
) -> Any:
    """Returns a scan whose function may be made from the user's."""
    slices, xs_tree = leaves_of(xs)
    if any(isinstance(x, Reference) for x in slices):
        return _over_references(step, init, (slices, xs_tree), length, reverse, unroll)
    init_leaves, init_tree = leaves_of(init)
    init_avals = [aval_of(x) for x in init_leaves]
    xs_avals = [aval_of(x) for x in slices]
    length = scan_length(slices, xs_avals, length)
    if config.disable_jit.value:
        return _run_in_python(step.function, init, slices, xs_tree, length, reverse)
    slice_avals = [without_axis(a, 0) for a in xs_avals]
    body = _trace(step, (init, xs), [*init_avals, *slice_avals])
    check_structure(step.carry, init_tree, body.out_tree.children()[0])
    count = len(init_leaves)
    init_leaves, init_avals, changed = promoted(init_leaves, init_avals, body.out_avals[:count])
    if changed:
        body = _trace(step, (init, xs), [*init_avals, *slice_avals])
    out_tree = body.out_tree.children()[0]
    check_carry(step.carry, init_tree, init_avals, out_tree, body.out_avals[:count])
    unroll = _read_unroll(unroll, length)
    init_leaves = [*body.held(), *init_leaves]
    forwarding = scan_forwarding(body.jaxpr, len(body.lifted), len(init_leaves))
    constants, state = forwarding.operands(body.lifted, init_leaves)
    found = scan_p.bind(
        *constants,
        *state,
        *slices,
        jaxpr=forwarding.program,
        length=length,
        reverse=bool(reverse),
        consts=len(constants),
        carry=len(state),
        unroll=unroll,
    )
    results = forwarding.results(found, init_leaves, slices)
    return pytree.unflatten(body.out_tree, body.write_back(results))


def _over_references(
    step: Step,
    init: object,
    xs: tuple[list[Any], PyTreeDef],
    length: int | None,
    reverse: object,
    unroll: int,
) -> Any:
    """Returns a scan over slices of references: each step has references that hold a slice, and
    what it writes there becomes the slice.
    """
    leaves, treedef = xs
    passing = references.argument_references
    positions = passing.positions_of(leaves)

    def function(carry: object, values: list[Any]) -> tuple[Any, Any]:
        result: Any = None

        def call(*slices: object) -> list[Any]:
            nonlocal result
            result = step.function(carry, pytree.unflatten(treedef, slices))
            return []

        held = passing.with_references(call, positions)(*values)
        return (result[0], (held, result[1])) if flat_functions.is_pair(result) else result

    inner = Step(function, step.carry)
    values = passing.values_of(leaves)
    carry, (held, ys) = scan_step(inner, init, values, length, reverse, unroll)
    for position, value in zip(positions, held, strict=True):
        leaves[position].write(value)
    return carry, ys


def _trace(step: Step, arguments: tuple[Any, Any], avals: Sequence[ShapedArray]) -> Body:
    body = trace_body(step.function, arguments, avals, transform="scan", owner=step.owner)
    if len(body.out_tree.children()) != 2:
        shown = pytree.unflatten(body.out_tree, [typed(a) for a in body.out_avals])
        raise BodyError(
            f"scan body output must be a pair, got {shown}",
            detail=f"The body is {user_frames.place_of(step.carry.function)}",
            frame=user_frame(),
            hint=codes.CARRY_HINTS["pair"],
        )
    return body


def scan_length(leaves: Sequence[Any], avals: Sequence[ShapedArray], length: int | None) -> int:
    """Returns the number of steps, from the leading axes of what is scanned and from what is asked
    for.
    """
    scalars = [x for x, a in zip(leaves, avals, strict=True) if not a.shape]
    if scalars:
        raise LeadingAxisError(
            f"scan got value with no leading axis to scan over: {', '.join(map(str, scalars))}",
            detail=f"`xs` has {', '.join(str(aval_of(each)) for each in scalars)}",
            frame=user_frame(),
            hint="Give arrays of at least one dimension as xs; for steps alone, xs=None, length=n.",
        )
    sizes: list[Any] = [a.shape[0] for a in avals if a.shape]
    if length is not None:
        wanted = _concrete_length(length)
        if any(size != wanted for size in sizes):
            raise LoopValueError(
                f"scan got `length` argument of {wanted} which disagrees with leading axis sizes "
                f"{sizes}",
                frame=user_frame(),
                hint="Leave length out, or give the size of the leading axes.",
            )
        return wanted
    if len(set(sizes)) > 1:
        raise LoopValueError(
            f"scan got values with different leading axis sizes: {', '.join(map(str, sizes))}",
            frame=user_frame(),
            hint="Give arrays whose leading axes have one size.",
        )
    if not sizes:
        raise LoopValueError(
            "scan got no values to scan over and `length` not provided",
            frame=user_frame(),
            hint="Give xs, or length.",
        )
    return sizes[0]


def _concrete_length(length: int) -> int:
    try:
        return int(length)
    except ConcretizationTypeError:
        raise StaticSizeError(
            f"The `length` argument to `scan` expects a concrete `int` value, and got {length}. "
            "For scan-like iteration with a dynamic length, use `while_loop` or `fori_loop`",
            frame=user_frame(),
            hint="Take the length from x.shape, or make the argument static.",
        ) from None


def _read_unroll(unroll: int, length: int) -> int:
    """Returns how many steps to unroll; the results do not depend on it."""
    if isinstance(full_lower(unroll), Tracer):
        raise StaticSizeError(
            "The `unroll` argument to `scan` expects a concrete `int` or `bool` value, and got "
            f"{unroll}",
            frame=user_frame(),
            hint="Make the argument static.",
        )
    if isinstance(unroll, bool):
        return max(length, 1) if unroll else 1
    if unroll < 0:
        raise LoopValueError(
            f"`unroll` must be a `bool` or a non-negative `int`, got {unroll}",
            frame=user_frame(),
            hint="Give True, False or a number of steps.",
        )
    return int(unroll)


def _run_in_python(
    function: Callable[..., Any],
    carry: object,
    slices: Sequence[Any],
    xs_tree: PyTreeDef,
    length: int,
    reverse: object,
) -> Any:
    """Returns a loop of Python's, for `disable_jit`."""
    if length == 0:
        raise LoopValueError(
            "zero-length scan is not supported in disable_jit() mode because the output type is "
            "unknown",
            frame=user_frame(),
            hint="Scan over at least one element, or leave jit on.",
        )
    results: list[Any] = []
    for i in range(length - 1, -1, -1) if reverse else range(length):
        part = [lax.index_in_dim(x, i, keepdims=False) for x in slices]
        carry, result = function(carry, pytree.unflatten(xs_tree, part))
        results.append(result)
    if reverse:
        results.reverse()
    return carry, pytree.map(lambda *ys: _stack(ys), results[0], *results[1:])


def _stack(parts: Sequence[Any]) -> Any:
    return lax.concatenate([lax.expand_dims(part, (0,)) for part in parts], 0)


def map_function(function: Callable[..., Any], xs: object, batch_size: int | None) -> Any:
    """`lax.map`."""
    if batch_size is None:
        return _scan_over(function, function, xs)

    def merged(batches: Array) -> Any:
        return lax.reshape(batches, (done, *batches.shape[2:]))

    def joined(first: Array, second: Array) -> Any:
        return lax.concatenate([first, second], 0)

    leaves, treedef = leaves_of(xs)
    mapped = vmap(function, 0, 0, None, None, None)
    if not leaves:
        return _scan_over(function, mapped, xs)
    total = scan_length(leaves, [aval_of(x) for x in leaves], None)
    steps = total // batch_size if batch_size else 0
    done = steps * batch_size
    rest = [lax.slice_in_dim(x, done, total, axis=0) for x in leaves]
    if not steps:
        return mapped(pytree.unflatten(treedef, rest))
    batches = [
        lax.reshape(x, (steps, batch_size, *x.shape[1:]))
        for x in (lax.slice_in_dim(x, 0, done, axis=0) for x in leaves)
    ]
    results = _scan_over(function, mapped, pytree.unflatten(treedef, batches))
    results = pytree.map(merged, results)
    if done == total:
        return results
    remainder = mapped(pytree.unflatten(treedef, rest))
    return pytree.map(joined, results, remainder)


def _scan_over(owner: object, function: Callable[..., Any], xs: object) -> Any:
    def step(_: object, x: object) -> Any:
        return (), function(x)

    owned = Step(step, Carry("map body", function), owner=owner if owner is function else None)
    return scan_step(owned, (), xs, None, False, 1)[1]
