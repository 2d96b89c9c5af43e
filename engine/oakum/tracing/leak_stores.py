"""Which lines can have stored a value where it is kept, read from the bytecode.

It is what remains where a store does not happen again (`if key not in cache`) as the function runs
once more, and where it cannot run again.

Invariants:
- No source is needed: positions are those of the bytecode. Nothing of the user's is run.
- The likeliest lines are returned, all of them: who reports them says that there are several.
"""

from __future__ import annotations

import dis
import functools
import linecache
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import CodeType
from typing import Any, Final

from oakum.tracing.leak_names import Chain, is_builtin
from oakum.tracing.trace import Tracer
from oakum.values import user_frames
from oakum.values.records import dataclass
from oakum.values.user_frames import is_internal


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the user's program."""

    code: CodeType
    line: int

    @property
    def text(self) -> str:
        """The line's source; "" where there is none."""
        return linecache.getline(self.code.co_filename, self.line).strip()


_MUTATORS: Final = frozenset(
    "add append appendleft callback enter_context __setitem__ extend extendleft insert push put "
    "put_nowait record register send set set_exception set_result setdefault update write "
    "__setattr__".split()
)
"""Methods that keep their arguments, and `__setattr__`."""
_LOADS_METHOD: Final = ("LOAD_METHOD", "LOAD_ATTR", "LOAD_SUPER_ATTR")
"""The last from Python 3.12 on, for `super().append(x)`."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that stores: the names of its target, "" for one that may be anything, and the
    key.
    """

    line: int
    target: str
    is_container: bool
    key: str | None = None


def statements(code: CodeType) -> Iterator[Statement]:
    before: list[dis.Instruction] = []
    for each in dis.get_instructions(code):
        if each.opname in ("CACHE", "EXTENDED_ARG", "NOP", "PRECALL"):
            continue
        line = each.positions.lineno if each.positions is not None else None
        if line is not None:
            name, argument = each.opname, str(each.argval)
            is_free = name == "STORE_DEREF" and argument in code.co_freevars
            if is_free or name in ("STORE_ATTR", "STORE_GLOBAL"):
                yield Statement(line, argument, is_container=False)
            elif name == "STORE_SUBSCR" and len(before) > 1:
                key = before[-1].argval if before[-1].opname == "LOAD_CONST" else None
                text = None if key is None else str(key)
                yield Statement(line, _loaded(before[-2]), is_container=True, key=text)
            elif name in _LOADS_METHOD and argument in _MUTATORS and before:
                yield Statement(line, _loaded(before[-1]), is_container=True)
            elif name == "LOAD_GLOBAL" and argument == "setattr":
                yield Statement(line, "", is_container=True)
        before = [*before[-1:], each]


def _loaded(instruction: dis.Instruction) -> str:
    """Returns the name that an instruction loads; "" for a local one, which may be any object."""
    if instruction.opname.startswith(("LOAD_GLOBAL", "LOAD_NAME", "LOAD_DEREF", "LOAD_ATTR")):
        return str(instruction.argval)
    return ""


def _score(chain: Chain, statement: Statement) -> int:
    """Returns how well a statement fits the place of a value; 0 if it cannot be it."""
    if statement.key is not None and chain.keys:
        if statement.key not in chain.keys:
            return 0
        return 3 if statement.target in chain.names else 2
    if statement.target in chain.names or statement.target in chain.keys:
        return 2
    return 1 if statement.is_container and not statement.target else 0


def scores(chain: Chain, codes: Iterable[CodeType]) -> dict[Line, int]:
    """Returns the lines of functions that can have stored a value where it is, and how likely each
    is.
    """
    found: dict[Line, int] = {}
    for code in sorted(codes, key=lambda code: (code.co_filename, code.co_firstlineno)):
        for statement in statements(code):
            score = _score(chain, statement)
            line = Line(code, statement.line)
            if score > found.get(line, 0):
                found[line] = score
    # What a decorator has written, such as the `__init__` of a data class, has no text.
    return {line: score for line, score in found.items() if line.text} or found


def likeliest(scored: Mapping[Line, int]) -> list[Line]:
    """Returns the lines of the highest score."""
    best = max(scored.values(), default=0)
    return [line for line, score in scored.items() if score == best]


def read_lines(chain: Chain, codes: Iterable[CodeType]) -> list[Line]:
    """Returns the lines of functions that can have stored a value where it is, the likeliest."""
    return likeliest(scores(chain, codes))


def mentions(chain: Chain, codes: Iterable[CodeType]) -> list[Line]:
    """Returns the lines of functions that read the variable by which a value is reached: a call may
    have stored it.
    """
    found: dict[Line, None] = {}
    for code in codes:
        for each in dis.get_instructions(code):
            line = each.positions.lineno if each.positions is not None else None
            if line is not None and _loaded(each) in chain.names:
                found[Line(code, line)] = None
    return list(found)


def cached_line(source: Sequence[Line], chain: Chain) -> Line | None:
    """Returns the line that made a value which a cache keeps, or an iterator: nothing of the user's
    says there that it is stored. `source` are the lines that the value was made on, the innermost
    first.
    """
    codes = [each.code for each in source]
    for holder in reversed(chain.objects[:-1]):
        own = _code_of(holder, chain)
        if own is not None and own in codes:
            place = codes.index(own)
            # A generator goes on for the line that asks it.
            place += isinstance(holder, types.GeneratorType)
        elif is_builtin(type(holder)) and hasattr(type(holder), "__next__"):
            place = 1
        else:
            continue
        if place < len(source):
            return source[place]
    return None


def _code_of(holder: object, chain: Chain) -> CodeType | None:
    """Returns the code of a generator, of a function with a cache, of a property with one."""
    if isinstance(holder, types.GeneratorType):
        return holder.gi_code
    if isinstance(holder, _CACHE):
        return getattr(inner_function(holder.__wrapped__), "__code__", None)
    for name in chain.names:
        for base in type(holder).__mro__:
            found = vars(base).get(name)
            if isinstance(found, functools.cached_property):
                return getattr(inner_function(found.func), "__code__", None)
    return None


_CACHE: Final = type(functools.lru_cache(is_builtin))
_MOST_CODES: Final = 500


def codes_of(tracer: Tracer, chain: Chain) -> set[CodeType]:
    """Returns the functions that can have run in the trace of a tracer: the traced one, those it
    was made in, and those that they name.
    """
    kinds = {type(each) for each in chain.objects}
    waiting: list[CodeType] = [each.code for each in tracer.source]
    waiting += [each.__code__ for each in user_functions([tracer.owner.traced], kinds)]
    found: set[CodeType] = set()
    while waiting and len(found) < _MOST_CODES:
        code = waiting.pop()
        if code in found or is_internal(code.co_filename):
            continue
        found.add(code)
        waiting += [each for each in code.co_consts if isinstance(each, CodeType)]
    return found


def user_functions(functions: Sequence[Any], kinds: Iterable[type]) -> Iterator[types.FunctionType]:
    """Returns functions and those of the user's that they have as variables of modules, of
    functions around them, or by name as methods of classes.
    """
    waiting = list(functions)
    read: set[CodeType] = set()
    while waiting and len(read) < _MOST_CODES:
        function = inner_function(waiting.pop())
        if function is None or function.__code__ in read:
            continue
        read.add(function.__code__)
        yield function
        space = function.__globals__
        for name in function.__code__.co_names:
            waiting.append(space.get(name))
            waiting += [vars(kind).get(name) for kind in kinds]
        waiting += [_content(cell) for cell in function.__closure__ or ()]


def _content(cell: types.CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def inner_function(value: object) -> types.FunctionType | None:
    """Returns the function of the user's behind methods, partial objects and wrappers."""
    for _ in range(20):
        if isinstance(value, types.FunctionType) and not is_internal(value.__code__.co_filename):
            return value
        wrapped = user_frames.wrapped_by(value)
        if wrapped is None:
            return None
        value = wrapped
    return None
