"""`ArrayImpl`: arrays that hold data.

Invariants:
- The data of an array are one array of the host, whole, whatever the devices: nobody changes them
  after the array is made.
- An array without a sharding is on the first device and not committed to it, as most are.
- What reads data asks `raw`, which raises for an array that was deleted.
- The result of a native call holds a block of memory in `_block`, and no `_raw` until it is read;
  other arrays have no `_block`.
- An array that a device with memory of its own has made, or used, holds that memory in `_storage`;
  what was made there has no `_raw` until it is read.
"""

from __future__ import annotations

import gc
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from oakum import config, dtypes
from oakum.array import Array
from oakum.dtypes import Kind
from oakum.errors import DeletedArrayError, DTypeError, ShapeError
from oakum.runtime import array_repr, dlpack_exchange, key_arrays, shards, transfer_guards
from oakum.runtime.topology import devices
from oakum.runtime.topology.shardings import Sharding, SingleDeviceSharding, on, on_first_device
from oakum.tracing.trace import aval_of, is_evaluating, scalar_aval
from oakum.typing import ArrayLike
from oakum.values import host, uses
from oakum.values.avals import ShapedArray
from oakum.values.traceback_filtering import api_boundary, filter_traceback
from oakum.values.user_frames import user_frame

if TYPE_CHECKING:
    from oakum.runtime.device_storage import DeviceStorage


class ArrayImpl(Array):
    """An array with data, on a device or several."""

    __slots__ = ("__weakref__", "_block", "_committed", "_raw", "_sharding", "_storage", "aval")

    aval: ShapedArray

    def __init__(
        self,
        raw: host.Array | None,
        aval: ShapedArray,
        sharding: Sharding | None = None,
        committed: bool = False,
    ) -> None:
        self._raw = raw
        self.aval = aval  # pyright: ignore[reportIncompatibleMethodOverride]
        self._sharding = sharding
        self._committed = committed

    @property
    def raw(self) -> Any:
        """The data, as an array of the host that nobody may change."""
        try:
            raw = self._raw
        except AttributeError:  # Nobody has looked at it yet.
            raw = self._raw = self._fetch()
        if raw is None:
            raise deleted(self)
        return raw

    def _fetch(self) -> Any:
        """Returns the data of the result of a native call, or of a device's program."""
        storage = self.storage
        if storage is None:
            return _view(self._block, self.aval)
        assert self.aval.dtype is not None
        return storage.fetch(self.shape, host.dtype(self.aval.dtype))

    @property
    def storage(self) -> DeviceStorage | None:
        """The memory of a device that holds the data, too; None where the host has them alone."""
        return getattr(self, "_storage", None)

    def hold(self, storage: DeviceStorage) -> None:
        """Keeps the memory of a device that the data have been copied to."""
        self._storage = storage

    @property
    def is_cleared(self) -> bool:
        """Whether the data are gone."""
        return getattr(self, "_raw", self) is None

    @property
    def value(self) -> Any:
        """The data as NumPy shows them, which random keys are not."""
        if self.is_key:
            raise DTypeError(
                "JAX array with PRNGKey dtype cannot be converted to a NumPy array",
                hint="Take the integers of a key with jax.random.key_data(key).",
            )
        self._guard_exit()
        if transfer_guards.hear_read is not None:
            transfer_guards.hear_read(self)
        return self.raw

    def _guard_exit(self, *, explicit: bool = False) -> None:
        """Checks the transfer to the host, where there is one."""
        storage = self.storage
        if storage is not None and not (storage.is_coming or hasattr(self, "_raw")):
            transfer_guards.guard_exit(self, explicit=explicit)

    @property
    def sharding(self) -> Sharding:
        """How the array lies on devices."""
        return on_first_device() if self._sharding is None else self._sharding

    @property
    def own_sharding(self) -> Sharding | None:
        """The sharding that was given; None where it is the first device that holds the array."""
        return self._sharding

    @property
    def is_key(self) -> bool:
        """Whether the elements are random keys."""
        return self.aval.dtype in dtypes.KEYS

    @property
    def _impl(self) -> Any:
        """The generator of random keys."""
        return key_arrays.generator(self)

    @property
    def _base_array(self) -> ArrayImpl:
        """The words of random keys."""
        return key_arrays.words(self)

    @property
    def _consumed(self) -> Any:
        """Whether random keys were used up, as far as `jax_debug_key_reuse` watched them."""
        return key_arrays.consumed(self)

    @property
    def committed(self) -> bool:
        """Whether computations have to take place where the array is."""
        return self._committed

    @property
    def device(self) -> Any:
        """The device that holds the array, or its sharding where there are several."""
        self.require_data()
        sharding = self.sharding
        return sharding.device_list[0] if sharding.num_devices == 1 else sharding

    @property
    def is_fully_addressable(self) -> bool:
        """Whether this process holds the whole array."""
        return self.sharding.is_fully_addressable

    @property
    def is_fully_replicated(self) -> bool:
        """Whether each of the devices holds the whole array."""
        return self.sharding.is_fully_replicated

    @property
    def addressable_shards(self) -> list[Any]:
        """The parts of the array on the devices of this process."""
        return shards.of(self)

    @property
    def global_shards(self) -> list[Any]:
        """The parts of the array on all devices."""
        return shards.of(self)

    def platform(self) -> str:
        """Names the platform of the devices: "cpu"."""
        return self.sharding.device_list[0].platform

    def on_device_size_in_bytes(self) -> int:
        """Returns the memory that the array takes on all devices."""
        self.require_data()
        return sum(shard.data.nbytes for shard in shards.of(self))

    def unsafe_buffer_pointer(self) -> int:
        """Returns the address of the data, in the memory of the device that has them."""
        self.require_data()
        if self.storage is not None and self.platform() != "cpu":
            return self.storage.address
        return dlpack_exchange.contiguous(self).ctypes.data

    @property
    def is_native(self) -> bool:
        """Whether the data are in a block of memory of native code."""
        return hasattr(self, "_block")

    def require_data(self) -> None:
        """Raises where the data are gone."""
        if self.is_cleared:
            raise deleted(self)

    def block_until_ready(self) -> ArrayImpl:  # pyright: ignore[reportIncompatibleVariableOverride]
        """Returns the array when its data are there."""
        self.wait()
        return self

    def wait(self) -> None:
        """Waits for the data; raises where they are gone."""
        self.require_data()
        if self.storage is not None:
            self.storage.device.wait()

    @property
    def is_computed(self) -> bool:
        """Whether the data are there: a device may still be at work on them."""
        storage = self.storage
        return storage is None or storage.device.is_done()

    def begin_fetch(self, *, explicit: bool = False) -> None:
        """Has the data come to the host, where they are not there, while it goes on."""
        self.require_data()
        self._guard_exit(explicit=explicit)
        if self.storage is not None and not hasattr(self, "_raw"):
            self.storage.begin_fetch()

    def clear(self) -> None:
        """Lets go of the data."""
        self.replace_raw(None)

    def replace_raw(self, raw: host.Array | None) -> None:
        """Takes the same data laid out otherwise."""
        self._raw = raw
        for name in ("_block", "_storage"):
            if hasattr(self, name):
                delattr(self, name)

    def moved_to(self, sharding: Sharding | None, committed: bool) -> ArrayImpl:
        """Returns an array of the same data at another place."""
        storage = self.storage
        if storage is None:
            return ArrayImpl(self.raw, self.aval, sharding, committed)
        self.require_data()
        storage.is_shared = True
        return on_device(storage, self.aval, sharding, committed)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> Any:
        view = self.value.view()
        view.flags.writeable = False
        return view if dtype is None and not copy else host.np.array(view, dtype, copy=copy)

    @property
    def __numpy_dtype__(self) -> Any:
        """What NumPy reads where an array stands for its dtype."""
        warnings.warn(
            "Implicit conversion of an array to a dtype is deprecated; write x.dtype for x",
            DeprecationWarning,
            stacklevel=2,
        )
        return self.dtype

    def __buffer__(self, flags: int) -> memoryview:
        """What `memoryview(x)` reads from Python 3.12 on."""
        return memoryview(self.__array__())

    def __dlpack__(self, **options: object) -> Any:
        return dlpack_exchange.to_dlpack(self, **options)

    def __dlpack_device__(self) -> tuple[Any, int]:
        return dlpack_exchange.dlpack_device(self)

    def __reduce__(self) -> tuple[Any, ...]:
        dtype = self.aval.dtype
        assert dtype is not None
        return (_restore, (self.raw.copy(), dtype.name, bool(self.aval.weak_type)))

    def __copy__(self) -> ArrayImpl:
        return self.moved_to(self._sharding, self._committed)

    def __deepcopy__(self, memo: dict[int, Any]) -> ArrayImpl:
        copy = ArrayImpl(self.raw.copy(), self.aval, self._sharding, self._committed)
        memo[id(self)] = copy
        return copy

    def __repr__(self) -> str:
        return array_repr.of_array(self)

    def __str__(self) -> str:
        return array_repr.of_elements(self)

    def __format__(self, format_spec: str) -> str:
        if self.is_key:
            return format(str(self), format_spec)
        value = self.value
        return format(value if self.aval.shape else value[()], format_spec)

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object: the array is a scalar")
        return self.shape[0]

    def __iter__(self) -> Iterator[Array]:
        raw, shape = self.raw, self.shape
        if not shape:
            raise ShapeError(
                f"iteration over a 0-d array: `{self.aval}` is a scalar",
                hint=uses.TABLE[uses.Use.ITERATION].hint,
            )
        if not is_evaluating():
            # Taking an array apart is an operation: where operations are staged, so is this.
            return super().__iter__()
        aval = ShapedArray(shape[1:], self.aval.dtype, self.aval.weak_type)
        place = self._sharding if self.sharding.num_devices == 1 else None
        committed = self._committed and place is not None
        return (ArrayImpl(host.np.asarray(part), aval, place, committed) for part in raw)

    def __bool__(self) -> bool:
        try:
            return bool(self._truth())
        except Exception as error:  # a user's `if` shows no frame of ours
            filter_traceback(error)
            raise

    def _truth(self) -> Any:
        """The data of the only element."""
        if self.is_key:
            raise DTypeError("a random key is neither true nor false: it is a key array")
        if self.size == 1:
            return self.value
        if self.size == 0:
            raise ShapeError(
                "The truth value of an empty array is ambiguous",
                hint="Use `array.size > 0` to check that an array is not empty.",
            )
        raise ShapeError(
            f"The truth value of an array with more than one element is ambiguous; "
            f"this one is `{self.aval}`",
            hint="Use a.any() or a.all().",
        )

    def __int__(self) -> int:
        try:
            return int(self._scalar("int"))
        except Exception as error:
            filter_traceback(error)
            raise

    def __float__(self) -> float:
        try:
            return float(self._scalar("float"))
        except Exception as error:
            filter_traceback(error)
            raise

    def __complex__(self) -> complex:
        try:
            return complex(self._scalar("complex"))
        except Exception as error:
            filter_traceback(error)
            raise

    def __index__(self) -> int:
        dtype = self.aval.dtype
        if self.shape or dtype is None or dtype.kind not in (Kind.INT, Kind.UINT):
            raise TypeError(
                "Only integer scalar arrays can be converted to a scalar index; "
                f"this one is {short(self.aval)}"
            )
        return int(self.value)

    @api_boundary
    def __setitem__(self, index: object, value: object) -> None:
        raise _immutable(self)

    @api_boundary
    def __delitem__(self, index: object) -> None:
        raise _immutable(self)

    def _scalar(self, kind: str) -> Any:
        """Returns the data of an array without axes, for Python's conversion of this name."""
        if self.shape:
            raise ShapeError(
                f"Only scalar arrays can be converted to Python scalars; {kind}() got "
                f"{short(self.aval)} (arr.ndim={self.ndim})",
                hint="Take an element by its index, or keep an array: x.astype(...).",
            )
        return self.value


def _immutable(array: Array) -> Exception:
    from oakum.tracing import concretization_errors  # Only errors pay for it.

    return concretization_errors.immutable(array)


def on_device(
    storage: DeviceStorage,
    aval: ShapedArray,
    sharding: Sharding | None = None,
    committed: bool = False,
) -> ArrayImpl:
    """Returns an array whose data are in the memory of a device."""
    found = ArrayImpl.__new__(ArrayImpl)
    found.aval = aval
    found._storage = storage  # pyright: ignore[reportPrivateUsage]
    found._sharding, found._committed = sharding, committed  # pyright: ignore[reportPrivateUsage]
    return found


def short(aval: ShapedArray) -> str:
    """Returns an aval as messages of arrays name it: `float32[3,4]`."""
    sizes = ",".join(map(str, aval.shape or ()))
    return f"{aval.dtype}[{sizes}]"


def deleted(array: ArrayImpl) -> DeletedArrayError:
    """Returns the error of an array whose data are gone."""
    from oakum.runtime import donations  # Only an error pays for it.

    aval = array.aval
    return DeletedArrayError(
        f"Array has been deleted with shape={short(aval)}. {donations.described(array, aval)}",
        frame=user_frame(),
    )


def default_sharding() -> SingleDeviceSharding | None:
    """Returns the sharding of new arrays; None stands for the first device."""
    if config.default_device.value is None:
        if not devices.are_initialized():
            devices.default_platform()  # Raises for one that is not there.
        return None
    device = devices.default_device()
    return None if device is devices.first_device() else on(device)


def wrap(
    raw: ArrayLike, aval: ShapedArray, sharding: Sharding | None = None, committed: bool = False
) -> ArrayImpl:
    """Returns an array of data on the host, which must fit the aval."""
    if sharding is None:
        sharding = default_sharding()
    return ArrayImpl(host.np.asarray(raw), aval, sharding, committed)


def as_array(value: object) -> ArrayImpl:
    """Returns the array of a value: an array as it is, data of the host in its canonical dtype, a
    Python number weakly typed.
    """
    if isinstance(value, ArrayImpl):
        return value
    aval = aval_of(value)
    assert aval.dtype is not None
    if isinstance(value, (bool, int, float, complex)) and not hasattr(value, "dtype"):
        return ArrayImpl(scalar(value, aval), aval, default_sharding())
    return ArrayImpl(host.np.array(value, host.dtype(aval.dtype)), aval, default_sharding())


def scalar(value: complex, aval: ShapedArray | None = None) -> Any:
    """Returns a Python number as an array of the host; OverflowError where it does not fit."""
    aval = aval or scalar_aval(value)
    assert aval.dtype is not None
    return host.np.array(value, host.dtype(aval.dtype))


def live() -> list[ArrayImpl]:
    """Lists the arrays whose data are there."""
    return [each for each in gc.get_objects() if type(each) is ArrayImpl and not each.is_cleared]


devices.list_alive("arrays", live)


def _view(block: object, aval: ShapedArray) -> Any:
    """Returns the memory of a block as an array of the host that keeps it and cannot be written."""
    assert aval.dtype is not None
    return host.np.ndarray(aval.shape, host.dtype(aval.dtype), buffer=block)


def _restore(raw: host.Array, dtype: str, weak_type: bool) -> ArrayImpl:
    """Returns the array that was stored, on the device for new arrays."""
    return ArrayImpl(raw, ShapedArray(raw.shape, dtypes.DTYPES[dtype], weak_type))


def is_array_like(value: object) -> bool:
    """Whether a value is an array or a number, and not a list, a string or None."""
    if isinstance(value, (Array, bool, int, float, complex, host.np.ndarray, host.np.generic)):
        return not isinstance(value, (host.np.str_, host.np.bytes_))
    if hasattr(value, "__jax_array__"):
        return True
    return hasattr(value, "dtype") and hasattr(value, "shape")
