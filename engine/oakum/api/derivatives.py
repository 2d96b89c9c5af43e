"""Transformations that differentiate."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, cast

from oakum import transforms
from oakum.transforms.flat_functions import Options
from oakum.values import user_frames
from oakum.values.declarations import transform
from oakum.values.traceback_filtering import api_boundary


@transform("grad", "grad", ("fun",), staged=False, static=("argnums",))
def grad(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Sequence[Hashable] = (),
) -> Any:
    """Returns a function that computes the gradient of a scalar-valued function."""
    _refuse_axes("grad", reduce_axes)
    compute = transforms.autodiff.grad.value_and_grad(
        fun, argnums, has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int, name="grad"
    )

    @api_boundary
    @user_frames.wraps(fun)
    def gradient(*args: object, **kwargs: object) -> Any:
        value, result = compute(*args, **kwargs)
        return (result, value[1]) if has_aux else result

    return gradient


@transform("value_and_grad", "grad", ("fun",), staged=False, static=("argnums",))
def value_and_grad(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
    reduce_axes: Sequence[Hashable] = (),
) -> Callable[..., tuple[Any, Any]]:
    """Returns a function that computes both a scalar-valued function and its gradient."""
    _refuse_axes("value_and_grad", reduce_axes)
    return transforms.autodiff.grad.value_and_grad(
        fun, argnums, has_aux=has_aux, holomorphic=holomorphic, allow_int=allow_int
    )


@transform("jacfwd", "grad", ("fun",), staged=False, static=("argnums",))
def jacfwd(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> Any:
    """Returns a function that computes the Jacobian in forward mode, column by column."""
    return transforms.autodiff.jacobians.jacfwd(fun, argnums, has_aux, holomorphic)


@transform("jacrev", "grad", ("fun",), staged=False, static=("argnums",))
def jacrev(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Any:
    """Returns a function that computes the Jacobian in reverse mode, row by row."""
    return transforms.autodiff.jacobians.jacrev(fun, argnums, has_aux, holomorphic, allow_int)


@transform("jacobian", "grad", ("fun",), staged=False, static=("argnums",))
def jacobian(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
    allow_int: bool = False,
) -> Any:
    """Returns a function that computes the Jacobian in reverse mode: `jacrev` under its other
    name.
    """
    return transforms.autodiff.jacobians.jacrev(fun, argnums, has_aux, holomorphic, allow_int)


@transform("hessian", "grad", ("fun",), staged=False, static=("argnums",))
def hessian(
    fun: Callable[..., Any],
    argnums: int | Sequence[int] = 0,
    has_aux: bool = False,
    holomorphic: bool = False,
) -> Any:
    """Returns a function that computes the matrix of second derivatives."""
    jacobian = transforms.autodiff.jacobians.jacrev(fun, argnums, has_aux, holomorphic, False)
    return transforms.autodiff.jacobians.jacfwd(jacobian, argnums, has_aux, holomorphic)


@transform("jvp", "jvp", ("fun",), staged=False)
def jvp(
    fun: Callable[..., Any], primals: object, tangents: object, has_aux: bool = False
) -> tuple[Any, ...]:
    """Evaluates a function and its directional derivative along the given tangents."""
    given = cast("Sequence[object]", primals)  # what else it may be is refused there
    return transforms.autodiff.grad.jvp(fun, given, tangents, has_aux)


@transform("vjp", "vjp", ("fun",), staged=False)
def vjp(
    fun: Callable[..., Any], *primals: object, has_aux: bool = False, reduce_axes: object = ()
) -> Any:
    """Evaluates a function and returns its pullback, from a cotangent to the arguments."""
    _refuse_axes("vjp", reduce_axes)
    return transforms.autodiff.grad.vjp(fun, primals, has_aux)


@transform("fwd_and_bwd", "grad", ("fun",), staged=True, static=("argnums", "has_aux", "jitted"))
def fwd_and_bwd(
    fun: Callable[..., Any],
    argnums: int | Sequence[int],
    has_aux: bool = False,
    jitted: bool = True,
) -> Any:
    """Returns the forward pass of a function and its backward pass as two functions, compiled with
    `jitted`.

    `fwd(*args)` returns the result and residuals (and with `has_aux` what else the function
    returns); `bwd(residuals, cotangent)` the cotangents of the arguments that `argnums` names.
    """
    forward, backward = transforms.autodiff.grad.fwd_and_bwd(fun, argnums, has_aux)
    if not jitted:
        return forward, backward
    compiled, options = transforms.jit.compiled_function.CompiledFunction, Options()
    return compiled(forward, options), compiled(backward, options)


@transform("linearize", "linearize", ("fun",), staged=False)
def linearize(fun: Callable[..., Any], *primals: object, has_aux: bool = False) -> Any:
    """Evaluates a function and returns its derivative at this point as a linear function."""
    return transforms.autodiff.linearize.linearize_tree(fun, primals, has_aux)


@transform("linear_transpose", "linear_transpose", ("fun",), staged=True)
def linear_transpose(fun: Callable[..., Any], *primals: object, reduce_axes: object = ()) -> Any:
    """Returns the transpose of a function that is linear in its arguments."""
    _refuse_axes("linear_transpose", reduce_axes)
    return transforms.autodiff.linearize.linear_transpose(fun, primals)


def _refuse_axes(function: str, reduce_axes: object) -> None:
    if reduce_axes:
        raise NotImplementedError(f"reduce_axes argument to {function} is deprecated")
