"""Specifications: what a compiled call has to be, written down for native code.

Invariants:
- A specification keeps all that its words point to.
- Its avals are interned: arrays that fit share them, and are recognised by them.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from oakum import dtypes, host
from oakum.avals import ShapedArray
from oakum.dtypes import DType
from oakum.runtime import native_inputs as inputs
from oakum.runtime import native_results as results
from oakum.runtime.native_layout import WORD
from oakum.runtime.native_stub import SPEC
from oakum.situations import Situation
from oakum.tree_nodes import DICT, LIST, NAMED_TUPLE, NONE, TUPLE, Entry
from oakum.treedef import PyTreeDef

LENGTHY: Final = 20_000
"""Calls of more nanoseconds than this let other threads run."""

MOST_LEAVES: Final = 4096


class Runnable(Protocol):
    """What is run: the compiled form of a program."""

    @property
    def in_avals(self) -> Sequence[ShapedArray]:
        """The avals of the arguments."""
        ...

    @property
    def out_avals(self) -> Sequence[ShapedArray]:
        """The avals of the results."""
        ...

    @property
    def address(self) -> int | None:
        """Where the entry is; None where there is none."""
        ...

    @property
    def context(self) -> int:
        """The second argument of the entry."""
        ...

    @property
    def arena_bytes(self) -> int:
        """The scratch memory that the entry needs."""
        ...

    @property
    def cost_ns(self) -> float:
        """About how long a call takes."""
        ...


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a call: how its arguments are given, and the trees that they are."""

    positional: int
    """The number of positional arguments, static ones too."""
    names: tuple[str, ...]
    """The keywords in the order of the call, static ones too."""
    static: Mapping[int | str, Any]
    """The static arguments, by position or name."""
    treedef: PyTreeDef
    """The structure of the other arguments: `(args, kwargs)`."""
    out_tree: PyTreeDef
    donated: tuple[bool, ...] = ()
    """Which leaves are given away; none where this is empty."""


@dataclass(slots=True)
class _Words:
    """Words that are written, and what they point to."""

    kept: list[Any] = field(default_factory=list[Any])

    def keep(self, value: object) -> int:
        """The address of an object, which is kept."""
        self.kept.append(value)
        return id(value)

    def array(self, words: Sequence[int]) -> int:
        """The address of words in memory, which is kept; zero for none."""
        if not words:
            return 0
        memory = (ctypes.c_int64 * len(words))(*words)
        self.kept.append(memory)
        return ctypes.addressof(memory)

    def objects(self, values: Sequence[object]) -> int:
        """The address of an array of objects."""
        return self.array([self.keep(each) for each in values])


class Specification:
    """One specification, as native code and Python see it."""

    __slots__ = ("_kept", "_words", "address")

    def __init__(
        self, form: Form, runnable: Runnable, situation: Situation, generation: int
    ) -> None:
        words = _Words()
        words.keep(runnable)
        assert runnable.address is not None
        taken = _Arguments(form, words)
        made = _Results(form.out_tree, runnable.out_avals, words)
        sizes = len(taken.leaves), len(runnable.out_avals)
        values = {
            "total": form.positional + len(form.names),
            "positional": form.positional,
            "names": words.keep(form.names) if form.names else 0,
            "situation": words.keep(situation),
            "generation": generation,
            "owner": id(self),
            "careful": int(taken.careful),
            "lengthy": int(runnable.cost_ns > LENGTHY),
            "donates": int(any(form.donated)),
            "n_steps": len(taken.steps) // len(inputs.STEP.fields),
            "steps": words.array(taken.steps),
            "n_inputs": sizes[0],
            "inputs": words.array(taken.inputs(runnable.in_avals)),
            "n_outputs": sizes[1],
            "outputs": words.array(made.outputs),
            "n_builds": len(made.builds) // len(results.BUILD.fields),
            "builds": words.array(made.builds),
            "n_registers": taken.registers,
            "n_results": made.registers,
            "entry": runnable.address,
            "context": runnable.context,
            "arena_bytes": runnable.arena_bytes,
            **_frame(*sizes, taken.registers, made.registers),
        }
        self._words = (ctypes.c_int64 * len(SPEC.fields))(*SPEC.words(**values))
        self._kept = words.kept
        self.address = ctypes.addressof(self._words)

    def read(self, name: str) -> int:
        """A word."""
        return self._words[SPEC.fields.index(name)]

    def write(self, name: str, value: int) -> None:
        """Sets a word."""
        self._words[SPEC.fields.index(name)] = value


def _frame(n_inputs: int, n_outputs: int, registers: int, n_results: int) -> dict[str, int]:
    """Where the parts of a call's frame are, and how large it is."""
    places: dict[str, int] = {}
    end = WORD * (n_inputs + n_outputs)
    for name, words in (
        ("at_scratch", 2 * n_inputs),
        ("at_owners", n_inputs + 1),
        ("at_registers", registers),
        ("at_blocks", n_outputs + 1),
        ("at_results", n_results),
    ):
        end += -end % 16
        places[name] = end
        end += WORD * words
    return {**places, "frame_bytes": end}


class _Arguments:
    """The steps that take the arguments apart, and the registers of their leaves."""

    def __init__(self, form: Form, words: _Words) -> None:
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
        """The registers of the arguments that are trees, in the order of the leaves, reversed."""
        form = self._form
        static = {each % form.positional: v for each, v in form.static.items() if type(each) is int}
        named = {name: form.positional + i for i, name in enumerate(form.names)}
        for name, value in form.static.items():
            if type(name) is str:
                static[named[name]] = value
        for register, value in static.items():
            self.careful |= type(value) not in _PLAIN
            self._step(inputs.STATIC, register, type(value), data=self._words.keep(value))
        given = [*range(form.positional), *(named[name] for name in sorted(form.names))]
        return [register for register in reversed(given) if register not in static]

    def _step(self, op: int, register: int, kind: type, **more: int) -> None:
        words = {"op": op, "register": register, "type": self._words.keep(kind), **more}
        self.steps += inputs.STEP.words(**words)

    def _node(self, entry: Entry, register: int) -> range:
        """Adds the step of a container; gives the registers of its children."""
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
            self._step(inputs.DICT, register, dict, base=base, count=count, data=keys)
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
        """The words of the leaves."""
        found: list[int] = []
        donated = self._form.donated or (False,) * len(avals)
        for register, aval, given in zip(self.leaves, avals, donated, strict=True):
            found += _input(register, interned(aval), given, self._words)
        return found


_PLAIN: Final = (int, float, str, bool, bytes, type(None))
"""Types whose objects are compared without a call."""


def _below_call(entries: Sequence[Entry]) -> list[Entry]:
    """The entries of arguments, without the containers `(args, kwargs)`, `args` and `kwargs`."""
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


def _input(register: int, aval: ShapedArray, donated: bool, words: _Words) -> list[int]:
    assert aval.dtype is not None
    assert aval.shape is not None
    shape: Any = aval.shape
    dtype = host.dtype(aval.dtype)
    weak = bool(aval.weak_type)
    # A type that no scalar has, where only whole arrays of NumPy are taken.
    generic = dtype.type if dtype.isbuiltin == 1 and dtype.kind in "biufc" else host.np.ndarray
    return inputs.INPUT.words(
        register=register,
        aval=words.keep(aval),
        dtype=words.keep(dtype),
        rank=len(shape),
        dims=words.array(shape),
        scalar=inputs.NO_SCALAR if shape else _SCALARS.get((aval.dtype, weak), 0),
        generic=0 if weak else words.keep(generic),
        donated=int(donated),
    )


class _Results:
    """The registers of the results, and the steps that make trees of them."""

    def __init__(self, tree: PyTreeDef, avals: Sequence[ShapedArray], words: _Words) -> None:
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
        for register, aval in zip(leaves, avals, strict=True):
            self.outputs += results.OUTPUT.words(
                aval=words.keep(interned(aval)), bytes=_bytes(aval), register=register
            )


def _build(entry: Entry, register: int, base: int, words: _Words) -> list[int]:
    assert entry is not None
    kind, count, data = entry
    call = 0
    if kind is NAMED_TUPLE:
        op, call, data = results.MAKE_NAMED, words.keep(data), 0
    elif kind is DICT:
        op, data = results.MAKE_DICT, words.objects(data)
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


def interned(aval: ShapedArray) -> ShapedArray:
    """The aval that stands for all that are equal."""
    if len(_interned) >= _MOST_AVALS:
        _interned.clear()
    return _interned.setdefault(aval, aval)
