"""Contractions: products of arrays summed over shared dimensions."""

from collections.abc import Sequence
from typing import Any, cast

from oakum.abstract import operands
from oakum.abstract.elementwise import result_type
from oakum.abstract.operands import Arguments
from oakum.errors import DTypeError, ShapeError
from oakum.values import dims, promotion
from oakum.values.avals import ANY_ARRAY, UNKNOWN_DIM, Dim, Shape, ShapedArray
from oakum.values.promotion import Typing


def product_type(arrays: Sequence[ShapedArray], arguments: Arguments) -> Typing:
    """Returns the type of a product: what `preferred_element_type` asks for, or the
    promoted type.
    """
    operands.reject_keys(arrays, "a contraction")
    promoted = promotion.promote(each.typing for each in arrays)
    return operands.dtype_option(arguments.get("preferred_element_type"), promoted)


def contract(left: ShapedArray, right: ShapedArray, i: int, j: int) -> None:
    """Raises a `ShapeError` when dimension `i` of one and `j` of the other certainly differ."""
    if left.shape is None or right.shape is None:
        return
    if dims.equal(left.shape[i], right.shape[j]) is False:
        raise ShapeError(
            "dot_general requires contracting dimensions to have the same shape, "
            f"got {left.shape[i]} and {right.shape[j]}",
            detail=f"They are dimension {i % len(left.shape)} of {left} and dimension "
            f"{j % len(right.shape)} of {right}",
            hint="Transpose or reshape an operand so that the summed sizes agree.",
        )


def _pair(arguments: Arguments) -> tuple[ShapedArray, ShapedArray, Typing]:
    left, right = (operands.array(value) for value in operands.positional(arguments, 2))
    return left, right, product_type((left, right), arguments)


def matmul(arguments: Arguments) -> ShapedArray:
    """`matmul`, `@`: the last dimension of one with the last but one of the other.

    >>> from oakum.values.avals import parse_aval
    >>> print(matmul({"a": parse_aval("f32[5,2,3]"), "b": parse_aval("f32[3,4]")}))
    f32[5,2,4]
    """
    left, right, typing = _pair(arguments)
    for each in (left, right):
        if each.shape == ():
            raise ShapeError(f"matmul does not take scalars, and {each} is one", hint="Use *.")
    if left.shape is None or right.shape is None:
        return ShapedArray(None, *typing)
    contract(left, right, -1, -1 if len(right.shape) == 1 else -2)
    batch = operands.broadcast_shapes(
        [left.update(shape=left.shape[:-2]), right.update(shape=right.shape[:-2])]
    )
    assert batch is not None
    rows = left.shape[-2:-1]
    columns = right.shape[-1:] if len(right.shape) > 1 else ()
    return ShapedArray((*batch, *rows, *columns), *typing)


def dot(arguments: Arguments) -> ShapedArray:
    """`dot`: the last dimension of one with the last but one of the other; scalars multiply.

    >>> from oakum.values.avals import parse_aval
    >>> print(dot({"a": parse_aval("f32[2,3]"), "b": parse_aval("f32[5,3,4]")}))
    f32[2,5,4]
    """
    left, right, typing = _pair(arguments)
    if left.shape is None or right.shape is None:
        other = right if left.shape == () else left if right.shape == () else None
        return ShapedArray(None if other is None else other.shape, *typing)
    if not left.shape or not right.shape:
        return ShapedArray(left.shape + right.shape, *typing)
    contract(left, right, -1, -1 if len(right.shape) == 1 else -2)
    rest = (*right.shape[:-2], *right.shape[-1:]) if len(right.shape) > 1 else ()
    return ShapedArray(left.shape[:-1] + rest, *typing)


def vdot(arguments: Arguments) -> ShapedArray:
    """`vdot`: the product of two flattened arrays, a scalar."""
    left, right, typing = _pair(arguments)
    if dims.equal(left.size, right.size) is False:
        raise ShapeError(f"{left} and {right} do not have the same number of elements")
    return ShapedArray((), *typing)


def inner(arguments: Arguments) -> ShapedArray:
    """`inner`: the last dimensions of both."""
    left, right, typing = _pair(arguments)
    if left.shape is None or right.shape is None:
        other = right if left.shape == () else left if right.shape == () else None
        return ShapedArray(None if other is None else other.shape, *typing)
    if not left.shape or not right.shape:
        return ShapedArray(left.shape + right.shape, *typing)
    contract(left, right, -1, -1)
    return ShapedArray(left.shape[:-1] + right.shape[:-1], *typing)


def outer(arguments: Arguments) -> ShapedArray:
    """`outer`: each element of one with each of the other."""
    left, right, typing = _pair(arguments)
    return ShapedArray((left.size, right.size), *typing)


def kron(arguments: Arguments) -> ShapedArray:
    """`kron`: each element of one with the whole of the other."""
    left, right, typing = _pair(arguments)
    if left.shape is None or right.shape is None:
        return ShapedArray(None, *typing)
    rank = max(len(left.shape), len(right.shape))
    sizes = [(1,) * (rank - len(shape)) + shape for shape in (left.shape, right.shape)]
    return ShapedArray(tuple(map(dims.mul, *sizes)), *typing)


def vecdot(arguments: Arguments) -> ShapedArray:
    """`vecdot`: one dimension of both, and the others broadcast."""
    left, right, typing = _pair(arguments)
    axis = arguments.get("axis", -1)
    if left.shape is None or right.shape is None or not isinstance(axis, int):
        return ShapedArray(None, *typing)
    i, j = (operands.axis(axis, len(shape)) for shape in (left.shape, right.shape))
    contract(left, right, i, j)
    rest = [
        left.update(shape=left.shape[:i] + left.shape[i + 1 :]),
        right.update(shape=right.shape[:j] + right.shape[j + 1 :]),
    ]
    return ShapedArray(operands.broadcast_shapes(rest), *typing)


def matvec(arguments: Arguments) -> ShapedArray:
    """`matvec`: a stack of matrices with a stack of vectors."""
    left, right, typing = _pair(arguments)
    if left.shape is None or right.shape is None:
        return ShapedArray(None, *typing)
    if len(left.shape) < 2 or not right.shape:
        raise ShapeError(f"matvec takes a matrix and a vector, not {left} and {right}")
    contract(left, right, -1, -1)
    batch = [left.update(shape=left.shape[:-2]), right.update(shape=right.shape[:-1])]
    return ShapedArray((*(operands.broadcast_shapes(batch) or ()), left.shape[-2]), *typing)


def vecmat(arguments: Arguments) -> ShapedArray:
    """`vecmat`: a stack of vectors with a stack of matrices."""
    left, right, typing = _pair(arguments)
    if left.shape is None or right.shape is None:
        return ShapedArray(None, *typing)
    if len(right.shape) < 2 or not left.shape:
        raise ShapeError(f"vecmat takes a vector and a matrix, not {left} and {right}")
    contract(left, right, -1, -2)
    batch = [left.update(shape=left.shape[:-1]), right.update(shape=right.shape[:-2])]
    return ShapedArray((*(operands.broadcast_shapes(batch) or ()), right.shape[-1]), *typing)


def cross(arguments: Arguments) -> ShapedArray:
    """`cross`: the vector product of dimensions of size 2 or 3; only the usual form is known.

    As in JAX, only vectors of two elements each give a weakly typed result.
    """
    left, right, (dtype, weak_type) = _pair(arguments)
    axis = arguments.get("axis")
    last = axis == -1 or (axis is None and arguments.get("axisa", -1) == -1)
    moved = axis is None and any(arguments.get(name, -1) != -1 for name in ("axisb", "axisc"))
    if not last or moved or not left.shape or not right.shape:
        return ShapedArray(None, dtype, None if weak_type else weak_type)
    ends = (left.shape[-1], right.shape[-1])
    for end in ends:
        if dims.equal(end, 2) is False and dims.equal(end, 3) is False:
            raise ShapeError(f"cross takes vectors of size 2 or 3, not {left} and {right}")
    batch = operands.broadcast_shapes(
        [left.update(shape=left.shape[:-1]), right.update(shape=right.shape[:-1])]
    )
    if ends == (2, 2):
        return ShapedArray(batch, dtype, weak_type)
    if 3 not in ends:
        return ShapedArray(None, dtype, None if weak_type else weak_type)
    return ShapedArray(None if batch is None else (*batch, 3), dtype, False)


def tensordot(arguments: Arguments) -> ShapedArray:
    """`tensordot`: the last dimensions of one with the first of the other, or pairs of axes.

    >>> from oakum.values.avals import parse_aval
    >>> a, b = parse_aval("f32[2,3,4]"), parse_aval("f32[3,4,5]")
    >>> print(tensordot({"a": a, "b": b, "axes": 2}))
    f32[2,5]
    """
    left, right, typing = _pair(arguments)
    if left.shape is None or right.shape is None:
        return ShapedArray(None, *typing)
    pairs = _axis_pairs(left.shape, right.shape, arguments.get("axes", 2))
    if pairs is None:
        return ShapedArray(None, *typing)
    mine, theirs = pairs
    for i, j in zip(mine, theirs, strict=True):
        contract(left, right, i, j)
    rest: list[Dim] = [size for i, size in enumerate(left.shape) if i not in mine]
    rest += [size for i, size in enumerate(right.shape) if i not in theirs]
    return ShapedArray(tuple(rest), *typing)


def _axis_pairs(
    left: Shape, right: Shape, axes: object
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    if isinstance(axes, int):
        if axes > min(len(left), len(right)):
            raise ShapeError(
                f"tensordot over {axes} dimensions needs as many in both operands, "
                f"which have {len(left)} and {len(right)}"
            )
        return tuple(range(len(left) - axes, len(left))), tuple(range(axes))
    pair = operands.items(axes)
    if pair is None or len(pair) != 2:
        return None
    mine = operands.known_axes(pair[0], len(left))
    theirs = operands.known_axes(pair[1], len(right))
    if mine is None or theirs is None:
        return None
    if len(mine) != len(theirs):
        raise ShapeError(f"tensordot pairs {len(mine)} axes with {len(theirs)}")
    return mine, theirs


def multi_dot(arguments: Arguments) -> ShapedArray:
    """`multi_dot`: a chain of matrix products."""
    items = operands.items(next(iter(arguments.values())))
    if not items:
        return ANY_ARRAY
    result = operands.array(items[0])
    for item in items[1:]:
        result = dot({"a": result, "b": item})
    return result


def _items(value: object, count: int | None = None) -> list[Any] | None:
    """Returns the items of a sequence that is known and, if asked, of this length."""
    if not isinstance(value, (tuple, list)):
        return None
    items = [*cast("Sequence[Any]", value)]
    return items if count in (None, len(items)) else None


def _axes(value: object) -> tuple[int, ...] | None:
    items = _items(value)
    if items is None or not all(isinstance(item, int) for item in items):
        return None
    return tuple(items)


def _dimension_numbers(value: object) -> list[tuple[int, ...]] | None:
    """Returns the contracted axes of both operands, and the batch axes of both."""
    found: list[tuple[int, ...]] = []
    for pair in _items(value, 2) or (None,):
        for each in _items(pair, 2) or (None,):
            axes = _axes(each)
            if axes is None:
                return None
            found.append(axes)
    return found


def _drop_weak_types(arguments: Arguments) -> Arguments:
    """Returns the arguments of a product, its operands without types that are not promoted to each
    other: the products of `lax` take any, and give the wider one.
    """
    given = dict(zip(arguments, operands.positional(arguments, 2), strict=False))
    arrays = {name: operands.array(each) for name, each in given.items()}
    operands.reject_keys([*arrays.values()], "a contraction")
    try:
        promotion.promote(each.typing for each in arrays.values())
    except DTypeError:
        return {**arguments, **{name: each.update(dtype=None) for name, each in arrays.items()}}
    return arguments


def batch_matmul(arguments: Arguments) -> ShapedArray:
    """`batch_matmul`: the product of each matrix of one array with one of the other.

    >>> from oakum.values.avals import parse_aval
    >>> print(batch_matmul({"lhs": parse_aval("i4[5,2,3]"), "rhs": parse_aval("i8[5,3,4]")}))
    ?[5,2,4]
    """
    return matmul(_drop_weak_types(arguments))


def dot_general(arguments: Arguments) -> ShapedArray:
    """`dot_general`: batch axes, then the other axes of the first operand, then of the second.

    >>> from oakum.values.avals import parse_aval
    >>> given = {"lhs": parse_aval("f32[8,2,3]"), "rhs": parse_aval("f32[8,3,4]")}
    >>> print(dot_general({**given, "dimension_numbers": (((2,), (1,)), ((0,), (0,)))}))
    f32[8,2,4]
    """
    arguments = _drop_weak_types(arguments)
    left, right = (operands.array(each) for each in operands.positional(arguments, 2))
    typing = product_type((left, right), arguments)
    numbers = _dimension_numbers(arguments["dimension_numbers"])
    if numbers is None or left.shape is None or right.shape is None:
        return ShapedArray(None, *typing)
    mine, theirs, my_batch, their_batch = numbers
    _check_side("lhs", left, mine, my_batch)
    _check_side("rhs", right, theirs, their_batch)
    for what, one, other in (("batch", my_batch, their_batch), ("contracting", mine, theirs)):
        if len(one) != len(other):
            raise ShapeError(
                f"dot_general requires equal numbers of lhs_{what} and rhs_{what} dimensions",
                detail=f"Got lhs_{what} {one} and rhs_{what} {other}",
                hint="Pair each axis of one operand with one of the other.",
            )
    for i, j in zip(my_batch, their_batch, strict=True):
        if dims.equal(left.shape[i], right.shape[j]) is False:
            raise ShapeError(
                "dot_general requires lhs batch dimensions and rhs batch dimensions to have the "
                "same shape",
                detail=f"Got {left.shape[i]} and {right.shape[j]} for {left} and {right}",
                hint="Transpose or reshape an operand so that the sizes of the pairs agree.",
            )
    for i, j in zip(mine, theirs, strict=True):
        contract(left, right, i, j)
    shape: list[Dim] = [left.shape[i] for i in my_batch]
    shape += [n for i, n in enumerate(left.shape) if i not in (*mine, *my_batch)]
    shape += [n for i, n in enumerate(right.shape) if i not in (*theirs, *their_batch)]
    return ShapedArray(tuple(shape), *typing)


def _check_side(
    side: str, aval: ShapedArray, contracting: tuple[int, ...], batch: tuple[int, ...]
) -> None:
    rank = aval.ndim
    if rank is not None and not all(0 <= axis < rank for axis in (*contracting, *batch)):
        raise ShapeError(
            f"dot_general requires {side} dimension numbers to be nonnegative and less than the "
            f"number of axes of the {side} value",
            detail=f"Got {side}_batch of {batch} and {side}_contracting of {contracting} for "
            f"{side} of rank {rank}",
            hint=f"Give axes from 0 to {rank - 1}." if rank else "A scalar has no axes.",
        )
    for what, axes in (("batch", batch), ("contracting", contracting)):
        if len(set(axes)) != len(axes):
            raise ShapeError(
                f"dot_general requires {side} {what} dimensions to be distinct, got {side}_{what} "
                f"{axes}",
                hint="Name each axis once.",
            )
    if set(contracting) & set(batch):
        raise ShapeError(
            f"dot_general requires {side} batch dimensions to be disjoint from contracting "
            "dimensions",
            detail=f"Got {side}_batch {batch} and {side}_contracting {contracting}",
            hint="Use each axis either as a batch axis or as a contracted one.",
        )


def lax_dot(arguments: Arguments) -> Any:
    """`lax.dot`: with dimension numbers as `dot_general`, else of vectors and matrices."""
    plain = arguments.get("dimension_numbers") is None
    return dot(_drop_weak_types(arguments)) if plain else dot_general(arguments)


def convolve(arguments: Arguments) -> ShapedArray:
    """`convolve`, `correlate`: two vectors slid along each other; the type is inexact.

    >>> from oakum.values.avals import parse_aval
    >>> print(convolve({"a": parse_aval("f32[5]"), "v": parse_aval("f32[3]"), "mode": "full"}))
    f32[7]
    """
    left, right = (operands.array(value) for value in operands.positional(arguments, 2))
    for each in (left, right):
        if each.ndim not in (None, 1):
            raise ShapeError(f"convolve takes vectors, not {each}")
    dtype, weak_type = operands.dtype_option(
        arguments.get("preferred_element_type"), result_type([left, right], "inexact")
    )
    longer, shorter = dims.maximum(left.size, right.size), dims.minimum(left.size, right.size)
    match arguments.get("mode", "full"):
        case "full":
            size = dims.sub(dims.add(left.size, right.size), 1)
        case "same":
            size = longer
        case "valid":
            size = dims.add(dims.sub(longer, shorter), 1)
        case _:
            size = UNKNOWN_DIM
    return ShapedArray((size,), dtype, weak_type)


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
        if (rest := _note_dimensions(term, aval, sizes)) is not None:
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


def _note_dimensions(term: str, aval: ShapedArray, sizes: dict[str, Dim]) -> ShapedArray | None:
    """Notes the sizes of the named dimensions; returns the dimensions under the dots, if any."""
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
