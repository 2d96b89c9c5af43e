"""Functions with a forward derivative rule of their own."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from oakum.errors import InvalidValueError, OakumError
from oakum.primitives.rules.batching import move
from oakum.primitives.rules.symbolic_zeros import (
    Zero,
    add_tangents,
    instantiate,
    tangent_aval,
    zero_of,
)
from oakum.pytrees import pytree
from oakum.tracing import function_names, subprogram_checks
from oakum.tracing.ir import ClosedJaxpr, run_closed
from oakum.tracing.jaxpr_trace import StagingTrace, hoist, stage
from oakum.tracing.trace import AxisData, Primitive, aval_of, current_axes, current_trace, only_axes
from oakum.transforms import flat_functions
from oakum.transforms.autodiff.partial_eval import PartialTrace
from oakum.transforms.batching.batch_trace import batch_fully, batch_jaxpr, without_axis
from oakum.transforms.custom_rules.symbolic_zeros import SymbolicZero
from oakum.transforms.jit.jit_primitive import axes_of, effects_of, jit_p
from oakum.values import codes
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass
from oakum.values.user_frames import user_frame

Rule = Callable[..., Any]


class MissingRuleError(OakumError, AttributeError):
    """A function that should have a derivative rule of its own has none yet."""

    default_code = codes.OPERATION_WITHOUT_RULE


class RuleResultError(OakumError, TypeError, ValueError):
    """A derivative rule gives something of another form than it has to."""

    default_code = codes.SHAPE_MISMATCH


@dataclass(frozen=True, slots=True)
class Info:
    """What traces have to know of the rule."""

    name: str
    symbolic_zeros: bool = False
    differentiate: Any = None
    """How a reverse rule gives tangents that wait for it."""

    def record(
        self,
        trace: StagingTrace,
        function: Callable[..., Any],
        jvp: Rule,
        operands: Sequence[Any],
    ) -> list[Any]:
        """Records a call of a function with a forward rule."""
        return record(trace, function, jvp, operands, self)

    def batched(self, jvp: Rule, axis: AxisData, dims: Sequence[int | None]) -> Rule:
        """The forward rule of the mapped function."""
        return batched_jvp(jvp, axis, dims)


class RuledFunction(flat_functions.FlatFunction):
    """A flat function that keeps the avals of its last results: those of its rule are the same."""

    __slots__ = ("out_avals",)

    out_avals: list[ShapedArray] | None

    def __call__(self, *leaves: Any) -> list[Any]:
        results = super().__call__(*leaves)
        self.out_avals = [aval_of(x) for x in results]
        return results

    def check_primals(self, primals: Sequence[Any], what: str) -> None:
        """Raises TypeError where a rule gives a result of another shape or dtype."""
        for primal, wanted in zip(primals, getattr(self, "out_avals", None) or (), strict=False):
            given = aval_of(primal)
            if (given.shape, given.dtype) != (wanted.shape, wanted.dtype):
                raise RuleResultError(
                    f"{what} must produce a pair where the first element represents the primal "
                    "output, with the shapes and dtypes of the function's own output: expected "
                    f"{wanted}, but got {given}",
                    hint="Return the function's own result as the first of the pair.",
                )


def resolve(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> list[Any]:
    """The arguments of a call by position, as rules want them."""
    if not kwargs:
        parameters = flat_functions.signature_of(function)
        if not any(p.default is not p.empty for p in parameters[len(args) :]):
            return list(args)
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except ValueError:
        return list(args)
    bound.apply_defaults()
    if bound.kwargs:
        raise InvalidValueError(
            f"The following keyword arguments of {function_names.name_of(function)} could not be "
            f"resolved to positions: {', '.join(bound.kwargs)}",
            hint="A function with a derivative rule takes positional parameters only.",
            frame=user_frame(),
        )
    return list(bound.args)


def split_arguments(
    function: Callable[..., Any], args: Sequence[Any], numbers: Sequence[int]
) -> tuple[list[Any], list[Any], Callable[..., Any]]:
    """The arguments that are differentiated, the others, and the function of the first alone."""
    places = {n % len(args) for n in numbers if -len(args) <= n < len(args)}
    kept = [x for i, x in enumerate(args) if i not in places]
    static = [x for i, x in enumerate(args) if i in places]
    # Programs keep the function: it must hold no tracer, and so none of the other arguments.
    fixed = [i in places for i in range(len(args))]

    @functools.wraps(function)
    def partial(*dynamic: Any) -> Any:
        values, others = iter(dynamic), iter(static)
        return function(*(next(others if each else values) for each in fixed))

    return kept, static, partial


def call(
    function: Callable[..., Any],
    rule: Rule,
    numbers: Sequence[int],
    args: Sequence[Any],
    symbolic_zeros: bool,
) -> Any:
    """Calls a function that has a forward rule."""
    name = function_names.name_of(function)
    dynamic, static, partial = split_arguments(function, args, numbers)
    leaves, treedef = pytree.flatten(tuple(dynamic))
    flat = RuledFunction(partial, treedef, keywords=False)
    info = Info(name, symbolic_zeros)

    def jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        given = [_symbolic(t) for t in tangents] if symbolic_zeros else tangents
        pair = rule(*static, pytree.unflatten(treedef, primals), pytree.unflatten(treedef, given))
        return _rule_result(pair, flat, name)

    results = current_trace().process_custom_jvp(flat, jvp, leaves, info)
    return pytree.unflatten(flat.out_tree, results)


def _symbolic(tangent: Any) -> Any:
    return SymbolicZero(tangent.aval) if isinstance(tangent, Zero) else tangent


def _rule_result(pair: Any, flat: RuledFunction, name: str) -> tuple[list[Any], list[Any]]:
    if not flat_functions.is_pair(pair):
        raise RuleResultError(
            f"Custom JVP rule of {name} must produce a pair (list or tuple of length two) "
            f"representing primal and tangent outputs, but got {pair}",
            hint="Return (primal_out, tangent_out).",
        )
    primals, tree = pytree.flatten(pair[0])
    tangents, tangent_tree = pytree.flatten(pair[1])
    if tree != tangent_tree:
        raise RuleResultError(
            f"Custom JVP rule of {name} must produce primal and tangent outputs with equal "
            f"container (pytree) structures, but got {tree} and {tangent_tree} respectively",
            hint="Return a tangent for each result.",
        )
    if flat.out_tree is not None and tree != flat.out_tree:
        raise RuleResultError(
            f"Custom JVP rule of {name} must produce a pair (primal_out, tangent_out) where the "
            f"primal_out has the structure of the function's output: {tree} and {flat.out_tree}",
            hint="Return the function's own result as the first of the pair.",
        )
    flat.check_primals(primals, f"Custom JVP rule of {name}")
    flat.out_tree = tree
    return primals, [_check_tangent(p, t, name) for p, t in zip(primals, tangents, strict=True)]


def _check_tangent(primal: Any, tangent: Any, name: str) -> Any:
    from oakum import lax

    aval = aval_of(primal)
    wanted = tangent_aval(aval)
    if isinstance(tangent, (SymbolicZero, Zero)):
        return Zero(wanted)
    given = aval_of(tangent)
    if given.shape != wanted.shape or given.dtype is not wanted.dtype:
        if given.shape == wanted.shape and given.weak_type and wanted.dtype is not None:
            return lax.convert_element_type(tangent, wanted.dtype)
        raise RuleResultError(
            f"Custom JVP rule of {name} must produce primal and tangent outputs with corresponding "
            f"shapes and dtypes. Expected {wanted} (tangent type of {aval}) but got {given}",
            hint="Give the tangent the shape and dtype of the result.",
        )
    return tangent


def _zeros_like(primal: Any) -> Any:
    return instantiate(zero_of(primal))


def by_argument(function: Any, rules: Sequence[Rule | None]) -> Rule:
    """The rule made of one for each argument: `rule(tangent, result, *primals)`."""

    def jvp(primals: Any, tangents: Any) -> tuple[Any, Any]:
        out = function(*primals)
        parts = [
            rule(t, out, *primals)
            for rule, t in zip(rules, tangents, strict=True)
            if rule is not None
        ]
        total = (
            functools.reduce(lambda a, b: pytree.map(add_tangents, a, b), parts) if parts else None
        )
        if total is None:
            total = pytree.map(_zeros_like, out)
        return out, total

    if function.nondiff_argnums:
        raise InvalidValueError(
            f"Can't use defjvps with nondiff_argnums: {function_names.name_of(function)}",
            hint="Use defjvp.",
        )
    return jvp


def zero_from_primal(value: Any, symbolic_zeros: bool) -> Any:
    """The zero tangent of a value."""
    zero = zero_of(value)
    return _symbolic(zero) if symbolic_zeros else instantiate(zero)


def _abstract(*avals: ShapedArray, jaxpr: ClosedJaxpr, **_: Any) -> list[ShapedArray]:
    return subprogram_checks.applied("custom_jvp_call", jaxpr, avals)


def _evaluate(xp: Any, *operands: Any, jaxpr: ClosedJaxpr, **_: Any) -> list[Any]:
    return run_closed(xp, jaxpr, operands)


def _jvp(
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    jaxpr: ClosedJaxpr,
    jvp: Rule,
    info: Info,
    lifted: int,
    axes: Any,
) -> tuple[list[Any], list[Any]]:
    given = tangents if info.symbolic_zeros else [instantiate(t) for t in tangents]
    with only_axes(current_axes() or axes):
        return jvp(primals[lifted:], given[lifted:])


def _partial(
    trace: PartialTrace, operands: Sequence[Any], *, jaxpr: ClosedJaxpr, **_: Any
) -> list[Any]:
    return trace.record(jit_p, operands, {"jaxpr": jaxpr, "name": jaxpr.jaxpr.name})


def batched_jvp(jvp: Rule, axis: AxisData, dims: Sequence[int | None]) -> Rule:
    """The rule of a mapped function: results and tangents all have the mapped axis first."""

    def rule(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        count = len(primals)

        def flat(*both: Any) -> list[Any]:
            given = iter(both[count:])
            parts = [
                Zero(without_axis(t.aval, d)) if isinstance(t, Zero) else next(given)
                for t, d in zip(tangents, dims, strict=True)
            ]
            out, tangents_out = jvp(list(both[:count]), parts)
            return [*out, *map(instantiate, tangents_out)]

        pairs = zip(tangents, dims, strict=True)
        nonzero = [(t, d) for t, d in pairs if not isinstance(t, Zero)]
        values = [*primals, *(t for t, _ in nonzero)]
        results = batch_fully(flat, axis, values, [*dims, *(d for _, d in nonzero)])
        half = len(results) // 2
        out = results[:half]
        avals = [tangent_aval(aval_of(x)) for x in out]
        return out, [
            Zero(a) if a.dtype is not aval_of(x).dtype else t
            for x, t, a in zip(out, results[half:], avals, strict=True)
        ]

    return rule


def _batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    jaxpr: ClosedJaxpr,
    jvp: Rule,
    lifted: int,
    **params: Any,
) -> tuple[list[Any], list[int | None]]:
    program, mapped = batch_jaxpr(jaxpr, axis, [d is not None for d in dims], True)
    moved = [x if d is None else move(x, d, 0) for x, d in zip(operands, dims, strict=True)]
    rule = batched_jvp(jvp, axis, [None if d is None else 0 for d in dims[lifted:]])
    results = custom_jvp_p.bind(*moved, jaxpr=program, jvp=rule, lifted=lifted, **params)
    return results, [0] * len(mapped)


custom_jvp_p = Primitive(
    "custom_jvp_call",
    abstract=_abstract,
    evaluate=_evaluate,
    jvp=_jvp,
    partial=_partial,
    batch=_batch,
    effects=effects_of,
    axes=axes_of,
    multiple_results=True,
)


def record(
    trace: StagingTrace,
    function: Callable[..., Any],
    jvp: Rule,
    operands: Sequence[Any],
    info: Info,
) -> list[Any]:
    """Records a call under staging."""
    avals = [aval_of(x) for x in operands]
    closed, lifted = hoist(
        stage(
            function,
            avals,
            name=info.name,
            transform="custom_jvp",
            traced=flat_functions.traced_by(function),
        )
    )
    params = {
        "jaxpr": closed,
        "jvp": jvp,
        "info": info,
        "lifted": len(lifted),
        "axes": current_axes(),
    }
    return trace.process(custom_jvp_p, [*lifted, *operands], params)
