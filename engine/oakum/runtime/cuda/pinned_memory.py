"""Memory of the host that a device copies to while both go on: the driver has pinned it."""

from __future__ import annotations

from collections import defaultdict
from ctypes import byref, c_void_p
from typing import Final

from oakum.runtime.cuda.memory_pool import room_of
from oakum.runtime.topology.cuda_driver import Driver

_MOST_KEPT: Final = 256 << 20
"""More than this is not kept for later copies: other programs cannot have pinned memory."""


class PinnedMemory:
    """Blocks that are kept for the next of their size: pinning takes as long as copying."""

    def __init__(self, driver: Driver) -> None:
        self._driver = driver
        self._free: defaultdict[int, list[int]] = defaultdict(list)
        self._sizes: dict[int, int] = {}
        self.kept_bytes = 0

    def allocate(self, nbytes: int) -> int:
        """Returns the address of a block."""
        room = room_of(nbytes)
        free = self._free[room]
        if free:
            self.kept_bytes -= room
            address = free.pop()
        else:
            found = c_void_p()
            self._driver.call("cuMemAllocHost_v2", byref(found), room)
            assert found.value is not None
            address = found.value
        self._sizes[address] = room
        return address

    def release(self, address: int) -> None:
        """Keeps a block for the next of its size, or gives it back."""
        room = self._sizes.pop(address)
        if self.kept_bytes + room > _MOST_KEPT:
            self._driver.call("cuMemFreeHost", address)
            return
        self._free[room].append(address)
        self.kept_bytes += room
