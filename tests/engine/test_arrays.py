"""Arrays that hold data: what Python, NumPy and other libraries can do with them.

A user who looks at a result, prints, stores or converts it, gets something else than from JAX.
"""

import copy
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oakum
from oakum import dtypes
from oakum.errors import OakumError
from oakum.runtime import array_repr
from oakum.runtime.arrays import ArrayImpl, as_array
from oakum.values import host
from oakum.values.avals import ShapedArray

BFLOAT16: Any = host.dtype(dtypes.bfloat16)

VALUES: list[Any] = [
    1.5,
    2,
    True,
    1 + 2j,
    np.arange(3, dtype="float32"),
    np.arange(100, dtype="float32"),
    np.zeros((0, 3), "int8"),
    np.eye(2, dtype="bool"),
    np.array([1.5, 2], BFLOAT16),
    np.array(-1, "int32"),
    np.array([1e10, 1], "float32"),
    np.array([[1 + 1j]], "complex64"),
    np.arange(2000, dtype="int32"),
]


def both(value: Any) -> tuple[Any, Any]:
    jax = pytest.importorskip("jax")
    return as_array(value), jax.device_put(value)


def outcome(function: Callable[[Any], Any], value: Any) -> Any:
    """What a function of an array gives, or the class of its error that all Python knows."""
    try:
        return function(value)
    except Exception as error:
        return next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")


@pytest.mark.parametrize("value", VALUES, ids=lambda value: str(value)[:12])
def test_arrays_print_as_in_jax(value: Any) -> None:
    """What a user sees of an array misleads, or a doctest fails."""
    ours, theirs = both(value)
    assert repr(ours) == repr(theirs)
    assert str(ours) == str(theirs)
    assert f"{ours}" == f"{theirs}"


@pytest.mark.parametrize("value", VALUES, ids=lambda value: str(value)[:12])
def test_attributes_are_those_of_jax(value: Any) -> None:
    """A program that looks at an array goes another way."""
    ours, theirs = both(value)
    for name in (
        "shape dtype ndim size nbytes itemsize weak_type committed is_fully_addressable "
        "is_fully_replicated"
    ).split():
        assert getattr(ours, name) == getattr(theirs, name), name
    assert ours.unsafe_buffer_pointer() == ours.raw.ctypes.data
    assert ours.on_device_size_in_bytes() == theirs.nbytes
    assert ours.platform() == "cpu"
    assert ours.is_ready()
    assert not ours.is_deleted()


CONVERSIONS: dict[str, Callable[[Any], Any]] = {
    "bool": bool,
    "int": int,
    "float": float,
    "complex": complex,
    "index": lambda x: x.__index__(),
    "len": len,
    "item": lambda x: x.item(),
    "item(0)": lambda x: x.item(0),
    "item(-1)": lambda x: x.item(-1),
    "item(7)": lambda x: x.item(7),
    "item(1, 1)": lambda x: x.item(1, 1),
    "item((0, 1))": lambda x: x.item((0, 1)),
    "tolist": lambda x: x.tolist(),
    "tobytes": lambda x: x.tobytes(),
    "list": lambda x: [each.tolist() for each, _ in zip(x, range(5), strict=False)],
    "format": lambda x: f"{x:.2f}",
    "percent": lambda x: "%d" % x,  # noqa: UP031
    "hash": hash,
    "set": lambda x: x.__setitem__(0, 1),
    "range": lambda x: list(range(x)),
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", CONVERSIONS)
def test_conversions_give_what_jax_gives(name: str) -> None:
    """A conversion gives another number, or an error that the user's `except` does not catch."""
    for value in VALUES:
        results = [outcome(CONVERSIONS[name], array) for array in both(value)]
        if isinstance(results[1], type):
            error = _error(CONVERSIONS[name], as_array(value))
            assert isinstance(error, results[1]), (value, error)
        else:
            assert results[0] == results[1], value
            assert type(results[0]) is type(results[1])


def _error(function: Callable[[Any], Any], value: Any) -> Exception | None:
    try:
        function(value)
    except Exception as error:
        return error
    return None


def test_messages_of_conversions() -> None:
    """The error of a conversion does not say what to write instead."""
    x = as_array(np.arange(3))
    with pytest.raises(TypeError, match=r"Only scalar arrays can be converted.*int32\[3\]"):
        float(x)
    with pytest.raises(ValueError, match="more than one element is ambiguous"):
        bool(x)
    with pytest.raises(ValueError, match=r"(?s)empty array is ambiguous.*array\.size > 0"):
        bool(as_array(np.zeros(0)))
    with pytest.raises(TypeError, match="Only integer scalar arrays"):
        as_array(1.0).__index__()
    with pytest.raises(TypeError, match="unhashable type"):
        hash(x)


def test_a_text_is_repeated_by_an_integer_and_a_list_is_not() -> None:
    """As with JAX: what Python repeats by `__index__` is, and a list beside an array is refused."""
    count = as_array(np.int32(3))
    assert ("=" * count, count * "ab", b"a" * count) == ("===", "ababab", b"aaa")
    for operand in ([0], (0,)):
        with pytest.raises(TypeError, match="unsupported operand"):
            operand * count  # pyright: ignore[reportUnusedExpression]


def test_arrays_are_immutable() -> None:
    """An assignment seems to work, or its error does not say what to write instead."""
    x = as_array(np.arange(3))
    with pytest.raises(
        TypeError, match=r"(?s)JAX arrays are immutable.*`x = x\.at\[0\]\.set"
    ) as caught:
        x[0] = 1
    assert isinstance(caught.value, OakumError)
    assert caught.value.code.code == "OAK215"
    with pytest.raises(TypeError, match="immutable"):
        del x[0]
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(x)[0] = 1


def test_arrays_do_not_change_with_their_source() -> None:
    """An array changes when the NumPy array that it was made of does."""
    source = np.arange(3, dtype="float32")
    x = as_array(source)
    source[0] = 7
    assert x.tolist() == [0, 1, 2]
    copied = np.array(x)
    copied[0] = 7
    assert x.tolist() == [0, 1, 2]


def test_numpy_reads_arrays() -> None:
    """NumPy gets another dtype, or copies where it need not."""
    x = as_array(np.arange(3, dtype="float32"))
    assert np.shares_memory(np.asarray(x), np.asarray(x))
    assert np.asarray(x, dtype="float64").dtype == "float64"
    assert np.array(x, copy=True).flags.writeable
    with pytest.raises(ValueError, match="copy"):
        np.asarray(x, dtype="float64", copy=False)
    assert np.sin(x).dtype == "float32"
    assert np.asarray(as_array(np.ones(2, BFLOAT16))).dtype == BFLOAT16


def test_arrays_are_stored_and_copied() -> None:
    """A stored or copied array comes back with another dtype or weak type, or is shared."""
    for value in VALUES:
        x = as_array(value)
        for again in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
            assert again is not x
            assert again.aval == x.aval
            assert np.array_equal(np.asarray(again), np.asarray(x))
    x = as_array(np.arange(3))
    copied = copy.deepcopy(x)
    x.delete()
    assert copied.tolist() == [0, 1, 2]


def double(x: Any) -> Any:
    return x * 2


DELETED: dict[str, Callable[[Any], Any]] = {
    "repr": repr,
    "str": str,
    "asarray": np.asarray,
    "list": list,
    "tolist": lambda x: x.tolist(),
    "devices": lambda x: x.devices(),
    "device": lambda x: x.device,
    "shards": lambda x: x.addressable_shards,
    "block": lambda x: x.block_until_ready(),
    "pointer": lambda x: x.unsafe_buffer_pointer(),
    "copy": copy.copy,
    "pickle": pickle.dumps,
    "device_put": lambda x: oakum.device_put(x, oakum.devices()[0]),
    "device_get": oakum.device_get,
    "add": lambda x: x + 1,
    "jit": lambda x: oakum.jit(double)(x),
}


@pytest.mark.parametrize("name", DELETED)
def test_deleted_arrays_are_refused(name: str) -> None:
    """An array that was given away is read, or the error does not say which array it was."""
    x = as_array(np.arange(3))
    x.delete()
    with pytest.raises(RuntimeError, match=r"Array has been deleted with shape=int32\[3\]"):
        DELETED[name](x)


def test_what_is_left_of_a_deleted_array() -> None:
    """A program cannot tell that an array was deleted."""
    x = as_array(np.arange(3))
    x.delete()
    x.delete()
    assert x.is_deleted()
    assert x.shape == (3,)
    assert x.dtype == "int32"
    assert len(x) == 3
    assert x.sharding.num_devices == 1
    assert not any(each is x for each in oakum.live_arrays())


def test_shards() -> None:
    """A program that works on the parts of an array fails."""
    x = as_array(np.arange(4))
    (shard,) = x.addressable_shards
    assert shard.device is x.device
    assert shard.index == (slice(None),)
    assert shard.replica_id == 0
    assert shard.data.tolist() == x.tolist() == x.addressable_data(0).tolist()
    assert isinstance(shard, oakum.Shard)
    assert len(x.global_shards) == 1


def test_dlpack() -> None:
    """Arrays cannot be shared with other libraries, or are copied, or change under them."""
    x = as_array(np.arange(6, dtype="float32").reshape(2, 3))
    assert np.array_equal(np.from_dlpack(x), x)
    assert x.__dlpack_device__() == (1, 0)
    source = np.arange(3, dtype="float32")
    shared = oakum.dlpack.from_dlpack(source)
    assert shared.unsafe_buffer_pointer() == source.ctypes.data
    assert shared.committed
    assert oakum.dlpack.from_dlpack(source, copy=True).unsafe_buffer_pointer() != source.ctypes.data
    assert oakum.dlpack.from_dlpack(np.arange(3)).dtype == "int32"
    transposed = oakum.dlpack.from_dlpack(np.asarray(x).T)
    assert np.array_equal(transposed, np.asarray(x).T)
    assert oakum.dlpack.from_dlpack(x).tolist() == x.tolist()
    with pytest.raises(TypeError, match="must have __dlpack__"):
        oakum.dlpack.from_dlpack([1])
    with pytest.raises(ValueError, match="copy=False"):
        oakum.dlpack.from_dlpack(np.arange(3), copy=False)
    assert oakum.dlpack.is_supported_dtype("float32")
    assert not oakum.dlpack.is_supported_dtype("int4")


def test_key_arrays() -> None:
    """A random key prints or converts as if it were numbers."""
    words = np.array([[1, 2], [3, 4]], "uint32")
    keys = ArrayImpl(words.view("V8").reshape(2), ShapedArray((2,), dtypes.key_fry))
    assert repr(keys) == "Array((2,), dtype=key<fry>) overlaying:\n[[1 2]\n [3 4]]"
    assert np.array_equal(array_repr.key_words(keys), words)
    assert str(keys.dtype) == "key<fry>"
    with pytest.raises(TypeError, match="PRNGKey dtype cannot be converted"):
        np.asarray(keys)
    with pytest.raises(TypeError, match="key array"):
        bool(keys)
    assert len(list(keys)) == 2
    assert repr(pickle.loads(pickle.dumps(keys))) == repr(keys)
    assert repr(copy.deepcopy(keys)) == repr(keys)
    assert oakum.device_get(keys) is keys


def test_iteration_keeps_weak_types_and_places() -> None:
    """The elements of an array have another type than the array."""
    x = oakum.device_put(np.arange(3), oakum.devices()[0])
    assert all(each.committed and each.dtype == x.dtype for each in x)
    with pytest.raises(TypeError, match="iteration over a 0-d array"):
        iter(as_array(1.0))


def test_methods_have_the_declaration_of_their_function() -> None:
    """Help and the linter see other parameters for `x.sum` than for `jnp.sum`, or none."""
    method, function = inspect.signature(oakum.Array.sum), inspect.signature(oakum.numpy.sum)
    assert list(method.parameters)[1:] == list(function.parameters)[1:]
    facts = vars(oakum.Array)["sum"].facts
    assert facts.name == "Array.sum"
    assert facts.static == vars(oakum.numpy)["sum"].facts.static


def test_numpy_sorts_an_array_by_itself() -> None:
    """`order = np.argsort(x); order[0] = 2` works on JAX's arrays: NumPy asks the method first."""
    x: Any = as_array(np.array([3.0, 1.0, 2.0], np.float32))
    order: Any = np.argsort(x)
    order[0] = 2
    assert order.tolist() == [2, 2, 0]
