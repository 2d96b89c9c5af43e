"""Specifications: what a compiled call has to be, written down for native code.

Invariants:
- A specification keeps all that its words point to.
- Its avals are interned: arrays that fit share them, and are recognised by them.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from oakum.runtime.native_call import inputs as inputs
from oakum.runtime.native_call import results as results
from oakum.runtime.native_call.dispatch import SPEC
from oakum.runtime.native_call.layout import WORD
from oakum.runtime.native_call.native_calls import Form
from oakum.runtime.native_call.tree_codes import Arguments, Place, Results, Words
from oakum.runtime.prepared_launch import DeviceCalls
from oakum.values.avals import ShapedArray
from oakum.values.trace_context import Situation
from oakum.values.user_frames import UserFrame

MOST_LEAVES: Final = 4096
"""The most arguments of a native call; programs with more are called through Python."""


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
    def aliases(self) -> Mapping[int, int]:
        """The numbers of results that the entry writes over what it finds in their memory, with
        those of the arguments that are to be there.
        """
        ...

    @property
    def settle(self) -> Callable[[object], None] | None:
        """What has to be called when the entry is back, as it may raise; None for nothing."""
        ...

    @property
    def device(self) -> DeviceCalls | None:
        """How it is run on a device that has memory of its own; None where the entry is run."""
        ...

    @property
    def origins(self) -> Sequence[UserFrame | None]:
        """For each result the line of the user's program that computes it, where that is known."""
        ...

    @property
    def guard(self) -> int:
        """The address of what runs the entry without the interpreter's lock; zero where it is
        called at once.
        """
        ...


class Specification:
    """One specification, as native code and Python see it."""

    __slots__ = ("_kept", "_words", "address")

    def __init__(
        self, form: Form, runnable: Runnable, situation: Situation, generation: int
    ) -> None:
        words = Words()
        words.keep(runnable)
        taken = Arguments(form, words)
        calls = runnable.device
        bucket = _no_bucket if calls is None else calls.bucket
        origins = [None] * len(runnable.out_avals) if calls is None else runnable.origins
        places = [Place(*each) for each in zip(runnable.out_avals, origins, strict=True)]
        made = Results(form.out_tree, places, runnable.aliases, words, bucket)
        sizes = len(taken.leaves), len(runnable.out_avals)
        values = {
            "total": form.positional + len(form.names),
            "positional": form.positional,
            "names": words.keep(form.names) if form.names else 0,
            "situation": words.keep(situation),
            "generation": generation,
            "owner": id(self),
            "careful": int(taken.careful),
            "guard": runnable.guard,
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
            "entry": runnable.address or 0,
            "context": runnable.context,
            "arena_bytes": runnable.arena_bytes,
            "settle": 0 if runnable.settle is None else words.keep(runnable.settle),
            **_of_device(calls, sizes[0], words),
            **_frame(*sizes, taken.registers, made.registers),
        }
        self._words = (ctypes.c_int64 * len(SPEC.fields))(*SPEC.words(**values))
        self._kept = words.kept
        self.address = ctypes.addressof(self._words)

    def read(self, name: str) -> int:
        """Returns a word."""
        return self._words[SPEC.fields.index(name)]

    def write(self, name: str, value: int) -> None:
        """Sets a word."""
        self._words[SPEC.fields.index(name)] = value


def _no_bucket(nbytes: int) -> int:
    """Where memory of the host is kept is known by its size."""
    return 0


def _of_device(calls: DeviceCalls | None, n_inputs: int, words: Words) -> dict[str, int]:
    if calls is None:
        return {}
    called = {
        "allot": calls.allot,
        "put": calls.put,
        "copy": calls.copy,
        "copies": [None] * n_inputs,
        "run": calls.run,
        "fail": calls.fail,
    }
    kept = {name: words.keep(each) for name, each in called.items()}
    return {"device": calls.device, "program": calls.program, **kept}


def _frame(n_inputs: int, n_outputs: int, registers: int, n_results: int) -> dict[str, int]:
    """Where the parts of a call's frame are, and how large it is."""
    places: dict[str, int] = {}
    end = WORD * (n_inputs + n_outputs)
    for name, words in (
        ("at_scratch", 2 * n_inputs),
        ("at_owners", n_inputs + 1),
        ("at_registers", registers),
        ("at_blocks", n_outputs),
        ("at_arrays", n_outputs),
        ("at_results", n_results),
    ):
        end += -end % 16
        places[name] = end
        end += WORD * words
    return {**places, "frame_bytes": end}
