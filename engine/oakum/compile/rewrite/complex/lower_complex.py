"""The pass that rewrites complex numbers as pairs.

Arguments and results of programs, of loops and branches too, keep their bytes: rows of both parts.
Between them each part is an array of its own. Operations of the host take complex numbers, which
costs nothing for rows in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.compile.loops.elements import shape_of
from oakum.compile.problems.problem import Kernels
from oakum.compile.rewrite import rewriter, trailing_axis
from oakum.compile.rewrite.complex import complex_movement, trace_rule
from oakum.compile.rewrite.complex.complex_pair import complex_of_rows_p, rows_of, rows_of_complex_p
from oakum.compile.rewrite.rewriter import Rewriter, is_complex, real_of, rows_aval
from oakum.primitives.broadcasting import broadcast_in_dim_p
from oakum.primitives.joining import concatenate_p
from oakum.primitives.reshaping import reshape_p
from oakum.primitives.slicing import slice_p
from oakum.runtime.arrays import ArrayImpl, wrap
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Literal, Var
from oakum.values.avals import ShapedArray

Halves = tuple[Atom, Atom]


def lower_complex_numbers(closed: ClosedJaxpr, kernels: Kernels) -> ClosedJaxpr:
    """Returns the program without complex numbers, except operands and results of the host and of
    problems that the back end has kernels for.
    """
    return rewriter.rewrite_all(closed, lambda each: _rewrite(each, kernels))


def _rewrite(closed: ClosedJaxpr, kernels: Kernels) -> ClosedJaxpr:
    """Rewrites a program whose inner programs have been rewritten."""
    if any(map(is_complex, rewriter.atoms_of(closed))):
        return _Writer(closed, kernels).written()
    return closed


class _Writer(Rewriter):
    """Rewrites a program."""

    def __init__(self, closed: ClosedJaxpr, kernels: Kernels) -> None:
        super().__init__(closed)
        self._kernels = kernels
        self._halves: dict[Var, Halves] = {}
        """The parts of complex values, as separate arrays."""
        self._rows: dict[Var, Atom] = {}
        """The rows of both parts of complex values."""
        self._whole: dict[Var, Atom] = {}
        """The complex values themselves."""
        self._wanted = _wanted_beside(closed.jaxpr, kernels)

    def has_other_form(self, atom: Atom) -> bool:
        return is_complex(atom)

    def new_aval(self, aval: ShapedArray) -> ShapedArray:
        return rows_aval(aval)

    def new_constant(self, value: ArrayImpl) -> Any:
        return wrap(rows_of(value.raw), rows_aval(value.aval))

    def note(self, var: Var, new: Var) -> None:
        self._rows[var] = new

    def outside(self, atom: Atom) -> Atom:
        return self._beside(atom) if is_complex(atom) else self.read(atom)

    def _apart(self, atom: Atom) -> Halves:
        """Returns the two parts of a complex value."""
        if isinstance(atom, Literal):
            number, dtype = atom.raw.item(), real_of(atom.aval.dtype)
            return trailing_axis.number(number.real, dtype), trailing_axis.number(
                number.imag, dtype
            )
        found = self._halves.get(atom)
        if found is None:
            first, second = (self._half(atom, part) for part in range(2))
            found = self._halves[atom] = first, second
        return found

    def _half(self, var: Var, part: int) -> Var:
        shape = shape_of(var.aval)
        start, limit = ((*edge, part + n) for n, edge in enumerate([(0,) * len(shape), shape]))
        params = {"start_indices": start, "limit_indices": limit, "strides": None}
        column = self.apply(slice_p, [self._rows[var]], params)
        return self._reshaped(column, shape)

    def _reshaped(self, atom: Atom, shape: Sequence[int]) -> Var:
        params = {"new_sizes": tuple(shape), "dimensions": None, "sharding": None}
        return self.apply(reshape_p, [atom], params)

    def _beside(self, atom: Atom) -> Atom:
        """Returns the rows of both parts of a complex value."""
        found = self._rows.get(atom) if isinstance(atom, Var) else None
        if found is None:
            shape = (*shape_of(atom.aval), 1)
            halves = [self._column(half, shape) for half in self._apart(atom)]
            found = self.apply(concatenate_p, halves, {"dimension": len(shape) - 1})
            if isinstance(atom, Var):
                self._rows[atom] = found
        return found

    def _column(self, half: Atom, shape: Sequence[int]) -> Var:
        if isinstance(half, Var):
            return self._reshaped(half, shape)
        params = {"shape": tuple(shape), "broadcast_dimensions": (), "sharding": None}
        return self.apply(broadcast_in_dim_p, [half], params)

    def _in_whole(self, atom: Atom) -> Atom:
        """Returns a value as the host takes it."""
        if not is_complex(atom):
            return self.read(atom)
        if isinstance(atom, Literal):
            return atom
        found = self._whole.get(atom)
        if found is None:
            found = self._whole[atom] = self.apply(complex_of_rows_p, [self._beside(atom)], {})
        return found

    def rewrite(self, eqn: Equation) -> None:
        name = eqn.primitive.name
        if _is_beside(eqn) or self._is_moved_beside(eqn):
            inputs, params = complex_movement.moved(
                [self.outside(atom) for atom in eqn.inputs], eqn
            )
            self.append(eqn.primitive, inputs, self.new(eqn.outputs), params)
        elif name in complex_movement.APART:
            self._write_apart(eqn)
        elif trace_rule.has_rule(eqn, self._kernels):
            self._write_by_rule(eqn)
        else:
            self._write_as_it_is(eqn)

    def _is_moved_beside(self, eqn: Equation) -> bool:
        """Returns whether an operation moves rows of both parts to a consumer of rows."""
        return (
            eqn.primitive.name in complex_movement.PLAIN
            and eqn.outputs[0] in self._wanted
            and all(x in self._rows and x not in self._halves for x in eqn.inputs)
        )

    def _write_apart(self, eqn: Equation) -> None:
        """Applies the operation to each part, or to both at once if it has several results."""
        inputs = [self._apart(x) if is_complex(x) else (self.read(x),) * 2 for x in eqn.inputs]
        if not eqn.primitive.multiple_results:
            params = dict(eqn.params)
            real, imag = (
                self.apply(eqn.primitive, [each[part] for each in inputs], params)
                for part in range(2)
            )
            self._halves[eqn.outputs[0]] = real, imag
            return
        flat = [half for each in inputs for half in each]
        avals = eqn.primitive.abstract(*[half.aval for half in flat], **eqn.params)
        results = [Var(aval) for aval in avals]
        self.append(eqn.primitive, flat, results, eqn.params)
        for number, var in enumerate(eqn.outputs):
            real, imag = results[2 * number : 2 * number + 2]
            if is_complex(var):
                self._halves[var] = real, imag
            else:
                self.values[var] = real

    def _write_by_rule(self, eqn: Equation) -> None:
        """Inlines the program of a rule."""
        rule = trace_rule.staged(eqn)
        given: list[Atom] = []
        for atom in eqn.inputs:
            if not is_complex(atom):
                given.append(self.read(atom))
            elif rule.of_rows:
                given.append(self._beside(atom))
            else:
                given += self._apart(atom)
        program = rule.program
        fresh: dict[Var, Atom] = dict(zip(program.jaxpr.invars, given, strict=True))
        for var, value in zip(program.jaxpr.constvars, program.consts, strict=True):
            fresh[var] = self.constant(var.aval, value)
        for each in program.eqns:
            inputs = [fresh[x] if isinstance(x, Var) else x for x in each.inputs]
            outputs = [Var(var.aval) for var in each.outputs]
            fresh.update(zip(each.outputs, outputs, strict=True))
            self.append(each.primitive, inputs, outputs, each.params)
        results = [fresh[x] if isinstance(x, Var) else x for x in program.jaxpr.outvars]
        (var,) = eqn.outputs
        match rule.form:
            case "pair":
                self._halves[var] = results[0], results[1]
            case "rows":
                self._rows[var] = results[0]
            case _:
                self.values[var] = results[0]

    def _write_as_it_is(self, eqn: Equation) -> None:
        """Keeps an equation for the host."""
        inputs = [self._in_whole(atom) for atom in eqn.inputs]
        outputs = [Var(var.aval) if is_complex(var) else var for var in eqn.outputs]
        self.append(eqn.primitive, inputs, outputs, eqn.params)
        for old, new in zip(eqn.outputs, outputs, strict=True):
            if old is not new:
                self._whole[old] = new
                self._rows[old] = self.apply(rows_of_complex_p, [new], {})


def _wanted_beside(jaxpr: Jaxpr, kernels: Kernels) -> set[Var]:
    """Returns the complex values whose parts no consumer takes apart."""
    apart: set[Atom] = set()
    for eqn in reversed(jaxpr.eqns):
        name = eqn.primitive.name
        if name in complex_movement.PLAIN:
            wanted = eqn.outputs[0] not in apart
        else:
            wanted = _is_beside(eqn) or rewriter.is_control(eqn) or trace_rule.takes_rows(eqn)
            wanted = wanted or not (
                name in complex_movement.APART or trace_rule.has_rule(eqn, kernels)
            )
        if not wanted:
            apart.update(eqn.inputs)
    return {v for eqn in jaxpr.eqns for v in eqn.outputs if is_complex(v) and v not in apart}


def _is_beside(eqn: Equation) -> bool:
    """Returns whether an operation applies to rows of both parts."""
    return eqn.primitive.name in complex_movement.BESIDE and eqn.params.get("update_jaxpr") is None
