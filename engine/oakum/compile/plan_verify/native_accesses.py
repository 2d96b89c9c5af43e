"""Accesses of native code: the pointers through which a function loads and stores.

They are read from the text that is compiled for a step, and compared with what the step declares.
Each pointer is followed from the parameters to loads and stores, and into called functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from oakum.compile.llvm.llvm_function import Function
from oakum.compile.loops.loop_ir import Buffer
from oakum.compile.plan import steps
from oakum.compile.plan.steps import NestStep, PlanStep
from oakum.compile.plan_verify.errors import PlanError, demand
from oakum.values.records import dataclass, field

_POINTER: Final = re.compile(r"(?:\bptr|<\d+ x ptr>)(?: [a-z]+)*(?: \d+)? (%[\w.]+)")
_DEFINED: Final = re.compile(r"\s*(%[\w.]+) = (\w+)")
_ARRIVING: Final = re.compile(r"\[(%[\w.]+), %")
_DEFINITION: Final = re.compile(r"^define [^@]*@([\w.]+\(.*)\) [^)]*\{\n(.*?)^\}", re.M | re.S)
_CALL: Final = re.compile(r"call [^@%]*@([\w.]+)\((.*)\)")

_PASSED_ON: Final = frozenset(("getelementptr", "select", "phi", "freeze", "shufflevector"))
"""Instructions whose result points to where an operand points."""

_KNOWN: Final = {
    "llvm.masked.load": "r",
    "llvm.masked.gather": "r",
    "llvm.masked.store": "-w",
    "llvm.masked.scatter": "-w",
    "llvm.memcpy": "wr",
    "llvm.memmove": "wr",
    "llvm.memset": "w",
    "llvm.prefetch": "",
    "llvm.lifetime": "",
}
"""The operands that LLVM's functions read (r) and write (w), in order."""


@dataclass(slots=True)
class _Touched:
    """The numbers of parameters through which a function loads and stores."""

    loaded: set[int] = field(default_factory=set[int])
    stored: set[int] = field(default_factory=set[int])


def verify_code(
    functions: Sequence[Function], parameters: Sequence[Buffer | None], step: PlanStep
) -> None:
    """Compares the accesses of the last of some functions with what its step declares; `parameters`
    are its buffers, None for what is no memory.
    """
    function = functions[-1]
    found = _Code(functions).touched(function.name)
    reads, writes = set(steps.read_by(step)), set(steps.written_by(step))
    scratch = set(steps.buffers_of(step)) - reads - writes
    if not isinstance(step, NestStep):
        # What has code of its own goes on with what it has stored; a nest has that in registers.
        reads |= writes
    for what, numbers, declared in (
        ("loads", found.loaded, reads | scratch),
        ("stores", found.stored, writes | scratch),
    ):
        wrong = _names(function, (n for n in numbers if parameters[n] not in declared))
        demand(not wrong, f"the code of {function.name} {what} through {wrong}, undeclared")
    # Code for nothing at all is empty.
    places = [n for n, buffer in enumerate(parameters) if buffer in writes and found.stored]
    missing = _names(function, (n for n in places if n not in found.stored))
    demand(not missing, f"the code of {function.name} stores nothing through {missing}")


def _names(function: Function, numbers: Iterable[int]) -> str:
    return ", ".join(f"%{function.parameters[number][1]}" for number in sorted(numbers))


@dataclass(frozen=True, slots=True)
class _Definition:
    """A function: its parameters, by their names or types and names, and its lines."""

    parameters: tuple[str, ...]
    lines: Sequence[str]


def _define(text: str) -> Iterator[tuple[str, _Definition]]:
    """Yields the functions of a text."""
    for head, body in _DEFINITION.findall(text):
        name, given = head.split("(", 1)
        yield name, _Definition(tuple(_operands(given)), body.splitlines())


class _Code:
    """Functions that call each other."""

    def __init__(self, functions: Sequence[Function]) -> None:
        self._functions: dict[str, _Definition] = {}
        for function in functions:
            given = tuple(f"{kind} %{name}" for kind, name in function.parameters)
            self._functions[function.name] = _Definition(given, function.lines)
            for text in function.requirements.values():
                self._functions.update(_define(text))
        self._known: dict[str, _Touched] = {}

    def touched(self, name: str) -> _Touched:
        """Returns what a function accesses, in itself and in functions that it calls."""
        found = self._known.get(name)
        if found is None:
            found = self._known[name] = _Touched()
            function = self._functions[name]
            origins = _origins(function)
            for line in function.lines:
                call = _CALL.search(line)
                if call is not None:
                    self._call(call[1], call[2], origins, found)
                elif " = load " in line:
                    found.loaded |= _from(line, origins)
                elif line.lstrip().startswith("store "):
                    found.stored |= origins.get(_POINTER.findall(line)[-1], set())
        return found

    def _call(self, name: str, given: str, origins: dict[str, set[int]], found: _Touched) -> None:
        is_own = name in self._functions
        does = next((word for prefix, word in _KNOWN.items() if name.startswith(prefix)), None)
        for number, operand in enumerate(_operands(given)):
            came = _from(operand, origins)
            if not came:
                continue
            if is_own:
                inside = self.touched(name)
                loads, stores = number in inside.loaded, number in inside.stored
            elif does is not None:
                word = does[number : number + 1]
                loads, stores = word == "r", word == "w"
            else:
                raise PlanError(f"@{name} is called with memory, of which nothing is known")
            if loads:
                found.loaded |= came
            if stores:
                found.stored |= came


def _from(text: str, origins: dict[str, set[int]]) -> set[int]:
    return set[int]().union(*(origins.get(name, ()) for name in _POINTER.findall(text)))


def _origins(function: _Definition) -> dict[str, set[int]]:
    """Returns the parameters from which each pointer comes."""
    origins = {
        given.split()[-1]: {number}
        for number, given in enumerate(function.parameters)
        if given.lstrip().startswith("ptr ")
    }
    passing = [
        (made[1], line)
        for line in function.lines
        if (made := _DEFINED.match(line)) is not None and made[2] in _PASSED_ON
    ]
    before = -1
    # What arrives at the head of a loop is defined further down.
    while before != (before := sum(map(len, origins.values()))):
        for name, line in passing:
            given = {*_POINTER.findall(line), *_ARRIVING.findall(line)}
            came = set[int]().union(*(origins.get(each, ()) for each in given))
            if came:
                origins[name] = origins.get(name, set()) | came
    return origins


def _operands(text: str) -> list[str]:
    """Returns the operands of a call."""
    found, depth, begin = list[str](), 0, 0
    for place, each in enumerate(text):
        depth += (each in "([<{") - (each in ")]>}")
        if each == "," and not depth:
            found.append(text[begin:place])
            begin = place + 1
    return [*found, text[begin:]]
