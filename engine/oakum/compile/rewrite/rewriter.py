"""The frame of passes that give values of some dtypes another form.

Arguments and results of a program, and of its loops and branches, take the new form too, with the
same bytes. Inner programs are rewritten before outer ones.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

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
    def write(self, eqn: Equation) -> None:
        """Writes the new equations for an old one."""

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
            self.write(eqn)
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
