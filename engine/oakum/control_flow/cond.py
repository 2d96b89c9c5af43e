"""Traces and checks the branches of `cond` and `switch`, and binds the primitive."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import config, dtypes, lax
from oakum.control_flow.body_tracing import Body, leaves_of, share_references, trace_body
from oakum.control_flow.carry_checks import Branch, check_branches
from oakum.control_flow.cond_primitive import cond_p
from oakum.dtypes import Kind
from oakum.errors import InvalidValueError, LoopValueError, PlatformError, PredicateError
from oakum.lax.conversion import staged
from oakum.primitives.rules.loop_invariants import as_result, branch_programs
from oakum.pytrees import pytree
from oakum.runtime.topology import devices
from oakum.tracing.ir import ClosedJaxpr, Jaxpr, Var
from oakum.tracing.jaxpr_trace import Reference
from oakum.tracing.trace import Tracer, aval_of, full_lower, is_evaluating
from oakum.transforms import references
from oakum.typing import ArrayLike
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import user_frame

_MEND = "Reduce the condition with jnp.any or jnp.all; map with jax.vmap to choose per element."


def cond(
    pred: object, true_fun: object, false_fun: object, operands: tuple[Any, ...], operand: object
) -> Any:
    """`lax.cond`."""
    if not (callable(true_fun) and callable(false_fun)):
        return _legacy_cond(pred, true_fun, false_fun, operands)
    operands = _operands(operands, operand)
    condition = _condition(pred)
    if config.disable_jit.value and not isinstance(full_lower(condition), Tracer):
        return true_fun(*operands) if condition else false_fun(*operands)
    index = lax.convert_element_type(condition, dtypes.int32)
    names = ("false_fun", "true_fun")
    return _choose("cond", index, (false_fun, true_fun), names, operands, first=1)


def _legacy_cond(pred: object, x_true: object, f_true: object, operands: tuple[Any, ...]) -> Any:
    """Returns the old form `cond(pred, x_true, f_true, x_false, f_false)`."""
    if not (callable(f_true) and len(operands) == 2 and callable(operands[1])):
        raise InvalidValueError(
            "lax.cond: true_fun and false_fun arguments should be callable, got "
            f"{x_true!r} and {f_true!r}",
            frame=user_frame(),
            hint="Write lax.cond(pred, true_fun, false_fun, *operands).",
        )
    x_false, f_false = operands

    def true_fun(x: object, _: object) -> Any:
        return f_true(x)

    def false_fun(_: object, x: object) -> Any:
        return f_false(x)

    return cond(pred, true_fun, false_fun, (x_true, x_false), pytree.ABSENT)


def _operands(operands: tuple[Any, ...], operand: object) -> tuple[Any, ...]:
    if operand is pytree.ABSENT:
        return operands
    if operands:
        raise InvalidValueError(
            "if 'operand' keyword is passed then no positional operands can be passed, got "
            f"operand={operand!r} and positional operands {operands}",
            frame=user_frame(),
            hint="Pass all operands by position.",
        )
    return (operand,)


def _condition(pred: object) -> Any:
    """Returns the condition as a boolean scalar."""
    if pred is None:
        raise PredicateError(
            "cond predicate is None",
            frame=user_frame(),
            hint="Give a boolean scalar: None is no array.",
        )
    if isinstance(pred, (Sequence, str)):
        raise PredicateError(
            f"Pred must be a scalar, got {pred} of type {type(pred)}",  # pyright: ignore[reportUnknownArgumentType]
            frame=user_frame(),
            hint=_MEND,
        )
    aval = _scalar_aval(pred, "Pred type must be either boolean or number")
    if aval.shape != ():
        raise PredicateError(
            f"Pred must be a scalar, got {pred} of shape {aval.shape}",
            frame=user_frame(),
            hint=_MEND,
        )
    assert aval.dtype is not None
    if aval.dtype.kind is Kind.BOOL:
        return pred
    if aval.dtype.kind not in (Kind.INT, Kind.UINT, Kind.FLOAT):
        raise PredicateError(
            f"Pred type must be either boolean or number, got {aval.dtype}",
            frame=user_frame(),
            hint="Compare the value with another.",
        )
    return pred != 0


def _scalar_aval(value: object, text: str) -> ShapedArray:
    try:
        return aval_of(value)
    except InvalidValueError:
        raise PredicateError(
            f"{text}, got {value}", frame=user_frame(), hint="Give a scalar."
        ) from None


def switch(
    index: ArrayLike,
    branches: Sequence[Callable[..., Any]],
    operands: tuple[Any, ...],
    operand: object,
) -> Any:
    """`lax.switch`."""
    if not all(callable(branch) for branch in branches):
        raise InvalidValueError(
            f"lax.switch: branches argument should be a sequence of callables, got {branches!r}",
            frame=user_frame(),
            hint="Give a sequence of functions.",
        )
    operands = _operands(operands, operand)
    branches = tuple(branches)
    _check_index(index)
    if not branches:
        raise LoopValueError(
            "Empty branch sequence: switch has no function to call",
            frame=user_frame(),
            hint="Give at least one function.",
        )
    if len(branches) == 1:
        return branches[0](*operands)
    zero, last = (_int32(value) for value in (0, len(branches) - 1))
    clamped = lax.clamp(zero, lax.convert_element_type(index, dtypes.int32), last)
    return switch_clamped(clamped, branches, operands)


def _int32(value: int) -> Any:
    return lax.convert_element_type(value, dtypes.int32)


def _check_index(index: object) -> None:
    if isinstance(index, (list, tuple)):
        shape = (len(index),)  # pyright: ignore[reportUnknownArgumentType]
    else:
        aval = _scalar_aval(index, "Index type must be an integer")
        assert aval.dtype is not None
        assert aval.shape is not None
        shape = aval.shape
        if shape == () and aval.dtype.kind not in (Kind.INT, Kind.UINT):
            raise PredicateError(
                f"Index type must be an integer, got {index} as {aval.dtype}",
                frame=user_frame(),
                hint="Convert the index with astype, or use lax.cond for a boolean.",
            )
    if shape != ():
        raise PredicateError(
            f"Branch index must be scalar, got {index} of shape {shape}",
            frame=user_frame(),
            hint="Give one integer; map with jax.vmap to choose per element.",
        )


def switch_clamped(
    index: object, branches: Sequence[Callable[..., Any]], operands: tuple[Any, ...]
) -> Any:
    """`switch` with an index that is an int32 in range."""
    value = full_lower(index)
    if config.disable_jit.value and not isinstance(value, Tracer):
        return branches[int(value)](*operands)
    names = ["branch 0", *(f"branch{i}" for i in range(1, len(branches)))]
    return _choose("switch", index, branches, names, operands, first=0)


def _choose(
    what: str,
    index: object,
    functions: Sequence[Callable[..., Any]],
    names: Sequence[str],
    operands: tuple[Any, ...],
    first: int,
) -> Any:
    """Applies the function that an index chooses; messages compare the others with the first."""
    leaves, treedef = leaves_of(operands)
    held = {at: x for at, x in enumerate(leaves) if isinstance(x, Reference)}
    if held:
        holding = references.argument_references.holding
        functions = [holding(function, treedef, held) for function in functions]
        leaves = [x for at, x in enumerate(leaves) if at not in held]
        operands = tuple(leaves)
    avals = [aval_of(x) for x in leaves]
    order = [first, *(i for i in range(len(functions)) if i != first)]
    bodies = {i: trace_body(functions[i], operands, avals, transform=what) for i in order}
    seen = {i: Branch(names[i], functions[i], b.out_tree, b.out_avals) for i, b in bodies.items()}
    for i in order[1:]:
        check_branches(what, seen[first], seen[i])
    ordered = [bodies[i] for i in range(len(functions))]
    sharing = share_references(ordered, [True] * len(ordered))
    programs, lifted = _merge_constants(sharing)
    programs, sources = branch_programs(programs)
    given = [*lifted, *sharing[first].held(), *leaves]
    found = iter(cond_p.bind(index, *given, branches=programs))
    # What all branches hand on is a result of the operator: where operations are staged, a tracer.
    results = [next(found) if i is None else staged(as_result(given[i])) for i in sources]
    return pytree.unflatten(bodies[first].out_tree, sharing[first].write_back(results))


def _merge_constants(bodies: Sequence[Body]) -> tuple[tuple[ClosedJaxpr, ...], list[Any]]:
    """Returns the programs with all tracers that one of them closes over as arguments,
    each once.
    """
    lifted = {id(x): x for body in bodies for x in body.lifted}
    if not lifted:
        return tuple(body.jaxpr for body in bodies), []
    return tuple(_taking(body, lifted) for body in bodies), list(lifted.values())


def _taking(body: Body, lifted: dict[int, Any]) -> ClosedJaxpr:
    """Returns a program that takes tracers that it does not use too."""
    old = body.jaxpr.jaxpr
    own = dict(zip([id(x) for x in body.lifted], old.invars, strict=False))
    shared = [own[i] if i in own else Var(aval_of(x)) for i, x in lifted.items()]
    invars = [*shared, *old.invars[len(own) :]]
    jaxpr = Jaxpr(old.constvars, invars, old.outvars, old.eqns, old.name)
    return ClosedJaxpr(jaxpr, body.jaxpr.consts)


def platform_dependent(
    args: tuple[Any, ...],
    default: Callable[..., Any] | None,
    per_platform: dict[str, Callable[..., Any]],
) -> Any:
    """`lax.platform_dependent`."""
    _check_platforms(default, per_platform)
    platform = devices.get_backend().platform
    names = {"gpu": ("cuda", "rocm")}.get(platform, (platform,))
    chosen = next((name for name in names if name in per_platform), None)
    function = default if chosen is None else per_platform[chosen]
    if function is None:
        raise PlatformError(
            f"translation rule for platform_dependent not found for platform {platform}: functions "
            f"are given for {', '.join(per_platform) or 'none'}",
            frame=user_frame(),
            hint="Give a default.",
        )
    if is_evaluating():
        return function(*args)
    given = [*per_platform.values(), *([default] if default else [])]
    functions: list[Callable[..., Any]] = list(dict.fromkeys(given))
    if len(functions) == 1:
        return function(*args)
    return switch_clamped(_int32(functions.index(function)), functions, args)


def _check_platforms(
    default: Callable[..., Any] | None, per_platform: dict[str, Callable[..., Any]]
) -> None:
    for name, function in per_platform.items():
        if not callable(function):
            raise InvalidValueError(
                f"lax.platform_dependent: the {name!r} branch must be a callable, got {function!r}",
                frame=user_frame(),
                hint="Give a function.",
            )
        if name == "gpu":
            raise LoopValueError(
                "Use 'cuda' or 'rocm' for lax.platform_dependent: 'gpu' is no platform's name",
                frame=user_frame(),
                hint="Write cuda=... and rocm=...",
            )
    if default is not None and not callable(default):
        raise InvalidValueError(
            f"lax.platform_dependent: the 'default' branch must be a callable, got {default!r}",
            frame=user_frame(),
            hint="Give a function.",
        )
