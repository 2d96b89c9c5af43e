"""`checkpoint`: a program whose intermediate values are computed again in the backward pass."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

from oakum.errors import BatchingRuleError
from oakum.primitives.rules import lowering
from oakum.primitives.rules.derivatives import (
    UndefinedPrimal,
    instantiate,
    tangent_aval,
    with_zeros,
)
from oakum.pytrees import pytree
from oakum.tracing.ir import ClosedJaxpr, Jaxpr, Literal, Var, eval_closed, kept, prune, run_closed
from oakum.tracing.jaxpr_trace import hoist, stage
from oakum.tracing.trace import AxisData, Primitive
from oakum.transforms import flat_functions
from oakum.transforms.autodiff.partial_eval import PartialTrace, partial_eval_jaxpr
from oakum.transforms.autodiff.transpose import backward_pass
from oakum.transforms.flat_functions import Options, infer_parameters
from oakum.transforms.jit.compiled_function import TracedFunction
from oakum.transforms.jit.jit_primitive import call_primitive, jit_p
from oakum.values import user_frames
from oakum.values.avals import ShapedArray
from oakum.values.traceback_filtering import api_boundary

Policy = Callable[..., Any] | None


def _evaluate(xp: ModuleType, *operands: object, jaxpr: ClosedJaxpr, **_: object) -> list[Any]:
    return run_closed(xp, jaxpr, operands)


def _partial(
    trace: PartialTrace,
    operands: Sequence[Any],
    *,
    jaxpr: ClosedJaxpr,
    policy: Policy,
    **params: object,
) -> list[Any]:
    """Known results are computed; what is not known computes again all but what is kept."""
    if any("io" in effect for effect in jaxpr.effects):
        raise BatchingRuleError(
            "Effects not supported in partial-eval of `checkpoint`/`remat`: "
            f"{sorted(jaxpr.effects)} in {jaxpr.jaxpr.name}",
            hint="Call back outside of the function under jax.checkpoint.",
        )
    unknowns = [trace.is_unknown(x) for x in operands]
    known, again, unknowns_out = split_by_policy(jaxpr, unknowns, policy)
    arguments = [x for x, each in zip(operands, unknowns, strict=True) if not each]
    results = jit_p.bind(*arguments, jaxpr=known, name=jaxpr.jaxpr.name)
    count = list(unknowns_out).count(False)
    recorded = iter(())
    if any(unknowns_out):
        inputs = [*results[count:], *operands]
        recorded = iter(trace.record(remat_p, inputs, {"jaxpr": again, "policy": policy, **params}))
    values = iter(results[:count])
    return [next(recorded) if each else next(values) for each in unknowns_out]


@kept
def split_by_policy(
    closed: ClosedJaxpr, unknowns: Sequence[bool], policy: Policy
) -> tuple[ClosedJaxpr, ClosedJaxpr, list[bool]]:
    """Returns the program of the known results and of what is kept; the program that takes what is
    kept and all arguments, and returns the unknown results; and which results are unknown.
    """
    flat = inline_calls(closed) if policy is not None else closed
    old = flat.jaxpr
    unknown_vars = {v for v, u in zip(old.invars, unknowns, strict=True) if u}
    kept: list[Var] = []
    for eqn in old.eqns:
        if any(v in unknown_vars for v in eqn.inputs):
            unknown_vars.update(eqn.outputs)
        elif policy is not None and policy(
            eqn.primitive, *(v.aval for v in eqn.inputs), **eqn.params
        ):
            kept += eqn.outputs
    known, unknowns_out = _known_results(flat, unknowns, kept)
    outvars = [v for v, u in zip(old.outvars, unknowns_out, strict=True) if u]
    saved = set(kept)
    eqns = prune([e for e in old.eqns if saved.isdisjoint(e.outputs)], outvars)
    again = Jaxpr(old.constvars, [*kept, *old.invars], outvars, eqns, old.name)
    return known, ClosedJaxpr(again, flat.consts), unknowns_out


def _known_results(
    flat: ClosedJaxpr, unknowns: Sequence[bool], kept: Sequence[Var]
) -> tuple[ClosedJaxpr, list[bool]]:
    """Returns the program of the known results and of what is kept, and which results are
    unknown.
    """
    old = flat.jaxpr
    whole = Jaxpr(old.constvars, old.invars, [*old.outvars, *kept], old.eqns, old.name)
    known, _, out = partial_eval_jaxpr(ClosedJaxpr(whole, flat.consts), unknowns)
    program = known.jaxpr
    outvars = program.outvars[: out.count(False)]
    eqns = prune(program.eqns, outvars)
    jaxpr = Jaxpr(program.constvars, program.invars, outvars, eqns, program.name)
    return ClosedJaxpr(jaxpr, known.consts), out[: len(old.outvars)]


def inline_calls(closed: ClosedJaxpr) -> ClosedJaxpr:
    """Returns the program with the programs of compiled functions in place of their calls."""
    if not any(eqn.primitive is jit_p for eqn in closed.eqns):
        return closed

    def function(*arguments: object) -> list[Any]:
        return _eval_inline(closed, arguments)

    program, lifted = hoist(stage(function, closed.in_avals, name=closed.jaxpr.name))
    assert not lifted
    return program


def _eval_inline(closed: ClosedJaxpr, arguments: Sequence[Any]) -> list[Any]:
    values: dict[Any, Any] = dict(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    values.update(zip(closed.jaxpr.invars, arguments, strict=True))

    def read(atom: object) -> Any:
        return atom.val if isinstance(atom, Literal) else values[atom]

    for eqn in closed.eqns:
        operands = [read(v) for v in eqn.inputs]
        if eqn.primitive is jit_p:
            results = _eval_inline(eqn.params["jaxpr"], operands)
        else:
            result = eqn.primitive.bind(*operands, **eqn.params)
            results = result if eqn.primitive.multiple_results else [result]
        values.update(zip(eqn.outputs, results, strict=True))
    return [read(v) for v in closed.jaxpr.outvars]


@kept
def _transposed(jaxpr: ClosedJaxpr, linear: Sequence[bool], nonzero: Sequence[bool]) -> ClosedJaxpr:
    known, unknown, unknowns_out = partial_eval_jaxpr(jaxpr, linear)
    count = unknowns_out.count(False)
    avals = jaxpr.in_avals
    known_avals = [a for a, each in zip(avals, linear, strict=True) if not each]
    linear_avals = [a for a, each in zip(avals, linear, strict=True) if each]
    given = [tangent_aval(a) for a, nz in zip(jaxpr.out_avals, nonzero, strict=True) if nz]

    def function(*arguments: object) -> list[Any]:
        residuals = eval_closed(known, *arguments[: len(known_avals)])[count:]
        cotangents = with_zeros(arguments[len(known_avals) :], nonzero, jaxpr.out_avals)
        out = [c for c, u in zip(cotangents, unknowns_out, strict=True) if u]
        operands = [*residuals, *map(UndefinedPrimal, linear_avals)]
        results = backward_pass(unknown.jaxpr, unknown.consts, operands, out)
        return [instantiate(x) for x in results[len(residuals) :]]

    return stage(function, [*known_avals, *given], name=jaxpr.jaxpr.name, transform="transpose")


remat_p = call_primitive("checkpoint", evaluate=_evaluate, partial=_partial, transposed=_transposed)


def _name_abstract(x: ShapedArray, *, name: str) -> ShapedArray:
    return x


def _name_evaluate(xp: ModuleType, x: object, *, name: str) -> Any:
    return x


def _name_transpose(cotangent: object, x: object, *, name: str) -> list[Any]:
    return [cotangent]


def _name_batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int | None], *, name: str
) -> tuple[Any, int | None]:
    return name_p.bind(operands[0], name=name), dims[0]


name_p = Primitive(
    "name",
    abstract=_name_abstract,
    evaluate=_name_evaluate,
    linear=True,
    transpose=_name_transpose,
    batch=_name_batch,
    lower=lowering.SAME,
    exact=True,
)
"""Gives a value a name that policies can choose."""


def checkpoint(
    function: Callable[..., Any],
    policy: Policy,
    prevent_cse: object,
    static_argnums: int | Sequence[int],
    static_argnames: str | Sequence[str],
) -> Callable[..., Any]:
    """Returns the function under `checkpoint`."""
    flat_functions.check_callable(function)
    given = static_argnums or None
    if isinstance(static_argnums, int) and not isinstance(static_argnums, bool):
        given = (static_argnums,)
    numbers, names = infer_parameters(function, given, static_argnames or None, "static")

    traced = TracedFunction(
        function, Options(numbers, names, unhashable_statics=True), "checkpoint"
    )

    @api_boundary
    @user_frames.wraps(function)
    def checkpointed(*args: object, **kwargs: object) -> Any:
        call = traced.call(args, kwargs)
        program = traced.program(call)
        results = remat_p.bind(
            *call.inputs(program),
            jaxpr=program.jaxpr,
            policy=policy,
            prevent_cse=bool(prevent_cse),
        )
        return pytree.unflatten(program.out_tree, call.outputs(program, results))

    return checkpointed
