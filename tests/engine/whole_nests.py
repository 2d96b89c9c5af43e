# pyright: basic
# Random programs are text: what stands in it has no types.
"""Statements of random whole programs that hold functions: loops, branches, transformations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tests.engine.whole_elements import along, binary, cast, places, reduction, unary
from tests.engine.whole_movements import (
    contracted,
    created,
    drawn,
    gathered,
    joined,
    moved,
    scattered,
    slicing,
)
from tests.engine.whole_programs import NotApplicable, Scope, Statement, choose, kind_of

from oakum import numpy as jnp

_DEEPEST = 2
Form = tuple[tuple[int, ...], str]
"""The shape and the dtype of a result."""


def form_of(scope: Scope, name: str) -> Form:
    """The shape and the dtype of a value."""
    return scope.shape(name), scope.dtype(name)


def fitted(scope: Scope, name: str, form: Form) -> str:
    """The elements of a value in another shape and dtype."""
    shape, dtype = form
    text = name if scope.shape(name) == shape else f"jnp.resize({name}, {shape})"
    if kind_of(scope.values[name]) == "c" and not dtype.startswith("complex"):
        text = f"{text}.real"
    if scope.dtype(name) == dtype and not isinstance(scope.values[name], (int, float, complex)):
        return text
    return f"jnp.asarray({text}).astype('{dtype}')"


def grow(scope: Scope, count: int) -> None:
    """Adds so many statements, or fewer where some are not possible."""
    table = _LARGE if scope.large else _WEIGHTED
    statements, weights = [*table], [*table.values()]
    end = scope.counter[0] + 4 * count
    for _ in range(2 * count):
        before = len(scope.lines)
        (statement,) = scope.chance.choices(statements, weights)
        try:
            statement(scope)
        except NotApplicable:
            continue
        count -= len(scope.lines) > before
        if count <= 0 or scope.counter[0] > end:
            return


def body(
    scope: Scope, parameters: dict[str, Any], forms: Sequence[Form] | None, *, smooth: bool = False
) -> str:
    """Defines a function of parameters that gives results of these forms; its name."""
    inner = scope.within(parameters)
    grow(inner, scope.chance.choice((1, 2, 2, 3, 4)))
    made = inner.own[::-1]
    if smooth:
        made = [name for name in made if kind_of(inner.values[name]) == "f"] or made
    if forms is None:
        result = made[0]
    else:
        # What was made last hangs on most.
        names = [made[n % len(made)] for n in range(len(forms))]
        parts = [fitted(inner, name, form) for name, form in zip(names, forms, strict=True)]
        result = parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    name = scope.fresh("g")
    if not scope.define(name, [*parameters], inner, result):
        raise NotApplicable
    return name


def _row(scope: Scope, name: str) -> Any:
    """An element along the first axis, as a loop or a mapped function gets it."""
    value = scope.values[name]
    return value[0]


def scanned(scope: Scope) -> None:
    """A scan, over rows or without."""
    chance = scope.chance
    start = scope.pick("biufc", most=3)
    form = form_of(scope, start)
    carry = scope.fresh("c")
    text = fitted(scope, start, form)
    values = {carry: scope.values[start]}
    try:
        rows = scope.pick(rank=1, least=1, most=3)
    except NotApplicable:
        rows = ""
    reverse = chance.choice(("", "", ", reverse=True", ", unroll=2"))
    if not rows or chance.often(0.25):
        row, more = scope.fresh("r"), f"None, {chance.randint(0, 4)}{reverse}"
        values[row] = scope.values[start]
        stacked = (form[0], form[1])
        g = body(scope, values, [form, stacked])
        call = f"lambda c, _: {g}(c, c)"
        scope.add(f"lax.scan({call}, {text}, {more})", 2)
        return
    row = scope.fresh("r")
    values[row] = _row(scope, rows)
    g = body(scope, values, [form, form_of(scope, rows) if chance.often(0.3) else form])
    scope.add(f"lax.scan({g}, {text}, {rows}{reverse})", 2)


def repeated(scope: Scope) -> None:
    """A fori_loop or a while_loop with few turns."""
    chance, x = scope.chance, scope.pick("biufc", most=3)
    form, name, turn = form_of(scope, x), scope.fresh("c"), scope.fresh("i")
    first = fitted(scope, x, form)
    g = body(scope, {turn: jnp.int32(0), name: scope.values[x]}, [form])
    turns: str = str(chance.randint(0, 4))
    if chance.often(0.4):
        try:
            i = scope.pick("iu")
            turns = f"jnp.resize({i}, ()).astype('int32') & 3"
        except NotApplicable:
            pass
    if chance.often(0.5):
        scope.add(f"lax.fori_loop(0, {turns}, {g}, {first})")
        return
    step = f"lambda s: (s[0] + 1, {g}(s[0], s[1]))"
    stop = f"lambda s: (s[0] < ({turns}))"
    if chance.often(0.3):
        stop += f" & (s[0] * jnp.size(s[1]) < {chance.randint(2, 40)})"
    scope.add(f"lax.while_loop({stop}, {step}, (jnp.int32(0), {first}))[1]")


def branched(scope: Scope) -> None:
    """A cond or a switch, perhaps mapped so that it becomes a selection."""
    chance, x = scope.chance, scope.pick(most=3)
    y = scope.pick(most=3)
    form = form_of(scope, chance.choice((x, y)))
    count = chance.choice((1, 2, 2, 3))
    names: list[str] = []
    for _ in range(count):
        given = {scope.fresh("p"): scope.values[x], scope.fresh("q"): scope.values[y]}
        names.append(body(scope, given, [form]))
    try:
        i = f"jnp.resize({scope.pick('iub')}, ()).astype('int32')"
    except NotApplicable:
        i = str(chance.randrange(3))
    if count == 2:
        scope.add(f"lax.cond({i} > {chance.randint(0, 1)}, {names[0]}, {names[1]}, {x}, {y})")
        return
    scope.add(f"lax.switch({i}, [{', '.join(names)}], {x}, {y})")


def mapped(scope: Scope) -> None:
    """A function mapped over axes, or in a loop."""
    chance, x = scope.chance, scope.pick(rank=1, least=1, most=3)
    p, q = scope.fresh("p"), scope.fresh("q")
    size = scope.shape(x)[0]
    if chance.often(0.25):
        g = body(scope, {p: _row(scope, x)}, None)
        scope.add(f"lax.map({g}, {x}{', batch_size=2' if chance.often(0.2) else ''})")
        return
    names = [each for each in scope.own if scope.shape(each)[:1] == (size,)]
    y = chance.choice(names) if names and chance.often(0.6) else scope.pick(most=3)
    along_y = scope.shape(y)[:1] == (size,) and chance.often(0.8)
    g = body(scope, {p: _row(scope, x), q: _row(scope, y) if along_y else scope.values[y]}, None)
    out = chance.choice(("", "", "", ", out_axes=-1"))
    scope.add(f"jax.vmap({g}, in_axes=(0, {0 if along_y else None}){out})({x}, {y})")


def called(scope: Scope) -> None:
    """A function in a call of its own."""
    x, y = scope.pick(most=3), scope.pick(most=3)
    given = {scope.fresh("p"): scope.values[x], scope.fresh("q"): scope.values[y]}
    g = body(scope, given, None)
    wrapper = scope.chance.choice(("jax.jit", "jax.checkpoint", "jax.jit", "jax.named_call"))
    scope.add(f"{wrapper}({g})({x}, {y})")


_SCALAR = "lambda t: jnp.sum(jnp.tanh({g}(t).astype('float32')))"

DERIVATIVES = """
        jax.grad({s})({x}); jax.value_and_grad({s})({x})[1]; jax.jacrev({g})({x});
        jax.jacfwd({g})({x}); jax.jvp({g}, ({x},), (jnp.ones_like({x}),))[1];
        jax.vjp({g}, {x})[1](jnp.ones_like({g}({x})))[0]; jax.hessian({s})({x});
        jax.grad(lambda u: jnp.sum(jax.grad({s})(u) ** 2))({x}); jax.vmap(jax.grad({s}))({x});
        jax.linearize({g}, {x})[1]({x}); jax.grad(jax.checkpoint({s}))({x});
        jax.vmap(jax.grad({s}))(jnp.stack([{x}, {x} * 2])); jax.jit(jax.grad({s}))({x});
        jax.jvp(jax.grad({s}), ({x},), ({x},))[1]
    """


def differentiated(scope: Scope) -> None:
    """A derivative of a function of floats, of any order and either mode."""
    chance, x = scope.chance, scope.pick("f", least=1, most=2)
    g = body(scope, {scope.fresh("p"): scope.values[x]}, None, smooth=True)
    form = choose(chance, DERIVATIVES)
    scope.add(form.format(g=g, s=f"({_SCALAR.format(g=g)})", x=x))


def combined(scope: Scope) -> None:
    """An associative scan with a function of the program."""
    chance, x = scope.chance, scope.pick("iuf", rank=1, least=1, most=2)
    forms = """
        a * 0.5 + b; jnp.maximum(a, b); a + b; jnp.where(b > 0, b, a); a * b
    """
    axis = chance.randrange(len(scope.shape(x)))
    text = f"lambda a, b: {choose(chance, forms)}"
    scope.add(f"lax.associative_scan({text}, {x}, reverse={chance.often(0.3)}, axis={axis})")


_LOOPS: tuple[Callable[[Scope], None], ...] = (
    *(scanned, scanned, repeated, branched, mapped, mapped, called),
    *(differentiated, differentiated, combined),
)


def nested(scope: Scope) -> None:
    """A statement that holds a function."""
    if scope.depth >= _DEEPEST:
        raise NotApplicable
    lines, own = len(scope.lines), len(scope.own)
    scope.chance.choice(_LOOPS)(scope)
    if len(scope.own) == own:
        # Functions that nothing calls are no part of the program.
        del scope.lines[lines:]


_WEIGHTED: dict[Statement, int] = {
    unary: 14,
    binary: 16,
    reduction: 10,
    along: 10,
    places: 8,
    cast: 4,
    slicing: 12,
    moved: 10,
    joined: 6,
    gathered: 6,
    scattered: 7,
    contracted: 7,
    drawn: 4,
    created: 3,
    nested: 16,
}

_LARGE: dict[Statement, int] = {
    each: _WEIGHTED[each]
    for each in (unary, binary, reduction, along, slicing, moved, joined, cast)
}
"""Statements whose work grows no faster than their operands."""
