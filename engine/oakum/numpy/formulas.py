"""Formulas of `einsum`: read to labels for the axes of operands and result, and contracted."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from oakum import errors, lax
from oakum.numpy import arguments, contraction_order, labelled, products
from oakum.numpy.labelled import Labels
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Formula:
    """The labels of the axes of the operands and of the result."""

    inputs: tuple[Labels, ...]
    result: Labels


class _Rest:
    """Stands for the ellipsis among the labels of a term."""

    def __repr__(self) -> str:
        return "..."


_REST = _Rest()


def read(construct: str, subscripts: Any, operands: Sequence[Any]) -> tuple[Formula, list[Any]]:
    """The formula and the operands of a call of `einsum` in either of its spellings."""
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
    read_values = [
        arguments.array_of_list(v) if isinstance(v, (list, tuple)) else v for v in values
    ]
    arrays = arguments.arrays("einsum", *read_values)
    ranks = [arguments.rank_of(each) for each in arrays]
    formula = _complete(terms, result, ranks)
    _check_sizes(formula, arrays)
    return formula, arrays


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
    for letter in letters:
        if letter != "\0" and not letter.isalpha():
            raise ValueError(f"Character '{letter}' is not a valid symbol.")
    return [_REST if letter == "\0" else letter for letter in letters]


def _interleaved(
    first: Any, rest: Sequence[Any]
) -> tuple[list[Any], list[list[Any]], list[Any] | None]:
    given = [first, *rest]
    result = list(given.pop()) if len(given) % 2 else None
    terms = [[_REST if x is Ellipsis else x for x in labels] for labels in given[1::2]]
    if result is not None:
        result = [_REST if label is Ellipsis else label for label in result]
    return given[::2], terms, result


def _complete(terms: list[list[Any]], result: list[Any] | None, ranks: Sequence[int]) -> Formula:
    """The formula with labels in place of each ellipsis, and with its result if it is left out."""
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
        return Formula(tuple(inputs), (*_fill([_REST], longest), *once))
    output = _fill(result, longest)
    for label in output:
        if output.count(label) > 1:
            raise ValueError(f"Output character '{label}' appeared more than once in the output.")
        if not any(label in labels for labels in inputs):
            raise errors.ShapeError(f"Output character '{label}' did not appear in the input")
    return Formula(tuple(inputs), output)


def _text(term: Sequence[Any]) -> str:
    return "".join(map(str, term))


def _fill(term: Sequence[Any], count: int) -> Labels:
    """The labels with those of an ellipsis, which are counted from its end."""
    labels: list[Hashable] = []
    for label in term:
        labels += [(_REST, i) for i in range(-count, 0)] if label is _REST else [label]
    return tuple(labels)


def _check_sizes(formula: Formula, arrays: Sequence[Any]) -> None:
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


def label_sizes(formula: Formula, arrays: Sequence[Any]) -> dict[Hashable, int]:
    """How long the axes of each label are."""
    sizes: dict[Hashable, int] = {}
    for labels, array in zip(formula.inputs, arrays, strict=True):
        for label, size in zip(labels, arguments.shape_of(array), strict=True):
            sizes[label] = max(size, sizes.get(label, 1)) if size else 0
    return sizes


def contract(
    formula: Formula,
    arrays: list[Any],
    optimize: Any,
    precision: Any,
    preferred: Any,
    dot_general: Callable[..., Any] | None,
) -> Any:
    """Computes the result of a formula by contracting pairs of operands."""
    dtype, weak = products.result_type(arrays, preferred)
    if preferred is None and dot_general is None:
        arrays = arguments.promote(*arrays)
    how = labelled.Contracting(precision, dtype, dot_general or lax.dot_general)
    order = contraction_order.find(
        formula.inputs, formula.result, label_sizes(formula, arrays), optimize
    )
    waiting = list(zip(arrays, formula.inputs, strict=True))
    for positions in order:
        taken = [waiting.pop(i) for i in sorted(positions, reverse=True)]
        waiting.append(_step(taken, [labels for _, labels in waiting], formula.result, how))
    operand, labels = waiting[0]
    operand, labels = labelled.single(operand, labels, formula.result, dtype)
    if labels != formula.result:
        operand = lax.transpose(operand, tuple(labels.index(label) for label in formula.result))
    return arguments.convert(operand, dtype, weak)


def _step(
    taken: list[tuple[Any, Labels]],
    others: list[Labels],
    result: Labels,
    how: labelled.Contracting,
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
        return labelled.single(operand, labels, needed, how.dtype)
    (lhs, left), (rhs, right) = taken
    merged = tuple(dict.fromkeys((*left, *right)))
    kept = result if not others else tuple(label for label in merged if label in needed)
    return labelled.product(lhs, left, rhs, right, kept, how), kept
