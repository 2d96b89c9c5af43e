"""The primitive of `composite`: a program with a name by which a compiler may replace it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from oakum.control_flow.body_tracing import leaves_of, trace_body
from oakum.errors import CompositeError, UnexpectedTracerError
from oakum.pytrees import pytree
from oakum.tracing import jaxpr_verifier
from oakum.tracing.ir import ClosedJaxpr, run_closed
from oakum.tracing.trace import Primitive, Tracer, aval_of
from oakum.transforms.jit.jit_primitive import axes_of, effects_of
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import user_frame


def _refused(what: str) -> Callable[..., Any]:
    def rule(*_: object, name: str, **__: object) -> Any:
        raise CompositeError(
            f"{what} rule for composite not implemented. You can use `jax.custom_jvp` to add "
            f"support: the composite is {name!r}",
            frame=user_frame(),
            hint="Give the function around the composite a rule with jax.custom_jvp.",
        )

    return rule


def _abstract(*avals: ShapedArray, jaxpr: ClosedJaxpr, **_: object) -> list[ShapedArray]:
    return jaxpr_verifier.check_call("composite", jaxpr, avals)


def _evaluate(xp: ModuleType, *operands: object, jaxpr: ClosedJaxpr, **_: object) -> list[Any]:
    return run_closed(xp, jaxpr, operands)


composite_p = Primitive(
    "composite",
    abstract=_abstract,
    evaluate=_evaluate,
    jvp=_refused("JVP"),
    transpose=_refused("Transpose"),
    effects=effects_of,
    axes=axes_of,
    multiple_results=True,
)


def composite(decomposition: Callable[..., Any], name: str, version: int) -> Callable[..., Any]:
    """`lax.composite`."""

    @functools.wraps(decomposition)
    def composed(*args: object, **attributes: object) -> Any:
        if any(isinstance(value, Tracer) for value in attributes.values()):
            raise UnexpectedTracerError(
                "Found a JAX Tracer as an attribute in the decomposition for the composite op "
                f"{name!r}: keyword arguments are attributes, which have to be known when the "
                "function is traced",
                frame=user_frame(),
                hint="Pass the value by position.",
            )
        leaves, _ = leaves_of(args)
        body = trace_body(
            functools.partial(decomposition, **attributes),
            args,
            [aval_of(x) for x in leaves],
            transform="composite",
        )
        if any(isinstance(x, Tracer) for x in body.lifted):
            raise UnexpectedTracerError(
                f"Found a JAX Tracer as a constant in the decomposition for the composite op "
                f"{name!r}: the decomposition function closes over a value that is involved in a "
                "transformation",
                frame=user_frame(),
                hint="Pass the value as an argument of the composite.",
            )
        results = composite_p.bind(
            *leaves,
            jaxpr=body.jaxpr,
            name=name,
            version=version,
            attributes=tuple(attributes.items()),
        )
        return pytree.unflatten(body.out_tree, results)

    return composed
