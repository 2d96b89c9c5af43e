# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""`shard_map`: results and gradients on a mesh are those of the mathematics, and JAX's.

The expectations are written with NumPy on whole arrays; real JAX 0.10.2 on four CPU devices, with
meshes of Auto axes, agreed with each.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import oakum as jax
from oakum import config, lax
from oakum import numpy as jnp
from oakum.errors import DeviceCountError, DifferentiationRuleError, MappedAxisError
from oakum.experimental import mesh_utils
from oakum.experimental.shard_map import shard_map as former
from oakum.runtime.topology import devices as machine
from oakum.sharding import Mesh, NamedSharding
from oakum.sharding import PartitionSpec as P

X = np.arange(32, dtype=np.float32).reshape(8, 4) / 7
W = np.linspace(-1, 1, 4, dtype=np.float32)


@pytest.fixture(autouse=True)
def _four_devices() -> Iterator[None]:
    machine.clear_backends()
    config.update("jax_num_cpu_devices", 4)
    yield
    machine.clear_backends()
    config.update("jax_num_cpu_devices", -1)


def line() -> Mesh:
    return Mesh(np.array(jax.devices()), "i")


def square() -> Mesh:
    return Mesh(np.array(jax.devices()).reshape(2, 2), ("x", "y"))


def on_line(f: Any, in_specs: Any, out_specs: Any, **options: Any) -> Any:
    return jax.shard_map(f, mesh=line(), in_specs=in_specs, out_specs=out_specs, **options)


def same(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-5)


PARTS = X.reshape(4, 2, 4)

COLLECTIVES: dict[str, tuple[Callable[[Any], Any], Any, Any, Any]] = {
    "psum": (lambda x: lax.psum(x, "i"), P("i"), P(), PARTS.sum(0)),
    "pmean": (lambda x: lax.pmean(x.sum(), "i"), P("i"), P(), X.sum() / 4),
    "pmax": (lambda x: lax.pmax(x, "i"), P("i"), P(), PARTS.max(0)),
    "axis_index": (
        lambda x: x + lax.axis_index("i"),
        P("i"),
        P("i"),
        X + np.repeat(np.arange(4), 2)[:, None],
    ),
    "all_gather": (
        lambda x: lax.all_gather(x, "i", tiled=True),
        P("i"),
        P("i"),
        np.concatenate([X] * 4),
    ),
    "ppermute": (
        lambda x: lax.ppermute(x, "i", [(k, (k + 1) % 4) for k in range(4)]),
        P("i"),
        P("i"),
        np.roll(X, 2, 0),
    ),
    "psum_scatter": (
        lambda x: lax.psum_scatter(x, "i", tiled=True),
        P(None, "i"),
        P("i"),
        X.sum(1, keepdims=True),
    ),
    "all_to_all": (lambda x: lax.all_to_all(x, "i", 1, 0, tiled=True), P("i"), P(None, "i"), X),
}


@pytest.mark.parametrize("name", COLLECTIVES)
@pytest.mark.parametrize("jit", [False, True])
def test_collectives(name: str, jit: bool) -> None:
    f, in_specs, out_specs, expected = COLLECTIVES[name]
    mapped = on_line(f, in_specs, out_specs)
    same((jax.jit(mapped) if jit else mapped)(X), expected)


def test_two_axes_of_a_mesh() -> None:
    product = jax.shard_map(
        lambda a, b: lax.psum(a @ b, "y"),
        mesh=square(),
        in_specs=(P("x", "y"), P("y")),
        out_specs=P("x"),
    )
    same(product(X, X.T[:, :3]), X @ X.T[:, :3])
    numbers = np.arange(4)
    for spec, order in ((P(("x", "y")), numbers), (P(("y", "x")), numbers.reshape(2, 2).T.ravel())):
        index = jax.shard_map(
            lambda a: a * lax.axis_index(("x", "y")), mesh=square(), in_specs=spec, out_specs=spec
        )
        same(index(X), X * np.repeat(order, 2)[:, None])
    some = jax.shard_map(
        lambda a: lax.psum(a, "x"), mesh=square(), in_specs=P("x"), out_specs=P(), axis_names={"x"}
    )
    same(some(X), X[:4] + X[4:])


def test_trees_the_mesh_in_force_and_the_former_name() -> None:
    def f(tree: Any, name: str) -> Any:
        assert name == "kept"
        return {"sum": lax.psum(tree["a"], "i"), "b": tree["b"]}

    specs: Any = ({"a": P("i"), "b": P()}, None)
    with jax.set_mesh(line()):
        found = jax.shard_map(f, in_specs=specs, out_specs=P())({"a": X, "b": W}, "kept")
        doubled = jax.smap(lambda x: x * lax.psum(1, "i"), in_axes=0, out_axes=0, axis_name="i")(X)
    same(found["sum"], PARTS.sum(0))
    same(found["b"], W)
    same(doubled, X * 4)
    same(former(lambda x: lax.psum(x, "i"), line(), P("i"), P())(X), PARTS.sum(0))
    placed = jax.device_put(X, NamedSharding(line(), P("i")))
    same(on_line(lambda x: x * 2, P("i"), P("i"))(placed), X * 2)


def loss(w: Any, x: Any) -> Any:
    return jnp.sum(jnp.tanh(x @ w) ** 2)


WHOLE = np.asarray(jax.grad(loss)(W, X))
"""The gradient of the loss of all rows."""
BOTH = (P(), P("i"))

GRADIENTS: dict[str, tuple[Callable[..., Any], dict[str, Any], Any]] = {
    # What is the same everywhere has one cotangent: the sum of those of all members.
    "of the own loss": (jax.grad(loss), {}, WHOLE),
    "of the sum": (lambda w, x: jax.grad(lambda w: lax.psum(loss(w, x), "i"))(w), {}, WHOLE),
    "of the mean": (lambda w, x: jax.grad(lambda w: lax.pmean(loss(w, x), "i"))(w), {}, WHOLE / 4),
    "averaged": (lambda w, x: lax.pmean(jax.grad(loss)(w, x), "i"), {}, WHOLE),
    "summed": (lambda w, x: lax.psum(jax.grad(loss)(w, x), "i"), {}, WHOLE * 4),
    "of jitted functions": (
        lambda w, x: jax.jit(jax.grad(lambda w: lax.psum(jax.jit(loss)(w, x), "i")))(w),
        {},
        WHOLE,
    ),
    "of a checkpoint": (jax.grad(jax.checkpoint(loss)), {}, WHOLE),
    # Without check_vma it is not known what is the same, as with pmap.
    "averaged, not followed": (
        lambda w, x: lax.pmean(jax.grad(loss)(w, x), "i"),
        {"check_vma": False},
        WHOLE / 4,
    ),
    "of the sum, not followed": (
        lambda w, x: lax.pmean(jax.grad(lambda w: lax.psum(loss(w, x), "i"))(w), "i"),
        {"check_vma": False},
        WHOLE,
    ),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_inside(name: str) -> None:
    f, options, expected = GRADIENTS[name]
    same(on_line(f, BOTH, P(), **options)(W, X), expected)


def test_gradients_by_values_of_both_kinds() -> None:
    """Sums that are used with what varies and with what does not."""

    def inner(w: Any, x: Any) -> Any:
        def total(w: Any) -> Any:
            whole = lax.psum(x @ w, "i")
            return lax.psum(jnp.sum((whole * w[0] - x @ w) ** 2), "i") + jnp.sum(whole * w[1])

        return jax.grad(total)(w)

    def total(w: Any) -> Any:
        own = (X @ w).reshape(4, 2)
        whole = own.sum(0)
        return jnp.sum((whole * w[0] - own) ** 2) + jnp.sum(whole * w[1])

    same(on_line(inner, BOTH, P())(W, X), jax.grad(total)(W))

    def gathered(w: Any, x: Any) -> Any:
        def total(w: Any) -> Any:
            every = lax.all_gather(w, "i", tiled=True)
            return lax.psum(jnp.sum(jnp.sin(every)) * x.sum(), "i")

        return jax.grad(total)(w)

    same(on_line(gathered, (P("i"), P("i")), P("i"))(W, X), np.cos(W) * X.sum())

    def looped(w: Any, x: Any) -> Any:
        def total(w: Any) -> Any:
            return loss(lax.scan(lambda c, _: (jnp.sin(c), None), w, None, 3)[0], x)

        return jax.grad(total)(w)

    expected = jax.grad(lambda w: loss(jnp.sin(jnp.sin(jnp.sin(w))), X))(W)
    same(on_line(looped, BOTH, P())(W, X), expected)
    hessian = on_line(jax.hessian(lambda w, x: lax.psum(loss(w, x), "i")), BOTH, P())
    same(hessian(W, X), jax.hessian(loss)(W, X))


def test_gradients_from_outside_and_mapped_inside() -> None:
    summed = on_line(lambda w, x: lax.psum(loss(w, x), "i"), BOTH, P())
    same(jax.grad(summed)(W, X), WHOLE)
    same(jax.jit(jax.grad(summed))(W, X), WHOLE)
    normal = on_line(
        lambda x: jax.vmap(lambda row: row / lax.psum(row.sum(), "i"))(x),
        P(None, "i"),
        P(None, "i"),
    )
    same(normal(X), X / X.sum(1, keepdims=True))
    same(jax.vmap(on_line(lambda x: lax.psum(x, "i"), P("i"), P()))(X[None])[0], PARTS.sum(0))


def test_what_does_not_fit_the_mesh_is_refused() -> None:
    same(on_line(lambda x: x, P("i"), P(), check_vma=False)(X), X[:2])
    for f, in_specs, out_specs, words in (
        (lambda x: x, P("i"), P(), "require replication"),
        (lambda x: lax.all_gather(x, "i"), P("i"), P(), "require replication"),
        (lambda x: x, P(None, None, "i"), P(), "in_specs entry which is too long"),
        (lambda x: x.sum(), P("i"), P("i"), "out_specs entry which is too long"),
        (lambda x: x, P("z"), P(), r"axes that it does not map over: \['z'\]"),
        (lambda x: x, (P("i"), P("i")), P("i"), "no tree prefix"),
    ):
        with pytest.raises(MappedAxisError, match=words):
            on_line(f, in_specs, out_specs)(X)
    with pytest.raises(MappedAxisError, match="not evenly divisible"):
        on_line(lambda x: x, P("i"), P("i"))(X[:6])
    with pytest.raises(MappedAxisError, match="context mesh cannot be empty"):
        jax.shard_map(lambda x: x, in_specs=P("i"), out_specs=P("i"))(X)


def test_a_gradient_in_a_loop_is_refused_and_not_wrong() -> None:
    def inner(w: Any, x: Any) -> Any:
        return lax.scan(lambda w, row: (w - jax.grad(loss)(w, row[None]), None), w, x)[0]

    with pytest.raises(
        DifferentiationRuleError,
        match="inside of shard_map does not work with the gradient in `scan`",
    ) as raised:
        on_line(inner, BOTH, P())(W, X)
    assert "check_vma=False" in str(raised.value)


def test_meshes_of_devices_and_lowered_pmap() -> None:
    devices = mesh_utils.create_device_mesh((2, 2))
    assert [each.id for each in devices.flat] == [0, 1, 2, 3]
    assert mesh_utils.create_device_mesh([2], jax.devices()[2:]).tolist() == jax.devices()[2:]
    assert mesh_utils.create_hybrid_device_mesh((4, 1), (1, 1)).shape == (4, 1)
    with pytest.raises(DeviceCountError, match="Number of devices 4 must equal the product"):
        mesh_utils.create_device_mesh((3,))
    with pytest.raises(DeviceCountError, match="product of dcn_mesh_shape"):
        mesh_utils.create_hybrid_device_mesh((2, 2), (2, 1))
    lowered = jax.pmap(lambda x: lax.psum(x, "i"), axis_name="i").lower(W)
    same(lowered.compile()(W), np.zeros(4))
    with pytest.raises(DeviceCountError, match="requires 8 logical devices"):
        jax.pmap(lambda x: x).lower(X)
