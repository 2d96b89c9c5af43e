"""The frame of passes that give values of some dtypes another form, in inner programs too.

Arguments and results of a program, and of its loops and branches, take the new form too, with the
same bytes. Inner programs are rewritten before outer ones.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from oakum import dtypes
from oakum.compile.loops.elements import shape_of
from oakum.dtypes import DType, Kind
from oakum.primitives.rules.lowering import Branched, Looped, Scanned
from oakum.runtime.arrays import ArrayImpl
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Var
from oakum.tracing.trace import Primitive
from oakum.values.avals import ShapedArray


class Rewriter(ABC):
    """Rewrites a program, equation by equation."""

    def __init__(self, closed: ClosedJaxpr) -> None:
        self._closed = closed
        self.values: dict[Var, Atom] = {}
        """The new atoms of variables that changed."""
        self._constants: list[tuple[Var, Any]] = []
        self._eqns: list[Equation] = []
        self._current: Equation | None = None

    @abstractmethod
    def has_other_form(self, atom: Atom) -> bool:
        """Returns whether a value gets another form."""

    @abstractmethod
    def new_aval(self, aval: ShapedArray) -> ShapedArray:
        """Returns the aval of the other form."""

    @abstractmethod
    def new_constant(self, value: ArrayImpl) -> Any:
        """Returns a constant in the other form."""

    @abstractmethod
    def note(self, var: Var, new: Var) -> None:
        """Records a variable's new form at the border of a program."""

    @abstractmethod
    def outside(self, atom: Atom) -> Atom:
        """Returns a value in the form that it has at the border of a program."""

    @abstractmethod
    def rewrite(self, eqn: Equation) -> None:
        """Writes the new equations for an operation that takes or returns another form."""

    def _write(self, eqn: Equation) -> None:
        if not any(map(self.has_other_form, (*eqn.inputs, *eqn.outputs))):
            inputs = [self.read(atom) for atom in eqn.inputs]
            self.append(eqn.primitive, inputs, eqn.outputs, eqn.params)
        elif is_control(eqn):
            inputs = [self.outside(atom) for atom in eqn.inputs]
            self.append(eqn.primitive, inputs, self.new(eqn.outputs), eqn.params)
        else:
            self.rewrite(eqn)

    def written(self) -> ClosedJaxpr:
        """Returns the rewritten program."""
        old = self._closed.jaxpr
        constvars, invars = self.new(old.constvars), self.new(old.invars)
        consts = [
            self.new_constant(value) if self.has_other_form(var) else value
            for var, value in zip(old.constvars, self._closed.consts, strict=True)
        ]
        for eqn in old.eqns:
            self._current = eqn
            self._write(eqn)
        results = [self.outside(atom) for atom in old.outvars]
        constvars += [var for var, _ in self._constants]
        consts += [value for _, value in self._constants]
        return ClosedJaxpr(Jaxpr(constvars, invars, results, self._eqns, old.name), consts)

    def new(self, variables: Sequence[Var]) -> list[Var]:
        """Returns the variables, replaced by new ones if they have another form."""
        found: list[Var] = []
        for var in variables:
            new = var
            if self.has_other_form(var):
                new = Var(self.new_aval(var.aval))
                self.note(var, new)
            found.append(new)
        return found

    def read(self, atom: Atom) -> Atom:
        """Returns the new atom of an old one."""
        return self.values.get(atom, atom) if isinstance(atom, Var) else atom

    def constant(self, aval: ShapedArray, value: ArrayImpl) -> Var:
        """Adds a constant to the program."""
        var = Var(aval)
        self._constants.append((var, value))
        return var

    def append(
        self,
        primitive: Primitive,
        inputs: Sequence[Atom],
        outputs: Sequence[Var],
        params: Mapping[str, Any],
    ) -> None:
        """Adds an equation."""
        eqn = self._current
        assert eqn is not None
        self._eqns.append(Equation(primitive, inputs, outputs, params, eqn.effects, eqn.source))

    def apply(self, primitive: Primitive, inputs: Sequence[Atom], params: dict[str, Any]) -> Var:
        """Adds an equation and returns its result."""
        var = Var(primitive.result_avals([atom.aval for atom in inputs], params))
        source = () if self._current is None else self._current.source
        self._eqns.append(Equation(primitive, inputs, [var], params, frozenset(), source))
        return var


Rewrite = Callable[[ClosedJaxpr], ClosedJaxpr]


def is_control(eqn: Equation) -> bool:
    """Returns whether an equation is a loop or a branch that the compiler knows."""
    return isinstance(eqn.primitive.lower, (Scanned, Looped, Branched))


def programs_of(eqn: Equation) -> list[ClosedJaxpr]:
    """Returns the programs that a loop or a branch runs; none for other equations."""
    if not is_control(eqn):
        return []
    found: list[ClosedJaxpr] = []
    for value in eqn.params.values():
        found += [x for x in _several(value) if isinstance(x, ClosedJaxpr)]
    return found


def _several(value: object) -> tuple[Any, ...]:
    return cast("tuple[Any, ...]", value) if isinstance(value, tuple) else (value,)


def atoms_of(closed: ClosedJaxpr) -> Iterator[Atom]:
    """Yields the values of a program, those of programs within it left out."""
    jaxpr = closed.jaxpr
    yield from (*jaxpr.constvars, *jaxpr.invars, *jaxpr.outvars)
    for eqn in jaxpr.eqns:
        yield from eqn.outputs
        yield from eqn.inputs


def contains(closed: ClosedJaxpr, test: Callable[[Atom], bool]) -> bool:
    """Returns whether a value of a program, or of a program within it, passes a test."""
    seen, waiting = {closed}, [closed]
    while waiting:
        current = waiting.pop()
        if any(map(test, atoms_of(current))):
            return True
        inner = {each for eqn in current.eqns for each in programs_of(eqn)} - seen
        seen |= inner
        waiting += inner
    return False


def rewrite_all(closed: ClosedJaxpr, rewrite: Rewrite) -> ClosedJaxpr:
    """Rewrites each program within a program, and then the program.

    An unchanged program stays the same object; one that occurs twice is rewritten once.
    """
    done: dict[ClosedJaxpr, ClosedJaxpr] = {}
    waiting = [closed]
    while waiting:
        current = waiting[-1]
        if current in done:
            waiting.pop()
            continue
        inner = [each for eqn in current.eqns for each in programs_of(eqn)]
        missing = [each for each in inner if each not in done]
        if missing:
            waiting += missing
            continue
        done[current] = rewrite(_with_programs(current, done) if inner else current)
    return done[closed]


def _with_programs(closed: ClosedJaxpr, programs: Mapping[ClosedJaxpr, ClosedJaxpr]) -> ClosedJaxpr:
    eqns = [_with_programs_of(eqn, programs) for eqn in closed.eqns]
    old = closed.jaxpr
    if all(new is eqn for new, eqn in zip(eqns, old.eqns, strict=True)):
        return closed
    jaxpr = Jaxpr(old.constvars, old.invars, old.outvars, eqns, old.name)
    return ClosedJaxpr(jaxpr, closed.consts)


def _with_programs_of(eqn: Equation, programs: Mapping[ClosedJaxpr, ClosedJaxpr]) -> Equation:
    if all(programs[each] is each for each in programs_of(eqn)):
        return eqn
    params: dict[str, Any] = {}
    for name, value in eqn.params.items():
        known = tuple(
            programs.get(x, x) if isinstance(x, ClosedJaxpr) else x for x in _several(value)
        )
        params[name] = known if isinstance(value, tuple) else known[0]
    return Equation(eqn.primitive, eqn.inputs, eqn.outputs, params, eqn.effects, eqn.source)


def is_complex(atom: Atom) -> bool:
    """Returns whether a value is an array of complex numbers."""
    return atom.aval.dtype is not None and atom.aval.dtype.kind is Kind.COMPLEX


def rows_aval(aval: ShapedArray) -> ShapedArray:
    """Returns the aval of rows of both parts."""
    return ShapedArray((*shape_of(aval), 2), real_of(aval.dtype))


def is_key(atom: Atom) -> bool:
    """Returns whether a value is an array of keys."""
    return atom.aval.dtype is not None and atom.aval.dtype.kind is Kind.KEY


def words_aval(aval: ShapedArray) -> ShapedArray:
    """Returns the aval of the words of keys."""
    assert aval.dtype is not None
    return ShapedArray((*shape_of(aval), aval.dtype.bits // 32), dtypes.uint32)


def real_of(dtype: DType | None) -> DType:
    """Returns the dtype of the parts of complex numbers; other dtypes as they are."""
    real = dtypes.to_real(dtype)
    assert real is not None
    return real
