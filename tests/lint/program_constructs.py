"""Random statements of several lines: closures, and functions for loops and branches of JAX."""

from typing import Final

from program_lines import Writer
from program_scope import Scope


def write_closure(writer: Writer, scope: Scope) -> None:
    """A function that makes functions, and a use of one that it made."""
    maker, kept, inner, given, made, result = map(writer.name, "hkgpms")
    writer.write(f"def {maker}({kept}):")
    writer.depth += 1
    writer.write(f"def {inner}({given}):")
    own = Scope(scope.below, scope)
    own.variables |= {kept: "scalar", given: "scalar"}
    writer.depth += 1
    writer.write(f"return {own.expression('scalar', 2)}", "return 1.0")
    writer.depth -= 1
    writer.write(f"return {inner}")
    writer.depth -= 1
    writer.write(f"{made} = {maker}({scope.expression('scalar', 1)})", f"{made} = abs")
    uses = (
        f"{made}(<scalar>)",
        f"jax.jit({made})(<scalar>)",
        f"jax.vmap({made})(<vector>).sum()",
        f"jax.grad({made})(<scalar>)",
        f"sum(map({made}, <rows>))",
        f"jax.tree.map({made}, <pair>)[1]",
    )
    writer.write(f"{result} = {scope.fill(scope.pick(uses), 1)}", f"{result} = jnp.float32(1.5)")
    scope.variables[result] = "scalar"


STEPPED: Final = (
    ("jax.lax.scan(STEP, (<vector>, <scalar>), <vector>)[0]", "carry item", "<scalar>"),
    ("jax.lax.scan(STEP, (<vector>, <scalar>), None, length=2)[0]", "carry item", "None"),
    ("jax.lax.fori_loop(0, <size>, STEP, (<vector>, <scalar>))", "item carry", ""),
    ("jax.lax.fori_loop(0, <integer>, STEP, (<vector>, <scalar>))", "item carry", ""),
    ("jax.lax.while_loop(lambda c: c[1] * 0.0 > 1.0, STEP, (<vector>, <scalar>))", "carry", ""),
    ("jax.lax.cond(<flag>, STEP, lambda c: c, (<vector>, <scalar>))", "carry", ""),
    ("jax.lax.switch(<integer>, [STEP, lambda c: c], (<vector>, <scalar>))", "carry", ""),
    ("jax.checkpoint(STEP)((<vector>, <scalar>))", "carry", ""),
    ("jax.jit(STEP)((<vector>, <scalar>))", "carry", ""),
)
"""Calls of a function of two carried values, its parameters, and what it gives besides them."""


def write_stepped(writer: Writer, scope: Scope) -> None:
    """A loop or a branch of JAX whose function is defined before it, over more than one value."""
    name, carry, item, first, second = map(writer.name, "gcxab")
    head, parameters, besides = scope.pick(STEPPED)
    given = parameters.replace("carry", carry).replace("item", item).split()
    writer.write(f"def {name}({', '.join(given)}):")
    writer.depth += 1
    writer.write(f"{first}, {second} = {carry}")
    own = Scope(scope.below, scope)
    own.variables |= {first: "vector", second: "scalar"}
    if besides == "<scalar>":
        own.variables[item] = "scalar"
    elif item in given and not besides:
        own.variables[item] = "integer"
    after = f"({own.expression('vector', 1)}, {own.expression('scalar', 1)})"
    rest = f", {own.fill(besides, 1)}" if besides else ""
    writer.write(f"return {after}{rest}", f"return ({first}, {second}){', None' * bool(besides)}")
    writer.depth -= 1
    vector, scalar = writer.name("v"), writer.name("s")
    call = scope.fill(head, 1).replace("STEP", name)
    writer.write(f"{vector}, {scalar} = {call}", f"{vector}, {scalar} = jnp.ones(3), 0.5")
    scope.variables |= {vector: "vector", scalar: "scalar"}
