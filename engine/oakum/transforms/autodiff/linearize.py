"""Linear functions: the derivative of a function at a point, and transposes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum.errors import TreeError
from oakum.primitives.rules.derivatives import UndefinedPrimal, instantiate, tangent_aval, zeros
from oakum.pytrees import pytree
from oakum.pytrees.treedef import PyTreeDef
from oakum.tracing.ir import ClosedJaxpr, eval_closed
from oakum.tracing.jaxpr_trace import hoist, stage
from oakum.tracing.trace import aval_of
from oakum.transforms import flat_functions
from oakum.transforms.autodiff.argument_checks import check_arrays, is_inexact
from oakum.transforms.autodiff.grad import Opaque, linearize
from oakum.transforms.autodiff.transpose import backward_pass
from oakum.transforms.make_jaxpr import described_aval
from oakum.values import user_frames
from oakum.values.avals import ShapedArray
from oakum.values.traceback_filtering import api_boundary
from oakum.values.user_frames import user_frame


class Linearized:
    """The derivative of a function at a point, as a linear function of tangents."""

    def __init__(
        self,
        program: ClosedJaxpr,
        in_tree: PyTreeDef,
        out_tree: PyTreeDef,
        avals: Sequence[ShapedArray],
        out: Sequence[ShapedArray],
        nonzero: Sequence[Any],
    ) -> None:
        self._program = program
        self._in_tree = in_tree
        self._out_tree = out_tree
        self._avals = avals
        self._out = out
        self._nonzero = nonzero

    @api_boundary
    def __call__(self, *tangents: object) -> Any:
        leaves, tree = pytree.flatten(tuple(tangents))
        if tree != self._in_tree:
            raise TreeError(
                f"linearized function called with tangents of structure {tree}, but the primals "
                f"have structure {self._in_tree}",
                hint="Give one tangent for each primal.",
                frame=user_frame(),
            )
        for leaf, aval in zip(leaves, self._avals, strict=True):
            given, wanted = aval_of(leaf), tangent_aval(aval)
            if (given.shape, given.dtype) != (wanted.shape, wanted.dtype):
                raise TreeError(
                    "linearized function called on tangent values inconsistent with the original "
                    f"primal values: got tangent aval {given} for primal aval {aval}, expected "
                    f"{wanted}",
                    frame=user_frame(),
                )
        given = [x for x, a in zip(leaves, self._avals, strict=True) if is_inexact(a)]
        results = iter(eval_closed(self._program, *given))
        out = [
            zeros(tangent_aval(a)) if nz is None else next(results)
            for a, nz in zip(self._out, self._nonzero, strict=True)
        ]
        return pytree.unflatten(self._out_tree, out)


def linearize_tree(function: Callable[..., Any], primals: Sequence[Any], has_aux: bool) -> Any:
    """Evaluates a function of trees, and returns its derivative as a linear function."""
    flat_functions.check_callable(function)
    flat, treedef = pytree.flatten(tuple(primals))
    check_arrays(flat, function)
    call = flat_functions.FlatFunction(function, treedef, keywords=False, has_aux=has_aux)
    box: list[Any] = [0, None]

    def both(*leaves: object) -> list[Any]:
        results = call(*leaves)
        aux, tree = pytree.flatten(call.take_aux())
        box[:] = [len(results), tree]
        return [*results, *(Opaque.of(x) for x in aux)]

    results, nonzero, program = linearize(both, flat, function)
    count, tree = box
    out = [aval_of(x) for x in results[:count]]
    avals = [aval_of(x) for x in flat]
    linear = Linearized(program, treedef, call.out_tree, avals, out, nonzero[:count])
    value = pytree.unflatten(call.out_tree, results[:count])
    if not has_aux:
        return value, linear
    aux = [x.value if isinstance(x, Opaque) else x for x in results[count:]]
    return value, linear, pytree.unflatten(tree, aux)


def linear_transpose(function: Callable[..., Any], primals: Sequence[Any]) -> Callable[..., Any]:
    """Returns the transpose of a linear function of trees; the primals tell only avals."""
    flat_functions.check_callable(function)
    flat, treedef = pytree.flatten(tuple(primals))
    name = user_frames.name_of(function)
    avals = [described_aval(x, f"an argument of {name}").update(weak_type=False) for x in flat]
    call = flat_functions.FlatFunction(function, treedef, keywords=False)
    closed, lifted = hoist(stage(call, avals, name=name, transform="linear_transpose"))
    out_tree = call.out_tree

    @api_boundary
    def transposed(cotangent: object) -> Any:
        leaves, tree = pytree.flatten(cotangent)
        if tree != out_tree:
            raise TreeError(
                f"cotangent tree does not match function output, expected {out_tree} but got "
                f"{tree}",
                frame=user_frame(),
            )
        for leaf, aval in zip(leaves, closed.out_avals, strict=True):
            given = aval_of(leaf)
            if (given.shape, given.dtype) != (aval.shape, aval.dtype):
                raise TreeError(
                    f"cotangent type does not match function output, expected {aval} but got "
                    f"{given}",
                    frame=user_frame(),
                )
        operands = [*lifted, *map(UndefinedPrimal, avals)]
        results = backward_pass(closed.jaxpr, closed.consts, operands, leaves)
        return pytree.unflatten(treedef, [instantiate(x) for x in results[len(lifted) :]])

    return transposed
