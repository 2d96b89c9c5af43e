"""Epilogue fusion: work on each element of a contraction is done before the element is stored.

A group that reads one element of a product per element of its own, and otherwise only what is in
memory by then, becomes the epilogue of that product: bias, activation, scaling, residuals,
conversions, parameter updates. The product moves down to the group's place, which is before all of
its readers. The dimensions of the result are batch items, rows and columns; the operands of the
epilogue are aligned with them, split or merged.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any

from oakum.compile.fusion.fuse import Fusion, Separate, Step
from oakum.compile.fusion.groups import Group, normal
from oakum.compile.loops.elements import Body, Builder, Place, Unaligned, shape_of
from oakum.compile.loops.loop_ir import Affine, Buffer, Instruction, Load, Position, linear
from oakum.compile.problems.contraction import Contraction
from oakum.compile.problems.problem import Epilogue, Kernels, Product, product_of, products_of
from oakum.dtypes import DType
from oakum.primitives.rules.lowering import Contracted, Convolved, remaining
from oakum.tracing.ir import Equation, Var
from oakum.values.records import dataclass, replace


@dataclass(frozen=True, slots=True)
class FusedProduct:
    """A contraction and its epilogue."""

    product: Separate
    epilogue: Epilogue
    reads: tuple[Var, ...]
    results: tuple[Var, ...]
    """The variables that are stored."""


def fuse_epilogues(fusion: Fusion) -> list[Step | FusedProduct]:
    """Returns the steps of a program, with groups fused into contractions where that pays."""
    steps: list[Step | FusedProduct | None] = list(fusion.steps)
    products = {
        step.eqn.outputs[0]: place
        for place, step in enumerate(fusion.steps)
        if isinstance(step, Separate) and _is_taken(step, fusion.kernels)
    }
    if not products:
        return list(fusion.steps)
    readers, longest = _readers(fusion), fusion.kernels.policy.longest_epilogue
    for place, group in enumerate(fusion.steps):
        if not isinstance(group, Group) or not _is_simple(group, longest):
            continue
        used = {use.var for member in group.members.values() for use in member.uses}
        fitting = [v for v in used if v in products and readers[v][0] == place]
        for var in sorted(fitting, key=lambda v: -products[v]):
            product = steps[products[var]]
            if not isinstance(product, Separate):
                continue
            raw = len(readers[var]) > 1
            found = _finish(fusion, group, product, keeps=raw)
            if found is not None:
                steps[products[var]], steps[place] = None, found
                break
    return [step for step in steps if step is not None]


def _is_taken(step: Separate, kernels: Kernels) -> bool:
    """Returns whether a step is a product that the back end takes."""
    problem = product_of(step.eqn, step.strides)
    return problem is not None and kernels.takes(problem)


def _is_simple(group: Group, longest: float) -> bool:
    """Returns whether a group only computes elements one by one."""
    return (
        group.kept is None
        and not group.parts
        and group.size > 0
        and group.length <= longest
        and all(member.form == "inner" for member in group.members.values())
    )


def _readers(fusion: Fusion) -> dict[Var, list[int]]:
    """Returns the steps that read each variable, in order; the end of the program counts as one."""
    found: dict[Var, list[int]] = {}
    for place, step in enumerate(fusion.steps):
        for var in dict.fromkeys(_read(step)):
            found.setdefault(var, []).append(place)
    for atom in fusion.jaxpr.outvars:
        if isinstance(atom, Var):
            found.setdefault(atom, []).append(len(fusion.steps))
    return found


def _read(step: Step) -> Iterator[Var]:
    if isinstance(step, Separate):
        for atom, view in zip(step.eqn.inputs, step.views, strict=True):
            if view is not None:
                yield view.var
            elif isinstance(atom, Var):
                yield atom
        return
    for member in (*step.members.values(), *step.parts):
        yield from (use.var for use in member.uses if use.var not in step.members)


# Building.


def _finish(fusion: Fusion, group: Group, product: Separate, *, keeps: bool) -> FusedProduct | None:
    """Returns a product with a group as its epilogue, or None; `keeps` if the raw product is needed
    too.
    """
    roles = roles_of(product.eqn)
    element = product.eqn.outputs[0]
    shape = shape_of(element.aval)
    if roles is None:
        return None
    if (
        math.prod(shape[d] for d in lanes_of(shape, roles))
        < fusion.kernels.policy.shortest_epilogue_row
    ):
        return None  # Vectors would be mostly empty.
    if group.size != math.prod(shape):
        # It goes over fewer elements, or more.
        return None
    extents, parts = parts_of(shape, group.shape)
    roles = tuple(tuple(p for dim in role for p in parts[dim]) for role in roles)
    try:
        return _EpilogueBuilder(fusion, group, element, extents).build(product, roles, keeps=keeps)
    except Unaligned:
        return None


class _EpilogueBuilder:
    """Builds the epilogue that a group becomes."""

    def __init__(
        self, fusion: Fusion, group: Group, element: Var, extents: tuple[int, ...]
    ) -> None:
        self._fusion = fusion
        self._group = group
        self._element = element
        self._extents = extents
        axes = [Affine.axis(a) for a in range(len(extents))]
        self._everywhere = normal(linear(axes, extents), extents)
        self._body = Body()
        self._known: dict[Var, int] = {}
        self._own: frozenset[Var] = frozenset()
        """The variables that the current equation reads."""
        self._reads: dict[Var, Buffer] = {}
        self._builder = Builder(self._body, self._resolve, self._read)

    def build(self, product: Separate, roles: Roles, *, keeps: bool) -> FusedProduct | None:
        """Returns the fused product, which also stores the raw one if that is kept; None if it does
        not pay.
        """
        for member in self._group.members.values():
            self._own = frozenset(use.var for use in member.uses)
            place = Place(shape_of(member.var.aval), self._extents, number=self._everywhere)
            self._known[member.var] = self._builder.result(member.eqn, place)
        results = {
            var: register for var, register in self._known.items() if var in self._fusion.stored
        }
        dtype = self._element.aval.dtype
        if not results:
            return None
        order = sorted(results, key=lambda var: var.aval.dtype is not dtype)
        if keeps:
            order.insert(0, self._element)
            results[self._element] = self._slot()
        epilogue = Epilogue(
            self._extents,
            (roles[0], roles[1], roles[2]),
            self._everywhere,
            tuple(self._body.instructions),
            tuple(results[var] for var in order),
            len(self._reads),
        )
        epilogue = merge_dimensions(epilogue)
        both = isinstance(remaining(product.eqn.primitive.lower), Convolved)
        if not _pays(epilogue, order, product, self._fusion.kernels) or not is_aligned(
            epilogue, both=both
        ):
            return None
        return FusedProduct(product, epilogue, tuple(self._reads), tuple(order))

    def _slot(self) -> int:
        assert self._element.aval.dtype is not None
        return self._body.slot(0, self._element.aval.dtype)

    def _resolve(self, var: Var, place: Place) -> int:
        recipe = self._fusion.recipes.get(var)
        if recipe is not None and var not in self._own:
            return self._builder.result(recipe, place)
        if var in self._known:
            return self._known[var]
        number = normal(place.number, self._extents)
        if var is self._element:
            if number != self._everywhere:
                raise Unaligned(var)
            return self._slot()
        return self._body.load(self._buffer(var), number)

    def _read(self, var: Var, number: Affine, dynamic: int | None) -> int:
        raise Unaligned(var)

    def _buffer(self, var: Var) -> Buffer:
        found = self._reads.get(var)
        if found is None:
            dtype: DType | None = var.aval.dtype
            assert dtype is not None
            size = math.prod(shape_of(var.aval))
            found = self._reads[var] = Buffer(len(self._reads), dtype, size, "in")
        return found


def _pays(epilogue: Epilogue, results: Sequence[Var], product: Separate, kernels: Kernels) -> bool:
    """Returns whether fusing the epilogue is estimated to be faster.

    Tiles go from row to row of each array, which is slow for long rows unless there is much to
    multiply in between. Products with a vector, and convolutions whose features are not contiguous,
    store few elements at a time.
    """
    problem, policy = product_of(product.eqn, product.strides), kernels.policy
    if problem is None:
        return False
    if epilogue.cost_ns > policy.narrow_epilogue_ns and _is_slow(problem, product, kernels):
        return False
    size = math.prod(epilogue.extents)
    loads = {
        each.buffer: each.dtype.itemsize
        for each in epilogue.instructions
        if isinstance(each, Load) and each.offset == epilogue.everywhere
    }
    sizes = [*loads.values(), *[_itemsize(var) for var in results[1:]]]
    if size * (sum(sizes) + _itemsize(results[0])) <= policy.near_bytes:
        return True
    return len(sizes) * policy.products_per_row * size <= products_of(problem)


def _is_slow(problem: Product, product: Separate, kernels: Kernels) -> bool:
    """Returns whether few elements are stored at a time."""
    if isinstance(problem, Contraction):
        return not kernels.stores_vectors(problem)
    _, feature, *places = product.eqn.params["dimension_numbers"].out_spec
    spread = any(window.spread > 1 for window in problem.windows)
    beside = feature < min(places) and sorted(places) == places and not spread
    return feature < max(places) and not beside


def _itemsize(var: Var) -> int:
    assert var.aval.dtype is not None
    return var.aval.dtype.itemsize


Roles = tuple[tuple[int, ...], ...]


def roles_of(eqn: Equation) -> Roles | None:
    """Returns the dimensions of a result that are batch items, rows and columns."""
    lower: Any = eqn.primitive.lower
    rank = len(shape_of(eqn.outputs[0].aval))
    numbers = eqn.params["dimension_numbers"]
    if isinstance(lower, Contracted):
        (summed, _), (batch, _) = numbers
        first = len(batch)
        last = len(shape_of(eqn.inputs[0].aval)) - len(summed)
        return tuple(range(first)), tuple(range(first, last)), tuple(range(last, rank))
    if eqn.params["feature_group_count"] != 1 or eqn.params["batch_group_count"] != 1:
        return None
    item, feature, *places = numbers.out_spec
    return (), (item, *places), (feature,)


def lanes_of(shape: Sequence[int], roles: Roles) -> tuple[int, ...]:
    """Returns the dimensions that vectors go along: rows if there is one column, else columns."""
    _, rows, columns = roles
    return columns if math.prod(shape[d] for d in columns) > 1 else rows


def parts_of(shape: Sequence[int], other: Sequence[int]) -> tuple[tuple[int, ...], list[list[int]]]:
    """Splits the dimensions of two shapes into common extents; returns these, and which of them
    make up each dimension of the first shape. If there are none, returns the first shape as it is.
    """
    marks = _marks(shape)
    cuts = sorted({*marks, *_marks(other)}, reverse=True)
    if any(a % b for a, b in itertools.pairwise(cuts)):
        return tuple(shape), [[d] for d in range(len(shape))]
    extents = [a // b for a, b in itertools.pairwise(cuts)]
    parts: list[list[int]] = []
    for outer, inner in itertools.pairwise(marks):
        parts.append([n for n, cut in enumerate(cuts[:-1]) if outer >= cut > inner])
    return tuple(extents), parts


def _marks(shape: Sequence[int]) -> list[int]:
    """Returns the number of elements behind each dimension, starting with all of them.

    >>> _marks((2, 3, 4))
    [24, 12, 4, 1]
    """
    return [math.prod(shape[n:]) for n in range(len(shape) + 1)]


def _offsets(epilogue: Epilogue) -> list[Affine]:
    """Returns the offsets and positions that do not follow the element's number."""
    found: list[Affine] = []
    for each in epilogue.instructions:
        match each:
            case Load(_, offset) if offset != epilogue.everywhere:
                found.append(offset)
            case Position(value, _):
                found.append(value)
            case _:
                pass
    return found


def merge_dimensions(epilogue: Epilogue) -> Epilogue:
    """Merges dimensions of one role if every offset allows it."""
    extents = list(epilogue.extents)
    offsets = _offsets(epilogue)
    roles: list[tuple[int, ...]] = []
    for role in epilogue.roles:
        kept: list[int] = []
        for dim in reversed([d for d in role if extents[d] > 1]):
            if kept and _is_one(offsets, dim, kept[-1], extents[kept[-1]]):
                extents[kept[-1]] *= extents[dim]
            else:
                kept.append(dim)
        roles.append(tuple(reversed(kept)))

    left = {dim for role in roles for dim in role}

    def renamed(value: Affine) -> Affine:
        return Affine(tuple(t for t in value.terms if t[0] in left), value.constant)

    instructions: list[Instruction] = []
    for each in epilogue.instructions:
        match each:
            case Load(_, offset) if offset != epilogue.everywhere:
                instructions.append(replace(each, offset=renamed(offset)))
            case Position(value, _):
                instructions.append(replace(each, value=renamed(value)))
            case _:
                instructions.append(each)
    return replace(
        epilogue,
        extents=tuple(extents),
        roles=(roles[0], roles[1], roles[2]),
        instructions=tuple(instructions),
    )


def _is_one(offsets: Sequence[Affine], outer: int, inner: int, extent: int) -> bool:
    """Returns whether two dimensions can be merged: stepping along the outer one continues the
    inner one in every offset.
    """
    return all(o.coefficient(outer) == o.coefficient(inner) * extent for o in offsets)


def is_aligned(epilogue: Epilogue, *, both: bool) -> bool:
    """Returns whether the lanes of each vector read contiguous elements, or all the same one. With
    `both`, vectors may go along rows as well as along columns.
    """
    _, rows, columns = epilogue.roles
    offsets = _offsets(epilogue)
    for role in (rows, columns) if both else ((columns,) if columns else (rows,)):
        steps = {o.coefficient(d) for o in offsets for d in role}
        if steps - {0} and (len(role) > 1 or steps - {0, 1}):
            return False
    return True
