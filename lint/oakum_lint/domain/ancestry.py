"""The order in which the attributes of a class are looked for, as Python orders its ancestors."""

from collections import Counter
from collections.abc import Sequence

from oakum_lint.domain.values import Value

Order = tuple[Value, ...]


def merge_ancestors(bases: Sequence[Value], orders: Sequence[Order]) -> Order:
    """The ancestors of a class by its bases and their own orders: each before its bases, and bases
    in the order in which a class states them. What no order can hold (Python refuses it) comes as
    it is met.

    The C3 merge (Barrett and others, 1996), with a count of the tails that each ancestor stands in:
    the work is proportional to the length of the orders.
    """
    if len(orders) == 1:
        return orders[0]
    rows = [order for order in (*orders, tuple(bases)) if order]
    heads = [0] * len(rows)
    tails = Counter(map(_identity, (each for row in rows for each in row[1:])))
    found: dict[object, Value] = {}
    while pending := [index for index, row in enumerate(rows) if heads[index] < len(row)]:
        fronts = [rows[index][heads[index]] for index in pending]
        chosen = next((one for one in fronts if not tails[_identity(one)]), fronts[0])
        found[_identity(chosen)] = chosen
        for index in pending:
            _skip(rows[index], heads, index, found, tails)
    return tuple(found.values())


def _skip(
    row: Order, heads: list[int], index: int, found: dict[object, Value], tails: Counter[object]
) -> None:
    """Moves the head of a row behind all that has been found."""
    position = heads[index]
    while position < len(row) and _identity(row[position]) in found:
        position += 1
        if position < len(row):
            tails[_identity(row[position])] -= 1
    heads[index] = position


def _identity(value: Value) -> object:
    """What tells a base from others: what is equal is one, if it can be hashed."""
    try:
        hash(value)
    except TypeError:
        return id(value)
    return value
