"""The order in which the attributes of a class are looked for, as Python orders its ancestors.

Orders share their ends: the ancestors that all bases of a class have in common, in one order, are
held once. Where classes inherit by two ways at each of n levels, all orders together would have a
length of n * n otherwise.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

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
    heads = [0] * len(rows)
    tails = Counter(_identity(link.first) for row in rows for link in row[1:])
    found: dict[object, Value] = {}
    is_consistent = True
    while pending := [index for index, row in enumerate(rows) if heads[index] < len(row)]:
        if len(pending) == 1 and is_consistent:
            shared = rows[pending[0]][heads[pending[0]]]
            break
        fronts = [rows[index][heads[index]].first for index in pending]
        free = (one for one in fronts if not tails[_identity(one)])
        chosen = next(free, None)
        if chosen is None:
            chosen, is_consistent = fronts[0], False
        found[_identity(chosen)] = chosen
        for index in pending:
            heads[index] = _next_head(rows[index], heads[index], found, tails)
    for value in reversed(found.values()):
        shared = put_before(value, shared)
    return shared


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


def _next_head(
    row: list[Order], head: int, found: dict[object, Value], tails: Counter[object]
) -> int:
    """The place behind all that has been found."""
    while head < len(row) and _identity(row[head].first) in found:
        head += 1
        if head < len(row):
            tails[_identity(row[head].first)] -= 1
    return head


def _identity(value: Value) -> object:
    """Returns what identifies a base: bases that are equal are one, if they can be hashed."""
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value
