"""Differentiation of functions of trees: what `grad`, `vjp`, `jvp` and `linearize` do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from oakum import dtypes
from oakum.array import Array
from oakum.errors import InvalidValueError, TreeError
from oakum.primitives.rules.derivatives import UndefinedPrimal, Zero, instantiate, tangent_aval
from oakum.pytrees import pytree
from oakum.pytrees.node_types import NodeKind, register
from oakum.pytrees.treedef import PyTreeDef
from oakum.tracing.ir import ClosedJaxpr, Jaxpr
from oakum.tracing.jaxpr_trace import Reference
from oakum.tracing.trace import as_operand, aval_of
from oakum.transforms import flat_functions
from oakum.transforms.autodiff.ad import DidntWant, DontWant, GradRef
from oakum.transforms.autodiff.argument_checks import (
    check_argnums,
    check_arrays,
    check_cotangent,
    check_inputs,
    check_scalar,
    check_tangent,
    is_inexact,
    select_arguments,
)
from oakum.transforms.autodiff.jvp import jvp_flat
from oakum.transforms.autodiff.partial_eval import dce_jaxpr, linearize_flat
from oakum.transforms.autodiff.transpose import backward_pass
from oakum.values import user_frames
from oakum.values.avals import ShapedArray
from oakum.values.traceback_filtering import api_boundary
from oakum.values.user_frames import user_frame


class Opaque:
    """A piece of auxiliary data that is no array."""

    def __init__(self, value: object) -> None:
        self.value = value
        self.aval = ShapedArray((), dtypes.int32)

    @staticmethod
    def of(value: object) -> Any:
        """Returns the value itself where it is an array, else a wrapped one."""
        try:
            aval_of(value)
        except InvalidValueError:
            return Opaque(value)
        return value


def jvp(
    function: Callable[..., Any], primals: Sequence[object], tangents: object, has_aux: bool
) -> tuple[Any, ...]:
    """Evaluates a function and its derivative along tangents."""
    flat_functions.check_callable(function)
    if not all(isinstance(each, (tuple, list)) for each in (primals, tangents)):
        raise InvalidValueError(
            "primal and tangent arguments to jax.jvp must be tuples or lists; found "
            f"{type(primals).__name__} and {type(tangents).__name__}",
            hint="Give one entry for each argument, in a tuple.",
        )
    flat, treedef = pytree.flatten(primals)
    given, given_tree = pytree.flatten(tangents)
    if treedef != given_tree:
        raise TreeError(
            "primal and tangent arguments to jax.jvp must have the same tree structure; primals "
            f"have tree structure {treedef} whereas tangents have tree structure {given_tree}",
            hint="Give a tangent for each primal.",
        )
    treedef = pytree.structure(tuple(primals))
    parts = [check_tangent(p, t) for p, t in zip(flat, given, strict=True)]
    call = flat_functions.FlatFunction(function, treedef, keywords=False, has_aux=has_aux)

    def run(flat_function: Callable[..., list[Any]]) -> tuple[list[Any], list[Any]]:
        return jvp_flat(flat_function, flat, parts, traced=function)

    results, out, aux = _with_aux(call, run)
    values = pytree.unflatten(call.out_tree, results)
    derivative = pytree.unflatten(call.out_tree, [instantiate(t) for t in out])
    return (values, derivative, aux) if has_aux else (values, derivative)


def _with_aux(
    call: flat_functions.FlatFunction, run: Callable[..., tuple[Any, Any]]
) -> tuple[Any, Any, Any]:
    """Runs a transformation of a function with auxiliary data, which comes out as primals."""
    if not call.has_aux:
        return (*run(call), None)
    tree: Any = None
    count = 0

    def both(*leaves: object) -> list[Any]:
        nonlocal tree, count
        results = call(*leaves)
        count = len(results)
        aux, tree = pytree.flatten(call.take_aux())
        return [*results, *(Opaque.of(x) for x in aux)]

    results, out = run(both)
    aux = pytree.unflatten(tree, [x.value if isinstance(x, Opaque) else x for x in results[count:]])
    return results[:count], out[:count], aux


class Pullback:
    """The function that `vjp` returns: cotangents of the results to cotangents of the arguments."""

    def __init__(
        self,
        primals: Sequence[Any],
        program: ClosedJaxpr,
        out: Sequence[ShapedArray],
        nonzero: Sequence[Any],
    ) -> None:
        self._avals = [aval_of(x) for x in primals]
        self._program = program
        self._out = out
        self._nonzero = nonzero

    def __call__(self, cotangents: Sequence[Any]) -> list[Any]:
        """Returns the cotangents of the flat arguments for those of the flat results."""
        given = [c for c, aval in zip(cotangents, self._nonzero, strict=True) if aval is not None]
        operands = [UndefinedPrimal(v.aval) for v in self._program.jaxpr.invars]
        results = iter(backward_pass(self._program.jaxpr, self._program.consts, operands, given))
        return [
            next(results) if is_inexact(aval) else Zero(tangent_aval(aval)) for aval in self._avals
        ]


def linearize(
    function: Callable[..., Sequence[Any]],
    primals: Sequence[Any],
    traced: Callable[..., Any] | None,
) -> tuple[list[Any], list[Any], ClosedJaxpr]:
    """`linearize_flat` with tangents for the operands that can have one."""
    primals = [as_operand(x) for x in primals]
    avals = [aval_of(x) for x in primals]
    inexact = [is_inexact(a) for a in avals]

    def call(operands: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        given = iter(tangents)
        parts = [
            next(given) if each else Zero(tangent_aval(a))
            for a, each in zip(avals, inexact, strict=True)
        ]
        return jvp_flat(function, operands, parts, "grad", traced)

    tangents = [tangent_aval(a) for a, each in zip(avals, inexact, strict=True) if each]
    return linearize_flat(call, primals, tangents, "grad", traced)


def vjp_flat(
    function: Callable[..., Sequence[Any]],
    primals: Sequence[Any],
    traced: Callable[..., Any] | None,
) -> tuple[list[Any], Pullback]:
    """Evaluates a function of flat arrays, and returns its pullback."""
    results, nonzero, program = linearize(function, primals, traced)
    return results, Pullback(primals, program, [aval_of(x) for x in results], nonzero)


class TreePullback:
    """The pullback of a function of trees.

    Called with a cotangent of the shape and structure of the result it returns a tuple of
    cotangents, one for each argument.
    """

    def __init__(
        self,
        pullback: Pullback,
        in_tree: PyTreeDef,
        out_tree: PyTreeDef,
        out: Sequence[ShapedArray],
        name: str,
    ) -> None:
        self._pullback = pullback
        self._in_tree = in_tree
        self._out_tree = out_tree
        self._out = out
        self._name = name

    @api_boundary
    def __call__(self, *cotangents: object) -> Any:
        if len(cotangents) != 1:
            raise InvalidValueError(
                "The function returned by `jax.vjp` applied to "
                f"{self._name} was called with {len(cotangents)} arguments, but functions returned "
                "by `jax.vjp` must be called with a single argument corresponding to the single "
                "value returned by the function",
                hint="Give one tree of cotangents, of the structure of the result.",
            )
        leaves, tree = pytree.flatten(cotangents[0])
        if tree != self._out_tree:
            raise TreeError(
                f"unexpected tree structure of argument to vjp function of {self._name}: got "
                f"{tree}, but expected to match {self._out_tree}",
                hint="Give cotangents of the structure of the result.",
                frame=user_frame(),
            )
        given = [check_cotangent(c, a) for c, a in zip(leaves, self._out, strict=True)]
        results = self._pullback(given)
        return pytree.unflatten(self._in_tree, [instantiate(x) for x in results])

    def with_refs(self, *accumulators: object) -> Callable[[Any], Any]:
        """Returns the pullback that adds the cotangents of arguments to references.

        There is one accumulator for each argument, or a tree of them. An argument with a reference
        has `GradRef()` in what the pullback returns, one with `DontWant()` has `DidntWant()`, and
        any other one its cotangent.
        """

        def pull(cotangent: object) -> Any:
            found = self(cotangent)
            leaves, treedef = pytree.flatten(found)
            given = pytree.broadcast_prefix(accumulators, found, is_leaf=lambda x: x is None)
            for at, (accumulator, leaf) in enumerate(zip(given, leaves, strict=True)):
                if isinstance(accumulator, Reference):
                    accumulator.add((), leaf)
                    leaves[at] = GradRef()
                elif isinstance(accumulator, DontWant):
                    leaves[at] = DidntWant()
            return pytree.unflatten(treedef, leaves)

        return pull


class _Shell:
    """All parts of a pullback other than its residuals."""

    def __init__(self, whole: dict[str, Any], inner: dict[str, Any], jaxpr: Jaxpr) -> None:
        self.whole = {k: v for k, v in whole.items() if k != "_pullback"}
        self.inner = {k: v for k, v in inner.items() if k != "_program"}
        self.jaxpr = jaxpr


def _take_apart(value: TreePullback) -> tuple[tuple[Any, ...], _Shell]:
    """Returns the residuals of a pullback, so that compiled functions can take it and give it."""
    inner = value._pullback  # pyright: ignore[reportPrivateUsage]
    program = inner._program  # pyright: ignore[reportPrivateUsage]
    return tuple(program.consts), _Shell(value.__dict__, inner.__dict__, program.jaxpr)


def _put_together(shell: _Shell, residuals: Iterable[Array]) -> TreePullback:
    inner = Pullback.__new__(Pullback)
    inner.__dict__.update(shell.inner, _program=ClosedJaxpr(shell.jaxpr, tuple(residuals)))
    whole = TreePullback.__new__(TreePullback)
    whole.__dict__.update(shell.whole, _pullback=inner)
    return whole


register(NodeKind(TreePullback, _take_apart, _put_together))


def vjp(function: Callable[..., Any], primals: Sequence[Any], has_aux: bool) -> Any:
    """Evaluates a function of trees, and returns its pullback."""
    flat_functions.check_callable(function)
    flat, treedef = pytree.flatten(tuple(primals))
    check_arrays(flat, function)
    call = flat_functions.FlatFunction(function, treedef, keywords=False, has_aux=has_aux)
    results, pullback, aux = _vjp_with_aux(call, flat)
    out = [aval_of(x) for x in results]
    tree_pullback = TreePullback(
        pullback, treedef, call.out_tree, out, user_frames.name_of(function)
    )
    value = pytree.unflatten(call.out_tree, results)
    return (value, tree_pullback, aux) if has_aux else (value, tree_pullback)


def _vjp_with_aux(
    call: flat_functions.FlatFunction, flat: Sequence[Any]
) -> tuple[Any, Pullback, Any]:
    if not call.has_aux:
        return (*vjp_flat(call, flat, call.function), None)
    box: list[Any] = []

    def both(*leaves: object) -> list[Any]:
        results = call(*leaves)
        aux, tree = pytree.flatten(call.take_aux())
        box[:] = [len(results), tree]
        return [*results, *(Opaque.of(x) for x in aux)]

    results, nonzero, program = linearize(both, flat, call.function)
    count, tree = box
    aux = [x.value if isinstance(x, Opaque) else x for x in results[count:]]
    kept = sum(a is not None for a in nonzero[:count])
    jaxpr = program.jaxpr
    used = [i < kept for i in range(len(jaxpr.outvars))]
    pruned, _ = dce_jaxpr(jaxpr, used)
    pruned = Jaxpr(jaxpr.constvars, jaxpr.invars, pruned.outvars, pruned.eqns, jaxpr.name)
    pullback = Pullback(
        flat,
        ClosedJaxpr(pruned, program.consts),
        [aval_of(x) for x in results[:count]],
        nonzero[:count],
    )
    return results[:count], pullback, pytree.unflatten(tree, aux)


def value_and_grad(
    function: Callable[..., Any],
    argnums: int | Sequence[int],
    *,
    has_aux: bool,
    holomorphic: bool,
    allow_int: bool,
    name: str = "value_and_grad",
) -> Callable[..., Any]:
    """Returns the function that computes value and gradient."""
    flat_functions.check_callable(function)
    numbers = check_argnums(argnums)

    @api_boundary
    @user_frames.wraps(function)
    def compute(*args: object, **kwargs: object) -> Any:
        partial, chosen, single = select_arguments(function, numbers, args, kwargs, name)
        check_inputs(function, numbers, args, name, holomorphic=holomorphic, allow_int=allow_int)
        out = vjp(partial, chosen, has_aux)
        value, pullback = out[0], out[1]
        check_scalar(value, name, holomorphic, function)
        one = _one(value)
        gradients = pullback(one)
        gradient = gradients[0] if single else tuple(gradients)
        return ((value, out[2]), gradient) if has_aux else (value, gradient)

    return compute


def fwd_and_bwd(
    function: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Returns the forward pass, whose residuals are a pullback, and the backward pass."""
    flat_functions.check_callable(function)
    numbers = check_argnums(argnums)

    @user_frames.wraps(function)
    def forward(*args: object, **kwargs: object) -> Any:
        partial, chosen, _ = select_arguments(function, numbers, args, kwargs, "fwd_and_bwd")
        return vjp(partial, chosen, has_aux)

    def backward(residuals: TreePullback, cotangent: object) -> Any:
        found = residuals(cotangent)
        return found[0] if isinstance(argnums, int) else found

    return forward, backward


def _one(value: object) -> Any:
    from oakum import lax

    return lax.full_like(value, 1)
