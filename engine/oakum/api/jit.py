"""Transformations that trace a function to a program."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from oakum import transforms
from oakum.typing import Placement
from oakum.values.declarations import public, transform
from oakum.values.option_values import UNSET, Unset

F = TypeVar("F", bound=Callable[..., Any])


@transform(
    "jit",
    "jit",
    ("fun",),
    staged=True,
    static=(
        "static_argnums",
        "static_argnames",
        "donate_argnums",
        "donate_argnames",
        "keep_unused",
        "inline",
    ),
)
def jit(
    fun: Callable[..., Any] | Unset = UNSET,
    /,
    *,
    in_shardings: object = None,
    out_shardings: object = None,
    static_argnums: int | Sequence[int] | None = None,
    static_argnames: str | Iterable[str] | None = None,
    donate_argnums: int | Sequence[int] | None = None,
    donate_argnames: str | Iterable[str] | None = None,
    keep_unused: bool = False,
    device: Placement | None = None,
    backend: str | None = None,
    inline: bool = False,
    compiler_options: Mapping[str, object] | None = None,
) -> Any:
    """Compiles a function with its first call for each shape and dtype of the arguments.

    With keyword arguments alone it is a decorator.
    """
    placements = {"in_shardings": in_shardings, "out_shardings": out_shardings, "device": device}
    if backend is not None or any(each is not None for each in placements.values()):
        from oakum.runtime.topology import ignored_placement

        for name, placement in placements.items():
            ignored_placement.require(f"jit({name}=...)", placement)
        ignored_placement.require_platform("jit(backend=...)", backend)
    if compiler_options is not None:
        from oakum.values.options import xla_options

        xla_options.check(compiler_options)
    transformed = functools.partial(
        transforms.jit.compiled_function.jit,
        static_argnums=static_argnums,
        static_argnames=static_argnames,
        donate_argnums=donate_argnums,
        donate_argnames=donate_argnames,
        keep_unused=keep_unused,
        inline=inline,
    )
    return transformed if fun is UNSET else transformed(fun)


def _words(names: str | Iterable[str]) -> Iterable[str]:
    return (names,) if isinstance(names, str) else names


@transform(
    "checkpoint",
    "checkpoint",
    ("fun",),
    staged=True,
    static=("prevent_cse", "static_argnums", "static_argnames"),
)
def checkpoint(
    fun: Callable[..., Any],
    *,
    prevent_cse: bool | Sequence[bool] = True,
    policy: Callable[..., bool] | None = None,
    static_argnums: int | tuple[int, ...] = (),
    static_argnames: str | Iterable[str] = (),
    concrete: object = None,
) -> Any:
    """Recomputes the intermediate values of a function in the backward pass instead of keeping
    them.
    """
    _refuse_concrete(concrete)
    return transforms.custom_rules.checkpoint.checkpoint(
        fun, policy, prevent_cse, static_argnums, tuple(_words(static_argnames))
    )


@transform("remat", "checkpoint", ("fun",), staged=True, static=("prevent_cse", "static_argnums"))
def remat(
    fun: Callable[..., Any],
    *,
    prevent_cse: bool = True,
    policy: Callable[..., bool] | None = None,
    static_argnums: int | tuple[int, ...] = (),
    concrete: object = None,
) -> Any:
    """Recomputes intermediate values in the backward pass: `checkpoint` under its other name."""
    _refuse_concrete(concrete)
    return transforms.custom_rules.checkpoint.checkpoint(
        fun, policy, prevent_cse, static_argnums, ()
    )


def _refuse_concrete(concrete: object) -> None:
    if concrete is not None:
        raise NotImplementedError(
            "The `concrete` option to `jax.checkpoint` is not supported; use the `static_argnums` "
            "option of `jax.checkpoint` instead"
        )


@transform("eval_shape", "eval", ("fun",), staged=True)
def eval_shape(fun: Callable[..., Any], *args: object, **kwargs: object) -> Any:
    """Computes the shapes and dtypes of the results of a function without evaluating it. What is
    static for a jitted function stays so.
    """
    if isinstance(fun, transforms.jit.compiled_function.CompiledFunction):
        return fun.eval_shape(*args, **kwargs)
    return transforms.make_jaxpr.eval_shape(fun, args, kwargs)


@transform(
    "make_jaxpr", "make_jaxpr", ("fun",), staged=True, static=("static_argnums", "return_shape")
)
def make_jaxpr(
    fun: Callable[..., Any],
    static_argnums: int | Sequence[int] = (),
    axis_env: Sequence[tuple[Hashable, int]] | None = None,
    return_shape: bool = False,
) -> Any:
    """Returns a function that returns the program which tracing its argument records."""
    return transforms.make_jaxpr.make_jaxpr(fun, static_argnums, axis_env, return_shape)


@transform("named_call", "named", ("fun",), staged=False)
def named_call(fun: F, *, name: str | None = None) -> F:
    """Returns a function whose operations carry a name in profiles and programs."""
    transforms.flat_functions.check_callable(fun)
    return fun


@public("named_scope")
def named_scope(name: str) -> Any:
    """Names the operations that are traced in the block of this context manager."""
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("named_scope name argument must be a string.")
    return _NamedScope(name)


class _NamedScope(contextlib.ContextDecorator):
    """The block of a name, or as a decorator that of a function; names change no result."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> str:
        return self._name

    def __exit__(self, *_: object) -> None:
        return None


@public("disable_jit")
def disable_jit(disable: bool = True) -> Any:
    """Evaluates the block of this context manager one operation at a time, without staging."""
    return transforms.make_jaxpr.disable_jit(disable)


@transform("ensure_compile_time_eval", "compile_time", (), staged=False)
def ensure_compile_time_eval() -> Any:
    """Evaluates operations on concrete values in this block while tracing, instead of staging
    them.
    """
    return transforms.make_jaxpr.compile_time_evaluation()
