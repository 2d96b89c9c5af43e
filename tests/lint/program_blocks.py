"""Random statements with blocks of their own that Python has besides loops: `match` and `try`."""

import re
from collections.abc import Callable
from functools import partial
from typing import Final

from program_lines import Writer
from program_scope import Scope
from program_uses import DEFAULTS

Inner = Callable[[Scope, str, str], None]
"""Writes a block of statements in a scope, which ends with a new value of a variable of a kind."""

PATTERNS: Final = (
    ("pair", "case (V, S):", "case (V, S) if <test>:"),
    ("pair", "case V, *_:", "case (V, S) if <flag>:"),
    ("state", "case State(x=V, t=S):", "case State(V, S) if <test>:"),
    ("state", "case State(V, S):", "case State(t=S) if <flag>:"),
    ("rows", "case [S, *_]:", "case [S, _, T] if <test>:"),
    ("rows", "case S, _, T:", "case [S, *_, T] if <flag>:"),
    ("table", 'case {"w": V, "b": S}:', 'case {"b": S, **rest} if <test>:'),
    ("table", 'case {"b": S}:', 'case {"w": V} if <flag>:'),
    ("size", "case 0 | 1:", "case 2:"),
    ("integer", "case 0:", "case 1 | 2:"),
    ("integer", "case 1:", "case int(I):"),
    ("word", 'case "sum":', 'case "mean" | "max":'),
    ("scalar", "case 0.0:", "case float(S):"),
    ("config", "case Config(steps=Z):", "case Config(mode='sum', steps=Z):"),
)
"""What a `match` is of, and two of its patterns; capitals stand for new names."""
ANY: Final = "case _ if True:"
BOUND: Final = {
    "V": ("v", "vector"),
    "S": ("s", "scalar"),
    "T": ("s", "scalar"),
    "I": ("i", "integer"),
    "Z": ("z", "size"),
}


def write_match(writer: Writer, scope: Scope, inner: Inner) -> None:
    """A `match` whose arms give a variable its value."""
    kind = scope.pick(("scalar", "vector"))
    name = writer.name(kind[0])
    writer.write(f"{name} = {scope.expression(kind, 1)}", f"{name} = {DEFAULTS[kind]}")
    scope.variables[name] = kind
    subject, *patterns = scope.pick(PATTERNS)
    if scope.chance(50):
        patterns.reverse()
    given = scope.expression(subject, 1)
    writer.write(f"match {given}:", f"match {DEFAULTS[subject]}:")
    writer.depth += 1
    # A pattern that takes all stands last alone.
    for pattern in patterns[: 1 + scope.below(2)]:
        arm = Scope(scope.below, scope)
        pattern = re.sub(r"\b[A-Z]\b", partial(_bind, writer, arm), pattern)
        # Names that an arm reads stay bound when its guard has raised.
        bare = pattern.partition(" if ")[0].rstrip(":") + ":"
        writer.write(scope.fill(pattern, 1), bare if arm.variables != scope.variables else ANY)
        inner(arm, name, kind)
    if scope.chance(60):
        writer.write("case _:")
        inner(Scope(scope.below, scope), name, kind)
    writer.depth -= 1


def _bind(writer: Writer, arm: Scope, letter: re.Match[str]) -> str:
    """The new name that stands for a letter of a pattern."""
    stem, kind = BOUND[letter[0]]
    name = writer.name(stem)
    arm.variables[name] = kind
    return name


TRIED: Final = (
    ("except KeyError:", "raise"),
    ("except (OSError, KeyError) as problem:", "raise RuntimeError(str(problem)) from problem"),
)
"""Handlers of what nothing in these programs raises, so that what they hold is never seen."""


def write_try(writer: Writer, scope: Scope, inner: Inner) -> None:
    """A `try` whose parts give a variable its value; what is raised in it goes on."""
    kind = scope.pick(("scalar", "vector"))
    name = writer.name(kind[0])
    writer.write(f"{name} = {scope.expression(kind, 1)}", f"{name} = {DEFAULTS[kind]}")
    scope.variables[name] = kind
    writer.write("try:")
    inner(Scope(scope.below, scope), name, kind)
    handled = scope.chance(50)
    if handled:
        head, body = scope.pick(TRIED)
        writer.write(head)
        writer.write(f"    {body}")
        if scope.chance(40):
            writer.write("else:")
            inner(Scope(scope.below, scope), name, kind)
    if not handled or scope.chance(30):
        writer.write("finally:")
        inner(Scope(scope.below, scope), name, kind)


GENERATED: Final = (
    "sum(G)",
    "next(G)",
    "max(G)",
    "list(G)[0]",
    "jnp.stack(list(G)).sum()",
    "[u * 2.0 for u in G][-1]",
    "sum(u for u in G)",
    "dict(enumerate(G))[0]",
)


def write_generator(writer: Writer, scope: Scope) -> None:
    """A generator function, and a use of what it yields."""
    name, parameter, item, result = map(writer.name, "hpus")
    writer.write(f"def {name}({parameter}):")
    own = Scope(scope.below, scope)
    own.variables[parameter] = "scalar"
    writer.depth += 1
    if scope.chance(40):
        writer.write(f"for {item} in range({scope.pick(('2', '3', 'SIZE'))}):")
        writer.write(f"    yield {own.expression('scalar', 1)}", "    yield 1.0")
    elif scope.chance(50):
        writer.write(f"yield {own.expression('scalar', 1)}", "yield 1.0")
        writer.write(f"yield from {own.expression('rows', 1)}", "yield 0.5")
    else:
        writer.write(f"yield {own.expression('scalar', 2)}", "yield 1.0")
        writer.write(f"yield {own.expression('scalar', 1)}", "yield 1.0")
    writer.depth -= 1
    made = f"{name}({scope.expression('scalar', 1)})"
    writer.write(f"{result} = {scope.pick(GENERATED).replace('G', made)}", f"{result} = 1.5")
    scope.variables[result] = "scalar"


FORWARDED: Final = (
    "F(<scalar>, <scalar>)",
    "F(*[<scalar>, <scalar>])",
    "F(<scalar>, scale=<scalar>)",
    "F(<scalar>, **{'scale': <scalar>})",
    "jax.jit(F)(<scalar>, <scalar>)",
    "jax.grad(F)(<scalar>, scale=<scalar>)",
    "partial(F, scale=<scalar>)(<scalar>)",
    "jax.jit(partial(F, <scalar>))(<scalar>)",
)


def write_forwarding(writer: Writer, scope: Scope) -> None:
    """A function that hands on all it is given to another, and a call of it."""
    inner, outer, first, result = map(writer.name, "ghps")
    writer.write(f"def {inner}({first}, scale=1.0):")
    own = Scope(scope.below, scope)
    own.variables |= {first: "scalar", "scale": "scalar"}
    writer.depth += 1
    writer.write(f"return {own.expression('scalar', 2)}", "return 1.0")
    writer.depth -= 1
    writer.write(f"def {outer}(*args, **kwargs):")
    writer.write(f"    return {inner}(*args, **kwargs)")
    text = (
        scope.fill(scope.pick(FORWARDED), 1).replace("F(", f"{outer}(").replace("(F", f"({outer}")
    )
    writer.write(f"{result} = {text}", f"{result} = 1.5")
    scope.variables[result] = "scalar"
