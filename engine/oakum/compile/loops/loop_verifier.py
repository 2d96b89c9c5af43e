"""The verifier of the loop IR: what a nest must fulfil whatever pass has made it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from oakum import dtypes
from oakum.compile.loops.loop_ir import (
    Affine,
    Buffer,
    Constant,
    Instruction,
    Load,
    Nest,
    Operation,
    Position,
    Slot,
    Sweep,
)
from oakum.compile.loops.operations import MONOIDS, is_known
from oakum.dtypes import DType


class NestError(Exception):
    """A nest means nothing, or reads or writes what it may not."""


def verify(nest: Nest) -> None:
    """Raises `NestError` where a nest breaks a rule of the loop IR."""
    _Verifier(nest).verify()


_SAME: Final = frozenset(
    "add sub mul div rem max min and or xor eq ne lt le gt ge pow atan2 nextafter".split()
)
"""Operations whose operands are of one dtype."""

_RELATIONS: Final = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))


class _Verifier:
    def __init__(self, nest: Nest) -> None:
        self._nest = nest
        self._slots: dict[int, DType] = {}
        self._axes: set[int] = set()

    def verify(self) -> None:
        nest = self._nest
        _demand(all(n >= 0 for n in nest.extents), f"an extent is negative: {nest.extents}")
        self._check_axes(nest.outer)
        for number, sweep in enumerate(nest.sweeps):
            try:
                self._sweep(sweep)
            except NestError as error:
                raise NestError(f"sweep {number}: {error}") from None

    def _check_axes(self, axes: Iterable[int]) -> None:
        axes = tuple(axes)
        _demand(len(set(axes)) == len(axes), f"axes twice: {axes}")
        _demand(all(0 <= a < len(self._nest.extents) for a in axes), f"unknown axes in {axes}")

    def _sweep(self, sweep: Sweep) -> None:
        self._check_axes((*self._nest.outer, *sweep.axes))
        self._axes = {*self._nest.outer, *sweep.axes}
        kinds: list[DType] = []
        for number, each in enumerate(sweep.instructions):
            try:
                self._instruction(each, kinds)
            except NestError as error:
                raise NestError(f"r{number}: {error}") from None
            kinds.append(each.dtype)
        for store in sweep.stores:
            self._register(store.register, kinds)
            self._place(store.buffer, store.offset, store.dynamic, kinds)
            same = kinds[store.register] is store.buffer.dtype
            _demand(same, f"{kinds[store.register]} is stored in {store.buffer}")
            _demand(store.buffer.role not in ("in", "constant"), f"{store.buffer} is written")
        for reduce in sweep.reduces:
            self._register(reduce.register, kinds)
            _demand(reduce.monoid in MONOIDS, f"nothing is reduced by {reduce.monoid}")
            self._new_slot(reduce.slot, kinds[reduce.register])
        for keep in sweep.keeps:
            _demand(not sweep.axes, "a sweep over axes keeps a register")
            self._register(keep.register, kinds)
            self._new_slot(keep.slot, kinds[keep.register])

    def _new_slot(self, slot: int, dtype: DType) -> None:
        _demand(slot not in self._slots, f"slot {slot} is set twice")
        self._slots[slot] = dtype

    def _instruction(self, each: Instruction, kinds: list[DType]) -> None:
        match each:
            case Load(buffer, offset, dynamic):
                self._place(buffer, offset, dynamic, kinds)
            case Position(value, _):
                self._known_axes(value)
            case Slot(number, dtype):
                _demand(self._slots.get(number) is dtype, f"slot {number} is not there yet")
            case Operation(name, operands, dtype, _):
                for register in operands:
                    self._register(register, kinds)
                _demand(is_known(name, dtype), f"unknown operation {name}")
                if name in _SAME:
                    given = {kinds[r] for r in operands}
                    _demand(len(given) == 1, f"{name} of {sorted(map(str, given))}")
                    _demand(
                        name not in _RELATIONS or dtype is dtypes.bool_, f"{name} gives {dtype}"
                    )
            case Constant():
                pass

    def _register(self, register: int, kinds: list[DType]) -> None:
        _demand(0 <= register < len(kinds), f"r{register} is not there yet")

    def _known_axes(self, value: Affine) -> None:
        _demand(all(a in self._axes for a, _ in value.terms), f"{value} names axes of other loops")

    def _place(
        self, buffer: Buffer, offset: Affine, dynamic: int | None, kinds: list[DType]
    ) -> None:
        self._known_axes(offset)
        if dynamic is not None:
            self._register(dynamic, kinds)
            _demand(kinds[dynamic] is dtypes.int64, f"{kinds[dynamic]} is added to an offset")
            return
        extents = self._nest.extents
        if all(extents[a] for a in self._axes):
            inside = offset.least(extents) >= 0 and offset.greatest(extents) < buffer.size
            _demand(inside, f"{offset} is not always within the {buffer.size} of {buffer}")


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise NestError(otherwise)
