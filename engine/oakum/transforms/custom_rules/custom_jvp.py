"""Functions with a forward derivative rule of their own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from oakum.array import Array
from oakum.errors import InvalidValueError, RuleResultError
from oakum.primitives.rules.derivatives import (
    Zero,
    add_tangents,
    instantiate,
    tangent_aval,
    zero_of,
)
from oakum.pytrees import pytree
from oakum.tracing.custom_call import CustomCall
from oakum.tracing.trace import AxisData, Trace, aval_of
from oakum.transforms import flat_functions
from oakum.transforms.batching.batch_trace import (
    batch_enclosed,
    batch_fully,
    without_axis,
)
from oakum.transforms.custom_rules.rule_calls import (
    Batch,
    RuledFunction,
    batched_function,
    call_flat,
    define_primitive,
    enclosed_function,
    record,
    split_arguments,
)
from oakum.transforms.custom_rules.symbolic_zeros import SymbolicZero
from oakum.values import user_frames
from oakum.values.records import dataclass

Rule = Callable[..., Any]


custom_jvp_p = define_primitive("custom_jvp_call")


@dataclass(frozen=True, slots=True)
class JvpCall(CustomCall):
    """A call of a function that has a forward rule, `jvp(primals, tangents)`, of flat operands."""

    jvp: Rule

    def differentiate(
        self, primals: Sequence[Any], tangents: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        return self.jvp(primals, tangents if self.symbolic_zeros else [*map(instantiate, tangents)])

    def batched(self, axis: AxisData, dims: Sequence[int | None]) -> JvpCall:
        function = batched_function(self.function, axis, dims)
        return JvpCall(function, self.name, self.symbolic_zeros, _batched_jvp(self.jvp, axis, dims))

    def enclosed(self, axis: AxisData) -> JvpCall:
        def jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
            rule = _batched_jvp(self.jvp, axis, [None] * len(primals), batch_enclosed)
            return rule(primals, tangents)

        function = enclosed_function(self.function, axis)
        return JvpCall(function, self.name, self.symbolic_zeros, jvp)

    def record(self, trace: Trace, operands: Sequence[Any]) -> list[Any]:
        return record(custom_jvp_p, "custom_jvp", self, trace, operands)


def call(
    function: Callable[..., Any],
    rule: Rule,
    numbers: Sequence[int],
    args: Sequence[Any],
    symbolic_zeros: bool,
) -> Any:
    """Calls a function that has a forward rule."""
    name = user_frames.name_of(function)
    dynamic, static, partial = split_arguments(function, args, numbers)
    leaves, treedef = pytree.flatten(tuple(dynamic))
    flat = RuledFunction(partial, treedef, keywords=False)

    def jvp(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        given = [_symbolic(t) for t in tangents] if symbolic_zeros else tangents
        pair = rule(*static, pytree.unflatten(treedef, primals), pytree.unflatten(treedef, given))
        return _rule_result(pair, flat, name)

    return call_flat(JvpCall(flat, name, symbolic_zeros, jvp), flat, leaves)


def _symbolic(tangent: object) -> Any:
    return SymbolicZero(tangent.aval) if isinstance(tangent, Zero) else tangent


def _rule_result(pair: object, flat: RuledFunction, name: str) -> tuple[list[Any], list[Any]]:
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


def _check_tangent(primal: object, tangent: Array, name: str) -> Any:
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


def _zeros_like(primal: object) -> Any:
    return instantiate(zero_of(primal))


class _Ruled(Protocol):
    """A function with rules of its own."""

    @property
    def nondiff_argnums(self) -> Sequence[int]: ...

    def __call__(self, *args: object) -> Any: ...


def by_argument(function: _Ruled, rules: Sequence[Rule | None]) -> Rule:
    """Returns the rule made of one for each argument: `rule(tangent, result, *primals)`."""

    def jvp(primals: Sequence[object], tangents: Sequence[object]) -> tuple[Any, Any]:
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
            f"Can't use defjvps with nondiff_argnums: {user_frames.name_of(function)}",
            hint="Use defjvp.",
        )
    return jvp


def zero_from_primal(value: object, symbolic_zeros: bool) -> Any:
    """Returns the zero tangent of a value."""
    zero = zero_of(value)
    return _symbolic(zero) if symbolic_zeros else instantiate(zero)


def _batched_jvp(
    jvp: Rule, axis: AxisData, dims: Sequence[int | None], batch: Batch = batch_fully
) -> Rule:
    """Returns the rule of a mapped function: results and tangents all have the mapped axis first,
    or none of them with `batch_enclosed`.
    """

    def rule(primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        count = len(primals)

        def flat(*both: object) -> list[Any]:
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
        results = batch(flat, axis, values, [*dims, *(d for _, d in nonzero)])
        half = len(results) // 2
        out = results[:half]
        avals = [tangent_aval(aval_of(x)) for x in out]
        return out, [
            Zero(a) if a.dtype is not aval_of(x).dtype else t
            for x, t, a in zip(out, results[half:], avals, strict=True)
        ]

    return rule
