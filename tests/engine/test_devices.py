"""Devices, shardings, and where computations take place.

A user whose arrays move silently, or lie where the program does not say, gets results that do not
agree with a run of JAX, or errors that name nothing.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

import oakum
from oakum import config
from oakum.runtime import evaluation
from oakum.runtime.topology import devices as machine
from oakum.runtime.topology.meshes import AxisType
from oakum.sharding import (
    AbstractMesh,
    Mesh,
    NamedSharding,
    PartitionSpec,
    SingleDeviceSharding,
    get_abstract_mesh,
    get_mesh,
    make_single_device_sharding,
    set_mesh,
)

P = PartitionSpec


@pytest.fixture
def four() -> Generator[list[machine.Device]]:
    """Four devices, as a program has that sets their number first."""
    machine.clear_backends()
    config.update("jax_num_cpu_devices", 4)
    yield oakum.devices()
    machine.clear_backends()
    config.update("jax_num_cpu_devices", -1)


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        env={"PATH": "/usr/bin", **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def array(*shape: int, start: float = 0) -> Any:
    size = int(np.prod(shape))
    return oakum.device_put((np.arange(size) + start).astype("float32").reshape(shape))


def test_devices_have_what_those_of_jax_have() -> None:
    """A program that looks at its devices fails."""
    jax = pytest.importorskip("jax")
    ours, theirs = oakum.devices()[0], jax.devices("cpu")[0]
    for name in "id platform device_kind process_index host_id task_id local_hardware_id".split():
        assert getattr(ours, name) == getattr(theirs, name), name
    assert repr(ours) == repr(theirs) == "CpuDevice(id=0)"
    assert str(ours) == str(theirs)
    assert ours.client.platform == "cpu"
    assert ours.memory_stats() is None
    assert pickle.loads(pickle.dumps(ours)) is ours


def test_counts_and_processes(four: list[machine.Device]) -> None:
    """A program that divides its work among devices divides it wrongly."""
    assert [device.id for device in four] == [0, 1, 2, 3]
    assert oakum.device_count() == oakum.local_device_count() == 4
    assert oakum.local_devices() == oakum.devices("cpu") == four
    assert oakum.devices(four[0].client) == four
    assert oakum.default_backend() == "cpu"
    assert oakum.process_index() == 0
    assert oakum.process_count() == 1
    assert oakum.process_indices() == [0]
    with pytest.raises(ValueError, match="Unknown process_index 3"):
        oakum.local_devices(process_index=3)
    with pytest.warns(UserWarning, match="renamed"):
        assert oakum.host_id() == 0


def test_unknown_backends_are_refused() -> None:
    """A misspelt platform gives the devices of another."""
    with pytest.raises(RuntimeError, match=r"Unknown backend foo.*\['cpu'\]"):
        oakum.devices("foo")
    with pytest.raises(RuntimeError, match="Unknown backend: 'gpu' requested"):
        oakum.devices("gpu")


def test_the_number_of_devices_is_set_before_they_are_made(four: list[machine.Device]) -> None:
    """The option has no effect, and nobody says so."""
    assert len(four) == 4
    with pytest.raises(RuntimeError, match="before backends are initialized"):
        config.update("jax_num_cpu_devices", 2)
    assert oakum.device_count() == 4


@pytest.mark.parametrize(
    ("environment", "count"),
    [
        ({}, 1),
        ({"OAKUM_NUM_CPU_DEVICES": "3"}, 3),
        ({"JAX_NUM_CPU_DEVICES": "2"}, 2),
        ({"XLA_FLAGS": "--xla_force_host_platform_device_count=5"}, 5),
    ],
)
def test_the_environment_sets_the_number(environment: dict[str, str], count: int) -> None:
    """A test of a program for several devices cannot be run."""
    code = "import oakum; print(len(oakum.devices()))"
    assert run(code, **environment).stdout.strip() == str(count)


def test_platforms() -> None:
    """A program runs on the CPU though the environment asks for another platform."""
    code = "import oakum; print(oakum.default_backend())"
    assert run(code, OAKUM_PLATFORMS="cpu").stdout.strip() == "cpu"
    failed = run(code, OAKUM_PLATFORMS="quantum")
    assert "RuntimeError: Unable to initialize backend 'quantum'" in failed.stderr


def test_device_put_commits(four: list[machine.Device]) -> None:
    """An array is not where the program put it."""
    x = array(3)
    assert not x.committed
    assert x.devices() == {four[0]}
    moved = oakum.device_put(x, four[2])
    assert moved.committed
    assert moved.devices() == {four[2]}
    assert moved.device is four[2]
    assert moved.sharding == SingleDeviceSharding(four[2]) == make_single_device_sharding(four[2])
    assert oakum.device_put(moved).devices() == {four[2]}
    assert oakum.device_put(x) is x
    assert np.array_equal(moved, x)


def test_device_put_of_trees(four: list[machine.Device]) -> None:
    """The parts of a tree do not lie where its prefix of devices says."""
    put = oakum.device_put({"a": 1, "b": (2.0, np.arange(3))}, {"a": four[1], "b": four[2]})
    assert [leaf.device.id for leaf in (put["a"], *put["b"])] == [1, 2, 2]
    assert put["a"].weak_type
    with pytest.raises(ValueError, match="must be a tree prefix"):
        oakum.device_put([1, 2, 3], [four[0], four[1]])
    with pytest.raises(ValueError, match="only accepts `None`"):
        oakum.device_put(1, "cpu")
    with pytest.raises(TypeError, match="not a valid JAX type"):
        oakum.device_put("a")
    with pytest.raises(ValueError, match="cannot be True at the same time"):
        oakum.device_put(1, donate=True, may_alias=True)


def test_device_put_copies_when_it_may_not_alias() -> None:
    """Two arrays share memory that one of them gives away."""
    x = array(4)
    assert oakum.device_put(x, may_alias=False).unsafe_buffer_pointer() != x.unsafe_buffer_pointer()


def test_device_get_gives_arrays_of_the_host() -> None:
    """A program that hands results to NumPy fails."""
    got = oakum.device_get({"a": array(3), "b": 1, "c": "text"})
    assert type(got["a"]) is np.ndarray
    assert got["b"] == 1
    assert got["c"] == "text"
    assert not got["a"].flags.writeable


def test_computation_follows_data(four: list[machine.Device]) -> None:
    """A result lies on another device than its operands."""
    here, there = array(3), oakum.device_put(array(3), four[1])
    result = here + there
    assert result.devices() == {four[1]}
    assert result.committed
    assert not (here + 1).committed

    def times(x: Any, y: Any) -> Any:
        return x * y

    assert oakum.jit(times)(here, there).devices() == {four[1]}


def test_operands_on_different_devices_are_refused(four: list[machine.Device]) -> None:
    """A program that JAX refuses runs here, or the error does not say which operands."""
    one, two = (oakum.device_put(array(3), device) for device in four[:2])
    with pytest.raises(evaluation.IncompatibleDevices) as caught:
        _ = one + two
    assert isinstance(caught.value, ValueError)
    message = str(caught.value)
    assert message.startswith("Received incompatible devices for jitted computation. Got argument")
    assert "device ids [0]" in message
    assert "device ids [1]" in message
    assert "float32[3]" in message


def test_the_default_device(four: list[machine.Device]) -> None:
    """New arrays do not lie where the option says."""
    outside = array(3)
    with oakum.default_device(four[1]):
        inside = array(3)
        assert inside.devices() == {four[1]}
        assert not inside.committed
        assert (outside + 1).devices() == {four[1]}
        assert oakum.device_put(outside).devices() == {four[0]}
        with oakum.default_device("cpu"):
            assert array(3).devices() == {four[0]}
    assert (inside + outside).devices() == {four[0]}
    with pytest.raises(ValueError, match=r"jax\.default_device must be passed"):
        config.update("jax_default_device", 3)


def test_gradients_come_back_to_where_the_array_was(four: list[machine.Device]) -> None:
    """The gradient of a parameter lies on another device than the parameter."""
    x = oakum.device_put(array(3), four[0])

    def elsewhere(x: Any) -> Any:
        return (oakum.device_put(x, four[1]) ** 2).sum()

    gradient = oakum.grad(elsewhere)(x)
    assert gradient.devices() == {four[0]}
    assert np.array_equal(gradient, [0.0, 2.0, 4.0])


def test_device_put_is_traced() -> None:
    """A function that puts arrays on devices cannot be transformed."""
    device = oakum.devices()[0]

    def double(x: Any) -> Any:
        return oakum.device_put(x, device) * 2

    x = array(3)
    assert np.array_equal(oakum.jit(double)(x), x * 2)
    assert np.array_equal(oakum.vmap(double)(x), x * 2)
    primal, tangent = oakum.jvp(double, (x,), (x,))
    assert np.array_equal(primal, tangent)


SPLITS = """
import {0} as jax, numpy as np
P = jax.P
jax.config.update("jax_num_cpu_devices", 4)
mesh = jax.make_mesh((2, 2), ("x", "y"))
for spec in (P(), P("x"), P(None, "y"), P(("x", "y")), P(("y", "x")), P("x", None), P("x", "y")):
    s = jax.NamedSharding(mesh, spec)
    x = jax.device_put(np.zeros((4, 8), "float32"), s)
    print(s, s.shard_shape((4, 8)), s.devices_indices_map((4, 8)), s.is_fully_replicated)
    print([(p.device, p.index, p.replica_id, p.data.shape) for p in x.addressable_shards])
    print(x.is_fully_addressable, x.committed, x.sharding == s, s.num_devices)
"""


def test_named_shardings_split_as_those_of_jax() -> None:
    """A device gets another part of an array than in JAX."""
    pytest.importorskip("jax")
    ours, theirs = (run(SPLITS.format(name), JAX_PLATFORMS="cpu") for name in ("oakum", "jax"))
    assert ours.stdout == theirs.stdout
    assert ours.stdout, ours.stderr


def test_wrong_shardings_are_refused(four: list[machine.Device]) -> None:
    """An array is split in a way that the program did not mean."""
    mesh = Mesh(np.array(four).reshape(2, 2), ("x", "y"))
    with pytest.raises(ValueError, match="Resource axis: z"):
        NamedSharding(mesh, P("z"))
    with pytest.raises(ValueError, match="duplicate entries for `x`"):
        NamedSharding(mesh, P("x", "x"))
    with pytest.raises(ValueError, match=r"partitioned 2 times.*size is 3"):
        oakum.device_put(array(3), NamedSharding(mesh, P("x")))
    with pytest.raises(ValueError, match=r"rank at least 1.*PartitionSpec should be P\(\)"):
        oakum.device_put(1.0, NamedSharding(mesh, P("x")))
    with pytest.raises(ValueError, match=r"Number of devices 4 must be >="):
        oakum.make_mesh((8,), ("x",))
    with pytest.raises(ValueError, match="requires the ndim"):
        Mesh(four, ("x", "y"))
    with pytest.raises(TypeError, match="PartitionSpec"):
        NamedSharding(mesh, ("x",))  # pyright: ignore[reportArgumentType]


def test_sharded_arrays_compute(four: list[machine.Device]) -> None:
    """Arrays that are split over devices cannot be computed with."""
    mesh = oakum.make_mesh((4,), ("x",))
    x = oakum.device_put(np.arange(8, dtype="float32"), NamedSharding(mesh, P("x")))
    assert (x + 1).sharding == x.sharding
    assert len(x.devices()) == 4
    assert np.array_equal(x.sum(), 28.0)
    assert x.sum().sharding.is_fully_replicated
    assert np.array_equal(x.addressable_data(3), [6.0, 7.0])
    assert x.device == x.sharding
    assert x.on_device_size_in_bytes() == 32
    assert "Array([0., 1." in repr(x)


def test_meshes() -> None:
    """A program that arranges its devices fails."""
    mesh = Mesh(oakum.devices()[:1], "x")
    assert mesh.shape == {"x": 1}
    assert mesh.size == 1
    assert mesh.axis_types == (AxisType.Auto,)
    assert mesh == Mesh(np.array(oakum.devices()[:1]), ("x",))
    assert hash(mesh) == hash(Mesh(oakum.devices()[:1], "x"))
    assert mesh.abstract_mesh == AbstractMesh(
        (1,), ("x",), abstract_device=mesh.abstract_mesh.abstract_device
    )
    assert mesh.update(axis_types=(AxisType.Explicit,)).explicit_axes == ("x",)
    assert pickle.loads(pickle.dumps(mesh)) == mesh
    with pytest.raises(ValueError, match="AbstractMesh does not implement devices"):
        _ = mesh.abstract_mesh.devices


def test_a_mesh_in_force() -> None:
    """A spec does not find its mesh, or a compiled program is used under another mesh."""
    mesh = oakum.make_mesh((1,), ("x",))
    outside = config.trace_key()
    with set_mesh(mesh):
        assert get_mesh() == mesh
        assert get_abstract_mesh() == mesh.abstract_mesh
        assert config.trace_key() is not outside
        assert oakum.device_put(array(2), P("x")).sharding == NamedSharding(mesh, P("x"))
    assert get_mesh().empty
    assert config.trace_key() is outside
    with pytest.raises(ValueError, match="no mesh is set"):
        oakum.device_put(array(2), P("x"))


def test_partition_specs() -> None:
    """A spec compares or prints otherwise than in JAX."""
    jax = pytest.importorskip("jax")
    for parts in ((), ("x",), ("x", None), (("x", "y"), None), (("x",), ())):
        assert repr(P(*parts)) == repr(jax.P(*parts))
        assert tuple(P(*parts)) == tuple(jax.P(*parts))
    assert P("x") == P(("x",))
    assert P("x") != P("x", None)
    assert P("x") + P("y") == P("x", "y")
    assert len({P("x"), P("x")}) == 1
    assert pickle.loads(pickle.dumps(P("x", unreduced={"y"}))) == P("x", unreduced={"y"})
    assert oakum.tree.leaves([P("x", "y")]) == [P("x", "y")]
    with pytest.raises(AttributeError):
        P("x").partitions = ()


def test_arrays_from_parts(four: list[machine.Device]) -> None:
    """An array that is put together from parts has them in the wrong places."""
    sharding = NamedSharding(oakum.make_mesh((4,), ("x",)), P("x"))
    whole = np.arange(8, dtype="float32")

    def part(index: Any) -> Any:
        return whole[index]

    called = oakum.make_array_from_callback((8,), sharding, part)
    assert np.array_equal(called, whole)
    parts = [oakum.device_put(whole[2 * i : 2 * i + 2], four[i]) for i in range(4)]
    joined = oakum.make_array_from_single_device_arrays((8,), sharding, parts[::-1])
    assert np.array_equal(joined, whole)
    assert joined.sharding == sharding
    assert np.array_equal(oakum.make_array_from_process_local_data(sharding, whole), whole)
    with pytest.raises(ValueError, match="Expected 4 per-device arrays"):
        oakum.make_array_from_single_device_arrays((8,), sharding, parts[:2])
    with pytest.raises(ValueError, match="from distinct devices"):
        oakum.make_array_from_single_device_arrays((8,), sharding, parts[:1] * 4)
    with pytest.raises(ValueError, match="Expected shard shape"):
        oakum.make_array_from_single_device_arrays((16,), sharding, parts)
    with pytest.raises(TypeError, match="list or tuple"):
        oakum.make_array_from_single_device_arrays((8,), sharding, parts[0])


def test_transfer_guards(four: list[machine.Device]) -> None:
    """An array that moves unasked is not found."""
    x, host = array(3), np.ones(3, "float32")
    there = oakum.device_put(x, four[1])
    with oakum.transfer_guard("disallow"):
        assert (x + x).tolist() == [0, 2, 4]
        assert oakum.device_put(host).tolist() == [1, 1, 1]
        assert oakum.device_put(x, four[1]).devices() == {four[1]}
        with pytest.raises(oakum.errors.JaxRuntimeError, match="Disallowed host-to-device"):
            _ = x + host
    with oakum.transfer_guard("disallow_explicit"):
        with pytest.raises(RuntimeError, match=r"(?s)Disallowed host-to-device.*device_put"):
            oakum.device_put(host)
        with pytest.raises(RuntimeError, match="Disallowed device-to-device"):
            oakum.device_put(x, four[1])
        assert oakum.device_put(there, four[1]).tolist() == x.tolist()


EXITS = """
import numpy as np, oakum as jax, oakum.numpy as jnp
x = jnp.arange(4.0)
total = jax.jit(jnp.sum)(x)
ways = {
    "asarray": lambda y: np.asarray(y), "float": lambda y: float(y[0]), "print": str,
    "item": lambda y: y[1].item(), "list": lambda y: y.tolist(), "if": lambda y: bool(y[1] > 0),
    "async": lambda y: y.copy_to_host_async(), "get": jax.device_get,
}
for level in ("disallow", "disallow_explicit", "allow"):
    with jax.transfer_guard_device_to_host(level):
        refused = []
        for name, way in ways.items():
            try:
                way(jax.jit(jnp.sin)(x + total))
            except RuntimeError as error:
                assert "OAK703" in str(error) and "<string>:" in str(error), error
                refused.append(name)
        print(level, *refused)
"""


def test_what_leaves_a_device_is_guarded_where_it_moves() -> None:
    """A program waits for its device at a line that the guard lets pass; or JAX's pass, on a CPU,
    and fail here.
    """
    expected = {
        "cpu": ["disallow", "disallow_explicit", "allow"],
        "emulated": [
            "disallow asarray float print item list if async",
            "disallow_explicit asarray float print item list if async get",
            "allow",
        ],
    }
    for platform, lines in expected.items():
        environment = {**os.environ, "OAKUM_PLATFORMS": platform}
        done = subprocess.run(
            [sys.executable, "-c", EXITS], env=environment, capture_output=True, text=True
        )
        assert done.stdout.splitlines() == lines, done.stderr


def test_what_a_program_asks_of_its_environment() -> None:
    """The report of an error lacks what it needs."""
    text = oakum.print_environment_info(return_string=True)
    assert text is not None
    for name in ("oakum:", "numpy:", "python:", "device info: cpu-", "platform:"):
        assert name in text
    x = array(2)
    assert any(each is x for each in oakum.live_arrays())
    assert oakum.block_until_ready({"a": x, "b": 1})["a"] is x
    assert oakum.copy_to_host_async([x])[0] is x
    oakum.effects_barrier()
    oakum.clear_caches()
    assert str(oakum.typeof(x)) == "f32[2]"
    assert oakum.typeof(1).weak_type
    with pytest.raises(TypeError, match="not a valid JAX type"):
        oakum.typeof("a")
    assert (oakum.ds(3).start, oakum.ds(3).size) == (0, 3)
    assert (oakum.ds(1, 2).start, oakum.ds(1, 2).size) == (1, 2)


def test_array_that_stays_where_it_is_may_be_deleted() -> None:
    """As in JAX: nothing asks for the data of an array that is put nowhere else."""
    x = oakum.numpy.ones(3)
    assert oakum.device_put(x) is x
    x.delete()
    assert oakum.device_put(x).is_deleted()
    with pytest.raises(oakum.errors.DeletedArrayError):
        oakum.device_put(x, donate=True)
