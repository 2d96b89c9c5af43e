"""Checks of the dimension numbers of gathers and scatters, in the order of XLA's checks."""

from __future__ import annotations

from collections.abc import Sequence

from oakum.errors import ShapeError
from oakum.lax.options import GatherDimensionNumbers, ScatterDimensionNumbers
from oakum.primitives.rules.arguments import Sizes, without


def _error(reason: str) -> ShapeError:
    return ShapeError(
        reason, hint="Index with x[...] or update with x.at[...], which work the numbers out."
    )


def _check_sorted(dims: Sequence[int], operation: str, name: str) -> None:
    if list(dims) != sorted(dims):
        raise _error(f"{name} in {operation} op must be sorted; got {dims}")


def _check_distinct(dims: Sequence[int], operation: str, name: str) -> None:
    if len(set(dims)) != len(dims):
        raise _error(f"{name} in {operation} op must not repeat; got: {dims}")


def _check_range(dims: Sequence[int], rank: int, operation: str, name: str) -> None:
    for dim in dims:
        if not 0 <= dim < rank:
            raise _error(
                f"Invalid {name} set in {operation} op; valid range is [0, {rank}); got: {dim}"
            )


def _check_disjoint(
    left: Sequence[int], right: Sequence[int], operation: str, names: tuple[str, str]
) -> None:
    if set(left) & set(right):
        both = " and ".join(names)
        raise _error(f"{both} in {operation} op must be disjoint; got: {left} and {right}")


def _check_set(dims: Sequence[int], rank: int, operation: str, name: str) -> None:
    _check_sorted(dims, operation, name)
    _check_distinct(dims, operation, name)
    _check_range(dims, rank, operation, name)


def _check_batching(
    operation: str,
    names: tuple[str, str],
    operand: tuple[Sizes, Sequence[int]],
    indices: tuple[Sizes, Sequence[int]],
) -> None:
    """Checks the axes over which operand and indices go together; each is (shape, axes)."""
    (operand_shape, operand_dims), (shape, dims) = operand, indices
    title, last = operation.capitalize(), len(shape) - 1
    _check_distinct(dims, operation, names[1])
    _check_range(dims, len(shape), operation, names[1])
    if last in dims:
        raise _error(
            f"{title} op cannot have the index vector dimension as a batching dimension; got {dims}"
        )
    if len(operand_dims) != len(dims):
        raise _error(
            f"{title} op requires equal numbers of {' and '.join(names)}, "
            f"got {operand_dims} and {dims}"
        )
    mine = tuple(operand_shape[d] for d in operand_dims)
    theirs = tuple(shape[d] for d in dims)
    if mine != theirs:
        raise _error(
            f"{title} op requires operand batching dimensions and indices batching dimensions to "
            f"have the same shape, got {mine} and {theirs}"
        )


def _check_index_map(
    operation: str, name: str, dims: Sequence[int], rank: int, indices: Sizes, invalid: str
) -> None:
    """Checks the axes of the operand that the columns of the indices stand for."""
    last = len(indices) - 1
    if len(dims) != indices[last]:
        raise _error(
            f"{operation.capitalize()} op has {len(dims)} elements in {name} and the bound of "
            f"dimension index_vector_dim={last} of indices is {indices[last]}. These two numbers "
            "must be equal."
        )
    for at, dim in enumerate(dims):
        if not 0 <= dim < rank:
            raise _error(f"Invalid {invalid}; domain is [0, {rank}), got: {at}->{dim}")
    _check_distinct(dims, operation, name)


def _check_index_rank(operation: str, indices: Sizes) -> None:
    if not indices:
        raise _error(
            f"{operation.capitalize()} index leaf dimension must be within [0, rank(indices)); "
            "rank(indices) is 0"
        )


def check_gather(
    operand: Sizes, indices: Sizes, numbers: GatherDimensionNumbers, sizes: Sizes
) -> None:
    """Checks the dimension numbers and slice sizes of a gather from operands of these shapes."""
    rank, operation = len(operand), "gather"
    _check_index_rank(operation, indices)
    _check_offsets(numbers.offset_dims, len(numbers.offset_dims) + len(indices) - 1)
    _check_index_map(
        operation, "start_index_map", numbers.start_index_map, rank, indices, "start_index_map"
    )
    _check_set(numbers.collapsed_slice_dims, rank, operation, "collapsed_slice_dims")
    batching = numbers.operand_batching_dims
    _check_distinct(batching, operation, "operand_batching_dims")
    _check_set(batching, rank, operation, "operand_batching_dims")
    for name in ("collapsed_slice_dims", "start_index_map"):
        pair = (name, "operand_batching_dims")
        _check_disjoint(getattr(numbers, name), batching, operation, pair)
    _check_batching(
        operation,
        ("operand_batching_dims", "start_indices_batching_dims"),
        (operand, batching),
        (indices, numbers.start_indices_batching_dims),
    )
    _check_slice_sizes(operand, indices, numbers, sizes)


def _check_offsets(dims: Sequence[int], rank: int) -> None:
    _check_sorted(dims, "gather", "offset_dims")
    _check_distinct(dims, "gather", "offset_dims")
    for at, dim in enumerate(dims):
        if not 0 <= dim < rank:
            raise _error(
                f"Offset dimension {at} in gather op is out of bounds; got {dim}, but should have "
                f"been in [0, {rank})"
            )


def _check_slice_sizes(
    operand: Sizes, indices: Sizes, numbers: GatherDimensionNumbers, sizes: Sizes
) -> None:
    if len(sizes) != len(operand):
        raise _error(
            "Gather op must have one slice size for every input dimension; "
            f"got {len(sizes)} for {len(operand)} dimensions"
        )
    collapsed, batching = numbers.collapsed_slice_dims, numbers.operand_batching_dims
    if len(sizes) != len(numbers.offset_dims) + len(collapsed) + len(batching):
        raise _error(
            "All components of the offset index in a gather op must either be a offset dimension "
            f"or explicitly collapsed/batching; got slice sizes {sizes} and {numbers}"
        )
    for at, (size, whole) in enumerate(zip(sizes, operand, strict=True)):
        if 0 not in indices and not 0 <= size <= whole:
            raise _error(
                f"Slice size at index {at} in gather op is out of range, "
                f"must be within [0, {whole} + 1), got {size}"
            )
    _check_dropped(sizes, collapsed, (1,), "collapse slice dims with bound 1")
    _check_dropped(sizes, batching, (0, 1), "have operand batching dims with bound 0/1")


def _check_dropped(sizes: Sizes, dims: Sequence[int], allowed: Sequence[int], what: str) -> None:
    for at, dim in enumerate(dims):
        if sizes[dim] not in allowed:
            raise _error(
                f"Gather op can only {what}, but bound is {sizes[dim]} for index {dim} at "
                f"position {at}."
            )


def check_scatter(
    operand: Sizes, indices: Sizes, updates: Sizes, numbers: ScatterDimensionNumbers
) -> None:
    """Checks the dimension numbers of a scatter into operands of these shapes."""
    rank, operation = len(operand), "scatter"
    _check_index_rank(operation, indices)
    window = numbers.update_window_dims
    if len(updates) != len(indices) - 1 + len(window):
        raise _error(
            f"Updates tensor must be of rank {len(indices) - 1 + len(window)}; got {len(updates)}."
        )
    _check_set(window, len(updates), operation, "update_window_dims")
    _check_set(numbers.inserted_window_dims, rank, operation, "inserted_window_dims")
    _check_scatter_batching(operand, indices, numbers)
    dropped = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    if rank != len(window) + len(dropped):
        raise _error(
            f"Scatter op has window of size {len(window) + len(dropped)}; doesn't match operand "
            f"of rank {rank}."
        )
    name = "scatter_dims_to_operand_dims"
    targets = numbers.scatter_dims_to_operand_dims
    _check_index_map(operation, name, targets, rank, indices, f"{name} mapping")
    _check_updates(without(operand, dropped), indices, updates, window)


def _check_scatter_batching(
    operand: Sizes, indices: Sizes, numbers: ScatterDimensionNumbers
) -> None:
    operation, batching = "scatter", numbers.operand_batching_dims
    _check_set(batching, len(operand), operation, "operand_batching_dims")
    for name in ("inserted_window_dims", "scatter_dims_to_operand_dims"):
        pair = (name, "operand_batching_dims")
        _check_disjoint(getattr(numbers, name), batching, operation, pair)
    _check_batching(
        operation,
        ("operand_batching_dims", "scatter_indices_batching_dims"),
        (operand, batching),
        (indices, numbers.scatter_indices_batching_dims),
    )


def _check_updates(room: Sizes, indices: Sizes, updates: Sizes, window: Sequence[int]) -> None:
    for dim, bound in zip(window, room, strict=True):
        if updates[dim] > bound:
            raise _error(
                "Bounds of the window dimensions of updates must not exceed the bounds of the "
                f"corresponding dimensions of operand. For dimension {dim}, updates bound is "
                f"{updates[dim]}, operand bound is {bound}."
            )
    batch: Sequence[int] = [dim for dim in range(len(updates)) if dim not in window]
    for dim, bound in zip(batch, indices[:-1], strict=True):
        if updates[dim] != bound:
            raise _error(
                "Bounds of the scatter dimensions of updates must be the same as the bounds of the "
                f"corresponding dimensions of scatter indices. For scatter dimension {dim}, "
                f"updates bound is {updates[dim]}, indices bound is {bound}."
            )
