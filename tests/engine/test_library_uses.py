# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""What libraries written for JAX do with it, found by their own tests: optax's and Equinox's."""

from typing import Any

import pytest

import oakum as jax
import oakum.numpy as jnp
from oakum.typing import ArrayLike, SupportsArray

np: Any = pytest.importorskip("numpy")


def test_type_of_a_traced_array_has_a_sharding() -> None:
    """`optax.tree.vdot` asks whether the axes of the mesh are explicit."""
    seen: list[Any] = []

    def f(x: jax.Array) -> jax.Array:
        seen.append(jax.typeof(x).sharding)
        return x

    jax.jit(f)(jnp.ones((2, 3)))
    (found,) = seen
    assert found.spec == jax.P(None, None)
    assert found.mesh.empty
    assert not found.mesh.are_all_axes_explicit
    assert found == jax.typeof(jnp.zeros((4, 5))).sharding
    assert repr(found.mesh) == "AbstractMesh(())"
    # Flax makes avals of what scans carry.
    like = jax.core.ShapedArray((3, 2), jnp.float32, sharding=found)
    assert str(like) == "f32[3,2]"


def test_traced_array_says_where_its_sharding_is() -> None:
    with pytest.raises(AttributeError, match=r"`f32\[2\]`, which is traced: use jax.typeof"):
        jax.jit(lambda x: x.sharding)(jnp.ones(2))


def test_meshes_tell_whether_their_axes_are_of_one_type() -> None:
    kinds = jax.sharding.AxisType
    explicit = jax.sharding.AbstractMesh((2, 2), ("x", "y"), (kinds.Explicit, kinds.Explicit))
    mixed = jax.sharding.AbstractMesh((2, 2), ("x", "y"), (kinds.Explicit, kinds.Manual))
    assert explicit.are_all_axes_explicit
    assert not explicit.are_all_axes_auto
    assert not mixed.are_all_axes_explicit
    assert not mixed.are_all_axes_manual
    assert jax.sharding.AbstractMesh((2,), ("x",)).are_all_axes_auto


def test_annotations_are_checked_at_run_time() -> None:
    """jaxtyping and beartype ask `isinstance` of the parts of `ArrayLike`."""
    assert isinstance(np.ones(2), SupportsArray)
    assert not isinstance("text", SupportsArray)
    assert isinstance(jnp.ones(2), ArrayLike)


def test_checkpoint_takes_static_arguments_without_a_hash() -> None:
    """Each call is traced: what the list holds by then counts (`eqx.filter_checkpoint`)."""
    scales = [2.0]

    def f(static: list[float], x: jax.Array) -> jax.Array:
        return static[0] * jnp.sin(x)

    g: Any = jax.checkpoint(f, static_argnums=0)
    first = jax.grad(g, argnums=1)(scales, 0.0)
    scales[0] = 3.0
    assert (float(first), float(jax.grad(g, argnums=1)(scales, 0.0))) == (2.0, 3.0)


def test_callables_whose_names_are_no_text_are_mapped() -> None:
    """The leaves of an Equinox module are placeholders while its tree is made."""

    class Layer:
        __name__: Any = object()

        def __call__(self, x: jax.Array) -> jax.Array:
            return 2.0 * x

    layer = Layer()
    x = jnp.ones(3)
    mapped: Any = jax.vmap(layer)
    assert mapped(x).tolist() == [2.0] * 3
    assert mapped.__wrapped__ is layer
    assert jax.jit(layer)(x).tolist() == [2.0] * 3
    assert jax.grad(lambda y: jax.checkpoint(layer)(y))(1.0).tolist() == 2.0


def test_callbacks_get_arrays_of_a_strong_type() -> None:
    seen: list[bool] = []
    jax.jit(lambda x: jax.debug.callback(lambda y: seen.append(y.weak_type), x))(1.0)
    jax.effects_barrier()
    assert seen == [False]


def test_dtypes_are_classes_of_scalars() -> None:
    """Equinox's files of leaves: `isinstance(x, jax.dtypes.bfloat16)`."""
    kinds: Any = jax.dtypes
    one = np.asarray(jnp.bfloat16(1))[()]
    assert isinstance(one, kinds.bfloat16)
    assert one.dtype == kinds.bfloat16
    assert not isinstance(1.0, kinds.bfloat16)
    assert not isinstance(np.float32(1), kinds.bfloat16)
    assert np.zeros(3, np.uint16).view(kinds.bfloat16).dtype == kinds.bfloat16


def test_one_cotangent_stands_for_all_below_it() -> None:
    """A backward rule of Flax's returns one for each variable, whose value lies deeper."""

    @jax.custom_vjp
    def f(pair: Any, y: Any) -> Any:
        return pair[0] * pair[1]["a"] * y

    f.defvjp(lambda pair, y: (f(pair, y), None), lambda _, g: (g, None))
    found = jax.grad(f, argnums=(0, 1))((1.0, {"a": 2.0}), 3.0)
    assert found == ((1.0, {"a": 1.0}), 0.0)


def test_descriptions_of_arrays_are_lowered() -> None:
    """As `jit(f).lower(ShapeDtypeStruct)` is used ahead of time, and by Flax's `tabulate`."""
    x = jax.ShapeDtypeStruct((2, 3), "float64")  # 32 bits, as arrays are
    f: Any = jax.jit(lambda tree, n: {"y": n * tree["x"]}, static_argnums=1)
    lowered = f.lower({"x": x}, 3)
    assert lowered.compile()({"x": jnp.ones((2, 3))})["y"].tolist() == [[3.0] * 3] * 2
    assert f.eval_shape({"x": x}, 3)["y"].shape == (2, 3)
    assert f.trace({"x": x}, 3).jaxpr.in_avals == f.trace({"x": jnp.ones((2, 3))}, 3).jaxpr.in_avals
    with pytest.raises(TypeError, match="ShapeDtypeStruct"):
        f({"x": x}, 3)


@pytest.mark.parametrize("name", ["float8_e5m2", "float8_e4m3fn", "bfloat16", "float16", "float64"])
def test_limits_of_dtypes(name: str) -> None:
    limits = pytest.importorskip("ml_dtypes").finfo(name)
    for dtype in (name, getattr(jnp, name), limits.dtype):
        assert float(jnp.finfo(dtype).max) == float(limits.max)


def test_cotangents_of_integers_may_be_integers() -> None:
    """Flax's `tabulate` passes a function's own results back."""
    results, pullback = jax.vjp(lambda x: (2.0 * x, 2), 1.0)
    assert pullback(results) == (4.0,)


def test_any_character_is_a_label_of_einsum() -> None:
    """Flax's attention calls the axis of one element `1`."""
    x = jnp.arange(6.0).reshape(2, 3)
    assert jnp.einsum("a1,1b->ab", x, x.T).tolist() == (x @ x.T).tolist()
