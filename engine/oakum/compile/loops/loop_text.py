"""The loop IR as text, which parses back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any, Final

from oakum import dtypes
from oakum.compile.loops.loop_ir import (
    Affine,
    Buffer,
    Constant,
    Instruction,
    Keep,
    Load,
    Nest,
    Operation,
    Position,
    Reduce,
    Slot,
    Store,
    Sweep,
)
from oakum.dtypes import DType


def print_nest(nest: Nest) -> str:
    """Returns a nest as text: one line for each instruction, store, reduction and kept register."""
    lines = [f"nest {_numbers(nest.extents)} outer {_numbers(nest.outer)}"]
    for sweep in nest.sweeps:
        lines.append(f"  sweep {_numbers(sweep.axes)}")
        for number, each in enumerate(sweep.instructions):
            lines.append(f"    r{number} = {_instruction(each)}")
        for store in sweep.stores:
            place = _place(store.buffer, store.offset, store.dynamic)
            lines.append(f"    store {place} r{store.register}")
        lines += [f"    s{r.slot} = reduce {r.monoid} r{r.register}" for r in sweep.reduces]
        lines += [f"    s{k.slot} = keep r{k.register}" for k in sweep.keeps]
    return "\n".join(lines) + "\n"


def _numbers(numbers: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, numbers))})"


def _instruction(each: Instruction) -> str:
    match each:
        case Constant(value, dtype):
            return f"constant {dtype} {value!r}"
        case Load(buffer, offset, dynamic):
            return f"load {_place(buffer, offset, dynamic)}"
        case Position(value, dtype):
            return f"position {dtype} [{value}]"
        case Slot(number, dtype):
            return f"slot {dtype} s{number}"
        case Operation(name, operands, dtype, params):
            registers = "".join(f" r{r}" for r in operands)
            return f"{name} {dtype}{registers}" + (
                f" {{{', '.join(map(repr, params))}}}" if params else ""
            )


def _place(buffer: Buffer, offset: Affine, dynamic: int | None) -> str:
    added = "" if dynamic is None else f" + r{dynamic}"
    return f"{buffer.role} {buffer.number} {buffer.dtype}[{buffer.size}] at [{offset}{added}]"


class LoopTextError(ValueError):
    """A text is no nest; the message names the line."""


def parse_nest(text: str) -> Nest:
    """Returns the nest of a text; raises `LoopTextError`.

    >>> text = "nest (4) outer (0)\\n  sweep ()\\n    r0 = constant float32 1.0\\n"
    >>> print_nest(parse_nest(text)) == text
    True
    """
    lines = enumerate(text.splitlines(), 1)
    try:
        return _Parser(lines).nest()
    except (AttributeError, KeyError, ValueError, SyntaxError) as error:
        raise LoopTextError(f"not a nest: {error}") from None


_PLACE: Final = re.compile(r"(\w+) (\d+) (\w+)\[(\d+)\] at \[([^\]]*)\]")
_LINE: Final = re.compile(r"\((.*?)\)")


class _Parser:
    def __init__(self, lines: Iterator[tuple[int, str]]) -> None:
        self._lines = [(number, line.strip()) for number, line in lines if line.strip()]

    def nest(self) -> Nest:
        (_, head), *rest = self._lines
        extents, outer = (_tuple(part) for part in _LINE.findall(head))
        sweeps: list[Sweep] = []
        parts: list[list[Any]] = [[], [], [], [], []]
        for number, line in rest:
            try:
                if line.startswith("sweep"):
                    if parts[0]:
                        sweeps.append(_sweep(parts))
                    parts = [[_tuple(_LINE.findall(line)[0])], [], [], [], []]
                else:
                    self._line(line, parts)
            except (AttributeError, KeyError, ValueError, IndexError) as error:
                raise ValueError(f"line {number}: {line!r} ({error})") from None
        if parts[0]:
            sweeps.append(_sweep(parts))
        return Nest(extents, outer, tuple(sweeps))

    def _line(self, line: str, parts: list[list[Any]]) -> None:
        _, instructions, stores, reduces, keeps = parts
        if line.startswith("store"):
            buffer, offset, dynamic = _parse_place(line)
            stores.append(Store(buffer, offset, _register(line.rsplit(" ", 1)[1]), dynamic))
            return
        name, definition = line.split(" = ", 1)
        words = definition.split()
        if name.startswith("s"):
            slot = int(name[1:])
            if words[0] == "reduce":
                monoid: Any = words[1]
                reduces.append(Reduce(slot, monoid, _register(words[2])))
            else:
                keeps.append(Keep(slot, _register(words[1])))
            return
        instructions.append(_parse_instruction(definition, words))


def _sweep(parts: list[list[Any]]) -> Sweep:
    (axes,), instructions, stores, reduces, keeps = parts
    return Sweep(axes, tuple(instructions), tuple(stores), tuple(reduces), tuple(keeps))


def _parse_instruction(definition: str, words: list[str]) -> Instruction:
    match words[0]:
        case "constant":
            return Constant(_number(definition.split(" ", 2)[2]), dtypes.DTYPES[words[1]])
        case "load":
            return Load(*_parse_place(definition))
        case "position":
            inside = definition[definition.index("[") + 1 : -1]
            return Position(_affine(inside)[0], dtypes.DTYPES[words[1]])
        case "slot":
            return Slot(int(words[2][1:]), dtypes.DTYPES[words[1]])
        case name:
            found = re.search(r"\{(.*)\}", definition)
            params = tuple(_number(p) for p in found[1].split(", ")) if found else ()
            operands = tuple(_register(word) for word in words[2:] if re.fullmatch(r"r\d+", word))
            return Operation(name, operands, dtypes.DTYPES[words[1]], params)


def _parse_place(text: str) -> tuple[Buffer, Affine, int | None]:
    found = _PLACE.search(text)
    if found is None:
        raise ValueError("no place in memory")
    role: Any = found[1]
    dtype: DType = dtypes.DTYPES[found[3]]
    offset, dynamic = _affine(found[5])
    return Buffer(int(found[2]), dtype, int(found[4]), role), offset, dynamic


def _affine(text: str) -> tuple[Affine, int | None]:
    total, dynamic = Affine(), None
    for part in text.split(" + "):
        if part.startswith("r"):
            dynamic = _register(part)
        elif "a" in part:
            coefficient, _, axis = part.rpartition("*")
            total = total + Affine.axis(int(axis[1:])) * int(coefficient or 1)
        else:
            total = total + int(part)
    return total, dynamic


def _register(word: str) -> int:
    if not re.fullmatch(r"r\d+", word):
        raise ValueError(f"{word} is no register")
    return int(word[1:])


def _tuple(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(",") if part.strip())


def _number(text: str) -> Any:
    if text in ("inf", "-inf", "nan"):
        return float(text)
    return ast.literal_eval(text)
