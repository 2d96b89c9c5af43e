"""Functions with derivatives of their own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum import transforms
from oakum.array import Array
from oakum.errors import MissingRuleError
from oakum.pytrees import pytree
from oakum.pytrees.node_types import Partial
from oakum.values import user_frames
from oakum.values.declarations import transform
from oakum.values.traceback_filtering import api_boundary


def _given(args: tuple[object, ...], kwargs: dict[str, object]) -> str:
    """Returns the sentence that says what a function without a rule was called with."""
    arrays = [each for each in pytree.leaves((args, kwargs)) if isinstance(each, Array)]
    return f"It was called with {', '.join(str(each.aval) for each in arrays)}" if arrays else ""


class _Derivatives:
    """The common base of `custom_jvp` and `custom_vjp`: a function, and which of its arguments are
    not differentiated.
    """

    def __init__(
        self,
        fun: Callable[..., Any],
        nondiff_argnums: Sequence[int] = (),
        nondiff_argnames: Sequence[str] = (),
    ) -> None:
        transforms.flat_functions.check_callable(fun)
        functools.update_wrapper(self, fun, updated=())
        self.fun = fun
        numbers, names = transforms.flat_functions.infer_parameters(
            fun, nondiff_argnums or None, nondiff_argnames or None, "nondiff"
        )
        self.nondiff_argnums = numbers
        self.nondiff_argnames = names

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        """Returns the function itself on a class, a method on an instance."""
        return self if instance is None else functools.partial(self, instance)

    def __getattr__(self, name: str) -> Any:
        return transforms.custom_rules.rule_calls.definer(self.__dict__.get("fun"), name)

    def fixed(self) -> tuple[int, ...]:
        """Returns the positions of the arguments that are not differentiated."""
        parameters = transforms.flat_functions.signature_of(self.fun)
        named = [i for i, p in enumerate(parameters) if p.name in self.nondiff_argnames]
        return tuple(sorted({*self.nondiff_argnums, *named}))

    def __call__(self, *args: object, **kwargs: object) -> Any:
        raise NotImplementedError


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
        super().__init__(fun, nondiff_argnums, nondiff_argnames)
        self.jvp: Callable[..., Any] | None = None
        self.symbolic_zeros = False

    @transform("custom_jvp.defjvp", "custom", ("jvp",), staged=False)
    def defjvp(self, jvp: Callable[..., Any], symbolic_zeros: bool = False) -> Callable[..., Any]:
        """Sets the rule: a function of the primals and the tangents."""
        self.jvp = jvp
        self.symbolic_zeros = symbolic_zeros
        return jvp

    @transform("custom_jvp.defjvps", "custom", ("jvps",), staged=False)
    def defjvps(self, *jvps: Callable[..., Any] | None) -> None:
        """Sets the rule as one function for each argument; None for an argument without one."""
        self.jvp = transforms.custom_rules.custom_jvp.by_argument(self, jvps)
        self.symbolic_zeros = False

    @api_boundary
    def __call__(self, *args: object, **kwargs: object) -> Any:
        if self.jvp is None:
            raise MissingRuleError(
                "No JVP defined for custom_jvp function "
                f"{user_frames.name_of(self.fun)} using defjvp",
                detail=_given(args, kwargs),
                hint="Define the rule with @f.defjvp.",
            )
        given = transforms.custom_rules.rule_calls.resolve(self.fun, args, kwargs, "custom_jvp")
        return transforms.custom_rules.custom_jvp.call(
            self.fun, self.jvp, self.fixed(), given, self.symbolic_zeros
        )


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
        super().__init__(fun, nondiff_argnums, nondiff_argnames)
        self.fwd: Callable[..., Any] | None = None
        self.bwd: Callable[..., Any] | None = None
        self.symbolic_zeros = False

    @transform("custom_vjp.defvjp", "custom", ("fwd", "bwd"), staged=False)
    def defvjp(
        self,
        fwd: Callable[..., Any],
        bwd: Callable[..., Any],
        symbolic_zeros: bool = False,
        optimize_remat: bool = False,
    ) -> None:
        """Sets the rule: the forward pass, which keeps residuals, and the backward pass."""
        self.fwd = fwd
        self.bwd = bwd
        self.symbolic_zeros = symbolic_zeros

    @api_boundary
    def __call__(self, *args: object, **kwargs: object) -> Any:
        if self.fwd is None or self.bwd is None:
            raise MissingRuleError(
                "No VJP defined for custom_vjp function "
                f"{user_frames.name_of(self.fun)} using defvjp",
                detail=_given(args, kwargs),
                hint="Define the rule with f.defvjp(fwd, bwd).",
            )
        given = transforms.custom_rules.rule_calls.resolve(self.fun, args, kwargs, "custom_vjp")
        transforms.custom_rules.custom_vjp.check_fixed(self.fun, self.fixed(), given)
        return transforms.custom_rules.custom_vjp.call(
            self.fun, self.fwd, self.bwd, self.fixed(), given, self.symbolic_zeros
        )


@transform("custom_gradient", "custom", ("fun",), staged=False)
def custom_gradient(fun: Callable[..., Any]) -> Any:
    """Decorates a function that returns its value together with the function that pulls
    cotangents back.
    """
    wrapped: Any = custom_vjp(lambda *args, **kwargs: fun(*args, **kwargs)[0])

    def forward(*args: object, **kwargs: object) -> tuple[Any, Any]:
        value, pullback = fun(*args, **kwargs)
        converted, consts = transforms.make_jaxpr.closure_convert(pullback, value)
        return value, (consts, args, Partial(converted))

    def backward(residuals: Any, cotangent: Array) -> tuple[Any, ...]:
        consts, args, pullback = residuals
        result = pullback(cotangent, *consts)
        parts = tuple(result) if isinstance(result, _SEVERAL) else (result,)
        return (parts,) if len(args) == 1 and len(parts) != 1 else parts

    wrapped.defvjp(forward, backward)
    return wrapped


_SEVERAL: Final[Any] = (tuple, list)
"""What a pullback returns that returns a cotangent for each argument."""


@transform("closure_convert", "eval", ("fun",), staged=True)
def closure_convert(fun: Callable[..., Any], *example_args: object) -> Any:
    """Makes the differentiable values that a function closes over into explicit arguments."""
    return transforms.make_jaxpr.closure_convert(fun, *example_args)
