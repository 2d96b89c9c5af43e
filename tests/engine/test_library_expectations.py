"""What libraries written for JAX ask of it beside arrays: types that are types, answers of one
process, names that may be missing, and options that are honoured or refused.
"""

# JAX and its values are typed in part only.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

import typing
from typing import Any

import pytest

import oakum as jax
from oakum.errors import NotEvaluatedError

np: Any = pytest.importorskip("numpy")
jnp: Any = jax.numpy
P: Any = jax.sharding.PartitionSpec


def _plus_one(x: Any) -> Any:
    with jax.ensure_compile_time_eval():
        return x + 1


def _scaled(x: Any) -> Any:
    with jax.ensure_compile_time_eval():
        factor = jnp.ones(3).sum()
        return x * factor if factor > 2 else x


@pytest.mark.parametrize("function", [_plus_one, _scaled])
def test_tracers_are_used_where_known_values_are_evaluated(function: Any) -> None:
    expected = float(function(2.0))
    assert float(jax.jit(function)(2.0)) == expected
    assert jax.vmap(function)(jnp.array([2.0, 2.0])).tolist() == [expected] * 2
    assert float(jax.jit(jax.grad(function))(2.0)) == float(jax.grad(function)(2.0)) > 0


def test_custom_rules_hold_where_known_values_are_evaluated() -> None:
    @jax.custom_jvp
    def f(x: Any) -> Any:
        return x * 2

    f.defjvps(lambda t, out, x: 7 * t)

    def g(x: Any) -> Any:
        with jax.ensure_compile_time_eval():
            return f(x)

    assert float(jax.grad(g)(1.0)) == 7.0


def test_a_tracer_that_escaped_is_still_refused_there() -> None:
    kept: list[Any] = []
    jax.jit(lambda x: kept.append(x))(1.0)  # oakum: ignore[OAK101] on purpose
    with jax.ensure_compile_time_eval(), pytest.raises(jax.errors.UnexpectedTracerError):
        _ = kept[0] + 1


def test_a_description_is_a_result_of_eval_shape() -> None:
    example = jax.ShapeDtypeStruct((2, 3), jnp.int16)
    assert jax.eval_shape(lambda x: (x, example), jnp.ones(3))[1] == example
    with pytest.raises(TypeError, match="ShapeDtypeStruct"):
        jax.jit(lambda x: example)(1.0)


def test_axes_are_given_as_a_range() -> None:
    x = jnp.ones((2, 1, 3))
    assert jnp.sum(x, axis=range(2)).shape == (3,)
    assert jax.jit(lambda x: jnp.max(x, axis=range(3)))(x).shape == ()
    assert jnp.expand_dims(x, range(2)).shape == (1, 1, 2, 1, 3)
    assert jnp.roll(x, (1, 1), axis=range(2)).shape == x.shape


def test_dtypes_and_groups_of_them_are_types() -> None:
    for each in (jnp.float32, jnp.bfloat16, jnp.dtype, jnp.floating):
        assert isinstance(each, type)
        assert typing.Optional[each] is not None  # noqa: UP045 (so do annotations of libraries)
        assert (each | None) is not None
    assert issubclass(jnp.dtype, np.dtype)
    assert isinstance(np.dtype("float32"), jnp.dtype)
    assert not issubclass(jnp.float32, np.generic)
    assert np.issubdtype(jnp.float32, jnp.floating)
    assert not np.issubdtype(jnp.int32, jnp.floating)
    assert issubclass(np.float32, jnp.inexact)
    assert issubclass(jnp.floating, jnp.number)


def test_a_named_scope_is_a_block_and_a_decorator() -> None:
    @jax.named_scope("step")
    def step(x: Any) -> Any:
        return x + 1

    assert step(1) == 2
    with jax.named_scope("block") as name:
        assert name == "block"


def test_listeners_hear_what_is_reported() -> None:
    heard: list[Any] = []

    def listen(event: str, *values: Any, **more: Any) -> None:
        heard.append((event, *values, more))

    jax.monitoring.register_event_listener(listen)
    jax.monitoring.register_event_duration_secs_listener(listen)
    jax.monitoring.record_event("/a", kind="b")
    jax.monitoring.record_event_duration_secs("/d", 1.5)
    jax.monitoring.unregister_event_listener(listen)
    jax.monitoring.record_event("/a")
    jax.monitoring.clear_event_listeners()
    jax.monitoring.record_event_duration_secs("/d", 2.5)
    assert heard == [("/a", {"kind": "b"}), ("/d", 1.5, {})]


def test_a_program_of_one_process_agrees_with_itself() -> None:
    from oakum.experimental import multihost_utils

    assert jax.distributed.is_initialized() is False
    jax.distributed.shutdown()
    multihost_utils.sync_global_devices("here")
    multihost_utils.assert_equal({"x": jnp.ones(2)})
    assert multihost_utils.reached_preemption_sync_point(3) is False
    sent = multihost_utils.broadcast_one_to_all({"x": jnp.ones(2)})
    assert type(sent["x"]) is np.ndarray
    assert multihost_utils.process_allgather(jnp.ones(2)).shape == (1, 2)
    assert multihost_utils.process_allgather(jnp.ones(2), tiled=True).shape == (2,)


def test_asking_for_a_module_that_is_missing_gives_no() -> None:
    assert not hasattr(jax.experimental, "sparse")
    assert not hasattr(jax.experimental, "no_such_module")


@pytest.mark.parametrize(
    "ask",
    [
        lambda s: jax.jit(lambda x: x, out_shardings=s),
        lambda s: jax.jit(lambda x: x, in_shardings=(s, None)),
        lambda s: jax.jit(out_shardings={"x": s}),
        lambda s: jax.lax.with_sharding_constraint(jnp.ones(4), s),
        lambda s: jax.random.normal(jax.random.key(0), (4,), out_sharding=s),
        lambda s: jnp.matmul(jnp.ones((2, 2)), jnp.ones((2, 2)), out_sharding=s),
        lambda s: jax.lax.full((4,), 0.0, sharding=s),
    ],
)
def test_a_sharding_is_honoured_or_refused(ask: Any) -> None:
    one = jax.make_mesh((1,), ("x",))
    for whole in (jax.sharding.NamedSharding(one, P("x")), P(), jax.devices()[0]):
        ask(whole)
    two = jax.sharding.AbstractMesh((2,), ("x",))
    for split in (jax.sharding.NamedSharding(two, P("x")), P("x")):
        with pytest.raises(NotEvaluatedError, match="is not honoured"):
            ask(split)


def test_options_that_jax_refuses_are_refused() -> None:
    with pytest.raises(NotImplementedError, match="concrete"):
        jax.checkpoint(lambda x: x, concrete=True)
    with pytest.raises(RuntimeError, match="'tpu' requested"):
        jax.jit(lambda x: x, backend="tpu")
