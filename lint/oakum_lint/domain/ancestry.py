"""The order in which the attributes of a class are looked for, as Python orders its ancestors.

Orders share their ends: the ancestors that all bases of a class have in common, in one order, are
held once. Where classes inherit by two ways at each of n levels, all orders together would have a
length of n * n otherwise.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush

from oakum.values.records import dataclass
from oakum_lint.domain.values import Value


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """A class, and those behind it."""

    first: Value
    rest: "Order | None"
    length: int

    def __iter__(self) -> Iterator[Value]:
        link: Order | None = self
        while link is not None:
            yield link.first
            link = link.rest

    def find(self, value: Value) -> "Order | None":
        """The part of it that begins with a class."""
        link: Order | None = self
        while link is not None and link.first is not value:
            link = link.rest
        return link


def put_before(first: Value, rest: Order | None) -> Order:
    """An order with one more class at its beginning."""
    return Order(first, rest, 1 if rest is None else rest.length + 1)


def merge_orders(orders: Sequence[Order]) -> Order | None:
    """The ancestors of a class by the orders of its bases: each before its bases, and bases in the
    order in which a class states them. What no order can hold (Python refuses it) comes as it is
    met.

    The C3 merge (Barrett and others, 1996), with a count of the tails that each ancestor stands in:
    the work is proportional to the length of what the orders do not share.
    """
    shared = _common_end(orders)
    rows = [row for order in orders if (row := _links_before(order, shared))]
    rows += [[put_before(row[0].first, None) for row in rows]] if rows else []
    merge = _Merge(rows)
    found, shared = merge.run(shared)
    for value in reversed(found):
        shared = put_before(value, shared)
    return shared


class _Merge:
    """The merge of some rows of ancestors: which are at the front of a row, and of which rows."""

    def __init__(self, rows: list[list[Order]]) -> None:
        self._rows = rows
        self._heads = [-1] * len(rows)
        self._tails = Counter(_identity(link.first) for row in rows for link in row)
        self._found: dict[object, Value] = {}
        self._fronts: dict[object, list[int]] = {}
        """The rows that an ancestor is at the front of."""
        self._free: list[int] = []
        """A heap of rows with what stands in no tail at their front, and of some that had that."""
        self._pending = len(rows)
        for index in range(len(rows)):
            self._advance(index)

    def run(self, shared: Order | None) -> tuple[list[Value], Order | None]:
        """The ancestors in their order, and the links behind them: one row if it alone is left, or
        else the shared end.
        """
        rows, heads = self._rows, self._heads
        first = 0
        is_consistent = True
        while self._pending:
            while heads[first] >= len(rows[first]):
                first += 1
            if self._pending == 1 and is_consistent:
                shared = rows[first][heads[first]]
                break
            while self._free and not self._is_free(self._free[0]):
                heappop(self._free)
            is_consistent = is_consistent and bool(self._free)
            index = self._free[0] if self._free else first
            chosen = rows[index][heads[index]].first
            self._found[_identity(chosen)] = chosen
            for row in self._fronts.pop(_identity(chosen)):
                self._advance(row)
        return [*self._found.values()], shared

    def _front(self, index: int) -> object:
        return _identity(self._rows[index][self._heads[index]].first)

    def _is_free(self, index: int) -> bool:
        return self._heads[index] < len(self._rows[index]) and not self._tails[self._front(index)]

    def _advance(self, index: int) -> None:
        """Goes behind all that has been found in a row."""
        row = self._rows[index]
        while True:
            self._heads[index] += 1
            if self._heads[index] == len(row):
                self._pending -= 1
                return
            front = self._front(index)
            self._tails[front] -= 1
            if front not in self._found:
                break
        self._fronts.setdefault(front, []).append(index)
        if not self._tails[front]:
            for each in self._fronts[front]:
                heappush(self._free, each)


def _common_end(orders: Sequence[Order]) -> Order | None:
    """The longest end that all orders have."""
    if not orders:
        return None
    length = min(order.length for order in orders)
    links: list[Order | None] = []
    for order in orders:
        link: Order | None = order
        while link is not None and link.length > length:
            link = link.rest
        links.append(link)
    while (first := links[0]) is not None:
        if all(link is not None and _is_same(first, link) for link in links):
            return first
        links = [link and link.rest for link in links]
    return None


def _is_same(one: Order, other: Order) -> bool:
    """Whether two orders are one. The ends, classes of libraries, are made for each base."""
    if one is other:
        return True
    both_end = one.rest is None and other.rest is None
    return both_end and _identity(one.first) == _identity(other.first)


def _links_before(order: Order, end: Order | None) -> list[Order]:
    links: list[Order] = []
    link: Order | None = order
    while link is not None and link.length > (0 if end is None else end.length):
        links.append(link)
        link = link.rest
    return links


def _identity(value: Value) -> object:
    """Returns what identifies a base: bases that are equal are one, if they can be hashed."""
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value
