"""The rule of `einsum`: subscripts name dimensions, and names that are not asked for are summed."""

from collections.abc import Sequence

from oakum.abstract import operands
from oakum.abstract.operands import Arguments
from oakum.errors import ShapeError
from oakum.values import dims, promotion
from oakum.values.avals import UNKNOWN_DIM, Dim, Shape, ShapedArray


def einsum(arguments: Arguments) -> ShapedArray:
    """`einsum`: a product of arrays whose dimensions are named by letters.

    >>> from oakum.values.avals import parse_aval
    >>> pair = (parse_aval("f32[5,2,3]"), parse_aval("f32[3,4]"))
    >>> print(einsum({"subscripts": "...ij,jk->...ik", "operands": pair}))
    f32[5,2,4]
    """
    subscripts, values = operands.positional(arguments, 2)
    items = operands.items(values)
    if items is None:
        return _result(None, [], arguments)
    arrays = [operands.array(value) for value in items]
    if not isinstance(subscripts, str):
        return ShapedArray(None, None, None)
    return _result(_shape(subscripts.replace(" ", ""), arrays), arrays, arguments)


def _result(shape: Shape | None, arrays: list[ShapedArray], arguments: Arguments) -> ShapedArray:
    promoted = promotion.promote(each.typing for each in arrays)
    typing = operands.dtype_option(arguments.get("preferred_element_type"), promoted)
    return ShapedArray(shape, *typing)


def _shape(subscripts: str, arrays: Sequence[ShapedArray]) -> Shape | None:
    inputs, arrow, output = subscripts.partition("->")
    terms = inputs.split(",")
    if len(terms) != len(arrays):
        raise ShapeError(
            f"the subscripts {subscripts!r} name {len(terms)} operands, and {len(arrays)} are given"
        )
    sizes: dict[str, Dim] = {}
    batch: list[ShapedArray] = []
    for term, aval in zip(terms, arrays, strict=True):
        if (rest := _named(term, aval, sizes)) is not None:
            batch.append(rest)
    dots = operands.broadcast_shapes(batch)
    if not arrow:
        letters = inputs.replace(",", "").replace("...", "")
        once = sorted(name for name in set(letters) if letters.count(name) == 1)
        output = ("..." if "..." in inputs else "") + "".join(once)
    return _output_shape(output, sizes, dots if "..." in output else ())


def _output_shape(output: str, sizes: dict[str, Dim], dots: Shape | None) -> Shape | None:
    if dots is None:
        return None
    before, _, after = output.partition("...")
    missing = [name for name in before + after if name not in sizes]
    if missing:
        raise ShapeError(f"the output names {missing[0]!r}, which no operand has")
    return (
        *(sizes[name] for name in before),
        *dots,
        *(sizes[name] for name in after),
    )


def _named(term: str, aval: ShapedArray, sizes: dict[str, Dim]) -> ShapedArray | None:
    """Notes the sizes of the named dimensions; gives the dimensions under the dots, if any."""
    before, dots, after = term.partition("...")
    named = len(before) + len(after)
    shape = aval.shape
    if shape is None:
        for name in before + after:
            sizes.setdefault(name, UNKNOWN_DIM)
        return aval if dots else None
    if len(shape) < named or (not dots and len(shape) > named):
        raise ShapeError(f"the subscripts {term!r} do not fit {aval}, of {len(shape)} dimensions")
    tail = len(shape) - len(after)
    known = zip(before + after, shape[: len(before)] + shape[tail:], strict=True)
    for name, size in known:
        merged = dims.broadcast(sizes[name], size) if name in sizes else size
        if merged is None:
            raise ShapeError(
                f"the subscript {name!r} has sizes {sizes[name]} and {size}, the latter in {aval}"
            )
        sizes[name] = merged
    return aval.update(shape=shape[len(before) : tail]) if dots else None
