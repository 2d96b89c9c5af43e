"""Functions with a reverse derivative rule of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, NoReturn, cast

from oakum import dtypes
from oakum.dtypes import Kind
from oakum.errors import ForwardModeError, RuleResultError, UnexpectedTracerError
from oakum.primitives.rules.batching import move_to_front
from oakum.primitives.rules.derivatives import Zero, instantiate, is_undefined, tangent_aval
from oakum.pytrees import pytree
from oakum.pytrees.treedef import PyTreeDef
from oakum.tracing.custom_call import CustomCall
from oakum.tracing.jaxpr_trace import Reference
from oakum.tracing.trace import (
    AxisData,
    Primitive,
    Trace,
    Tracer,
    aval_of,
    current_trace,
    under,
)
from oakum.transforms import flat_functions, references
from oakum.transforms.batching.batch_trace import (
    batch_enclosed,
    batch_fully,
    batched_backward,
    with_axis,
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
from oakum.transforms.custom_rules.symbolic_zeros import CustomVJPPrimal, SymbolicZero
from oakum.typing import ArrayLike
from oakum.values import codes, user_frames
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass
from oakum.values.user_frames import user_frame

Rule = Callable[..., Any]


custom_vjp_p = define_primitive("custom_vjp_call")


@dataclass(frozen=True, slots=True)
class VjpCall(CustomCall):
    """A call of a function that has a reverse rule: `forward(primals, perturbed)` returns results
    and residuals, `backward(residuals, cotangents)` cotangents, all of them flat.
    """

    forward: Rule
    backward: Rule

    def differentiate(
        self, primals: Sequence[Any], tangents: Sequence[Any]
    ) -> tuple[list[Any], list[Any]]:
        """Returns the results of the forward rule, and tangents that wait for the backward rule."""
        perturbed = tuple(not isinstance(t, Zero) for t in tangents)
        results, residuals = self.forward(primals, perturbed)
        kept, backward = _without_numbers(residuals, self.backward)
        out_avals = tuple(tangent_aval(aval_of(x)) for x in results)
        out = custom_vjp_linear_p.bind(
            *kept,
            *(instantiate(t) for t in tangents),
            backward=backward,
            residuals=len(kept),
            out_avals=out_avals,
            name=self.name,
        )
        return results, [
            Zero(a) if a.dtype is dtypes.float0 else t for t, a in zip(out, out_avals, strict=True)
        ]

    def batched(self, axis: AxisData, dims: Sequence[int | None]) -> VjpCall:
        def backward(residuals: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
            kept, rule = _without_numbers(residuals, self.backward)
            return batched_backward(rule, axis, dims, kept, cotangents)

        function = batched_function(self.function, axis, dims)
        forward = _batched_forward(self.forward, axis, dims)
        return VjpCall(function, self.name, self.symbolic_zeros, forward, backward)

    def enclosed(self, axis: AxisData) -> VjpCall:
        def forward(primals: Sequence[Any], perturbed: Sequence[bool]) -> Any:
            rule = _batched_forward(self.forward, axis, [None] * len(primals), batch_enclosed)
            return rule(primals, perturbed)

        function = enclosed_function(self.function, axis)
        return VjpCall(function, self.name, self.symbolic_zeros, forward, self.backward)

    def record(self, trace: Trace, operands: Sequence[Any]) -> list[Any]:
        return record(custom_vjp_p, "custom_vjp", self, trace, operands)


def _without_numbers(residuals: Sequence[Any], backward: Rule) -> tuple[list[Any], Rule]:
    """Returns the residuals that are arrays, and the backward rule that takes these.

    Python's numbers stay what they are: a rule may branch on a flag that its forward rule returns,
    such as which of its arguments are differentiated. So do references.
    """
    fixed = {at: x for at, x in enumerate(residuals) if _is_fixed(x)}
    if not fixed:
        return list(residuals), backward

    def rule(kept: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
        values = iter(kept)
        whole = [fixed[at] if at in fixed else next(values) for at in range(len(residuals))]
        return backward(whole, cotangents)

    return [x for at, x in enumerate(residuals) if at not in fixed], rule


def _is_fixed(residual: object) -> bool:
    return type(residual) in (bool, int, float, complex) or isinstance(residual, Reference)


def call(
    function: Callable[..., Any],
    forward: Rule,
    backward: Rule,
    numbers: Sequence[int],
    args: Sequence[Any],
    symbolic_zeros: bool,
) -> Any:
    """Calls a function that has a reverse rule."""
    name = user_frames.name_of(function)
    dynamic, static, partial = split_arguments(function, args, numbers)
    leaves, treedef = pytree.flatten(tuple(dynamic))
    _, _, partial_forward = split_arguments(forward, args, numbers)
    # References have no derivative: the rules get them as they are.
    held = {at: x for at, x in enumerate(leaves) if isinstance(x, Reference)}
    flat_tree = treedef
    if held:
        names = flat_functions.argument_names(function, dynamic, {})
        references.argument_references.check_distinct(leaves, lambda: names, (), function)
        partial = references.argument_references.holding(partial, treedef, held)
        partial_forward = references.argument_references.holding(partial_forward, treedef, held)
        leaves = [x for at, x in enumerate(leaves) if at not in held]
        flat_tree = pytree.structure(tuple(leaves))
    flat = RuledFunction(partial, flat_tree, keywords=False)
    residual_tree: list[Any] = []
    out_avals: list[ShapedArray] = []
    in_avals = [aval_of(x) for x in leaves]

    def flat_forward(
        primals: Sequence[Any], perturbed: Sequence[bool]
    ) -> tuple[list[Any], list[Any]]:
        given = _mark_perturbed(primals, perturbed) if symbolic_zeros else primals
        pair = partial_forward(*pytree.unflatten(flat_tree, given))
        out, residuals = _forward_result(pair, flat, name)
        leaves_of_residuals, tree = pytree.flatten(residuals)
        residual_tree[:] = [tree]
        out_avals[:] = [aval_of(x) for x in out]
        return out, leaves_of_residuals

    def flat_backward(residuals: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
        given = [_cotangent_for_rule(c, symbolic_zeros) for c in cotangents]
        # The operations of the rule have its own lines, not those of the call that it is for.
        with under(current_trace()):
            result = backward(
                *static,
                pytree.unflatten(residual_tree[0], residuals),
                pytree.unflatten(flat.out_tree, given),
            )
        return _backward_result(result, treedef, in_avals, name, held)

    call = VjpCall(flat, name, symbolic_zeros, flat_forward, flat_backward)
    return call_flat(call, flat, leaves)


def check_fixed(function: Callable[..., Any], numbers: Sequence[int], args: Sequence[Any]) -> None:
    """Raises `UnexpectedTracerError` for a tracer in the place of a non-differentiable argument."""
    for number in numbers:
        if -len(args) <= number < len(args):
            for leaf in pytree.leaves(args[number]):
                if isinstance(leaf, Tracer):
                    raise UnexpectedTracerError(
                        f"Found a JAX Tracer object ({leaf.aval}) passed as an argument to the "
                        f"custom_vjp function {user_frames.name_of(function)} in a position "
                        f"indicated by nondiff_argnums as non-differentiable, {number}",
                        code=codes.ARRAY_NONDIFF_ARGUMENT,
                        frame=user_frame(),
                    )


def _mark_perturbed(primals: Sequence[Any], perturbed: Sequence[bool]) -> list[Any]:
    return [CustomVJPPrimal(p, each) for p, each in zip(primals, perturbed, strict=True)]


def _cotangent_for_rule(cotangent: object, symbolic_zeros: bool) -> Any:
    if isinstance(cotangent, Zero) and symbolic_zeros:
        return SymbolicZero(cotangent.aval)
    return instantiate(cotangent)


def _forward_result(pair: object, flat: RuledFunction, name: str) -> tuple[list[Any], Any]:
    if not flat_functions.is_pair(pair):
        raise RuleResultError(
            f"Custom VJP fwd rule of {name} must produce a pair (list or tuple of length two) "
            "where "
            "the first element represents the primal output and the second element represents "
            "residuals (i.e. values stored from the forward pass for use on the backward pass), "
            "but "
            f"instead of a pair the fwd rule produced {pair!r}",
            hint="Return (result, residuals).",
        )
    out, tree = pytree.flatten(pair[0])
    if flat.out_tree is not None and tree != flat.out_tree:
        raise RuleResultError(
            f"Custom VJP fwd rule of {name} must produce a pair where the first element has the "
            "same container (pytree) structure as the function's output, represents the primal "
            f"output: {tree} and {flat.out_tree}",
            hint="Return the function's own result as the first of the pair.",
        )
    flat.check_primals(out, f"Custom VJP fwd rule of {name}")
    flat.out_tree = tree
    return out, pair[1]


def _backward_result(
    result: object,
    treedef: PyTreeDef,
    avals: Sequence[ShapedArray],
    name: str,
    held: Mapping[int, Any],
) -> list[Any]:
    if isinstance(result, list):
        result = tuple(result)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    if not isinstance(result, tuple):
        raise RuleResultError(
            f"Custom VJP bwd rule of {name} must produce a tuple of length equal to the primal "
            "args "
            f"tuple, but got {result!r}: the output must be a tuple",
            hint="Return a tuple with one cotangent for each argument, also for only one: (ct,).",
        )
    answer = cast("object", result)
    dummy = pytree.unflatten(treedef, [object()] * treedef.num_leaves)
    try:  # A cotangent stands for all arguments below its place, as in JAX: Flax's states do.
        found = pytree.broadcast_prefix(
            answer, dummy, is_leaf=lambda x: x is None or isinstance(x, SymbolicZero)
        )
    except ValueError as error:
        raise RuleResultError(
            f"Custom VJP bwd rule of {name} must produce an output with the same container "
            "(pytree) "
            f"structure as the args tuple of the primal function, and in particular must produce a "
            f"tuple of length equal to the number of arguments to the primal function, but got bwd "
            f"output structure {pytree.structure(answer)} for primal input structure {treedef}",
            detail=f"The arguments of {name} are {_listed(avals)}, and the rule returns "
            f"{_listed([aval_of(each) for each in pytree.leaves(answer)])}",
            hint=f"Return a tuple of {len(treedef.children())}, one cotangent for each argument; "
            "None for one without.",
        ) from error
    found = [each for at, each in enumerate(found) if at not in held]
    return [_cotangent(c, a, name) for c, a in zip(found, avals, strict=True)]


def _listed(avals: Sequence[ShapedArray]) -> str:
    return f"({', '.join(map(str, avals))})"


def _cotangent(
    cotangent: ArrayLike | SymbolicZero | Zero | None, aval: ShapedArray, name: str
) -> Any:
    from oakum import lax

    wanted = tangent_aval(aval)
    if cotangent is None or isinstance(cotangent, (SymbolicZero, Zero)):
        return Zero(wanted)
    given = aval_of(cotangent)
    if wanted.dtype is dtypes.float0:
        return Zero(wanted)
    if given.shape != wanted.shape:
        raise RuleResultError(
            f"Custom VJP bwd rule of {name} must produce an output with the shapes of the args of "
            f"the primal function: expected {wanted} for an argument of type {aval}, but got "
            f"{given}",
            hint="Sum or broadcast the cotangent to the argument's shape.",
        )
    if given.dtype is not wanted.dtype:
        if given.dtype is not None and given.dtype.kind in (Kind.FLOAT, Kind.COMPLEX):
            assert wanted.dtype is not None
            return lax.convert_element_type(cotangent, wanted.dtype)
        raise RuleResultError(
            f"Custom VJP bwd rule of {name} must produce an output with the dtypes of the args of "
            f"the primal function: expected {wanted} for an argument of type {aval}, but got "
            f"{given}",
            hint="Convert the cotangent to the argument's dtype.",
        )
    return cotangent


def _linear_abstract(
    *avals: ShapedArray, out_avals: tuple[ShapedArray, ...], **_: object
) -> list[Any]:
    return list(out_avals)


def _linear_evaluate(xp: ModuleType, *operands: object, name: str, **_: object) -> NoReturn:
    raise ForwardModeError(
        "can't apply forward-mode differentiation (jvp) to a custom_vjp function: "
        f"{name} has a reverse rule only",
        hint="Use jax.grad or jax.vjp, or give the function a rule with jax.custom_jvp.",
    )


def _linear_transpose(
    cotangents: Sequence[Any],
    *operands: object,
    backward: Rule,
    residuals: int,
    out_avals: object,
    name: str,
) -> list[Any]:
    kept, tangents = operands[:residuals], operands[residuals:]
    results = backward(list(kept), list(cotangents))
    return [None] * residuals + [
        r if is_undefined(t) else None for r, t in zip(results, tangents, strict=True)
    ]


def _linear_batch(
    axis: AxisData,
    operands: Sequence[Any],
    dims: Sequence[int | None],
    *,
    backward: Rule,
    residuals: int,
    out_avals: Sequence[ShapedArray],
    name: str,
) -> tuple[list[Any], list[int]]:
    moved = [move_to_front(x, d, axis.size) for x, d in zip(operands, dims, strict=True)]
    mapped = [0] * (len(operands) - residuals)

    def rule(kept: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
        return batched_backward(backward, axis, mapped, kept, cotangents)

    avals = tuple(with_axis(a, 0, axis.size) for a in out_avals)
    results = custom_vjp_linear_p.bind(
        *moved, backward=rule, residuals=residuals, out_avals=avals, name=name
    )
    return results, [0] * len(avals)


custom_vjp_linear_p = Primitive(
    "custom_vjp_linear",
    abstract=_linear_abstract,
    evaluate=_linear_evaluate,
    transpose=_linear_transpose,
    batch=_linear_batch,
    multiple_results=True,
)


def _batched_forward(
    forward: Rule, axis: AxisData, dims: Sequence[int | None], batch: Batch = batch_fully
) -> Rule:
    """Returns the forward rule of a mapped function."""

    def rule(primals: Sequence[Any], perturbed: Sequence[bool]) -> tuple[list[Any], list[Any]]:
        counts: list[int] = []
        numbers: dict[int, Any] = {}

        def flat(*args: object) -> list[Any]:
            results, residuals = forward(list(args), perturbed)
            counts.append(len(results))
            numbers.update((i, x) for i, x in enumerate(residuals) if _is_fixed(x))
            return [*results, *(x for x in residuals if not _is_fixed(x))]

        both = batch(flat, axis, primals, dims)
        kept = iter(both[counts[0] :])
        total = len(both) - counts[0] + len(numbers)
        return both[: counts[0]], [numbers[i] if i in numbers else next(kept) for i in range(total)]

    return rule
