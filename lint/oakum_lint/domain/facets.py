"""Facets: what one analysis knows of an array, beside what it is.

An array carries its facets wherever it goes; only their owner reads them. Where two arrays become
one, or one becomes another, each facet says itself what is left of it: of most, nothing. What may
be an array or a tree of them, and is not known, carries facets too; its items have the same, and
nothing is left of them where it becomes one with another value.

Invariant: the facets of an array are in the order of their names, so that equal ones compare equal.
"""

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from oakum.values.records import replace
from oakum_lint.domain.values import Array, HeapObject, Unknown, Value

if TYPE_CHECKING:
    from oakum_lint.domain.frames import Frame

Content = TypeVar("Content")
Bearer = TypeVar("Bearer", Array, Unknown)
Facets = tuple[tuple["Facet[Any]", Any], ...]


class Border(Protocol):
    """How arrays come into a trace."""

    @property
    def level(self) -> int:
        """The depth of the trace."""
        ...

    @property
    def differentiated(self) -> int:
        """The level of a trace around that differentiates, if what is known of derivatives stays
        so, else 0.
        """
        ...

    @property
    def forget_shape(self) -> bool:
        """Whether the tracer is a part of the array."""
        ...


class Facet(Generic[Content]):
    """A subject on which an analysis may know something of an array. Its name says, to a reader of
    `oakum debug`, what about.
    """

    __slots__ = ("name",)
    identifies = False
    """Whether it says which array it is, not what it is like."""

    def __init__(self, name: str) -> None:
        self.name = name

    def of(self, value: Value) -> Content | None:
        """Returns the knowledge of a value, if it is one with this facet."""
        if isinstance(value, Array | Unknown) and value.facets:
            for facet, content in value.facets:
                if facet is self:
                    return content
        return None

    def put(self, array: Bearer, content: Content | None) -> Bearer:
        """Returns the array with this knowledge; None: without any."""
        facets = array.facets
        left = [pair for pair in facets if pair[0] is not self] if facets else []
        if content is not None:
            left.append((self, content))
            left.sort(key=_name)
        elif len(left) == len(facets):
            return array
        return replace(array, facets=tuple(left))

    def joined(self, first: Content, second: Content) -> Content | None:
        """Returns what holds of an array that is one of two."""
        return None

    def alone(self, content: Content) -> Content | None:
        """Returns what holds of an array that is one of two; the other lacks this facet."""
        return None

    def widened(self, content: Content) -> Content | None:
        """Returns what holds of all arrays of its kind."""
        return None

    def of_row(self, content: Content, index: int | None) -> Content | None:
        """Returns what holds of a row of the array, at an index if that is known."""
        return None

    def carried(self, values: Sequence[Value], frame: "Frame", flat: bool) -> Content | None:
        """Returns what is known of the result of an operation on values, one of which has this
        facet; `flat`: its derivative is zero.
        """
        return None

    def lifted(self, content: Content, border: Border) -> Content | None:
        """Returns what holds of the tracer that a trace makes of the array."""
        return None

    def lowered(
        self, content: Content, level: int, mapped: bool, derivative: bool
    ) -> Content | None:
        """Returns what holds of a result of a trace outside it, of a level there. `mapped`: it was
        made for each position of an axis; `derivative`: by what is differentiated it is as before.
        """
        return None

    def held(self, content: Content) -> tuple[HeapObject, ...]:
        """The objects that this holds."""
        return ()

    def kind(self, content: Content) -> object:
        """What this is but for the objects that it holds."""
        return content

    def with_held(self, content: Content, held: Sequence[HeapObject]) -> Content:
        """The same with other objects in the place of those that it holds."""
        return content

    def words(self, content: Content) -> str:
        """Says it in words that fit after the name of the facet and a colon: here of a content that
        is a word or a number.
        """
        return str(content)

    def is_same(self, first: Content, second: Content) -> bool:
        """Whether two arrays are one, of a facet that identifies."""
        return first == second


class Flag(Facet[bool]):
    """That something holds of an array: then it holds of each row. `said` are the words for it."""

    __slots__ = ("_said",)

    def __init__(self, name: str, said: str) -> None:
        super().__init__(name)
        self._said = said

    def words(self, content: bool) -> str:
        return self._said

    def of_row(self, content: bool, index: int | None) -> bool:
        return True


def _name(pair: tuple[Facet[Any], Any]) -> str:
    return pair[0].name


def _known(pairs: Iterable[tuple[Facet[Any], Any]]) -> Facets:
    return tuple([pair for pair in pairs if pair[1] is not None])


def carried(values: Sequence[Value], frame: "Frame", flat: bool) -> Facets:
    """The facets of the result of an operation."""
    bearing = [value for value in values if isinstance(value, Array) and value.facets]
    if not bearing:
        return ()
    found = {facet: None for value in bearing for facet, _ in value.facets}
    pairs = [(facet, facet.carried(values, frame, flat)) for facet in found]
    return _known(sorted(pairs, key=_name))


def joined(first: Array, second: Array) -> Facets:
    """The facets of an array that is one of two."""
    if not (first.facets or second.facets):
        return ()
    others = dict(second.facets)
    pairs = [
        (
            facet,
            facet.joined(content, others.pop(facet)) if facet in others else facet.alone(content),
        )
        for facet, content in first.facets
    ]
    pairs += [(facet, facet.alone(content)) for facet, content in others.items()]
    return _known(sorted(pairs, key=_name) if others else pairs)


def widened(array: Array) -> Facets:
    """The facets of all arrays of a kind."""
    return _known((facet, facet.widened(content)) for facet, content in array.facets)


def of_row(array: Array, index: int | None) -> Facets:
    """The facets of a row of an array."""
    return _known((facet, facet.of_row(content, index)) for facet, content in array.facets)


def lifted(array: Array, border: Border) -> Facets:
    """The facets of the tracer that a trace makes of an array."""
    return _known((facet, facet.lifted(content, border)) for facet, content in array.facets)


def lowered(array: Array, level: int, mapped: bool, derivative: bool) -> Facets:
    """The facets of a result of a trace outside it."""
    return _known(
        (facet, facet.lowered(content, level, mapped, derivative))
        for facet, content in array.facets
    )


def anonymous(array: Array) -> Array:
    """The array as one of several like it."""
    left = tuple([pair for pair in array.facets if not pair[0].identifies])
    return array if len(left) == len(array.facets) else replace(array, facets=left)


def apart(array: Array, since: int) -> Array:
    """The array as one of several that calls have made, one each: they share what is older than an
    identity that was taken before.
    """
    left = tuple(
        [
            (facet, content)
            for facet, content in array.facets
            if not facet.identifies or all(held.uid < since for held in facet.held(content))
        ]
    )
    return array if len(left) == len(array.facets) else replace(array, facets=left)


def identity(array: Array) -> Facets:
    """The facets that say which array this is."""
    return tuple([pair for pair in array.facets if pair[0].identifies])


def is_identified(array: Array, other: Array) -> bool:
    """Whether nothing says that another array is not this one."""
    for facet, content in array.facets:
        if facet.identifies:
            found = facet.of(other)
            if found is None or not facet.is_same(content, found):
                return False
    return True


def without_held(array: Array) -> tuple[Array, tuple[object, ...]]:
    """The array without the facets that hold objects, and what these are but for the objects."""
    left = tuple([pair for pair in array.facets if not pair[0].held(pair[1])])
    kinds = [(facet, facet.kind(content)) for facet, content in array.facets if facet.held(content)]
    return replace(array, facets=left), tuple(kinds)


def with_held(array: Array, now: Callable[[HeapObject], HeapObject]) -> Array:
    """The array with other objects in the place of those that its facets hold."""
    facets: list[tuple[Facet[Any], Any]] = []
    for facet, content in array.facets:
        before = facet.held(content)
        after = tuple(map(now, before))
        same = all(map(operator.is_, before, after))
        facets.append((facet, content if same else facet.with_held(content, after)))
    same = all(old[1] is new[1] for old, new in zip(array.facets, facets, strict=True))
    return array if same else replace(array, facets=tuple(facets))


def held_in_facets(array: Array) -> tuple[HeapObject, ...]:
    """The objects that the facets of an array hold."""
    return tuple([held for facet, content in array.facets for held in facet.held(content)])
