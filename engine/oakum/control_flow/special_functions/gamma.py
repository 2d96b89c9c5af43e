"""The gamma function's logarithm, its derivatives, and the Hurwitz zeta function."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import lax
from oakum.control_flow.special_functions import staged_kernels
from oakum.errors import NoDerivativeError
from oakum.primitives.host.special import gamma
from oakum.primitives.rules import numpy_evaluation
from oakum.primitives.rules.arguments import number_like
from oakum.primitives.rules.declared import elementwise_primitive
from oakum.primitives.rules.derivatives import binary, unary
from oakum.primitives.rules.lowering import Decomposed, are_native
from oakum.primitives.special import erfc_p
from oakum.tracing.trace import Primitive, Rule
from oakum.typing import ArrayLike
from oakum.values import host


class _Functions(staged_kernels.StagedFunctions):
    """The functions of NumPy, and special ones that the compiler has code of."""

    def lgamma(self, x: host.Array) -> Any:
        return lgamma_p.bind(x)

    def digamma(self, x: host.Array) -> Any:
        return digamma_p.bind(x)

    def erfc(self, x: host.Array) -> Any:
        return erfc_p.bind(x)


def kernel_primitive(
    name: str,
    kernel: Callable[..., Any],
    derivatives: Sequence[Rule | None] | None = None,
    declared_as: str = "",
    abstract: Rule | None = None,
) -> Primitive:
    """Makes the primitive of a kernel, which the host evaluates and the compiler stages. `abstract`
    is its rule where no function of `oakum.lax` declares it.
    """
    return elementwise_primitive(
        name,
        numpy_evaluation.in_doubles(kernel),
        derivatives,
        function=declared_as,
        abstract=abstract,
        lower=Decomposed(staged_kernels.in_doubles(kernel, _Functions), are_native),
    )


def refused(function: str, operand: str) -> Rule:
    """Returns the derivative by an operand by which there is none."""

    def refuse(*_: ArrayLike) -> Any:
        raise NoDerivativeError(
            f"{function} gradient with respect to {operand} not supported",
            hint="Stop the gradient with jax.lax.stop_gradient, or use a numerical derivative.",
        )

    return refuse


lgamma_p = elementwise_primitive(
    "lgamma",
    numpy_evaluation.in_doubles(gamma.lgamma),
    unary(lambda g, out, x: lax.mul(g, digamma_p.bind(x))),
)
digamma_p = elementwise_primitive(
    "digamma",
    numpy_evaluation.in_doubles(gamma.digamma),
    unary(lambda g, out, x: lax.mul(g, polygamma_p.bind(lax.full_like(x, 1), x))),
)
polygamma_p = kernel_primitive(
    "polygamma",
    gamma.polygamma,
    binary(
        refused("polygamma", "m is"),
        lambda g, out, m, x: lax.mul(g, polygamma_p.bind(lax.add(m, number_like(m, 1)), x)),
    ),
)
zeta_p = kernel_primitive("zeta", gamma.zeta)
