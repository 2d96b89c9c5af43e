"""Functions with derivatives of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum.facts import transform


class _Derivatives:
    """What `custom_jvp` and `custom_vjp` have in common: calling evaluates the function."""

    def __init__(self, fun: Callable[..., Any]) -> None:
        self.fun = fun

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.fun(*args, **kwargs)


@transform(
    "custom_jvp", "custom", ("fun",), staged=False, static=("nondiff_argnums", "nondiff_argnames")
)
class custom_jvp(_Derivatives):
    """A function whose forward-mode derivative is given by a rule of its own."""

    def __init__(
        self,
        fun: Callable[..., Any],
        nondiff_argnums: Sequence[int] = (),
        nondiff_argnames: Sequence[str] = (),
    ) -> None:
        super().__init__(fun)
        self.nondiff_argnums = nondiff_argnums
        self.nondiff_argnames = nondiff_argnames

    @transform("custom_jvp.defjvp", "custom", ("jvp",), staged=False)
    def defjvp(self, jvp: Callable[..., Any], symbolic_zeros: bool = False) -> Callable[..., Any]:
        """Sets the rule: a function of the primals and the tangents."""
        ...

    @transform("custom_jvp.defjvps", "custom", ("jvps",), staged=False)
    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Sets the rule as one function for each argument; None for an argument without one."""
        ...


@transform(
    "custom_vjp", "custom", ("fun",), staged=False, static=("nondiff_argnums", "nondiff_argnames")
)
class custom_vjp(_Derivatives):
    """A function whose reverse-mode derivative is given by a rule of its own."""

    def __init__(
        self,
        fun: Callable[..., Any],
        nondiff_argnums: Sequence[int] = (),
        nondiff_argnames: Sequence[str] = (),
    ) -> None:
        super().__init__(fun)
        self.nondiff_argnums = nondiff_argnums
        self.nondiff_argnames = nondiff_argnames

    @transform("custom_vjp.defvjp", "custom", ("fwd", "bwd"), staged=False)
    def defvjp(
        self,
        fwd: Callable[..., Any],
        bwd: Callable[..., Any],
        symbolic_zeros: bool = False,
        optimize_remat: bool = False,
    ) -> None:
        """Sets the rule: the forward pass, which keeps residuals, and the backward pass."""
        ...


@transform("custom_gradient", "custom", ("fun",), staged=False)
def custom_gradient(fun: Callable[..., Any]) -> Any:
    """Decorates a function that returns its value together with the function that pulls
    cotangents back.
    """
    ...


@transform("closure_convert", "eval", ("fun",), staged=True)
def closure_convert(fun: Callable[..., Any], *example_args: Any) -> Any:
    """Makes the differentiable values that a function closes over into explicit arguments."""
    ...
