"""Memory of a device that holds the data of an array."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from oakum.values import host

if TYPE_CHECKING:
    from oakum.values.user_frames import UserFrame


class StorageDevice(Protocol):
    """What holds memory."""

    def release(self, address: int) -> None:
        """Gives memory back."""
        ...

    def bucket(self, nbytes: int) -> int:
        """Where native code keeps memory of so many bytes; zero where it keeps none."""
        ...

    def get(self, address: int, nbytes: int) -> Any:
        """Returns the bytes at an address, when all that was queued is done."""
        ...

    def begin_get(self, address: int, nbytes: int) -> Callable[[], Any]:
        """Queues that the bytes at an address come to the host; what is returned waits for them."""
        ...

    def wait(self) -> None:
        """Waits until all that was queued is done."""
        ...

    def is_done(self) -> bool:
        """Whether all that was queued is done."""
        ...


class DeviceStorage:
    """A block of memory of a device, which is given back with the last reference."""

    __slots__ = (
        "__weakref__",
        "_coming",
        "address",
        "bucket",
        "device",
        "is_shared",
        "nbytes",
        "origin",
    )

    def __init__(
        self, device: StorageDevice, address: int, nbytes: int, origin: UserFrame | None = None
    ) -> None:
        self.device, self.address, self.nbytes = device, address, nbytes
        self.bucket = device.bucket(nbytes)
        self.origin = origin
        """The line of the user's program that made what it holds, where that is known."""
        self.is_shared = False
        """Whether several arrays have it: a program may not write over what one of them donates."""
        self._coming: Callable[[], Any] | None = None

    @property
    def is_coming(self) -> bool:
        """Whether the bytes are on their way to the host."""
        return self._coming is not None

    def begin_fetch(self) -> None:
        """Has the bytes come to the host while it goes on."""
        if self.nbytes and self._coming is None:
            self._coming = self.device.begin_get(self.address, self.nbytes)

    def forget_fetch(self) -> None:
        """Has the next reader ask for the bytes again: those that come are written over."""
        self._coming = None

    def fetch(self, shape: tuple[int, ...], dtype: host.ArrayDType) -> Any:
        """Returns the elements as an array of the host that cannot be written."""
        if not self.nbytes:
            return host.np.zeros(shape, dtype)  # Elements may have no bytes, too.
        coming = self._coming
        raw = self.device.get(self.address, self.nbytes) if coming is None else coming()
        self._coming = None
        found = raw.view(dtype).reshape(shape)
        found.flags.writeable = False
        return found

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        self.bucket = 0  # In a cycle it dies before its array, which may not be kept with it.
        if not is_finalizing():  # The memory ends with the process, and modules before it.
            self.device.release(self.address)
