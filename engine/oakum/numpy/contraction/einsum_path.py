"""The order in which einsum contracts its operands."""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final

from oakum.numpy.contraction import einsum
from oakum.numpy.contraction.einsum import Labels
from oakum.numpy.operands.arguments import is_list
from oakum.values.declarations import public


@public("numpy.einsum_path", static=("optimize",), static_result=True)
def einsum_path(
    subscripts: object, /, *operands: Any, optimize: bool | str | list[tuple[int, ...]] = "auto"
) -> tuple[list[tuple[int, ...]], Any]:
    """Finds an order in which to contract the operands of an `einsum`."""
    formula, arrays = einsum.read("jnp.einsum_path()", subscripts, operands)
    formula = formula
    sizes = einsum.label_sizes(formula, arrays)
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


def _text(labels: Labels) -> str:
    return "".join("..." if isinstance(label, tuple) else str(label) for label in labels)


def find(
    inputs: Sequence[Labels], result: Labels, sizes: Mapping[Hashable, int], optimize: Any
) -> _Order:
    """The order asked for, or one that needs few operations.

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
    """The steps that contract a tree of pairs."""
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
        """The tree: a position, or a pair of trees."""
        return (
            self._best(frozenset(range(len(self.terms))), {})[1] if exhaustive else self._greedy()
        )

    def _labels(self, group: frozenset[int]) -> frozenset[Hashable]:
        """The labels that the product of a group of operands keeps."""
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
        """How much a product of two groups adds to the elements held; unrelated pairs come last."""
        mine, theirs = self._labels(left), self._labels(right)
        sizes = [self._size(self._labels(left | right)), self._size(mine), self._size(theirs)]
        return not mine & theirs, sizes[0] - sizes[1] - sizes[2]

    def _size(self, labels: frozenset[Hashable]) -> int:
        return math.prod(self.sizes[label] for label in labels)
