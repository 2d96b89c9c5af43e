# pyright: basic
# Random programs are text: what stands in it has no types.
"""Statements of random whole programs that move elements, contract arrays, or draw numbers."""

from __future__ import annotations

import math

from tests.engine.whole_elements import conformed
from tests.engine.whole_programs import NotApplicable, Scope, choose


def subscript(scope: Scope, name: str) -> str:
    """A static subscript: slices, steps of either sign, positions, new axes."""
    chance, parts = scope.chance, []
    shape = scope.shape(name)
    for size in shape:
        low, high = chance.randint(0, max(size // 2, 0)), chance.randint(max(size // 2, 0), size)
        forms = [f"{low}:", f":{high}", "::2", "::-1", ":", "1:", ":-1", f"{low}:{high}", "::-2"]
        if size:
            forms += [str(chance.randrange(size)), str(-1 - chance.randrange(size))]
        parts.append(chance.choice(forms))
    if chance.often(0.2):
        parts.insert(chance.randint(0, len(parts)), "None")
    if len(parts) > 1 and chance.often(0.3):
        parts = [*parts[: chance.randrange(len(parts))], "..."]
    return ", ".join(parts) or "..."


def slicing(scope: Scope) -> None:
    """A slice; often a position of it beside it."""
    x = scope.pick(rank=1)
    found = scope.add(f"{x}[{subscript(scope, x)}]")
    if found and scope.chance.often(0.4):
        form = """
        jnp.argmax({}); jnp.argmin({}); jnp.cumsum({}); jnp.max({}); jnp.sum({}); jnp.sort({})
    """
        scope.add(choose(scope.chance, form).format(found[0]))


def moved(scope: Scope) -> None:
    """The elements of a value in another order or shape."""
    chance, x = scope.chance, scope.pick(rank=1)
    shape = scope.shape(x)
    rank = len(shape)
    axis, size = chance.randrange(rank), math.prod(shape)
    names = {
        "x": x,
        "a": axis,
        "b": chance.randrange(rank),
        "order": chance.sample(range(rank), rank),
        "factor": chance.choice([n for n in range(1, size + 1) if size % n == 0] or [1]),
        "pads": [(chance.randint(0, 2), chance.randint(0, 1)) for _ in shape],
        "cuts": [
            (chance.randint(-1, 2), chance.randint(-1, 2), chance.randint(0, 1)) for _ in shape
        ],
        "mode": chance.choice(_PADS.split()),
        "two": chance.randrange(2),
        "turn": chance.randint(-3, 3),
        "grown": (2, *shape),
        "deeper": (*shape, 2),
        "axes": tuple(range(rank)),
        "more": size + 1,
        "low": min(1, shape[axis]),
        "size": shape[axis],
    }
    scope.add(choose(chance, _MOVED).format(**names))


_PADS = "constant edge reflect symmetric wrap linear_ramp maximum mean"
_MOVED = """
    {x}.T; jnp.transpose({x}, {order}); {x}.ravel(); {x}.reshape({factor}, -1); {x}[::-1];
    jnp.flip({x}); jnp.roll({x}, {turn}, {a}); jnp.roll({x}, 2); jnp.moveaxis({x}, {a}, {b});
    jnp.swapaxes({x}, {a}, {b}); jnp.expand_dims({x}, {a}); jnp.squeeze({x});
    jnp.broadcast_to({x}, {grown}); jnp.tile({x}, 2); jnp.repeat({x}, 2, axis={a});
    jnp.pad({x}, {pads}, mode='{mode}'); lax.pad({x}, jnp.zeros((), {x}.dtype), {cuts});
    jnp.rot90(jnp.atleast_2d({x})); jnp.diag({x}); jnp.triu(jnp.atleast_2d({x}));
    jnp.tril(jnp.atleast_2d({x}), -1); jnp.stack([{x}, {x}[::-1]], {a}); lax.rev({x}, ({a},));
    jnp.concatenate([{x}, {x}], {a}); jnp.delete({x}, 0, {a}); jnp.insert({x}, 1, 3, axis={a});
    jnp.diagonal(jnp.atleast_2d({x})); lax.broadcast_in_dim({x}, {deeper}, {axes});
    jnp.resize({x}, {more}); jnp.append({x}, 1); jnp.atleast_3d({x});
    jnp.array_split({x}, 2, {a})[{two}]; jnp.ravel({x}, order='F');
    lax.slice_in_dim({x}, {low}, {size}, 2, {a}); jnp.vander({x}.ravel()[:4], 3)
"""


def joined(scope: Scope) -> None:
    """Two values put beside each other, or one in parts."""
    chance, x = scope.chance, scope.pick(rank=1)
    axis = chance.randrange(len(scope.shape(x)))
    y = conformed(scope, x)
    forms = """
        jnp.concatenate([{x}, {y}], {a}); jnp.stack([{x}, {y}], {a}); jnp.hstack([{x}, {y}]);
        jnp.vstack([{x}, {y}]); jnp.block([{x}, {y}]); jnp.column_stack([{x}, {y}]);
        jnp.choose(jnp.int32(1), [{x}, {y}], mode='clip');
        jnp.select([{x} > 0, {y} > 0], [{x}, {y}], 3)
    """
    wide = f"jnp.broadcast_to({y}, {scope.shape(x)})" if chance.often(0.8) else y
    if chance.often(0.2) and scope.shape(x)[axis] > 1:
        cut = chance.randint(0, scope.shape(x)[axis])
        scope.add(f"jnp.split({x}, [{cut}], {axis})", 2)
        return
    scope.add(choose(chance, forms).format(x=x, y=wide, a=axis))


def gathered(scope: Scope) -> None:
    """Elements at positions that the program computes."""
    chance, x, i = scope.chance, scope.pick(rank=1), scope.pick("iu")
    axis = chance.randrange(len(scope.shape(x)))
    where = f"jnp.resize({i}, {chance.randint(1, 5)})" if chance.often(0.5) else i
    first = f"jnp.resize({i}, ())"
    sizes = tuple(chance.randint(1, max(n, 1)) for n in scope.shape(x))
    starts = ", ".join([first] * len(sizes))
    forms = """
        {x}[{i}]; {x}[{i} % 3]; jnp.take({x}, {i}, axis={a}, mode='clip'); {x}[{f}];
        {x}[..., {i}]; jnp.take({x}, {i}, axis={a}, mode='wrap');
        jnp.take({x}, {i}, axis={a}, mode='fill');
        jnp.take_along_axis({x}, jnp.argsort({x}, {a}), {a});
        {x}.at[{i}].get(mode='fill', fill_value=1); lax.dynamic_slice({x}, [{s}], {z});
        lax.dynamic_index_in_dim({x}, {f}, {a}); jnp.take({x}, {i}); {x}[{i}, ...]; {x}[:, {i}];
        jnp.where({x} > 0, {x}, {x}[{f}]);
        jnp.take_along_axis({x}, {x}.astype('int32') % 2, {a}); {x}[{i}, {i}];
        {x}[None, {i}, ::-1];
        jnp.compress(jnp.array([True, False, True]), {x}, axis={a}, size=2); {x}[[0]];
        {x}[-1:, {i}]
    """
    text = choose(chance, forms)
    scope.add(text.format(x=x, i=where, f=first, a=axis, s=starts, z=sizes))


def scattered(scope: Scope) -> None:
    """An array with some elements replaced, added to, or compared."""
    chance, x, i, y = scope.chance, scope.pick(rank=1), scope.pick("iu"), scope.pick()
    method = chance.choice("set add max min multiply set add apply subtract".split())
    where = chance.choice(
        (
            f"jnp.resize({i}, {chance.randint(1, 6)})",
            f"{subscript(scope, x)}",
            f"jnp.resize({i}, ())",
            f"np.arange({scope.shape(x)[0]}) % 2 == 0",
            f"..., jnp.resize({i}, 2)",
            f"jnp.resize({i}, 3) % 4, None",
            f"{i}, 0",
        )
    )
    target = f"{x}.at[{where}]"
    mode = chance.choice(("", "", "", ", mode='drop'", ", mode='clip'", ", mode='wrap'"))
    if method == "apply":
        scope.add(f"{target}.apply(jnp.square)")
        return
    shape = f"{x}[{where}].shape"
    value = chance.choice((f"jnp.resize({y}, {shape})", f"jnp.resize({y}, ())", "1", "2.5"))
    if chance.often(0.15):
        starts = ", ".join([f"jnp.resize({i}, ())"] * len(scope.shape(x)))
        sizes = tuple(chance.randint(0, n) for n in scope.shape(x))
        part = f"jnp.resize({y}, {sizes}).astype({x}.dtype)"
        scope.add(f"lax.dynamic_update_slice({x}, {part}, [{starts}])")
        return
    scope.add(
        f"{target}.{method}({value}.astype({x}.dtype){mode})"
        if "resize" in value
        else f"{target}.{method}({value}{mode})"
    )


def contracted(scope: Scope) -> None:
    """A product of arrays, a convolution, or what linear algebra makes of a matrix."""
    chance, x, y = scope.chance, scope.pick("iufc", rank=1, least=1), scope.pick("iufc", least=1)
    shape = scope.shape(x)
    n, m, k = shape[-1], chance.choice((1, 2, 3, 5, 8)), chance.choice((1, 2, 3))
    square = f"(jnp.resize({x}, (3, 3)).astype('float32') / 8 + 2 * jnp.eye(3))"
    good = f"jnp.nan_to_num(jnp.tanh({square})) + 2 * jnp.eye(3)"
    forms = """
        {x} @ jnp.resize({y}, ({n}, {m}));
        jnp.matmul(jnp.resize({y}, ({m}, {n})), {x}[..., None]);
        jnp.dot({x}, jnp.resize({y}, {n}));
        jnp.einsum('...i,ji->...j', {x}, jnp.resize({y}, ({m}, {n})));
        jnp.einsum('...i,...i->...', {x}, {x}); jnp.outer({x}, jnp.resize({y}, {m}));
        jnp.vdot({x}, {x}); jnp.tensordot({x}, jnp.resize({y}, ({n}, {m})), 1);
        jnp.inner({x}, jnp.resize({y}, ({m}, {n}))); jnp.kron(jnp.resize({y}, 2), {x});
        jnp.convolve({x}.ravel(), jnp.resize({y}, {k}), mode='{c}');
        jnp.correlate({x}.ravel(), jnp.resize({y}, {k}));
        jnp.einsum('ij,ij->j', *[jnp.atleast_2d({x}).reshape(-1, {n})] * 2);
        lax.conv(jnp.resize({x}, (1, 2, 7)), jnp.resize({x}, (3, 2, {k})), ({k},), '{p}');
        lax.conv(jnp.resize({x}, (2, 1, 5, 4)), jnp.resize({x}, (2, 1, 2, 2)), (1, {k}), 'SAME');
        lax.reduce_window({x}, jnp.zeros((), {x}.dtype), lax.add, ({k},) * {r}, (1,) * {r}, 'SAME');
        lax.reduce_window({x}, jnp.ones((), {x}.dtype), lax.max, ({k},) * {r}, (2,) * {r}, 'VALID');
        lax.reduce({x}, jnp.zeros((), {x}.dtype), lax.add, (0,)); jnp.trace(jnp.atleast_2d({x}));
        jnp.linalg.inv({q}); jnp.linalg.det({q}); jnp.linalg.solve({q}, jnp.ones(3));
        jnp.linalg.norm({x}); jnp.linalg.cholesky({q} @ ({q}).T + jnp.eye(3));
        jnp.cross(jnp.resize({x}, 3), jnp.resize({y}, 3));
        jnp.einsum('ij,jk,kl->il', *[jnp.resize({x}, (2, 2))] * 3); jnp.fft.fft({x});
        jnp.fft.rfft({x}.real); lax.dot_general({x}, {x}, ((({l},), ({l},)), ((), ())));
        lax.dot_general({x}, {x}, (((), ()), ((0,), (0,)))); jnp.linalg.matrix_power({q}, 2);
        jnp.cov(jnp.atleast_2d({x})); jnp.corrcoef(jnp.resize({x}, (2, 5)));
        jax.nn.dot_product_attention(*[jnp.tanh(jnp.resize({x}, (1, 2, 1, 4)).real)] * 3)
    """
    text = choose(chance, forms)
    mode, padding = chance.choice(("full", "same", "valid")), chance.choice(("SAME", "VALID"))
    names = {"x": x, "y": y, "n": n, "m": m, "k": k, "c": mode, "p": padding, "q": good}
    scope.add(text.format(**names, r=len(shape), l=len(shape) - 1))


def drawn(scope: Scope) -> None:
    """Numbers drawn with a key, which may hang on a value."""
    chance = scope.chance
    seed = chance.randrange(1000)
    try:
        i = scope.pick("iu")
    except NotApplicable:
        i = "3"
    key = chance.choice((f"jax.random.key({seed})", f"jax.random.PRNGKey({seed})"))
    if chance.often(0.3):
        key = f"jax.random.fold_in({key}, jnp.resize({i}, ()))"
    shape = chance.choice(((), (3,), (2, 3), (0,), (5,), (4, 1)))
    x = scope.pick(rank=1, least=1)
    forms = """
        normal({k}, {s}); uniform({k}, {s}); bits({k}, {s}); randint({k}, {s}, -3, 9);
        bernoulli({k}, 0.3, {s}); permutation({k}, 5); permutation({k}, {x});
        choice({k}, {x}, {s}); split({k}, 2)[1]; bits({k}, {s}, jnp.uint16);
        categorical({k}, jnp.tanh({x}.real), shape=None); uniform({k}, {s}, minval=-2);
        exponential({k}, {s}); truncated_normal({k}, -1, 1, {s}); gumbel({k}, {s});
        randint({k}, {s}, 0, 99, jnp.uint8); rademacher({k}, {s}); fold_in({k}, 3);
        bits({k}, {s}, jnp.uint8); randint({k}, {s}, jnp.resize({i}, ()), 100); laplace({k}, {s})
    """
    text = choose(chance, forms)
    scope.add("jax.random." + text.format(k=key, s=shape, x=x, i=i))


def created(scope: Scope) -> None:
    """An array that no argument goes into."""
    n, m = scope.chance.randint(0, 5), scope.chance.randint(1, 4)
    name = scope.chance.choice("int32 float32 bool int8 uint8 float16 complex64 bfloat16".split())
    forms = """
        jnp.arange({n}); jnp.arange({n}.0); jnp.linspace(-1, 1, {n}); jnp.eye({n}, {m});
        jnp.zeros(({n}, {m}), '{d}'); jnp.full(({m},), 3, '{d}'); jnp.ones({n}, '{d}');
        lax.iota('{d}', {n}); jnp.array([[1, 2], [3, 4]], '{d}');
        lax.broadcasted_iota('{d}', ({m}, {n}), 0); jnp.tri({n}); jnp.array(2.5);
        jnp.identity({m}); jnp.asarray(3); jnp.array([1.5, np.nan, -0.0, np.inf]);
        jnp.indices(({m}, 2))[1]; jnp.logspace(0, 1, {n}); jnp.hanning({n})
    """
    scope.add(choose(scope.chance, forms).format(n=n, m=m, d=name))
