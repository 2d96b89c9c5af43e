# pyright: basic
# Random programs are text: what stands in it has no types.
"""Statements of random whole programs that compute elements, or reduce and order them."""

from __future__ import annotations

import math

from tests.engine.agreement_values import Chance
from tests.engine.whole_programs import NotApplicable, Scope, choose, kind_of

UNARY = {
    "biufc": """
        jnp.abs({x}); jnp.sign({x}); jnp.square({x}); {x} == {x}; jnp.isnan({x});
        jnp.logical_not({x}); jnp.isfinite({x}); jnp.real({x}); jnp.imag({x}); jnp.conj({x});
        +{x}; jnp.zeros_like({x}); jnp.where({x}, {x}, 1); jnp.positive({x}); jnp.ones_like({x});
        jnp.isinf({x}); jnp.array({x}); lax.stop_gradient({x}); jnp.nan_to_num({x});
        {x}.astype('float32'); lax.optimization_barrier({x})
    """,
    "iufc": """
        -{x}; {x} * {x}; {x} + {x}; {x} ** 2; {x} ** 3; jnp.reciprocal({x}); 1 - {x}; {x} * 2;
        {x} / 4
    """,
    "biu": """
        ~{x}; jnp.invert({x}); jnp.bitwise_count({x})
    """,
    "iu": """
        {x} << 1; {x} >> 2; {x} % 3; {x} // 3; {x} & 7; lax.clz({x}); lax.population_count({x})
    """,
    "f": """
        jnp.exp({x}); jnp.tanh({x}); jnp.sin({x}); jnp.cos({x}); jnp.tanh({x});
        jnp.log1p(jnp.abs({x})); jnp.sqrt(jnp.abs({x})); jnp.floor({x}); jnp.ceil({x});
        jnp.round({x}); jnp.trunc({x}); jax.nn.relu({x}); jax.nn.gelu({x}); jax.nn.sigmoid({x});
        jax.nn.softplus({x}); jax.nn.silu({x}); lax.erf({x}); jnp.cbrt({x}); jnp.signbit({x});
        jnp.arctan({x}); jnp.sinh(jnp.tanh({x})); lax.rsqrt(1 + {x} * {x}); jnp.clip({x}, -1, 1);
        jax.nn.elu({x}); jax.nn.leaky_relu({x}); jnp.arcsinh({x}); lax.logistic({x});
        jnp.expm1({x}); jnp.log({x}); jnp.sqrt({x}); jnp.sinc({x}); jax.nn.softmax({x});
        jax.nn.log_softmax({x}); jnp.exp2({x}); {x} ** 0.5; jnp.modf({x})[0]; jnp.frexp({x})[1];
        jnp.deg2rad({x}); jax.nn.relu6({x}); jax.nn.hard_tanh({x}); jnp.nextafter({x}, {x} + 1);
        lax.reduce_precision({x}, 5, 3); lax.lgamma(jnp.abs({x}) + 1); jax.nn.log_sigmoid({x});
        jax.nn.squareplus({x}); jax.nn.mish({x}); jnp.spacing({x})
    """,
    "c": """
        jnp.abs({x}); jnp.angle({x}); {x}.real; {x}.imag; jnp.exp({x} / 4); {x} * 1j;
        jnp.sqrt({x})
    """,
}

BINARY = {
    "biufc": """
        {x} + {y}; {x} * {y}; {x} == {y}; {x} != {y}; jnp.where({x} != 0, {x}, {y});
        jnp.logical_and({x}, {y}); jnp.logical_xor({x}, {y}); jnp.where({y}, {x}, 0);
        jnp.maximum({x}, {y}); jnp.minimum({x}, {y});
        lax.complex({x}.real.astype('float32'), {y}.real.astype('float32'));
        jnp.isclose({x}, {y}); jnp.array_equal({x}, {y})
    """,
    "iufc": """
        {x} - {y}; {x} / (2 + jnp.abs({y})); jnp.subtract({x}, {y}); {x} / {y};
        jnp.add({x}, {y}) * 2
    """,
    "biu": """
        {x} & {y}; {x} ^ {y}; jnp.bitwise_or({x}, {y})
    """,
    "iuf": """
        {x} // {y}; {x} % {y}; jnp.fmod({x}, {y}); {x} > {y}; {x} <= {y};
        jnp.where({x} > {y}, {x}, {y}); jnp.divmod({x}, {y})[1]; jnp.clip({x}, {y}, {y} + 2);
        jnp.fmax({x}, {y}); jnp.heaviside({x}, {y})
    """,
    "iu": """
        jnp.left_shift({x}, {y}); jnp.right_shift({x}, {y}); jnp.gcd({x}, {y});
        jnp.floor_divide({x}, {y})
    """,
    "f": """
        jnp.arctan2({x}, {y}); jnp.hypot({x}, {y}); jnp.logaddexp({x}, {y});
        jnp.copysign({x}, {y}); jnp.power(jnp.abs({x}) + 0.5, jnp.tanh({y}));
        jnp.nextafter({x}, {y}); {x} * jnp.tanh({y}) - {y};
        jnp.float_power(jnp.abs({x}), 0.5) + {y};
        jax.nn.glu(jnp.concatenate([{x}, {x}], -1)) * {y}
    """,
}

REDUCTIONS = {
    "biufc": """
        jnp.sum({x}{a}); jnp.prod({x}{a}); jnp.mean({x}{a}); jnp.any({x}{a}); jnp.all({x}{a});
        jnp.count_nonzero({x}{a}); jnp.sum({x}{a}, where={x} != 0); jnp.nansum({x}{a})
    """,
    "biuf": """
        jnp.max({x}{a}); jnp.min({x}{a}); jnp.max({x}{a}); jnp.min({x}{a}, initial=0)
    """,
    "iuf": """
        jnp.ptp({x}{a}); jnp.max({x}{a}, initial=1, where={x} < 2); jnp.nanmin({x}{a})
    """,
    "fc": """
        jnp.var({x}{a}); jnp.std({x}{a}); jnp.nanmean({x}{a}); jnp.average({x}{a})
    """,
    "f": """
        jax.nn.logsumexp({x}{a}); jax.nn.standardize({x}{a}); jax.nn.softmax({x}{a});
        jnp.sqrt(jnp.sum(jnp.square({x}){a})); jax.scipy.special.logsumexp({x}{a})
    """,
}

ALONG = {
    "biuf": """
        jnp.argmax({x}, {n}); jnp.argmin({x}, {n}); lax.cummax({x}, {n}); lax.cummin({x}, {n});
        lax.argmax({x}, {n}, jnp.int32); lax.argmin({x}, {n}, jnp.int32); jnp.argmax({x});
        jnp.argmin({x}); lax.cummax({x}, {n}, reverse=True); jnp.nanargmax({x}, {n});
        jnp.argmax({x}, {n}, keepdims=True); jnp.sort({x}, {n}); jnp.argsort({x}, {n});
        jnp.sort({x}, {n}, descending=True); jnp.argsort({x}, {n}, descending=True);
        lax.sort({x}, dimension={n}); jnp.median({x}, {n}); jnp.quantile({x}, 0.3, axis={n});
        jnp.partition({x}, 0, {n}); jnp.percentile({x}, 50, axis={n})
    """,
    "biufc": """
        jnp.cumsum({x}, {n}); jnp.cumprod({x}, {n}); lax.cumsum({x}, {n}, reverse=True);
        jnp.diff({x}, axis={n}); jnp.cumsum({x}); jnp.flip({x}, {n}); jnp.unwrap({x}, axis={n});
        lax.associative_scan(jnp.add, {x}, axis={n});
        lax.associative_scan(jnp.multiply, {x}, axis={n}, reverse=True); jnp.nancumsum({x}, {n})
    """,
    "f": """
        lax.cumlogsumexp({x}, {n}); jax.nn.softmax({x}, {n}); jnp.gradient({x}, axis={n});
        jnp.trapezoid({x}, axis={n}); jax.nn.log_softmax({x}, {n});
        lax.associative_scan(jnp.maximum, {x}, axis={n})
    """,
}

PLACES = {
    "iuf": """
        jnp.histogram({f}, bins={m})[0]; jnp.histogram({f}, bins={m}, range=(-2, 2));
        jnp.searchsorted(jnp.sort({f}), {g}); jnp.digitize({f}, jnp.array([-1.0, 0, 1]));
        jnp.bincount({i}, length={m}); jnp.unique({f}, size={m}, fill_value=0);
        lax.top_k({f}, {k}); lax.top_k({f}, {k}); jnp.nonzero({f}, size={m})[0];
        lax.sort([{f}, {f}[::-1]], num_keys=1); lax.sort([{i} % 3, {f}], num_keys=2);
        jnp.lexsort([{f}, {i} % 3]); jnp.extract({f} > 0, {f}, size={m}, fill_value=7);
        jnp.argwhere({f} > 0, size={m}); jnp.flatnonzero({f}, size={m});
        jnp.interp({f}, jnp.arange(3.0), jnp.array([1.0, 3, 2]));
        jnp.unique({i} % 4, size={m}, return_counts=True); jnp.isin({i}, {i}[:2]);
        jnp.histogram2d({f}, {f}[::-1], bins=3)[0]; jnp.bincount({i} % 4, weights={f}, length=4);
        jax.ops.segment_sum({f}, {i} % 3, {m}); jax.ops.segment_max({f}, {i} % 3, {m});
        jax.nn.one_hot({i}, {m}); jnp.cov({f}, {f}[::-1]); jnp.polyval(jnp.tanh({f}), {f});
        jnp.rot90({f}[None])
    """,
}
PAIRS = ("jnp.histogram({f}, bins={m}, ", "lax.top_k(", "lax.sort([", "return_counts")


def _from(chance: Chance, table: dict[str, str], kind: str) -> str:
    rows = [row for kinds, row in table.items() if kind in kinds]
    if not rows:
        raise NotApplicable
    # The last of a table is for the fewest dtypes, and has most to choose from.
    return choose(chance, rows[-1] if chance.often(0.4) else chance.choice(rows))


def _kind(scope: Scope, name: str) -> str:
    return kind_of(scope.values[name])


def axis_text(scope: Scope, name: str) -> str:
    """Some axes of a value, as arguments of a reduction."""
    chance, rank = scope.chance, len(scope.shape(name))
    if not rank or chance.often(0.3):
        return ""
    axes = [a for a in range(rank) if chance.often(0.5)] or [chance.randrange(rank)]
    shown = str(axes[0] - rank * chance.randrange(2)) if len(axes) == 1 else str(tuple(axes))
    return f", axis={shown}{', keepdims=True' if chance.often(0.4) else ''}"


def conformed(scope: Scope, name: str) -> str:
    """Another value, or number, that goes with one by broadcasting."""
    chance, shape = scope.chance, scope.shape(name)
    if chance.often(0.15):
        return chance.choice(("2", "-1", "0.5", "True", "3.0", "jnp.float32(1.5)", "np.int32(3)"))
    for _ in range(4):
        other = scope.pick()
        size = scope.shape(other)
        pairs = zip(reversed(size), reversed(shape), strict=False)
        if len(size) <= len(shape) and all(a in (1, b) for a, b in pairs):
            return other
    return f"jnp.resize({other}, {shape})"


def unary(scope: Scope) -> None:
    """A function of each element."""
    x = scope.pick()
    scope.add(_from(scope.chance, UNARY, _kind(scope, x)).format(x=x))


def binary(scope: Scope) -> None:
    """A function of the elements of two values."""
    x = scope.pick()
    text = _from(scope.chance, BINARY, _kind(scope, x))
    scope.add(text.format(x=x, y=conformed(scope, x)))


def reduction(scope: Scope) -> None:
    """A reduction over axes, perhaps followed by what goes over the elements again."""
    x = scope.pick(rank=1)
    text = _from(scope.chance, REDUCTIONS, _kind(scope, x))
    found = scope.add(text.format(x=x, a=axis_text(scope, x)))
    if found and scope.chance.often(0.3):
        scope.add(f"{x} {scope.chance.choice('+*-')} jnp.sum({found[0]})")


def along(scope: Scope) -> None:
    """What goes along an axis: sums so far, orders, positions."""
    x = scope.pick(rank=1)
    axis = scope.chance.randrange(len(scope.shape(x)))
    scope.add(_from(scope.chance, ALONG, _kind(scope, x)).format(x=x, n=axis))


def places(scope: Scope) -> None:
    """Counts and positions of elements: histograms, top_k, sorts of several operands."""
    x, y = (
        scope.pick("iuf", rank=1, least=1),
        scope.pick("iu" if scope.chance.often(0.7) else "iuf"),
    )
    flat = x if len(scope.shape(x)) == 1 else f"{x}.ravel()"
    whole = f"jnp.resize({y}, {math.prod(scope.shape(x))}).astype('int32')"
    count = scope.chance.randint(1, max(1, min(6, math.prod(scope.shape(x)))))
    text = _from(scope.chance, PLACES, "i")
    several = 2 if any(start in text for start in PAIRS) else 1
    other = scope.pick("iuf")
    scope.add(text.format(f=flat, g=other, i=whole, m=scope.chance.randint(1, 6), k=count), several)


def cast(scope: Scope) -> None:
    """Another dtype for the same numbers, or for the same bits."""
    chance, x = scope.chance, scope.pick()
    names = "bool int8 int16 int32 uint8 uint16 uint32 float16 bfloat16 float32 complex64".split()
    names += ["int64", "float64", "uint64", "complex128"] * chance.often(0.5)
    names += ["int4", "uint4", "float8_e4m3fn", "float8_e5m2"] * chance.often(0.05)
    real = f"{x}.real" if _kind(scope, x) == "c" and chance.often(0.8) else x
    name = chance.choice(names)
    if chance.often(0.2):
        sizes = {"int8": 1, "uint8": 1, "int16": 2, "float16": 2, "bfloat16": 2, "uint16": 2}
        size = {1: "int8 uint8", 2: "int16 uint16 float16 bfloat16", 4: "int32 uint32 float32"}
        width = sizes.get(scope.dtype(x), 4)
        scope.add(f"lax.bitcast_convert_type({x}, '{chance.choice(size[width].split())}')")
        return
    scope.add(f"{real}.astype('{name}')")
