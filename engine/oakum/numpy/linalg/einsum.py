"""Contractions of arrays whose axes have labels, and the order in which operands are contracted."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Final

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import contraction
from oakum.array import Array
from oakum.dtypes import DType, Kind
from oakum.numpy import arguments
from oakum.numpy.arguments import is_list
from oakum.numpy.linalg import dot_products
from oakum.runtime.topology import ignored_placement
from oakum.typing import ArrayLike, DTypeLike, Placement, PrecisionLike
from oakum.values.declarations import public
from oakum.values.records import dataclass


@public("numpy.einsum", contraction.einsum, static=("optimize",))
def einsum(
    subscripts: object,
    /,
    *operands: Any,
    out: None = None,
    optimize: str | bool | list[tuple[int, ...]] = "auto",
    precision: PrecisionLike = None,
    preferred_element_type: DTypeLike | None = None,
    _dot_general: Callable[..., Array] | None = None,
    out_sharding: Placement | None = None,
) -> Array:
    """Contracts tensors as a formula of subscripts says."""
    ignored_placement.require("numpy.einsum(out_sharding=...)", out_sharding)
    arguments.refuse_out("jnp.einsum", out)
    formula, arrays = read("jnp.einsum()", subscripts, operands)
    formula = formula
    arrays = arrays
    dtype, weak = dot_products.result_type(arrays, preferred_element_type)
    if preferred_element_type is None and _dot_general is None:
        arrays = arguments.promote(*arrays)
    how = Contracting(precision, dtype, _dot_general or lax.dot_general)
    order = find(formula.inputs, formula.result, label_sizes(formula, arrays), optimize)
    waiting = list(zip(arrays, formula.inputs, strict=True))
    for positions in order:
        taken = [waiting.pop(i) for i in sorted(positions, reverse=True)]
        waiting.append(_step(taken, [labels for _, labels in waiting], formula.result, how))
    operand, labels = waiting[0]
    operand, labels = _single(operand, labels, formula.result, dtype)
    if labels != formula.result:
        operand = lax.transpose(operand, tuple(labels.index(label) for label in formula.result))
    return arguments.convert(operand, dtype, weak)


def read(construct: str, subscripts: Any, operands: Sequence[Any]) -> tuple[_Formula, list[Any]]:
    """Returns the formula and the operands of a call of `einsum` in either of its spellings."""
    if isinstance(subscripts, str):
        terms, result = _terms(subscripts)
        values: Sequence[Any] = operands
    else:
        values, terms, result = _interleaved(subscripts, operands)
    if len(terms) != len(values):
        raise errors.ShapeError(
            f"Number of einsum subscripts, {len(terms)}, must be equal to the number of operands, "
            f"{len(values)}."
        )
    read_values = [jnp.asarray(v) if isinstance(v, (list, tuple)) else v for v in values]
    arrays = arguments.arrays("einsum", *read_values)
    ranks = [arguments.rank_of(each) for each in arrays]
    formula = _complete(terms, result, ranks)
    _check_sizes(formula, arrays)
    return formula, arrays


def _check_sizes(formula: _Formula, arrays: Sequence[Any]) -> None:
    sizes: dict[Hashable, int] = {}
    for i, (labels, array) in enumerate(zip(formula.inputs, arrays, strict=True)):
        for label, size in zip(labels, arguments.shape_of(array), strict=True):
            known = sizes.setdefault(label, size)
            if known == 1:
                sizes[label] = size
            elif size not in (1, known):
                raise errors.ShapeError(
                    f"Size of label '{label}' for operand {i} ({known}) does not match previous "
                    f"terms ({size})."
                )


@dataclass(frozen=True, slots=True)
class _Formula:
    """The labels of the axes of the operands and of the result."""

    inputs: tuple[Labels, ...]
    result: Labels


Labels = tuple[Hashable, ...]


def _complete(terms: list[list[Any]], result: list[Any] | None, ranks: Sequence[int]) -> _Formula:
    """Returns the formula with labels in place of each ellipsis, and with its result if it is left
    out.
    """
    longest = 0
    inputs: list[Labels] = []
    for i, (term, rank) in enumerate(zip(terms, ranks, strict=True)):
        missing = rank - len(term) + term.count(_REST)
        if missing < 0 or (missing > 0 and _REST not in term):
            if _REST in term:
                raise errors.ShapeError("Ellipses lengths do not match.")
            raise errors.ShapeError(
                f"Einstein sum subscript '{_text(term)}' does not contain the correct number of "
                f"indices for operand {i}."
            )
        longest = max(longest, missing)
        inputs.append(_fill(term, missing))
    if result is None:
        flat = [label for term in terms for label in term if label is not _REST]
        once = sorted({label for label in flat if flat.count(label) == 1})
        return _Formula(tuple(inputs), (*_fill([_REST], longest), *once))
    output = _fill(result, longest)
    for label in output:
        if output.count(label) > 1:
            raise ValueError(f"Output character '{label}' appeared more than once in the output.")
        if not any(label in labels for labels in inputs):
            raise errors.ShapeError(f"Output character '{label}' did not appear in the input")
    return _Formula(tuple(inputs), output)


def _fill(term: Sequence[Any], count: int) -> Labels:
    """Returns the labels with those of an ellipsis, which are counted from its end."""
    labels: list[Hashable] = []
    for label in term:
        labels += [(_REST, i) for i in range(-count, 0)] if label is _REST else [label]
    return tuple(labels)


class _Rest:
    """Stands for the ellipsis among the labels of a term."""

    def __repr__(self) -> str:
        return "..."


_REST = _Rest()


def _interleaved(
    first: Array, rest: Sequence[Any]
) -> tuple[list[Any], list[list[Any]], list[Any] | None]:
    given = [first, *rest]
    result = list(given.pop()) if len(given) % 2 else None
    terms = [[_REST if x is Ellipsis else x for x in labels] for labels in given[1::2]]
    if result is not None:
        result = [_REST if label is Ellipsis else label for label in result]
    return given[::2], terms, result


def _terms(subscripts: str) -> tuple[list[list[Any]], list[Any] | None]:
    text = "".join(subscripts.split())
    if text.count("->") > 1 or text.replace("->", "").strip("->") != text.replace("->", ""):
        raise ValueError("Subscripts can only contain one '->'.")
    left, arrow, right = text.partition("->")
    return [_letters(term) for term in left.split(",")], _letters(right) if arrow else None


def _letters(term: str) -> list[Any]:
    letters: list[Any] = list(term.replace("...", "\0"))
    if letters.count("\0") > 1 or "." in letters:
        raise ValueError("Invalid Ellipses.")
    return [_REST if letter == "\0" else letter for letter in letters]


def _single(
    operand: ArrayLike, labels: Labels, kept: Iterable[Hashable], dtype: DType
) -> tuple[Any, Labels]:
    """Returns an operand with each label once, summed over the labels that nothing else needs."""
    wanted = set(kept)
    repeated = {label for label in labels if labels.count(label) > 1}
    for label in repeated:
        axes = [i for i, each in enumerate(labels) if each == label]
        operand = lax.select(_on_diagonal(operand, axes), operand, lax.full_like(operand, 0))
        operand = _add_up(operand, axes[1:], dtype)
        labels = tuple(each for i, each in enumerate(labels) if i not in axes[1:])
    return _drop(operand, labels, set(labels) - wanted, dtype)


def _drop(
    operand: ArrayLike, labels: Labels, removed: Iterable[Hashable], dtype: DType
) -> tuple[Any, Labels]:
    """Returns the operand summed over the axes of labels."""
    gone = set(removed)
    axes = [i for i, label in enumerate(labels) if label in gone]
    return _add_up(operand, axes, dtype), _without(labels, gone)


def _without(labels: Labels, removed: Iterable[Hashable]) -> Labels:
    return tuple(each for each in labels if each not in set(removed))


def _add_up(operand: ArrayLike, axes: Sequence[int], dtype: DType) -> Any:
    """Returns the sums along axes, at least of a dtype; of booleans, whether one is true."""
    if not axes:
        return operand
    if arguments.is_kind(operand, Kind.BOOL) and dtype.kind is Kind.BOOL:
        return lax.reduce_or(operand, tuple(axes))
    if arguments.promote_dtype(operand, dtype) is not arguments.dtype_of(operand):
        operand = arguments.convert(operand, dtype)
    return lax.reduce_sum(operand, tuple(axes))


def _on_diagonal(operand: ArrayLike, axes: Sequence[int]) -> Any:
    shape = arguments.shape_of(operand)
    index = arguments.default_int()
    first = lax.broadcasted_iota(index, shape, axes[0])
    mask = None
    for axis in axes[1:]:
        equal = lax.eq(first, lax.broadcasted_iota(index, shape, axis))
        mask = equal if mask is None else lax.bitwise_and(mask, equal)
    return mask


def _step(
    taken: list[tuple[Any, Labels]],
    others: list[Labels],
    result: Labels,
    how: Contracting,
) -> tuple[Any, Labels]:
    """Contracts one or two operands, keeping the labels that are needed later."""
    if len(taken) > 2:
        raise NotImplementedError(
            "jax.numpy.einsum does not support simultaneous contraction of 3 or more operands. "
            "Typically this means you've passed an unsupported path to the einsum optimize "
            "parameter."
        )
    needed = {label for labels in (*others, result) for label in labels}
    if len(taken) == 1:
        ((operand, labels),) = taken
        return _single(operand, labels, needed, how.dtype)
    (lhs, left), (rhs, right) = taken
    merged = tuple(dict.fromkeys((*left, *right)))
    kept = result if not others else tuple(label for label in merged if label in needed)
    return product(lhs, left, rhs, right, kept, how), kept


def product(
    lhs: ArrayLike,
    lhs_labels: Labels,
    rhs: ArrayLike,
    rhs_labels: Labels,
    result: Labels,
    how: Contracting,
) -> Any:
    """Returns the products of two operands, summed over the labels that the result does not
    have.
    """
    lhs, lhs_labels = _without_ones(lhs, lhs_labels, rhs, rhs_labels)
    rhs, rhs_labels = _without_ones(rhs, rhs_labels, lhs, lhs_labels)
    lhs, lhs_labels = _single(lhs, lhs_labels, (*result, *rhs_labels), how.dtype)
    rhs, rhs_labels = _single(rhs, rhs_labels, (*result, *lhs_labels), how.dtype)
    shared = [label for label in lhs_labels if label in rhs_labels]
    batch = [label for label in result if label in shared]
    summed = [label for label in shared if label not in batch]

    def axes(labels: Labels, chosen: Sequence[Hashable]) -> tuple[int, ...]:
        return tuple(labels.index(label) for label in chosen)

    left, right = _without(lhs_labels, shared), _without(rhs_labels, shared)
    if (*batch, *right, *left) == result:
        lhs, rhs, lhs_labels, rhs_labels, left, right = (
            rhs, lhs, rhs_labels, lhs_labels, right, left,
        )  # fmt: skip
    numbers = (
        (axes(lhs_labels, summed), axes(rhs_labels, summed)),
        (axes(lhs_labels, batch), axes(rhs_labels, batch)),
    )
    out = how.dot_general(lhs, rhs, numbers, how.precision, preferred_element_type=how.dtype)
    labels = (*batch, *left, *right)
    return out if labels == result else lax.transpose(out, axes(labels, result))


def _without_ones(
    operand: ArrayLike, labels: Labels, other: object, other_labels: Labels
) -> tuple[Any, Labels]:
    """Returns the operand without the axes of length one that the other operand is longer in."""
    sizes = dict(zip(other_labels, arguments.shape_of(other), strict=True))
    shape = arguments.shape_of(operand)
    gone = [i for i, each in enumerate(labels) if shape[i] == 1 and sizes.get(each, 1) != 1]
    if not gone:
        return operand, labels
    kept = tuple(each for i, each in enumerate(labels) if i not in gone)
    return lax.squeeze(operand, tuple(gone)), kept


@dataclass(frozen=True, slots=True)
class Contracting:
    """How products are computed: the precision, the dtype of results, and the contraction used."""

    precision: Any
    dtype: DType
    dot_general: Callable[..., Any]


def label_sizes(formula: _Formula, arrays: Sequence[Any]) -> dict[Hashable, int]:
    """Returns how long the axes of each label are."""
    sizes: dict[Hashable, int] = {}
    for labels, array in zip(formula.inputs, arrays, strict=True):
        for label, size in zip(labels, arguments.shape_of(array), strict=True):
            sizes[label] = max(size, sizes.get(label, 1)) if size else 0
    return sizes


@public("numpy.einsum_path", static=("optimize",), static_result=True)
def einsum_path(
    subscripts: object, /, *operands: Any, optimize: bool | str | list[tuple[int, ...]] = "auto"
) -> tuple[list[tuple[int, ...]], Any]:
    """Finds an order in which to contract the operands of an `einsum`."""
    formula, arrays = read("jnp.einsum_path()", subscripts, operands)
    formula = formula
    sizes = label_sizes(formula, arrays)
    order = find(formula.inputs, formula.result, sizes, optimize)
    waiting = list(formula.inputs)
    total = 0
    lines: list[str] = []
    for positions in order:
        taken = [waiting.pop(i) for i in sorted(positions, reverse=True)]
        rest = {label for labels in (*waiting, formula.result) for label in labels}
        merged = tuple(dict.fromkeys(label for labels in taken for label in labels))
        cost = math.prod(sizes[label] for label in merged)
        total += cost
        kept = tuple(label for label in merged if label in rest)
        waiting.append(kept)
        lines.append(f"  {','.join(map(_text, taken))}->{_text(kept)}  {cost}")
    direct = math.prod(sizes.values())
    text = [
        f"  Complete contraction:  {','.join(map(_text, formula.inputs))}->{_text(formula.result)}",
        f"  Naive operation count:  {direct}",
        f"  Optimized operation count:  {total}",
        *lines,
    ]
    return order, "\n".join(text)


def _text(labels: Sequence[Hashable]) -> str:
    return "".join("..." if isinstance(label, tuple) else str(label) for label in labels)


def find(
    inputs: Sequence[Labels], result: Labels, sizes: Mapping[Hashable, int], optimize: Any
) -> _Order:
    """Returns the order asked for, or one that needs few operations.

    >>> find([("i", "j"), ("j", "k"), ("k",)], ("i",), {"i": 9, "j": 9, "k": 9}, "auto")
    [(1, 2), (0, 1)]
    """
    count = len(inputs)
    if is_list(optimize):
        steps: Sequence[Any] = optimize
        return [tuple(each) for each in steps if each != "einsum_path"]
    if optimize is False:
        return [(0, 1)] * (count - 1)
    if count < 2:
        return []
    terms = [frozenset(labels) for labels in inputs]
    tree = _Search(terms, frozenset(result), sizes).tree(exhaustive=count <= _EXHAUSTIVE)
    return _order(tree, count)


def _order(tree: object, count: int) -> _Order:
    """Returns the steps that contract a tree of pairs."""
    waiting: list[Any] = list(range(count))
    steps: _Order = []

    def visit(node: Any) -> None:
        if isinstance(node, int):
            return
        one, other = node
        visit(one)
        visit(other)
        positions = tuple(sorted((waiting.index(one), waiting.index(other))))
        for position in reversed(positions):
            waiting.pop(position)
        waiting.append(node)
        steps.append(positions)

    visit(tree)
    return steps


_Order = list[tuple[int, ...]]
"""Positions among the operands left at each step; what comes of them is put at the end."""


_EXHAUSTIVE: Final = 6
"""Up to this many operands every order is tried."""


class _Search:
    """Looks for the tree of pairs that costs least."""

    def __init__(
        self,
        terms: Sequence[frozenset[Hashable]],
        result: frozenset[Hashable],
        sizes: Mapping[Hashable, int],
    ) -> None:
        self.terms = terms
        self.result = result
        self.sizes = sizes

    def tree(self, *, exhaustive: bool) -> Any:
        """Returns the tree: a position, or a pair of trees."""
        return (
            self._best(frozenset(range(len(self.terms))), {})[1] if exhaustive else self._greedy()
        )

    def _labels(self, group: frozenset[int]) -> frozenset[Hashable]:
        """Returns the labels that the product of a group of operands keeps."""
        inside = frozenset[Hashable]().union(*(self.terms[i] for i in group))
        outside = self.result.union(*(term for i, term in enumerate(self.terms) if i not in group))
        return inside & outside

    def _cost(self, left: frozenset[int], right: frozenset[int]) -> int:
        labels = self._labels(left) | self._labels(right)
        return math.prod(self.sizes[label] for label in labels)

    def _best(
        self, group: frozenset[int], known: dict[frozenset[int], tuple[int, Any]]
    ) -> tuple[int, Any]:
        if len(group) == 1:
            return 0, next(iter(group))
        if group in known:
            return known[group]
        members = sorted(group)
        best: tuple[int, Any] | None = None
        for count in range(1, len(members)):
            for chosen in itertools.combinations(members[1:], count - 1):
                left = frozenset((members[0], *chosen))
                right = group - left
                (a, one), (b, other) = self._best(left, known), self._best(right, known)
                cost = a + b + self._cost(left, right)
                if best is None or cost < best[0]:
                    best = (cost, (one, other))
        assert best is not None
        known[group] = best
        return best

    def _greedy(self) -> Any:
        groups: list[tuple[frozenset[int], Any]] = [
            (frozenset((i,)), i) for i in range(len(self.terms))
        ]
        while len(groups) > 1:
            pairs = itertools.combinations(range(len(groups)), 2)
            i, j = min(pairs, key=lambda pair: self._gain(groups[pair[0]][0], groups[pair[1]][0]))
            (right, other), (left, one) = groups.pop(j), groups.pop(i)
            groups.append((left | right, (one, other)))
        return groups[0][1]

    def _gain(self, left: frozenset[int], right: frozenset[int]) -> tuple[bool, int]:
        """Returns how much a product of two groups adds to the elements held; unrelated pairs come
        last.
        """
        mine, theirs = self._labels(left), self._labels(right)
        sizes = [self._size(self._labels(left | right)), self._size(mine), self._size(theirs)]
        return not mine & theirs, sizes[0] - sizes[1] - sizes[2]

    def _size(self, labels: frozenset[Hashable]) -> int:
        return math.prod(self.sizes[label] for label in labels)
