"""Primitives that a library defines, written once and run on oakum and on JAX.

Where one fails, a library with primitives of its own (Equinox, Lineax) has wrong results on oakum,
or an error that does not name the rule that is missing.
"""

from __future__ import annotations

import importlib
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

# Both packages are looked up by name, and have no types here.
# pyright: reportUnknownLambdaType=false, reportUnknownVariableType=false
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false


def modules(package: str) -> Any:
    """The modules of a package under JAX's names."""
    names = "core numpy lax extend.core interpreters.ad interpreters.batching interpreters.mlir"
    found: dict[str, Any] = {
        name.replace("extend.core", "extend").rpartition(".")[2]: importlib.import_module(
            f"{package}.{name}"
        )
        for name in names.split()
    }
    whole = importlib.import_module(package)
    return SimpleNamespace(**found, whole=whole, Primitive=found["extend"].Primitive)


@pytest.fixture(params=["oakum", "jax"])
def m(request: pytest.FixtureRequest) -> Any:
    return modules(request.param)


def multiply_add(m: Any) -> Any:
    """`x * y + z`, as the JAX tutorial on primitives has it."""
    prim = m.Primitive("multiply_add")
    prim.def_impl(lambda x, y, z: m.numpy.add(m.numpy.multiply(x, y), z))
    prim.def_abstract_eval(lambda x, y, z: m.core.ShapedArray(x.shape, x.dtype))

    def jvp(primals: Any, tangents: Any) -> Any:
        x, y, z = primals
        dx, dy, dz = (m.ad.instantiate_zeros(t) if type(t) is m.ad.Zero else t for t in tangents)
        zero = m.numpy.zeros_like(x)
        return prim.bind(x, y, z), prim.bind(
            dx, y, prim.bind(x, dy, prim.bind(dz, x * 0 + 1, zero))
        )

    def transpose(ct: Any, x: Any, y: Any, z: Any) -> Any:
        zero = m.numpy.zeros_like(ct)
        if m.ad.is_undefined_primal(x):
            ct_z = ct if m.ad.is_undefined_primal(z) else None
            return prim.bind(ct, y, zero), None, ct_z
        ct_z = ct if m.ad.is_undefined_primal(z) else None
        return None, prim.bind(x, ct, zero), ct_z

    def batch(values: Any, dims: Any) -> Any:
        dim = next(d for d in dims if d is not None)
        size = next(v.shape[d] for v, d in zip(values, dims, strict=True) if d is not None)
        whole = [
            m.batching.broadcast(v, size, dim, None) if d is None else m.numpy.moveaxis(v, d, dim)
            for v, d in zip(values, dims, strict=True)
        ]
        return prim.bind(*whole), dim

    m.ad.primitive_jvps[prim] = jvp
    m.ad.primitive_transposes[prim] = transpose
    m.batching.primitive_batchers[prim] = batch
    m.mlir.register_lowering(
        prim, m.mlir.lower_fun(lambda x, y, z: x * y + z, multiple_results=False)
    )
    return prim


def test_a_primitive_with_all_rules_is_transformed(m: Any) -> None:
    prim, jax = multiply_add(m), m.whole
    f = lambda x, y: prim.bind(x, y, m.numpy.ones_like(x))  # noqa: E731
    x, y = m.numpy.arange(3.0), m.numpy.array([2.0, 3.0, 4.0])
    np.testing.assert_allclose(f(x, y), [1, 4, 9])
    np.testing.assert_allclose(jax.jit(f)(x, y), [1, 4, 9])
    total = lambda x, y: m.numpy.sum(f(x, y) ** 2)  # noqa: E731
    np.testing.assert_allclose(jax.grad(total, 1)(x, y), [0, 8, 36])
    np.testing.assert_allclose(jax.jit(jax.grad(total))(x, y), [4, 24, 72])
    np.testing.assert_allclose(jax.jvp(f, (x, y), (y, x))[1], x**2 + y**2)
    np.testing.assert_allclose(
        jax.vmap(f, (0, None))(m.numpy.stack([x, y]), y), [x * y + 1, y * y + 1]
    )
    np.testing.assert_allclose(
        jax.vmap(jax.grad(total), (None, 0))(x, m.numpy.stack([y, x]))[1], 2 * (x * x + 1) * x
    )
    assert "multiply_add" in str(jax.make_jaxpr(f)(x, y))


def test_its_body_is_compiled_within_loops_and_branches(m: Any) -> None:
    prim, jax = multiply_add(m), m.whole

    def step(carry: Any, x: Any) -> Any:
        carry = m.lax.cond(x > 1, lambda: prim.bind(carry, carry, x), lambda: carry + 1)
        return carry, carry

    last, steps = jax.jit(lambda xs: m.lax.scan(step, 1.0, xs))(m.numpy.arange(4.0))
    np.testing.assert_allclose(steps, [2, 3, 11, 124])
    np.testing.assert_allclose(last, 124)


def test_several_results_and_parameters(m: Any) -> None:
    prim, jax = m.Primitive("halves"), m.whole
    prim.multiple_results = True

    def impl(x: Any, *, at: int) -> Any:
        return [x[:at], x[at:]]

    def batch(values: Any, dims: Any, *, at: int) -> Any:
        x = m.numpy.moveaxis(values[0], dims[0], 1)
        return prim.bind(x, at=at), [1, 1]

    prim.def_impl(impl)
    prim.def_abstract_eval(
        lambda x, *, at: [
            m.core.ShapedArray((at, *x.shape[1:]), x.dtype),
            m.core.ShapedArray((x.shape[0] - at, *x.shape[1:]), x.dtype),
        ]
    )
    m.batching.primitive_batchers[prim] = batch
    m.mlir.register_lowering(prim, m.mlir.lower_fun(impl, multiple_results=True))
    x = m.numpy.arange(5)
    for f in (prim.bind, jax.jit(prim.bind, static_argnames="at")):
        first, second = f(x, at=2)
        assert first.tolist() == [0, 1]
        assert second.tolist() == [2, 3, 4]
    first, second = jax.vmap(lambda x: prim.bind(x, at=1))(m.numpy.stack([x, x + 10]))
    assert first.tolist() == [[0], [10]]
    assert second.shape == (2, 4)


def test_forms_of_rules(m: Any) -> None:
    jax = m.whole
    twice = m.Primitive("twice")
    twice.def_impl(lambda x: 2 * x)
    twice.def_abstract_eval(lambda x: x)
    m.ad.deflinear2(twice, lambda ct, x: [twice.bind(ct)])
    m.batching.defvectorized(twice)
    m.mlir.register_lowering(twice, m.mlir.lower_fun(lambda x: x + x, multiple_results=False))
    assert jax.grad(lambda x: twice.bind(x) ** 2)(3.0) == 24
    assert jax.jit(jax.vmap(twice.bind))(m.numpy.arange(3)).tolist() == [0, 2, 4]

    product = m.Primitive("product")
    product.def_impl(lambda x, y: x * y)
    product.def_abstract_eval(
        lambda x, y: m.core.ShapedArray(np.broadcast_shapes(x.shape, y.shape), x.dtype)
    )
    m.ad.defjvp(
        product,
        lambda tangent, x, y: product.bind(tangent, y),
        lambda tangent, x, y: product.bind(x, tangent),
    )
    m.batching.defbroadcasting(product)
    assert jax.jvp(product.bind, (2.0, 3.0), (1.0, 10.0))[1] == 23
    x = m.numpy.arange(3.0)
    assert jax.vmap(product.bind, (0, None))(x, m.numpy.float32(2)).tolist() == [0, 2, 4]


@pytest.mark.parametrize(
    ("use", "text"),
    [
        (lambda m, p: p.bind(1.0), "Evaluation rule for 'bare' not implemented"),
        (lambda m, p: m.whole.make_jaxpr(p.bind)(1.0), "Abstract evaluation for 'bare' not implem"),
        (
            lambda m, p: m.whole.jvp(p.bind, (1.0,), (1.0,)),
            "Differentiation rule for 'bare' not implemented",
        ),
        (
            lambda m, p: m.whole.vmap(p.bind)(m.numpy.ones(3)),
            "Batching rule for 'bare' not implemented",
        ),
    ],
)
def test_a_missing_rule_is_named(m: Any, use: Any, text: str) -> None:
    with pytest.raises(NotImplementedError, match=text):
        use(m, m.Primitive("bare"))


def test_without_a_lowering_it_is_evaluated_by_its_implementation() -> None:
    """JAX refuses it; oakum says why the program is slow."""
    m = modules("oakum")
    prim = m.Primitive("unlowered")
    prim.def_impl(lambda x: x + 1)
    prim.def_abstract_eval(lambda x: x)
    with pytest.warns(match="rule for primitive 'unlowered' not found"):
        assert m.whole.jit(prim.bind)(1.0) == 2.0


def test_the_rules_of_oakum_itself_cannot_be_replaced() -> None:
    m = modules("oakum")
    with pytest.raises(NotImplementedError, match="'add' is one of oakum's own"):
        m.ad.primitive_jvps[m.extend.primitives.add_p] = lambda *_: None


def test_trace_states_tell_traces_apart(m: Any) -> None:
    state = m.extend.get_opaque_trace_state
    outside = state(convention="test")
    assert state(convention="test") == outside
    inside: list[bool] = []
    m.whole.jit(lambda x: (inside.append(state(convention="test") == outside), x)[1])(1.0)
    m.whole.vmap(lambda x: (inside.append(state(convention="test") == outside), x)[1])(
        m.numpy.ones(2)
    )
    assert inside == [False, False]


@pytest.mark.parametrize("package", ["oakum", "jax"])
def test_numbers_of_a_forward_rule_reach_the_backward_rule_as_they_are(package: str) -> None:
    """Equinox branches on flags among the residuals: which arguments are differentiated."""
    jax = importlib.import_module(package)
    jnp = importlib.import_module(f"{package}.numpy")

    @jax.custom_vjp
    def f(x: Any, y: Any) -> Any:
        return x * y

    def forward(x: Any, y: Any) -> Any:
        return x.value * y.value, (x.value, y.value, x.perturbed, y.perturbed, 2.0)

    def backward(residuals: Any, ct: Any) -> Any:
        x, y, of_x, of_y, scale = residuals
        return ct * y * scale if of_x else None, ct * x * scale if of_y else None

    f.defvjp(forward, backward, symbolic_zeros=True)
    g = jax.jit(f)
    assert jax.grad(g, 1)(2.0, 3.0) == 4
    # Two backward passes wait at once, of one program, for different arguments.
    of_x, of_y = jax.vjp(lambda x: g(x, 3.0), 2.0)[1], jax.vjp(lambda y: g(2.0, y), 3.0)[1]
    assert of_x(1.0)[0] == 6
    assert of_y(1.0)[0] == 4
    mapped = jax.grad(lambda x: jax.vmap(g, (0, None))(x, 3.0).sum())(jnp.ones(3))
    assert mapped.tolist() == [6, 6, 6]
