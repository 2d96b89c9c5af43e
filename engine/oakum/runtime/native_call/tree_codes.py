"""The words that describe the form of a call: how trees are taken apart and put together."""

from __future__ import annotations

import ctypes
import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast

from oakum import dtypes
from oakum.dtypes import DType
from oakum.pytrees.node_types import DICT, LIST, NAMED_TUPLE, NONE, TUPLE, Entry
from oakum.pytrees.treedef import PyTreeDef
from oakum.runtime.native_call import blocks
from oakum.runtime.native_call import inputs as inputs
from oakum.runtime.native_call import results as results
from oakum.runtime.native_call.native_calls import Form
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass, field
from oakum.values.user_frames import UserFrame


@dataclass(slots=True)
class Words:
    """Words that are written, and what they point to."""

    kept: list[Any] = field(default_factory=list[Any])

    def keep(self, value: object) -> int:
        """Returns the address of an object, which is kept."""
        self.kept.append(value)
        return id(value)

    def array(self, words: Sequence[int]) -> int:
        """Returns the address of words in memory, which is kept; zero for none."""
        if not words:
            return 0
        memory = (ctypes.c_int64 * len(words))(*words)
        self.kept.append(memory)
        return ctypes.addressof(memory)

    def objects(self, values: Sequence[object]) -> int:
        """Returns the address of an array of objects."""
        return self.array([self.keep(each) for each in values])


class Arguments:
    """The steps that take the arguments apart, and the registers of their leaves."""

    def __init__(self, form: Form, words: Words) -> None:
        self._words = words
        self._form = form
        self.steps: list[int] = []
        self.leaves: list[int] = []
        self.registers = form.positional + len(form.names)
        self.careful = False
        waiting = self._roots()
        for entry in _below_call(form.treedef.entries):
            register = waiting.pop()
            if entry is None:
                self.leaves.append(register)
            else:
                waiting += reversed(self._node(entry, register))

    def _roots(self) -> list[int]:
        """Returns the registers of the arguments that are trees, in the order of the leaves,
        reversed.
        """
        form = self._form
        static: dict[int, object] = {
            place: value for place, value in form.static.items() if type(place) is int
        }
        named = {name: form.positional + i for i, name in enumerate(form.names)}
        for name, value in form.static.items():
            if type(name) is str:
                static[named[name]] = value
        for register, value in static.items():
            kind = type(value)
            self.careful |= not _is_plain(value)
            self._step(inputs.STATIC, register, kind, data=self._words.keep(value))
        given = [*range(form.positional), *(named[name] for name in sorted(form.names))]
        return [register for register in reversed(given) if register not in static]

    def _step(self, op: int, register: int, kind: type, **more: int) -> None:
        words = {"op": op, "register": register, "type": self._words.keep(kind), **more}
        self.steps += inputs.STEP.words(**words)

    def _node(self, entry: Entry, register: int) -> range:
        """Adds the step of a container; returns the registers of its children."""
        assert entry is not None
        kind, count, data = entry
        base = self.registers
        self.registers += count
        if kind is TUPLE or kind is NAMED_TUPLE:
            container = tuple if kind is TUPLE else data
            self._step(inputs.TUPLE, register, container, base=base, count=count)
        elif kind is LIST:
            self._step(inputs.LIST, register, list, base=base, count=count)
        elif kind is DICT:
            keys = self._words.objects(data)
            self.careful |= any(type(key) is not str for key in data)
            order = self._words.array([0] * (2 * count))
            more = {"data": keys, "call": order}
            self._step(inputs.DICT, register, dict, base=base, count=count, **more)
        elif kind is NONE:
            self._step(inputs.NONE, register, type(None))
        else:
            self.registers += 1  # for what the function of the container gives
            self.careful = True
            self._step(
                inputs.CUSTOM,
                register,
                kind.container,
                base=base,
                count=count,
                data=self._words.keep(data),
                call=self._words.keep(kind.take_apart),
            )
            return range(base + 1, base + 1 + count)
        return range(base, base + count)

    def inputs(self, avals: Sequence[ShapedArray]) -> list[int]:
        """Returns the words of the leaves."""
        found: list[int] = []
        donated = self._form.donated or (False,) * len(avals)
        for register, aval, given in zip(self.leaves, avals, donated, strict=True):
            found += _input(register, interned(aval), given, self._words)
        return found


_PLAIN: Final = (int, float, str, bool, bytes, type(None))


def _is_plain(value: object) -> bool:
    """Returns whether a value is compared without code of the user's."""
    kind = type(value)
    if kind is slice:
        bounds: Any = value
        return all(type(each) in _PLAIN for each in (bounds.start, bounds.stop, bounds.step))
    if isinstance(value, tuple) and kind is tuple:
        return all(type(each) in _PLAIN for each in cast("tuple[object, ...]", value))
    return kind in _PLAIN


def _below_call(entries: Sequence[Entry]) -> list[Entry]:
    """Returns the entries of arguments, without the containers `(args, kwargs)`, `args` and
    `kwargs`.
    """
    args = entries[1]
    assert args is not None
    kept: list[Entry] = []
    place, left = 2, args[1]
    for entry in entries[2:]:
        if left == 0:
            break
        kept.append(entry)
        left += (0 if entry is None else entry[1]) - 1
        place += 1
    return [*kept, *entries[place + 1 :]]


_SCALARS: Final[dict[tuple[DType | None, bool], int]] = {
    (dtypes.float32, True): inputs.FLOAT32,
    (dtypes.float64, True): inputs.FLOAT64,
    (dtypes.int32, True): inputs.INT32,
    (dtypes.int64, True): inputs.INT64,
    (dtypes.bool_, False): inputs.BOOL,
    (dtypes.complex64, True): inputs.COMPLEX64,
    (dtypes.complex128, True): inputs.COMPLEX128,
}


def _input(register: int, aval: ShapedArray, donated: bool, words: Words) -> list[int]:
    assert aval.dtype is not None
    assert aval.shape is not None
    shape: Any = aval.shape
    dtype = host.dtype(aval.dtype)
    weak = bool(aval.weak_type)
    # Where only whole arrays are taken: a type that no scalar has.
    generic = dtype.type if _has_plain_scalars(dtype) else host.np.ndarray
    return inputs.INPUT.words(
        register=register,
        aval=words.keep(aval),
        dtype=words.keep(dtype),
        rank=len(shape),
        dims=words.array(shape),
        bytes=_bytes(aval),
        scalar=inputs.NO_SCALAR if shape else _SCALARS.get((aval.dtype, weak), 0),
        generic=0 if weak else words.keep(generic),
        donated=int(donated),
    )


@functools.cache
def _has_plain_scalars(dtype: host.ArrayDType) -> bool:
    """Returns whether scalars of NumPy keep the bytes of an element after their header."""
    if dtype.kind == "V" and dtype.isbuiltin == 1:
        return False
    value = host.np.ones((), dtype)[()]
    start = id(value) + object.__basicsize__
    fits = (
        type(value) is dtype.type
        and dtype.itemsize <= type(value).__basicsize__ - object.__basicsize__
    )
    return fits and ctypes.string_at(start, dtype.itemsize) == value.tobytes()


@dataclass(frozen=True, slots=True)
class Place:
    """A leaf of the results."""

    aval: ShapedArray
    origin: UserFrame | None
    """The line of the user's program that computes it, where that is known."""


class Results:
    """The registers of the results, and the steps that make trees of them."""

    def __init__(
        self,
        tree: PyTreeDef,
        places: Sequence[Place],
        aliases: Mapping[int, int],
        words: Words,
        bucket: Callable[[int], int],
    ) -> None:
        self.registers = 1
        waiting = [0]
        leaves: list[int] = []
        steps: list[list[int]] = []
        for entry in tree.entries:
            register = waiting.pop()
            if entry is None:
                leaves.append(register)
                continue
            base = self.registers
            self.registers += entry[1]
            steps.append(_build(entry, register, base, words))
            waiting += reversed(range(base, self.registers))
        self.builds = [word for step in reversed(steps) for word in step]
        self.outputs: list[int] = []
        for number, (register, place) in enumerate(zip(leaves, places, strict=True)):
            size = _bytes(place.aval)
            self.outputs += results.OUTPUT.words(
                aval=words.keep(interned(place.aval)),
                origin=words.keep(place.origin),
                bytes=size,
                bucket=bucket(size),
                register=register,
                over=aliases.get(number, -1) + 1,
                **{"class": blocks.class_of(size)},
            )


def _build(entry: Entry, register: int, base: int, words: Words) -> list[int]:
    assert entry is not None
    kind, count, data = entry
    call = 0
    if kind is NAMED_TUPLE:
        op, call, data = results.MAKE_NAMED, words.keep(data), 0
    elif kind is DICT:
        op, call = results.MAKE_DICT, words.keep(dict.fromkeys(data))
        data = words.objects(data)
    elif kind in _MAKE:
        op, data = _MAKE[kind], 0
    else:
        op, call, data = results.MAKE_CUSTOM, words.keep(kind.put_together), words.keep(data)
    return results.BUILD.words(
        op=op, register=register, base=base, count=count, data=data, call=call
    )


_MAKE: Final = {
    TUPLE: results.MAKE_TUPLE,
    LIST: results.MAKE_LIST,
    NONE: results.MAKE_NONE,
}


def _bytes(aval: ShapedArray) -> int:
    assert aval.dtype is not None
    shape: Any = aval.shape
    return math.prod(shape) * host.dtype(aval.dtype).itemsize


_interned: Final[dict[ShapedArray, ShapedArray]] = {}
_MOST_AVALS: Final = 1 << 16
"""The most avals that are interned; then all are dropped."""


def interned(aval: ShapedArray) -> ShapedArray:
    """Returns the aval that stands for all that are equal."""
    if len(_interned) >= _MOST_AVALS:
        _interned.clear()
    return _interned.setdefault(aval, aval)
