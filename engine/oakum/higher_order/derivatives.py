"""Differentiation of functions of trees: what `grad`, `vjp`, `jvp` and `linearize` do."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from oakum import codes, dtypes, trees
from oakum.avals import ShapedArray
from oakum.dtypes import Kind
from oakum.errors import DTypeError, InvalidValueError, OakumError, ShapeError
from oakum.higher_order import calls
from oakum.higher_order.programs import described_aval
from oakum.interpreters.backward import backward_pass
from oakum.interpreters.forward import jvp_flat
from oakum.interpreters.partial import linearize_flat
from oakum.ir import ClosedJaxpr, eval_closed
from oakum.rules.zeros import (
    UndefinedPrimal,
    Zero,
    instantiate,
    tangent_aval,
    zeros,
)
from oakum.sources import user_frame
from oakum.staging import hoist, stage
from oakum.tracebacks import api_boundary
from oakum.trace import as_operand, aval_of
from oakum.tree_registry import register_node


class TreeError(OakumError, TypeError, ValueError):
    """Trees that have to have one structure differ."""

    default_code = codes.SHAPE_MISMATCH


def _is_inexact(aval: ShapedArray) -> bool:
    return aval.dtype is not None and aval.dtype.kind in (Kind.FLOAT, Kind.COMPLEX)


def jvp(
    function: Callable[..., Any], primals: Any, tangents: Any, has_aux: bool
) -> tuple[Any, ...]:
    """Evaluates a function and its derivative along tangents."""
    calls.check_callable(function)
    if not all(isinstance(each, (tuple, list)) for each in (primals, tangents)):
        raise InvalidValueError(
            "primal and tangent arguments to jax.jvp must be tuples or lists; found "
            f"{type(primals).__name__} and {type(tangents).__name__}",
            mend="Give one entry for each argument, in a tuple.",
        )
    flat, treedef = trees.flatten(primals)
    given, given_tree = trees.flatten(tangents)
    if treedef != given_tree:
        raise TreeError(
            "primal and tangent arguments to jax.jvp must have the same tree structure; primals "
            f"have tree structure {treedef} whereas tangents have tree structure {given_tree}",
            mend="Give a tangent for each primal.",
        )
    treedef = trees.structure(tuple(primals))
    parts = [_check_tangent(p, t) for p, t in zip(flat, given, strict=True)]
    call = calls.FlatFunction(function, treedef, keywords=False, has_aux=has_aux)
    results, out, aux = _with_aux(call, lambda f: jvp_flat(f, flat, parts, traced=function))
    values = trees.unflatten(call.out_tree, results)
    derivative = trees.unflatten(call.out_tree, [instantiate(t) for t in out])
    return (values, derivative, aux) if has_aux else (values, derivative)


def _with_aux(call: calls.FlatFunction, run: Callable[..., tuple[Any, Any]]) -> tuple[Any, Any, Any]:
    """Runs a transformation of a function with auxiliary data, which comes out as primals."""
    if not call.has_aux:
        return (*run(call), None)
    tree: Any = None
    count = 0

    def both(*leaves: Any) -> list[Any]:
        nonlocal tree, count
        results = call(*leaves)
        count = len(results)
        aux, tree = trees.flatten(call.take_aux())
        return [*results, *(_Opaque.of(x) for x in aux)]

    results, out = run(both)
    aux = trees.unflatten(tree, [x.value if isinstance(x, _Opaque) else x for x in results[count:]])
    return results[:count], out[:count], aux


class _Opaque:
    """A piece of auxiliary data that is no array."""

    def __init__(self, value: Any) -> None:
        self.value = value
        self.aval = ShapedArray((), dtypes.int32)

    @staticmethod
    def of(value: Any) -> Any:
        try:
            aval_of(value)
        except InvalidValueError:
            return _Opaque(value)
        return value


def _check_tangent(primal: Any, tangent: Any) -> Any:
    aval = aval_of(primal)
    wanted = tangent_aval(aval)
    if isinstance(tangent, Zero):
        return tangent
    given = aval_of(tangent)
    if given.dtype is not wanted.dtype:
        raise DTypeError(
            "primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in case "
            "of int/bool primal dtype the tangent dtype must be float0. Got primal dtype "
            f"{aval.dtype} and so expected tangent dtype {wanted.dtype}, but got tangent dtype "
            f"{given.dtype} instead",
        )
    if given.shape != wanted.shape:
        raise ShapeError(
            f"jvp called with different primal and tangent shapes; Got primal shape {aval.shape} "
            f"and tangent shape as {given.shape}",
        )
    return Zero(wanted) if wanted.dtype is dtypes.float0 else tangent


class Pullback:
    """The function that `vjp` gives: cotangents of the results to cotangents of the arguments."""

    def __init__(
        self, primals: Sequence[Any], program: ClosedJaxpr, out: Sequence[ShapedArray], nonzero: Any
    ) -> None:
        self._avals = [aval_of(x) for x in primals]
        self._program = program
        self._out = out
        self._nonzero = nonzero

    def __call__(self, cotangents: Sequence[Any]) -> list[Any]:
        """The cotangents of the flat arguments for those of the flat results."""
        given = [c for c, aval in zip(cotangents, self._nonzero, strict=True) if aval is not None]
        operands = [UndefinedPrimal(v.aval) for v in self._program.jaxpr.invars]
        results = iter(
            backward_pass(self._program.jaxpr, self._program.consts, operands, given)
        )
        return [
            next(results) if _is_inexact(aval) else Zero(tangent_aval(aval)) for aval in self._avals
        ]


def linearize(
    function: Callable[..., Sequence[Any]], primals: Sequence[Any], traced: Any
) -> tuple[list[Any], list[Any], ClosedJaxpr]:
    """`linearize_flat` with tangents for the operands that can have one."""
    primals = [as_operand(x) for x in primals]
    avals = [aval_of(x) for x in primals]
    inexact = [_is_inexact(a) for a in avals]

    def call(operands: Sequence[Any], tangents: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        given = iter(tangents)
        parts = [
            next(given) if each else Zero(tangent_aval(a))
            for a, each in zip(avals, inexact, strict=True)
        ]
        return jvp_flat(function, operands, parts, "grad", traced)

    tangents = [tangent_aval(a) for a, each in zip(avals, inexact, strict=True) if each]
    return linearize_flat(call, primals, tangents)


def vjp_flat(
    function: Callable[..., Sequence[Any]], primals: Sequence[Any], traced: Any
) -> tuple[list[Any], Pullback]:
    """Evaluates a function of flat arrays, and gives its pullback."""
    results, nonzero, program = linearize(function, primals, traced)
    return results, Pullback(primals, program, [aval_of(x) for x in results], nonzero)


class TreePullback:
    """The pullback of a function of trees.

    Called with a cotangent of the shape and structure of the result it gives a tuple of cotangents,
    one for each argument.
    """

    def __init__(self, pullback: Pullback, in_tree: Any, out_tree: Any, out: Any, name: str) -> None:
        self._pullback = pullback
        self._in_tree = in_tree
        self._out_tree = out_tree
        self._out = out
        self._name = name

    @api_boundary
    def __call__(self, *cotangents: Any) -> Any:
        if len(cotangents) != 1:
            raise InvalidValueError(
                "The function returned by `jax.vjp` applied to "
                f"{self._name} was called with {len(cotangents)} arguments, but functions returned "
                "by `jax.vjp` must be called with a single argument corresponding to the single "
                "value returned by the function",
                mend="Give one tree of cotangents, of the structure of the result.",
            )
        leaves, tree = trees.flatten(cotangents[0])
        if tree != self._out_tree:
            raise TreeError(
                f"unexpected tree structure of argument to vjp function of {self._name}: got "
                f"{tree}, but expected to match {self._out_tree}",
                mend="Give cotangents of the structure of the result.",
                frame=user_frame(),
            )
        given = [_check_cotangent(c, a) for c, a in zip(leaves, self._out, strict=True)]
        results = self._pullback(given)
        return trees.unflatten(self._in_tree, [instantiate(x) for x in results])


class _Shell:
    """What a pullback is beside its residuals."""

    def __init__(self, whole: dict[str, Any], inner: dict[str, Any], jaxpr: Any) -> None:
        self.whole = {k: v for k, v in whole.items() if k != "_pullback"}
        self.inner = {k: v for k, v in inner.items() if k != "_program"}
        self.jaxpr = jaxpr


def _take_apart(value: TreePullback) -> tuple[tuple[Any, ...], _Shell]:
    """The residuals of a pullback, so that compiled functions can take it and give it."""
    inner = value._pullback  # pyright: ignore[reportPrivateUsage]
    program = inner._program  # pyright: ignore[reportPrivateUsage]
    return tuple(program.consts), _Shell(value.__dict__, inner.__dict__, program.jaxpr)


def _put_together(shell: _Shell, residuals: Any) -> TreePullback:
    inner = Pullback.__new__(Pullback)
    inner.__dict__.update(shell.inner, _program=ClosedJaxpr(shell.jaxpr, tuple(residuals)))
    whole = TreePullback.__new__(TreePullback)
    whole.__dict__.update(shell.whole, _pullback=inner)
    return whole


register_node(TreePullback, _take_apart, _put_together)


def _check_cotangent(cotangent: Any, aval: ShapedArray) -> Any:
    wanted, given = tangent_aval(aval), aval_of(cotangent)
    if given.shape != wanted.shape:
        raise TreeError(
            f"unexpected JAX type (e.g. shape/dtype): the shape of cotangent input to vjp function {given.shape} must be the same as the "
            f"corresponding output shape {wanted.shape}",
            frame=user_frame(),
        )
    if given.dtype is not wanted.dtype:
        raise TreeError(
            f"unexpected JAX type (e.g. shape/dtype): the type of cotangent input to vjp function, "
            f"{given}, is not the expected tangent type, {wanted}",
            mend="Convert the cotangent to the dtype of the result.",
            code=codes.DTYPE_MISMATCH,
            frame=user_frame(),
        )
    return Zero(wanted) if wanted.dtype is dtypes.float0 else cotangent


def vjp(function: Callable[..., Any], primals: Sequence[Any], has_aux: bool) -> Any:
    """Evaluates a function of trees, and gives its pullback."""
    calls.check_callable(function)
    flat, treedef = trees.flatten(tuple(primals))
    _check_arrays(flat, function)
    call = calls.FlatFunction(function, treedef, keywords=False, has_aux=has_aux)
    results, pullback, aux = _vjp_with_aux(call, flat)
    out = [aval_of(x) for x in results]
    tree_pullback = TreePullback(pullback, treedef, call.out_tree, out, calls.name_of(function))
    value = trees.unflatten(call.out_tree, results)
    return (value, tree_pullback, aux) if has_aux else (value, tree_pullback)


def _vjp_with_aux(call: calls.FlatFunction, flat: Sequence[Any]) -> tuple[Any, Pullback, Any]:
    if not call.has_aux:
        return (*vjp_flat(call, flat, call.function), None)
    box: list[Any] = []

    def both(*leaves: Any) -> list[Any]:
        results = call(*leaves)
        aux, tree = trees.flatten(call.take_aux())
        box[:] = [len(results), tree]
        return [*results, *(_Opaque.of(x) for x in aux)]

    results, nonzero, program = linearize(both, flat, call.function)
    count, tree = box
    aux = [x.value if isinstance(x, _Opaque) else x for x in results[count:]]
    kept = sum(a is not None for a in nonzero[:count])
    jaxpr = program.jaxpr
    from oakum.interpreters.partial import dce_jaxpr
    from oakum.ir import Jaxpr

    used = [i < kept for i in range(len(jaxpr.outvars))]
    pruned, _ = dce_jaxpr(jaxpr, used)
    pruned = Jaxpr(jaxpr.constvars, jaxpr.invars, pruned.outvars, pruned.eqns, jaxpr.name)
    pullback = Pullback(
        flat, ClosedJaxpr(pruned, program.consts), [aval_of(x) for x in results[:count]], nonzero[:count]
    )
    return results[:count], pullback, trees.unflatten(tree, aux)


def _check_arrays(leaves: Sequence[Any], function: Any) -> None:
    for leaf in leaves:
        try:
            aval_of(leaf)
        except InvalidValueError as error:
            raise InvalidValueError(
                f"Argument {leaf!r} of type {type(leaf)} of {calls.name_of(function)} is not a "
                "valid JAX type",
                frame=user_frame(),
                mend="Differentiate with respect to arrays and numbers only (argnums).",
            ) from error


def value_and_grad(
    function: Callable[..., Any],
    argnums: int | Sequence[int],
    *,
    has_aux: bool,
    holomorphic: bool,
    allow_int: bool,
    name: str = "value_and_grad",
) -> Callable[..., Any]:
    """The function that computes value and gradient."""
    calls.check_callable(function)
    argnums = _check_argnums(argnums)

    @api_boundary
    @functools.wraps(function)
    def compute(*args: Any, **kwargs: Any) -> Any:
        partial, chosen, single = select_arguments(function, argnums, args, kwargs, name)
        for leaf in trees.leaves(chosen):
            check_input(leaf, name, holomorphic, allow_int)
        out = vjp(partial, chosen, has_aux)
        value, pullback = out[0], out[1]
        check_scalar(value, name, holomorphic)
        one = _one(value)
        gradients = pullback(one)
        gradient = gradients[0] if single else tuple(gradients)
        return ((value, out[2]), gradient) if has_aux else (value, gradient)

    return compute


def _one(value: Any) -> Any:
    from oakum import lax

    return lax.full_like(value, 1)


def _check_argnums(argnums: Any) -> Any:
    if isinstance(argnums, (list, tuple)):
        return tuple(n.__index__() for n in argnums)  # pyright: ignore
    try:
        return argnums.__index__()
    except AttributeError:
        raise InvalidValueError(
            f"argnums must be an int or a sequence of ints, got {argnums!r}",
            mend="Give the positions of the arguments.",
        ) from None


def select_arguments(
    function: Callable[..., Any],
    argnums: int | tuple[int, ...],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    name: str,
) -> tuple[Callable[..., Any], tuple[Any, ...], bool]:
    """The function of the chosen arguments alone, these arguments, and whether it is only one."""
    single = isinstance(argnums, int)
    numbers = (argnums,) if isinstance(argnums, int) else argnums
    count = len(args)
    for number in numbers:
        if not -count <= number < count:
            raise ArgumentCountError(
                f"differentiating with respect to argnums={argnums} requires at least "
                f"{(number + 1) if number >= 0 else -number} positional arguments to be passed by "
                f"the caller, but got only {count} positional arguments",
                mend="Pass the argument by position, or change argnums.",
                frame=user_frame(),
            )
    places = [n % count for n in numbers]

    @functools.wraps(function)
    def partial(*chosen: Any) -> Any:
        given = list(args)
        for place, value in zip(places, chosen, strict=True):
            given[place] = value
        return function(*given, **kwargs)

    return partial, tuple(args[p] for p in places), single


class ArgumentCountError(OakumError, ValueError, TypeError):
    """A derivative is asked for of an argument that was not given."""

    default_code = codes.MISSING_STATIC_ARGUMENT


def check_input(leaf: Any, name: str, holomorphic: bool, allow_int: bool) -> None:
    """Raises TypeError for an argument that has no derivative."""
    try:
        aval = aval_of(as_operand(leaf))
    except InvalidValueError:
        raise InvalidValueError(
            f"{name} of the argument {leaf!r} of type {type(leaf)} is not a "
            "valid JAX type",
            frame=user_frame(),
            mend="Differentiate with respect to arrays and numbers only (argnums).",
        ) from None
    assert aval.dtype is not None
    kind = aval.dtype.kind
    if kind is Kind.KEY:
        raise DTypeError(
            f"{name} requires inputs that are not keys or of an extended dtype, but got {aval}",
            frame=user_frame(),
        )
    if holomorphic and kind is not Kind.COMPLEX:
        raise DTypeError(
            f"{name} with holomorphic=True requires inputs with complex dtype, but got {aval.dtype}",
            frame=user_frame(),
        )
    if not holomorphic and kind is Kind.COMPLEX:
        if name == "jacfwd":
            raise DTypeError(
                f"{name} requires real-valued inputs (input dtype that is a sub-dtype of "
                f"np.floating), but got {aval.dtype}. For holomorphic differentiation, pass "
                "holomorphic=True. For differentiation of non-holomorphic functions involving "
                "complex inputs, use jax.jvp directly",
                frame=user_frame(),
            )
        return
    if kind in (Kind.BOOL, Kind.INT, Kind.UINT) and not allow_int:
        raise DTypeError(
            f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of "
            f"np.inexact), but got {aval.dtype}. If you want to use Boolean- or integer-valued "
            "inputs, use vjp or set allow_int to True",
            frame=user_frame(),
            mend="Give floats: 1.0 instead of 1, x.astype(float).",
        )


def check_scalar(value: Any, name: str, holomorphic: bool) -> None:
    """Raises TypeError for a result that is not one real number."""
    leaves, tree = trees.flatten(value)
    shown = "Gradient only defined for scalar-output functions. Output"
    if len(leaves) != 1 or tree != trees.structure(0):
        raise ShapeError(
            f"{shown} was {value!r}, a tree of structure {tree}",
            frame=user_frame(),
            mend="Return one number; return other data with has_aux=True.",
        )
    try:
        aval = aval_of(value)
    except InvalidValueError:
        raise InvalidValueError(f"{shown} was {value!r}", frame=user_frame()) from None
    if aval.shape != ():
        raise ShapeError(
            f"{shown} had shape: {aval.shape}",
            frame=user_frame(),
            mend="Sum or average the result, or use jax.jacrev for the derivative of an array.",
        )
    check_output(aval, name, holomorphic)


def check_output(aval: ShapedArray, name: str, holomorphic: bool) -> None:
    """Raises TypeError for a result of a dtype that has no derivative."""
    assert aval.dtype is not None
    kind = aval.dtype.kind
    if holomorphic:
        if kind is not Kind.COMPLEX:
            raise DTypeError(
                f"{name} with holomorphic=True requires outputs with complex dtype, but got "
                f"{aval.dtype}",
                frame=user_frame(),
            )
        return
    if kind is Kind.COMPLEX:
        raise DTypeError(
            f"{name} requires real-valued outputs (output dtype that is a sub-dtype of "
            f"np.floating), but got {aval.dtype}. For holomorphic differentiation, pass "
            "holomorphic=True. For differentiation of functions with complex outputs, use jax.vjp "
            "directly",
            frame=user_frame(),
        )
    if kind is not Kind.FLOAT:
        raise DTypeError(
            f"{name} requires real-valued outputs (output dtype that is a sub-dtype of "
            f"np.floating), but got {aval.dtype}. For differentiation of functions with integer "
            "outputs, use jax.vjp directly",
            frame=user_frame(),
        )


def check_output_forward(aval: ShapedArray, holomorphic: bool) -> None:
    """Raises TypeError for a result that `jacfwd` cannot give holomorphic derivatives of."""
    if holomorphic and (aval.dtype is None or aval.dtype.kind is not Kind.COMPLEX):
        raise DTypeError(
            f"jacfwd with holomorphic=True requires outputs with complex dtype, but got {aval.dtype}",
            frame=user_frame(),
        )


class Linearized:
    """The derivative of a function at a point, as a linear function of tangents."""

    def __init__(self, program: ClosedJaxpr, in_tree: Any, out_tree: Any, avals: Any, out: Any, nonzero: Any) -> None:
        self._program = program
        self._in_tree = in_tree
        self._out_tree = out_tree
        self._avals = avals
        self._out = out
        self._nonzero = nonzero

    @api_boundary
    def __call__(self, *tangents: Any) -> Any:
        leaves, tree = trees.flatten(tuple(tangents))
        if tree != self._in_tree:
            raise TreeError(
                f"linearized function called with tangents of structure {tree}, but the primals "
                f"have structure {self._in_tree}",
                mend="Give one tangent for each primal.",
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
        given = [x for x, a in zip(leaves, self._avals, strict=True) if _is_inexact(a)]
        results = iter(eval_closed(self._program, *given))
        out = [
            zeros(tangent_aval(a)) if nz is None else next(results)
            for a, nz in zip(self._out, self._nonzero, strict=True)
        ]
        return trees.unflatten(self._out_tree, out)


def linearize_tree(function: Callable[..., Any], primals: Sequence[Any], has_aux: bool) -> Any:
    """Evaluates a function of trees, and gives its derivative as a linear function."""
    calls.check_callable(function)
    flat, treedef = trees.flatten(tuple(primals))
    _check_arrays(flat, function)
    call = calls.FlatFunction(function, treedef, keywords=False, has_aux=has_aux)
    box: list[Any] = [0, None]

    def both(*leaves: Any) -> list[Any]:
        results = call(*leaves)
        aux, tree = trees.flatten(call.take_aux())
        box[:] = [len(results), tree]
        return [*results, *(_Opaque.of(x) for x in aux)]

    results, nonzero, program = linearize(both, flat, function)
    count, tree = box
    out = [aval_of(x) for x in results[:count]]
    avals = [aval_of(x) for x in flat]
    linear = Linearized(program, treedef, call.out_tree, avals, out, nonzero[:count])
    value = trees.unflatten(call.out_tree, results[:count])
    if not has_aux:
        return value, linear
    aux = [x.value if isinstance(x, _Opaque) else x for x in results[count:]]
    return value, linear, trees.unflatten(tree, aux)


def linear_transpose(function: Callable[..., Any], primals: Sequence[Any]) -> Callable[..., Any]:
    """The transpose of a linear function of trees; the primals tell only avals."""
    calls.check_callable(function)
    flat, treedef = trees.flatten(tuple(primals))
    avals = [described_aval(x, function).update(weak_type=False) for x in flat]
    call = calls.FlatFunction(function, treedef, keywords=False)
    closed, lifted = hoist(stage(call, avals, name=calls.name_of(function), transform="linear_transpose"))
    out_tree = call.out_tree

    @api_boundary
    def transposed(cotangent: Any) -> Any:
        leaves, tree = trees.flatten(cotangent)
        if tree != out_tree:
            raise TreeError(
                f"cotangent tree does not match function output, expected {out_tree} but got {tree}",
                frame=user_frame(),
            )
        for leaf, aval in zip(leaves, closed.out_avals, strict=True):
            given = aval_of(leaf)
            if (given.shape, given.dtype) != (aval.shape, aval.dtype):
                raise TreeError(
                    f"cotangent type does not match function output, expected {aval} but got {given}",
                    frame=user_frame(),
                )
        operands = [*lifted, *map(UndefinedPrimal, avals)]
        results = backward_pass(closed.jaxpr, closed.consts, operands, leaves)
        return trees.unflatten(treedef, [instantiate(x) for x in results[len(lifted) :]])

    return transposed
