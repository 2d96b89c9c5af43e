"""Where the memory of a device comes from: the driver, as it is asked for, or one piece that was
taken from it in advance.
"""

from __future__ import annotations

import bisect
from ctypes import byref, c_size_t, c_uint64
from typing import Final, Protocol

from oakum.errors import JaxRuntimeError
from oakum.runtime.cuda.memory_options import Fraction
from oakum.runtime.topology.cuda_driver import Driver, DriverError

_IN_ADVANCE: Final = 0.75
"""The share of the memory that is taken in advance where no fraction is given: that of JAX."""


class Source(Protocol):
    """What gives memory, and takes it back."""

    @property
    def taken_bytes(self) -> int:
        """The bytes that the driver has given."""
        ...

    @property
    def most_bytes(self) -> int:
        """The bytes that there are at most."""
        ...

    def take(self, nbytes: int) -> int | None:
        """Returns the address of memory; None where there is not as much."""
        ...

    def give(self, address: int, nbytes: int) -> None:
        """Takes back what was given."""
        ...


class DriverMemory:
    """Memory that is asked of the driver piece by piece, a fraction of it at most."""

    def __init__(self, driver: Driver, fraction: Fraction | None = None) -> None:
        self._driver = driver
        total = bytes_of(driver)[1]
        self.most_bytes = total if fraction is None else int(total * fraction.share)
        self.taken_bytes = 0
        self._is_limited = fraction is not None

    def take(self, nbytes: int) -> int | None:
        """Returns the address of memory; None where there is not as much."""
        if self._is_limited and self.taken_bytes + nbytes > self.most_bytes:
            return None  # Else the driver knows.
        found = c_uint64()
        try:
            self._driver.call("cuMemAlloc_v2", byref(found), nbytes)
        except DriverError as error:
            if not error.is_out_of_memory:
                raise
            return None
        self.taken_bytes += nbytes
        return found.value

    def give(self, address: int, nbytes: int) -> None:
        """Takes back what was given."""
        self._driver.call("cuMemFree_v2", address)
        self.taken_bytes -= nbytes


class Reserve:
    """A piece of the driver's memory that is taken at once, and kept. Its free parts that lie side
    by side are one.
    """

    def __init__(self, driver: Driver, fraction: Fraction | None = None) -> None:
        free, total = bytes_of(driver)
        share = _IN_ADVANCE if fraction is None else fraction.share
        self.most_bytes = self.taken_bytes = int(total * share)
        found = DriverMemory(driver).take(self.most_bytes)
        if found is None:
            raise JaxRuntimeError(
                f"RESOURCE_EXHAUSTED: {size_text(self.most_bytes)} of gpu:0 were to be taken in "
                f"advance, {share:.0%} of its memory, and {size_text(free)} are free. Set "
                "OAKUM_MEM_FRACTION, or OAKUM_PREALLOCATE=false"
            )
        self._free = [(found, self.most_bytes)]
        """Addresses and sizes of the free parts, in order."""

    def take(self, nbytes: int) -> int | None:
        """Returns the address of memory; None where there is not as much in one part."""
        fitting = [(size, at) for at, (_, size) in enumerate(self._free) if size >= nbytes]
        if not fitting:
            return None
        # The smallest one that is large enough leaves the large ones whole.
        size, at = min(fitting)
        address = self._free[at][0]
        rest = [(address + nbytes, size - nbytes)] if size > nbytes else []
        self._free[at : at + 1] = rest
        return address

    def give(self, address: int, nbytes: int) -> None:
        """Takes back what was given."""
        at = bisect.bisect(self._free, (address, 0))
        begin, end = at, at
        if at and sum(self._free[at - 1]) == address:
            begin, address = at - 1, self._free[at - 1][0]
            nbytes += self._free[begin][1]
        if at < len(self._free) and self._free[at][0] == address + nbytes:
            end, nbytes = at + 1, nbytes + self._free[at][1]
        self._free[begin:end] = [(address, nbytes)]


def bytes_of(driver: Driver) -> tuple[int, int]:
    """Returns how much memory of the device is free, and how much there is."""
    free, total = c_size_t(), c_size_t()
    driver.call("cuMemGetInfo_v2", byref(free), byref(total))
    return free.value, total.value


def size_text(nbytes: float) -> str:
    """Returns a number of bytes in words.

    >>> size_text(3 << 30), size_text(1500)
    ('3.00 GiB', '1.46 KiB')
    """
    for unit in ("B", "KiB", "MiB"):
        if nbytes < 1024:
            return f"{nbytes:.2f} {unit}"
        nbytes /= 1024
    return f"{nbytes:.2f} GiB"
