"""The order in which the attributes of a class are looked for, as Python orders its ancestors."""

from collections.abc import Sequence

from oakum_lint.interp.values import Value

Order = tuple[Value, ...]


def merge_ancestors(bases: Sequence[Value], orders: Sequence[Order]) -> Order:
    """The ancestors of a class by its bases and their own orders: each before its bases, and bases
    in the order in which a class states them. What no order can hold (Python refuses it) comes as
    it is met.
    """
    rows = [list(order) for order in (*orders, bases) if order]
    found: list[Value] = []
    while rows:
        heads = [row[0] for row in rows]
        tails = [other for row in rows for other in row[1:]]
        chosen = next((head for head in heads if head not in tails), heads[0])
        found.append(chosen)
        rows = [[each for each in row if each != chosen] for row in rows]
        rows = [row for row in rows if row]
    return tuple(found)
