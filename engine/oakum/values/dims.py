"""Dimensions: sizes that are integers, polynomials in named sizes, or unknown.

Invariants:
- Arithmetic is total: what is not certain is `UNKNOWN_DIM`, and a comparison answers True, False
  or None.
- A named size stands for one non-negative integer, the same wherever the name occurs.
- `UNKNOWN_DIM` stands for any size, a different one at each occurrence.
"""

from collections.abc import Iterable
from typing import Final

from oakum.values.records import dataclass

Monomial = tuple[str, ...]
"""A product of names in order, with repetition; the empty one is the constant."""


@dataclass(frozen=True, slots=True)
class SymbolicDim:
    """A polynomial in named sizes that is not a constant, in canonical form.

    >>> n = symbol("n")
    >>> str(add(mul(2, n), 1)), sub(add(n, 3), n), floordiv(mul(n, 6), 3)
    ('2*n+1', 3, SymbolicDim(2*n))
    """

    terms: tuple[tuple[Monomial, int], ...]

    def __str__(self) -> str:
        text = ""
        for names, factor in self.terms:
            sign = "-" if factor < 0 else "+" if text else ""
            size = "" if abs(factor) == 1 and names else str(abs(factor))
            text += sign + "*".join(part for part in (size, *names) if part)
        return text

    def __repr__(self) -> str:
        return f"SymbolicDim({self})"


@dataclass(frozen=True, slots=True)
class UnknownDim:
    """A size of which nothing is known."""

    def __str__(self) -> str:
        return "?"

    def __repr__(self) -> str:
        return "UNKNOWN_DIM"


UNKNOWN_DIM: Final = UnknownDim()

Dim = int | SymbolicDim | UnknownDim


def symbol(name: str) -> SymbolicDim:
    """Returns the size called `name`.

    >>> str(symbol("batch"))
    'batch'
    """
    return SymbolicDim((((name,), 1),))


def _terms(dim: int | SymbolicDim) -> dict[Monomial, int]:
    return {(): dim} if isinstance(dim, int) else dict(dim.terms)


def _polynomial(terms: dict[Monomial, int]) -> int | SymbolicDim:
    left = {names: factor for names, factor in terms.items() if factor}
    if not left:
        return 0
    if len(left) == 1 and () in left:
        return left[()]
    return SymbolicDim(tuple(sorted(left.items(), key=lambda term: (-len(term[0]), term[0]))))


def add(left: Dim, right: Dim) -> Dim:
    """Returns the sum.

    >>> add(2, 3), str(add(symbol("n"), 1)), add(1, UNKNOWN_DIM)
    (5, 'n+1', UNKNOWN_DIM)
    """
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    if isinstance(left, UnknownDim) or isinstance(right, UnknownDim):
        return UNKNOWN_DIM
    terms = _terms(left)
    for names, factor in _terms(right).items():
        terms[names] = terms.get(names, 0) + factor
    return _polynomial(terms)


def mul(left: Dim, right: Dim) -> Dim:
    """Returns the product; 0 times anything is 0.

    >>> str(mul(symbol("n"), symbol("m"))), mul(UNKNOWN_DIM, 0), mul(UNKNOWN_DIM, 1)
    ('m*n', 0, UNKNOWN_DIM)
    """
    if isinstance(left, int) and isinstance(right, int):
        return left * right
    if 0 in (left, right):
        return 0
    if isinstance(left, UnknownDim) or isinstance(right, UnknownDim):
        return UNKNOWN_DIM
    terms: dict[Monomial, int] = {}
    for names, factor in _terms(left).items():
        for more, other in _terms(right).items():
            product = tuple(sorted(names + more))
            terms[product] = terms.get(product, 0) + factor * other
    return _polynomial(terms)


def sub(left: Dim, right: Dim) -> Dim:
    """Returns the difference.

    >>> sub(symbol("n"), symbol("n")), sub(5, 2)
    (0, 3)
    """
    if isinstance(left, int) and isinstance(right, int):
        return left - right
    if isinstance(left, UnknownDim) or isinstance(right, UnknownDim):
        return UNKNOWN_DIM
    terms = _terms(left)
    for names, factor in _terms(right).items():
        terms[names] = terms.get(names, 0) - factor
    return _polynomial(terms)


def floordiv(left: Dim, right: Dim) -> Dim:
    """Returns the quotient rounded down; unknown where it is not certain, also for a divisor of
    zero.

    >>> floordiv(7, 2), floordiv(symbol("n"), 2), floordiv(7, 0)
    (3, UNKNOWN_DIM, UNKNOWN_DIM)
    """
    if not isinstance(right, int) or right == 0 or isinstance(left, UnknownDim):
        same = left == right and isinstance(left, SymbolicDim) and positive(left)
        return 1 if same else UNKNOWN_DIM
    if isinstance(left, int):
        return left // right
    if any(factor % right for _, factor in left.terms):
        return UNKNOWN_DIM
    return _polynomial({names: factor // right for names, factor in left.terms})


def positive(dim: Dim) -> bool | None:
    """Whether the size is greater than zero for all values of its names; None when it varies."""
    match dim:
        case int():
            return dim > 0
        case SymbolicDim(terms):
            constant = terms[-1][1] if not terms[-1][0] else 0  # the last, where there is one
            others = [factor for names, factor in terms if names]
            if constant > 0 and all(factor > 0 for factor in others):
                return True
            return False if constant <= 0 and all(factor < 0 for factor in others) else None
        case _:
            return None


def equal(left: Dim, right: Dim) -> bool | None:
    """Whether two sizes are the same: True or False when certain, else None.

    >>> n = symbol("n")
    >>> equal(n, n), equal(n, add(n, 1)), equal(n, 3), equal(UNKNOWN_DIM, UNKNOWN_DIM)
    (True, False, None, None)
    """
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    difference = sub(left, right)
    if isinstance(difference, int):
        return difference == 0
    return False if positive(difference) or positive(mul(-1, difference)) else None


def less(left: Dim, right: Dim) -> bool | None:
    """Whether `left` is smaller than `right`: True or False when certain, else None.

    >>> less(symbol("n"), add(symbol("n"), 1)), less(symbol("n"), 3), less(symbol("n"), 0)
    (True, None, False)
    """
    return positive(sub(right, left))


def minimum(left: Dim, right: Dim) -> Dim:
    """Returns the smaller size; unknown where it is not certain which that is.

    >>> minimum(3, 5), minimum(symbol("n"), 0), minimum(symbol("n"), 3)
    (3, 0, UNKNOWN_DIM)
    """
    if left == right or less(left, right) is False:
        return right
    return left if less(right, left) is False else UNKNOWN_DIM


def maximum(left: Dim, right: Dim) -> Dim:
    """Returns the larger size; unknown where it is not certain which that is.

    >>> maximum(3, 5), str(maximum(0, symbol("n"))), maximum(UNKNOWN_DIM, 0)
    (5, 'n', UNKNOWN_DIM)
    """
    if left == right or less(left, right) is False:
        return left
    return right if less(right, left) is False else UNKNOWN_DIM


def product(sizes: Iterable[Dim]) -> Dim:
    """Returns the number of elements of a shape.

    >>> product((2, 3, 4)), product((UNKNOWN_DIM, 0)), product(())
    (24, 0, 1)
    """
    total: Dim = 1
    for size in sizes:
        if size == 0:
            return 0
        total = mul(total, size)
    return total


def join(left: Dim, right: Dim) -> Dim:
    """Returns the least that is known when either may hold.

    >>> join(3, 3), join(3, 4), join(symbol("n"), UNKNOWN_DIM)
    (3, UNKNOWN_DIM, UNKNOWN_DIM)
    """
    return left if left == right else UNKNOWN_DIM


def broadcast(left: Dim, right: Dim) -> Dim | None:
    """Returns the size that two sizes broadcast to; None when they certainly do not.

    An unknown size beside a known one above 1 becomes the known one: where it is neither that nor 1
    the program fails.

    >>> broadcast(1, 4), broadcast(3, 4), broadcast(UNKNOWN_DIM, 4), broadcast(UNKNOWN_DIM, 1)
    (4, None, 4, UNKNOWN_DIM)
    """
    if left == 1:
        return right
    if right == 1 or left == right:
        return left
    if isinstance(left, int) and isinstance(right, int):
        return None
    if isinstance(left, int) or isinstance(right, int):
        known, other = (left, right) if isinstance(left, int) else (right, left)
        assert isinstance(known, int)
        fits = equal(other, known) is not False or equal(other, 1) is not False
        return known if fits else None
    if equal(left, right) is False and equal(left, 1) is False and equal(right, 1) is False:
        return None
    return UNKNOWN_DIM


def parse(text: str) -> Dim:
    """Reads a size as `str` prints it: an integer, `?`, or a polynomial such as `2*n+1`.

    >>> parse("8"), parse("?"), str(parse("2*n-m*n+1"))
    (8, UNKNOWN_DIM, '-m*n+2*n+1')
    """
    if text == "?":
        return UNKNOWN_DIM
    total: Dim = 0
    for term in text.replace("-", "+-").split("+"):
        if not term:
            continue
        sign, body = (-1, term[1:]) if term.startswith("-") else (1, term)
        part: Dim = sign
        for factor in body.split("*"):
            part = mul(part, int(factor) if factor.isdigit() else symbol(factor))
        total = add(total, part)
    return total
